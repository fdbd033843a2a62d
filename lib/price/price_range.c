/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cheapest and the dearest price of a request whose GPUs could be of several
 * bundles. */
#include "price/price_impl.h"

/* Whether all bundles of a model's name are away: then that says nothing. */
static bool all_away(const struct eqt_bundle_table *prices, uint32_t model)
{
	int i;

	for (i = (int) model; i >= 0;
	     i = eqt_bundle_table_next(prices, (uint32_t) i)) {
		if (eqt_bundle_table_near(prices, (uint32_t) i))
			return false;
	}
	return true;
}

/* The n-th bundle of a model that is not away, or the last of them where there
 * are fewer; *found: there are as many. */
static uint32_t nth_bundle(const struct eqt_bundle_table *prices,
			   uint32_t model, uint32_t n, bool *found)
{
	const bool all = all_away(prices, model);
	uint32_t to = model, count = 0;
	int i;

	for (i = (int) model; i >= 0 && count <= n;
	     i = eqt_bundle_table_next(prices, (uint32_t) i)) {
		if (!all && !eqt_bundle_table_near(prices, (uint32_t) i))
			continue;
		to = (uint32_t) i;
		count++;
	}
	*found = *found || count > n;
	return to;
}

/*
 * The request with all GPUs on nodes that have the n-th bundle of their name,
 * or the last where there are fewer. False when no model has that many.
 */
static bool place(struct eqt_demand *out, const struct eqt_bundle_table *prices,
		  const struct eqt_demand *demand, uint32_t n)
{
	bool found = n == 0;
	uint32_t i, to;

	*out = *demand;
	for (i = 0; !demand->placed && i < prices->gpu_count; i++) {
		if (demand->gpus[i] == 0)
			continue;
		eqt_bundle_table_step(prices, EQT_PRICE_NAME_STEPS);
		to = nth_bundle(prices, i, n, &found);
		out->gpus[i] -= demand->gpus[i];
		if (__builtin_add_overflow(out->gpus[to], demand->gpus[i],
					   &out->gpus[to]))
			return false;
	}
	return found;
}

/* A price, where several are told apart as the range of all. */
struct range {
	struct eqt_price low, high;
	bool any;
};

static void range_add(struct range *range, const struct eqt_price *price)
{
	if (!range->any ||
	    eqt_frac_cmp(price->equivalents, range->low.equivalents) < 0)
		range->low = *price;
	if (!range->any ||
	    eqt_frac_cmp(price->equivalents, range->high.equivalents) > 0)
		range->high = *price;
	range->any = true;
}

/* Whether any model that holds is not away. */
static bool any_near(const struct eqt_bundle_table *prices)
{
	return (eqt_bundle_table_held(prices) & ~prices->models_away) != 0;
}

/* Add the prices of a request whose GPUs with a model are placed. */
static int range_add_models(struct range *range,
			    const struct eqt_bundle_table *prices,
			    const struct eqt_demand *demand,
			    struct eqt_error *err)
{
	struct eqt_price price;
	bool near_only;
	uint32_t i;

	if (!eqt_price_wants_model(prices, demand) ||
	    eqt_price_count_held(prices) < 2) {
		if (eqt_price(&price, prices, demand, err) < 0)
			return -1;
		range_add(range, &price);
		return 0;
	}
	/* What keeps GPUs from others is charged alike wherever it runs. */
	near_only = eqt_price_wants_gpus(demand) && any_near(prices);
	for (i = eqt_price_next_held(prices, 0); i < prices->gpu_count;
	     i = eqt_price_next_held(prices, i + 1)) {
		if (near_only && !eqt_bundle_table_near(prices, i))
			continue;
		if (eqt_price_as(&price, prices, demand, i, err) < 0)
			return -1;
		range_add(range, &price);
	}
	return 0;
}

/* The bundles that the models of a request could be of instead. */
static uint32_t others(const struct eqt_bundle_table *prices,
		       const struct eqt_demand *demand)
{
	uint32_t bundles = 0, i;

	for (i = 0; !demand->placed && i < prices->gpu_count; i++) {
		if (demand->gpus[i] > 0 &&
		    eqt_bundle_table_next(prices, i) >= 0)
			bundles |= eqt_bundle_table_named(prices, i);
	}
	return bundles;
}

uint32_t eqt_price_models(const struct eqt_bundle_table *prices,
			  const struct eqt_demand *demand)
{
	uint32_t bundles = others(prices, demand), i;

	if (demand->gpus_untyped == 0 || eqt_price_count_held(prices) < 2)
		return bundles;
	for (i = 0; i < prices->gpu_count; i++)
		bundles |= (uint32_t) eqt_bundle_table_holds(prices, i) << i;
	return bundles;
}

int eqt_price_range(struct eqt_price *low, struct eqt_price *high,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_demand *demand, struct eqt_error *err)
{
	struct range range = { .any = false };
	struct eqt_demand placed;
	uint32_t n;

	if (!eqt_bundle_table_has_steps(prices) &&
	    (others(prices, demand) || (eqt_price_wants_model(prices, demand) &&
					eqt_price_count_held(prices) > 1))) {
		if (eqt_price_range_bounds(&range.low, &range.high, prices,
					   demand, err) < 0)
			return -1;
	} else if (!others(prices, demand)) {
		if (range_add_models(&range, prices, demand, err) < 0)
			return -1;
	} else {
		for (n = 0; place(&placed, prices, demand, n); n++) {
			if (range_add_models(&range, prices, &placed, err) < 0)
				return -1;
		}
	}
	/* Without GPUs no allocation will tell a model. */
	*low = eqt_price_wants_gpus(demand) ? range.low : range.high;
	*high = range.high;
	return 0;
}
