/* SPDX-License-Identifier: GPL-2.0-or-later */
/* price_minimum: the least price of a job, and the unit to which prices are rounded up. */
#ifndef EQT_PRICE_MINIMUM_H
#define EQT_PRICE_MINIMUM_H

#include <stdbool.h>

#include "base/fraction.h"
#include "price/bundle_table.h"

/*
 * Raise equivalents to the minimum of the prices, and round them up to their unit. *raised
 * says whether they were below the minimum; a table without one leaves it as it is.
 * Returns 0, or -1 if the numbers do not fit into 64 bits.
 */
int eqt_price_minimum_apply(struct eqt_frac *equivalents, bool *raised,
			    const struct eqt_bundle_table *prices);

#endif
