/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * amount: sums that do not depend on their order. A rate is rounded once, to a whole
 * number of 2^-52; all else is exact. So the sum of days is the sum of their jobs.
 */
#ifndef EQT_USAGE_AMOUNT_H
#define EQT_USAGE_AMOUNT_H

#include "base/fraction.h"

/* A rate as an amount for a second; what is above 2^40 or no number, is cut. */
eqt_u128 eqt_year_amount_of_rate(long double rate);

/* Add the amount of some seconds; a sum that is too large stays at its limit. */
void eqt_year_amount_add(eqt_u128 *sum, eqt_u128 amount, uint64_t seconds);

/* The amount in units, for example unit-seconds. */
long double eqt_year_amount_value(eqt_u128 amount);

#endif
