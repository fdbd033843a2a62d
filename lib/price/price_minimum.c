/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "price/price_minimum.h"

/* Round up to a multiple of 1 / unit, unless that goes beyond 64 bits. */
static int round_up(struct eqt_frac *value, uint64_t unit)
{
	uint64_t count = eqt_frac_round(*value, unit, EQT_ROUND_CEIL);

	if (count > UINT64_MAX - 3)
		return 0;
	return eqt_frac_make(value, count, unit);
}

static int raise_to_least(struct eqt_frac *equivalents, bool *raised,
			  uint64_t minimum_u)
{
	struct eqt_frac least;

	if (minimum_u == 0)
		return 0;
	if (eqt_frac_make(&least, minimum_u, EQT_MICRO) < 0)
		return -1;
	*raised = eqt_frac_cmp(*equivalents, least) < 0;
	if (*raised)
		*equivalents = least;
	return 0;
}

int eqt_price_minimum_apply(struct eqt_frac *equivalents, bool *raised,
			    const struct eqt_bundle_table *prices)
{
	if (raise_to_least(equivalents, raised, prices->minimum_u) < 0)
		return -1;
	if (prices->round_unit == 0)
		return 0;
	return round_up(equivalents, prices->round_unit);
}
