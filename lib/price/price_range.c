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

/* Add the prices of a request whose GPUs with a model are placed. */
static int range_add_models(struct range *range,
			    const struct eqt_bundle_table *prices,
			    const struct eqt_demand *demand,
			    struct eqt_error *err)
{
	struct eqt_price price;
	uint32_t models;

	if (!eqt_price_wants_model(prices, demand) ||
	    eqt_price_count_held(prices) < 2) {
		if (eqt_price(&price, prices, demand, err) < 0)
			return -1;
		range_add(range, &price);
		return 0;
	}
	/* What keeps GPUs from others is charged alike wherever it runs. */
	models = eqt_bundle_table_held(prices);
	if (eqt_price_wants_gpus(demand) && (models & ~prices->models_away))
		models &= ~prices->models_away;
	for (; models; models &= models - 1) {
		if (eqt_price_as(&price, prices, demand,
				 (uint32_t) __builtin_ctz(models), err) < 0)
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
	const uint32_t bundles = others(prices, demand);

	if (demand->gpus_untyped == 0 || eqt_price_count_held(prices) < 2)
		return bundles;
	return bundles | eqt_bundle_table_held(prices);
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

/* The models of a stock that are of a set, a bit each. */
static struct eqt_price_stock stock_some(const struct eqt_price_stock *stock,
					 uint32_t set)
{
	struct eqt_price_stock some = { .models = 0 };
	uint32_t i;

	for (i = 0; i < stock->models; i++) {
		if (set >> i & 1)
			some.of[some.models++] = stock->of[i];
	}
	return some;
}

static bool stock_has(const struct eqt_price_stock *stock, uint64_t wanted)
{
	uint32_t i;

	for (i = 0; i < stock->models; i++) {
		if (stock->of[i].count >= wanted)
			return true;
		wanted -= stock->of[i].count;
	}
	return wanted == 0;
}

/* Let GPUs without a model be of this one, up to a number of them. */
static void stock_take(struct eqt_demand *demand, struct eqt_price_stock *stock,
		       uint32_t i, uint64_t most)
{
	uint64_t count = demand->gpus_untyped;

	if (count > most)
		count = most;
	if (count > stock->of[i].count)
		count = stock->of[i].count;
	demand->gpus[stock->of[i].model] += count;
	demand->gpus_untyped -= count;
	stock->of[i].count -= count;
}

/* Let the rest of them be of the models with the most equivalents, or the least. */
static void stock_take_rest(struct eqt_demand *demand,
			    struct eqt_price_stock *stock,
			    const struct eqt_bundle_table *prices, bool dearest)
{
	while (demand->gpus_untyped > 0 && stock->models > 0) {
		uint32_t best = 0, i;

		for (i = 1; i < stock->models; i++) {
			const uint64_t weight_u =
				prices->gpu[stock->of[i].model].weight_u;
			const uint64_t best_u =
				prices->gpu[stock->of[best].model].weight_u;

			if (dearest ? weight_u > best_u : weight_u < best_u)
				best = i;
		}
		stock_take(demand, stock, best, UINT64_MAX);
		stock->of[best] = stock->of[--stock->models];
	}
}

static int range_add_choice(struct range *range,
			    const struct eqt_bundle_table *prices,
			    const struct eqt_demand *chosen,
			    struct eqt_error *err)
{
	struct eqt_price low, high;

	if (eqt_price_range(&low, &high, prices, chosen, err) < 0)
		return -1;
	range_add(range, &low);
	range_add(range, &high);
	return 0;
}

/* Add the cheapest choice of models of a set, which is of the lightest. */
static int range_add_set(struct range *range,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_demand *demand,
			 const struct eqt_price_stock *stock, uint32_t set,
			 struct eqt_error *err)
{
	struct eqt_price_stock some = stock_some(stock, set);
	struct eqt_demand chosen = *demand;

	if (!stock_has(&some, demand->gpus_untyped))
		return 0;
	stock_take_rest(&chosen, &some, prices, false);
	return range_add_choice(range, prices, &chosen, err);
}

/* Add the dearest choice that has a GPU of a model. */
static int range_add_dear(struct range *range,
			  const struct eqt_bundle_table *prices,
			  const struct eqt_demand *demand,
			  const struct eqt_price_stock *stock, uint32_t model,
			  struct eqt_error *err)
{
	struct eqt_price_stock left = *stock;
	struct eqt_demand chosen = *demand;

	stock_take(&chosen, &left, model, 1);
	stock_take_rest(&chosen, &left, prices, true);
	return range_add_choice(range, prices, &chosen, err);
}

/*
 * The dearest of the models' weights, and of their rates of cores and memory, decides a
 * price. So the dearest choice has one GPU of some model and the heaviest beside it, and
 * the cheapest one the lightest of some set of models; of one model, where each has enough.
 */
int eqt_price_range_of(struct eqt_price *low, struct eqt_price *high,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_demand *demand,
		       const struct eqt_price_stock *stock,
		       struct eqt_error *err)
{
	const uint64_t wanted = demand->gpus_untyped;
	struct eqt_price_stock some = *stock;
	struct range range = { .any = false };
	bool mixes = false;
	uint32_t i, set;

	if (wanted == 0 || stock->models == 0 ||
	    !eqt_bundle_table_has_steps(prices))
		return eqt_price_range(low, high, prices, demand, err);
	for (i = 0; i < some.models; i++) {
		if (!stock_has(stock, wanted))
			some.of[i].count = wanted;
		mixes |= some.of[i].count < wanted;
	}
	for (set = 1; set < UINT32_C(1) << some.models; set++) {
		if ((mixes || (set & (set - 1)) == 0) &&
		    range_add_set(&range, prices, demand, &some, set, err) < 0)
			return -1;
	}
	for (i = 0; mixes && i < some.models; i++) {
		if (range_add_dear(&range, prices, demand, &some, i, err) < 0)
			return -1;
	}
	*low = range.low;
	*high = range.high;
	return 0;
}
