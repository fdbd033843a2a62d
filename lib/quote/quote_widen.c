/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Combine the prices of several kinds of nodes, partitions or QOS to one range. */
#include "quote/quote_impl.h"

/* Extend a range by another range. Return true if they differ. */
static bool range_widen(struct eqt_price *low, struct eqt_price *high,
			const struct eqt_price *other_low,
			const struct eqt_price *other_high)
{
	int below = eqt_frac_cmp(other_low->charge, low->charge);
	int above = eqt_frac_cmp(other_high->charge, high->charge);

	if (below < 0)
		*low = *other_low;
	if (above > 0)
		*high = *other_high;
	return below != 0 || above != 0;
}

/* Extend the range in the unit of the other pool. */
static bool also_widen(struct eqt_quote *quote, const struct eqt_price *low,
		       const struct eqt_price *high)
{
	if (quote->also)
		return range_widen(&quote->also_low, &quote->also_high, low,
				   high);
	quote->also = true;
	quote->also_low = *low;
	quote->also_high = *high;
	return true;
}

bool eqt_quote_widen_prices(struct eqt_quote *quote,
			    const struct eqt_quote *other)
{
	bool differ = false;

	if (quote->low.gpu_pool == other->low.gpu_pool) {
		differ = range_widen(&quote->low, &quote->high, &other->low,
				     &other->high);
		if (other->also)
			differ |= also_widen(quote, &other->also_low,
					     &other->also_high);
	} else {
		differ = also_widen(quote, &other->low, &other->high);
		if (other->also)
			differ |= range_widen(&quote->low, &quote->high,
					      &other->also_low,
					      &other->also_high);
	}
	quote->by_parts = quote->by_parts && other->by_parts && !differ;
	if (differ) {
		quote->advice = EQT_QUOTE_ADVICE_NONE;
		quote->starts_now = false;
	}
	quote->by_model |= other->by_model;
	quote->by_nodes |= other->by_nodes;
	quote->least |= other->least;
	if (other->spread_nodes > 0 &&
	    (quote->spread_nodes == 0 ||
	     eqt_frac_cmp(other->spread.charge, quote->spread.charge) > 0)) {
		quote->spread = other->spread;
		quote->spread_nodes = other->spread_nodes;
	}
	/* The highest price may now be as high as the price on more nodes. */
	if (quote->spread_nodes > 0 &&
	    eqt_frac_cmp(quote->spread.charge, quote->high.charge) <= 0)
		quote->spread_nodes = 0;
	return differ;
}

/* Do two tables have different factors of one kind, or different factors for big
 * jobs? */
static bool factors_differ(const struct eqt_bundle_table *a,
			   const struct eqt_bundle_table *b, int kind)
{
	static const struct eqt_charge_factor none = { .factor_u = EQT_MICRO };
	const struct eqt_charge_factor *one =
		a->queue[kind].name ? &a->queue[kind] : &none;
	const struct eqt_charge_factor *other =
		b->queue[kind].name ? &b->queue[kind] : &none;

	return one->factor_u != other->factor_u ||
	       one->big_nodes != other->big_nodes || one->big_u != other->big_u;
}

/* Do two tables belong to two QOS with different factors? */
static bool has_other_qos(const struct eqt_bundle_table *a,
			  const struct eqt_bundle_table *b)
{
	return factors_differ(a, b, EQT_CHARGE_FACTOR_QOS) ||
	       factors_differ(a, b, EQT_CHARGE_FACTOR_USAGE);
}

/* Do two tables have different factors of the charge? */
static bool has_other_factor(const struct eqt_bundle_table *a,
			     const struct eqt_bundle_table *b)
{
	return factors_differ(a, b, EQT_CHARGE_FACTOR_PARTITION) ||
	       factors_differ(a, b, EQT_CHARGE_FACTOR_QOS);
}

void eqt_quote_widen(struct eqt_quote *quote, const struct eqt_quote *other)
{
	const struct eqt_quote first = *quote;

	/* A partition without nodes for the request does not run it. But it may run the
	 * cheaper request of the advice, so the advice is dropped. */
	if (other->lack && !first.lack) {
		quote->advice = EQT_QUOTE_ADVICE_NONE;
		return;
	}
	quote->by_factor |= has_other_factor(first.prices, other->prices);
	if (first.lack && !other->lack) {
		const bool by_factor = quote->by_factor;

		*quote = *other;
		quote->prices = first.prices;
		quote->by_factor = by_factor;
		quote->array_tasks = first.array_tasks;
		quote->array_at_most = first.array_at_most;
		quote->minutes = first.minutes;
		quote->by_partition = true;
		quote->advice = EQT_QUOTE_ADVICE_NONE;
		return;
	}
	/* The advice remains only if both quotes have the same advice. */
	if (quote->by_factor || other->advice != first.advice ||
	    other->advice_amount != first.advice_amount ||
	    eqt_frac_cmp(other->advice_price, first.advice_price) != 0)
		quote->advice = EQT_QUOTE_ADVICE_NONE;
	if (!eqt_quote_widen_prices(quote, other))
		return;
	if (has_other_qos(quote->prices, other->prices))
		quote->by_qos = true;
	else
		quote->by_partition = true;
}
