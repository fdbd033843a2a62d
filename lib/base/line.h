/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_line: words and numbers strung together in a buffer of the caller's.
 *
 * Every submission is told its price. printf takes longer for the words than the
 * price takes, which is why it is not used here.
 */
#ifndef EQT_LINE_H
#define EQT_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/fraction.h"

/*
 * What is left of the buffer; a plain value, made as { buf, size }. The text is
 * cut where the buffer ends, and ends with a NUL after each call if size is not
 * 0.
 */
struct eqt_line {
	char *at;
	size_t space;
};

/* Append words. */
void eqt_line_put(struct eqt_line *line, const char *words);

/* Append length bytes, of which none is a NUL. */
void eqt_line_bytes(struct eqt_line *line, const char *bytes, size_t length);

/* Append a number in decimal. */
void eqt_line_whole(struct eqt_line *line, uint64_t value);

/* Append a number as eqt_frac_text() does. */
void eqt_line_frac(struct eqt_line *line, struct eqt_frac value);

#define EQT_DIGITS 20 /* of 2^64 - 1 */

/* The decimal digits of a number into buf, of EQT_DIGITS bytes and without a
 * NUL; returns how many. */
size_t eqt_digits(char *buf, uint64_t value);

#endif
