/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash: FNV-1a of 64 bits (Fowler, Noll and Vo), of bytes that nobody forges. */
#ifndef EQT_HASH_H
#define EQT_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of nothing. */
#define EQT_HASH_START UINT64_C(14695981039346656037)

/* Continue a hash with these bytes. */
static inline uint64_t eqt_hash_bytes(uint64_t hash, const void *bytes,
				      size_t length)
{
	const unsigned char *at = bytes;

	for (; length > 0; length--)
		hash = (hash ^ *at++) * UINT64_C(1099511628211);
	return hash;
}

#endif
