/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whole: arithmetic with unsigned whole numbers. */
#ifndef EQT_WHOLE_H
#define EQT_WHOLE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Return a / b, rounded up. b must not be 0. */
static inline uint64_t eqt_whole_divide_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/* Return the smaller or the larger of two numbers. */
static inline uint64_t eqt_whole_min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t eqt_whole_max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Return the greatest common divisor. If one number is 0, that is the other number.
 * This is Stein's binary algorithm, because a 64-bit division takes longer than ten
 * rounds of its loop. One division comes first, because most prices are a multiple of a
 * rate. */
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

/* Return the index of a quantile in a sorted array of at least one number. It is the
 * smallest index for which the numbers up to the index are at least the given part of
 * all. */
static inline size_t eqt_whole_quantile(double part, size_t count)
{
	const size_t at = (size_t) ceil(part * (double) count - 1e-9);

	return at ? at - 1 : 0;
}

/* Compare two times for qsort(), in rising order. */
static inline int eqt_whole_compare_times(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return x < y ? -1 : x > y;
}

/* Raise a number to a minimum, if it is below it. */
static inline void eqt_whole_raise(uint64_t *number, uint64_t least)
{
	if (*number < least)
		*number = least;
}

#endif
