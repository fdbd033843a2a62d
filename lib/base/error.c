/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An error is a text in a struct of the caller, so that nothing is allocated and no
 * state is global. */
#include <stdio.h>

#include "base/error.h"

/* Bytes from 0x80 up are not control characters, because file names may be UTF-8. */
static int character_is_control(char c)
{
	unsigned char byte = (unsigned char) c;

	return byte < 0x20 || byte == 0x7f;
}

int eqt_error_set(struct eqt_error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void) eqt_error_set_list(err, format, args);
	va_end(args);
	return -1;
}

int eqt_error_set_list(struct eqt_error *err, const char *format, va_list args)
{
	if (!err)
		return -1;
	if (vsnprintf(err->text, sizeof(err->text), format, args) < 0)
		err->text[0] = '\0';
	for (char *p = err->text; *p; p++) {
		if (character_is_control(*p))
			*p = '?';
	}
	return -1;
}
