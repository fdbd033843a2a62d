/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions for the tests of both formats of the ledger. */
#ifndef LEDGER_TEXT_H
#define LEDGER_TEXT_H

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "../unit.h"

#define ARRAY_SIZE(array) ((int) (sizeof(array) / sizeof((array)[0])))

/* Add a correct checksum, so that only the text before it can be wrong. */
static inline size_t seal(char *out, size_t size, const char *body,
			  const char *tail)
{
	unsigned long crc =
		crc32_z(0, (const unsigned char *) body, strlen(body));
	int length = snprintf(out, size, "%s%08lx%s", body, crc, tail);

	ck_assert_int_gt(length, 0);
	ck_assert_uint_lt((size_t) length, size);
	return (size_t) length;
}

#endif
