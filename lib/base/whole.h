/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whole: whole numbers. */
#ifndef EQT_WHOLE_H
#define EQT_WHOLE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* The quotient, rounded up; b is not 0. */
static inline uint64_t eqt_whole_divide_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/* The smaller and the larger of two. */
static inline uint64_t eqt_whole_min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t eqt_whole_max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The greatest common divisor; of 0 and a number it is the number. This is Stein's
 * binary algorithm, because a 64-bit division takes longer than ten rounds of its loop.
 * It begins with one division, because most prices are a multiple of a rate. */
static inline uint64_t eqt_whole_gcd(uint64_t a, uint64_t b)
{
	int twos;

	if (a == 0 || b == 0)
		return a | b;
	if (a < b)
		b %= a;
	else
		a %= b;
	if (a == 0 || b == 0)
		return a | b;
	twos = __builtin_ctzll(a | b);
	a >>= __builtin_ctzll(a);
	do {
		uint64_t least;

		b >>= __builtin_ctzll(b);
		least = a < b ? a : b;
		b = a < b ? b - a : a - b;
		a = least;
	} while (b);
	return a << twos;
}

/* The index of a quantile in sorted numbers, of which there is at least one: the
 * smallest index up to which `part` of the numbers lie. */
static inline size_t eqt_whole_quantile(double part, size_t count)
{
	const size_t at = (size_t) ceil(part * (double) count - 1e-9);

	return at ? at - 1 : 0;
}

/* For qsort(): times, rising. */
static inline int eqt_whole_compare_times(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return x < y ? -1 : x > y;
}

/* Raise a number to a minimum. */
static inline void eqt_whole_raise(uint64_t *number, uint64_t least)
{
	if (*number < least)
		*number = least;
}

#endif
