/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/line.h"

void eqt_line_bytes(struct eqt_line *line, const char *bytes, size_t length)
{
	if (line->space == 0)
		return;
	if (length >= line->space)
		length = line->space - 1;
	memcpy(line->at, bytes, length);
	line->at += length;
	line->space -= length;
	*line->at = '\0';
}

void eqt_line_put(struct eqt_line *line, const char *words)
{
	eqt_line_bytes(line, words, strlen(words));
}

void eqt_line_whole(struct eqt_line *line, uint64_t value)
{
	char digits[EQT_DIGITS];

	eqt_line_bytes(line, digits, eqt_digits(digits, value));
}

void eqt_line_frac(struct eqt_line *line, struct eqt_frac value)
{
	char text[EQT_FRAC_TEXT];

	eqt_line_put(line, eqt_frac_text(value, text, sizeof(text)));
}

size_t eqt_digits(char *buf, uint64_t value)
{
	char digits[EQT_DIGITS];
	size_t at = EQT_DIGITS;

	do {
		digits[--at] = (char) ('0' + value % 10);
		value /= 10;
	} while (value > 0);
	memcpy(buf, digits + at, EQT_DIGITS - at);
	return EQT_DIGITS - at;
}
