/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rates up to 2^40 for the seconds of 1,000 years are below 2^128. */
#include <math.h>

#include "usage/amount.h"

#define BITS 52
#define RATE_MAX 0x1p40L

eqt_u128 eqt_year_amount_of_rate(long double rate)
{
	if (!(rate > 0))
		return 0;
	if (rate > RATE_MAX)
		rate = RATE_MAX;
	return (eqt_u128) floorl(ldexpl(rate, BITS) + 0.5L);
}

void eqt_year_amount_add(eqt_u128 *sum, eqt_u128 amount, uint64_t seconds)
{
	eqt_u128 product;

	if (__builtin_mul_overflow(amount, (eqt_u128) seconds, &product) ||
	    __builtin_add_overflow(*sum, product, sum))
		*sum = ~(eqt_u128) 0;
}

long double eqt_year_amount_value(eqt_u128 amount)
{
	return ldexpl((long double) amount, -BITS);
}
