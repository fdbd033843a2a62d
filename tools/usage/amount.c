/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rates up to 2^40 for the seconds of 1,000 years are below 2^128. Most rates are small,
 * and have a shorter way: a report adds several amounts of each job of a year.
 */
#include <math.h>

#include "usage/amount.h"

#define BITS 52
#define ONE 0x1p52L /* a rate of 1 */
#define RATE_MAX 0x1p40L
#define RATE_SMALL 0x1p10L /* its amount has at most 63 bits */

eqt_u128 eqt_year_amount_of_rate(long double rate)
{
	if (!(rate > 0))
		return 0;
	if (rate < RATE_SMALL)
		return (uint64_t) (int64_t) (rate * ONE + 0.5L);
	if (rate > RATE_MAX)
		rate = RATE_MAX;
	return (eqt_u128) (rate * ONE + 0.5L);
}

void eqt_year_amount_add(eqt_u128 *sum, eqt_u128 amount, uint64_t seconds)
{
	eqt_u128 product;

	if (amount == 0)
		return;
	if (amount <= UINT64_MAX) {
		product = (eqt_u128) (uint64_t) amount * seconds;
		if (__builtin_add_overflow(*sum, product, sum))
			*sum = ~(eqt_u128) 0;
		return;
	}
	if (__builtin_mul_overflow(amount, (eqt_u128) seconds, &product) ||
	    __builtin_add_overflow(*sum, product, sum))
		*sum = ~(eqt_u128) 0;
}

long double eqt_year_amount_value(eqt_u128 amount)
{
	return ldexpl((long double) amount, -BITS);
}
