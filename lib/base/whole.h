/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whole: arithmetic with unsigned whole numbers. */
#ifndef EQT_WHOLE_H
#define EQT_WHOLE_H

#include <math.h>
#include <stdbool.h>
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

/* Return the greatest common divisor. If one number is 0, return the other number. This
 * is Stein's binary algorithm, because a 64-bit division takes longer than ten rounds
 * of its loop. One division comes first, because most prices are a multiple of a
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

/* Compare two times, or two numbers of type double, for qsort(), in rising order. */
static inline int eqt_whole_compare_times(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return x < y ? -1 : x > y;
}

static inline int eqt_whole_compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *) a, y = *(const double *) b;

	return x < y ? -1 : x > y;
}

/* Return the earlier or the later of two times. */
static inline int64_t eqt_whole_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t eqt_whole_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Cut a span of time to a period. Return false if nothing is left of it. */
static inline bool eqt_whole_cut_span(int64_t *from, int64_t *to,
				      int64_t period_from, int64_t period_to)
{
	*from = eqt_whole_later(*from, period_from);
	*to = eqt_whole_earlier(*to, period_to);
	return *from < *to;
}

/* Raise a number that is below a minimum to the minimum, or lower a number that is
 * above a maximum to the maximum. */
static inline void eqt_whole_raise(uint64_t *number, uint64_t least)
{
	if (*number < least)
		*number = least;
}

static inline void eqt_whole_lower(uint64_t *number, uint64_t most)
{
	if (*number > most)
		*number = most;
}

/* Raise a number to a * b. Return -1 on overflow. */
static inline int eqt_whole_raise_product(uint64_t *number, uint64_t a,
					  uint64_t b)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		return -1;
	eqt_whole_raise(number, product);
	return 0;
}

#endif
