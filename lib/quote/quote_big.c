/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is charged where big jobs have a factor of their own and Slurm may choose the number
 * of nodes. */
#include "quote/quote_impl.h"

/* Make a price that of the cheaper of two numbers of nodes, or of the dearer one. */
static void charge_by_nodes(struct eqt_price *price,
			    const struct eqt_quote *quote, uint64_t fewest,
			    uint64_t most, bool dearer)
{
	struct eqt_price few = *price, many = *price;

	if (eqt_price_charge(&few, quote->prices, fewest) < 0 ||
	    eqt_price_charge(&many, quote->prices, most) < 0)
		return;
	*price = (eqt_frac_cmp(few.charge, many.charge) < 0) == dearer ? many
								       : few;
}

/* Both ends may be beyond what is possible: the cheapest price need not be that of the
 * number of nodes with the cheaper factor. */
void eqt_quote_charge_by_nodes(struct eqt_quote *quote, uint64_t most)
{
	const struct eqt_charge_factor *queue = quote->prices->queue;
	const uint64_t fewest = quote->totals.nodes;
	struct eqt_frac few, many;

	for (int i = 0; i < EQT_CHARGE_FACTOR_USAGE; i++) {
		if (!queue[i].name || queue[i].big_nodes == 0 ||
		    most <= fewest ||
		    eqt_price_factor(&few, &queue[i], fewest) < 0 ||
		    eqt_price_factor(&many, &queue[i], most) < 0 ||
		    eqt_frac_cmp(few, many) == 0)
			continue;
		charge_by_nodes(&quote->low, quote, fewest, most, false);
		charge_by_nodes(&quote->high, quote, fewest, most, true);
		if (quote->spread_nodes > 0)
			charge_by_nodes(&quote->spread, quote, fewest, most,
					true);
		quote->by_nodes = quote->by_factor = true;
	}
}
