/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A usage u decays to u * 2^(-t/h). A job that runs from a to b adds the integral of
 * 2^((t - ref)/h) dt over this time, which is h/ln 2 * (1 - 2^(-(b-a)/h)) * 2^((b -
 * ref)/h).
 */
#include <float.h>
#include <math.h>

#include "prio/decay.h"

#define LN2 0.693147180559945309417232121458176568L

/* This exponent is larger than any of a long double, and small enough for an int. */
#define EXPONENT_LIMIT 40000

long double eqt_decay_factor(uint32_t half_life_s, double seconds)
{
	long double factor;

	/* The condition is also true for a NaN. */
	if (!half_life_s || !(seconds > 0))
		return 1;
	factor = exp2l(-(long double) seconds / half_life_s);
	return factor < DBL_MIN ? DBL_MIN : factor;
}

/*
 * Return 2^(seconds / half_life). Whole half-lives are separated, so that the argument
 * of exp2l() is below 1 and a long time does not make the result less accurate.
 */
static long double scale_exp2(long double seconds, long double half_life)
{
	long double rest = fmodl(seconds, half_life);
	long double whole = (seconds - rest) / half_life;

	if (whole > EXPONENT_LIMIT)
		return INFINITY;
	if (whole < -EXPONENT_LIMIT)
		return 0;
	return ldexpl(exp2l(rest / half_life), (int) whole);
}

long double eqt_decay_seconds(uint32_t half_life_s, int64_t from, int64_t to,
			      int64_t ref)
{
	long double half_life = half_life_s, span, at_end, sum;

	if (to <= from)
		return 0;
	/* Integers could overflow in the subtraction. A long double holds both numbers
	 * exactly. */
	span = (long double) to - (long double) from;
	if (!half_life_s)
		return span;
	at_end = scale_exp2((long double) to - (long double) ref, half_life);
	sum = half_life / LN2 * -expm1l(-span * LN2 / half_life) * at_end;
	return sum > LDBL_MAX ? LDBL_MAX : sum;
}

/* Return 2^(-t / half-life) for one second, by the first two terms of its series. */
static double stock_second(uint32_t half_life_s)
{
	return half_life_s ? 1 - 0.693 / (double) half_life_s : 1;
}

double eqt_decay_stock_factor(uint32_t half_life_s, double seconds)
{
	double factor;

	if (!(seconds > 0)) /* the condition is also true for a NaN */
		return 1;
	factor = pow(stock_second(half_life_s), seconds);
	return factor < DBL_MIN ? DBL_MIN : factor;
}

double eqt_decay_stock_seconds(uint32_t half_life_s, double seconds)
{
	if (!(seconds > 0))
		return 0;
	return seconds * pow(stock_second(half_life_s), seconds);
}
