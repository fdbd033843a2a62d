/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lowest and the highest price of a request whose GPUs could be of several
 * bundles. */
#include "base/whole.h"
#include "price/price_impl.h"

/* ---- Bounds -------------------------------------------------------------------------
 * Two prices between which all prices of a request are, computed in a few steps. */

/* A bit for each bundle that a request could take, and the lowest and the highest
 * equivalents of its GPUs, in millionths. */
struct sums {
	uint64_t weight_u[2];
	uint32_t bundles;
};

/* Add GPUs each of which could be of any of these bundles. A bit stands for a
 * bundle. */
static int sums_add(struct sums *sums, const struct eqt_bundle_table *prices,
		    uint32_t bundles, uint64_t count)
{
	uint64_t least = UINT64_MAX, most = 0;

	if (count == 0)
		return 0;
	sums->bundles |= bundles;
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		const uint64_t weight_u = prices->gpu[i].weight_u;

		if (!(bundles >> i & 1))
			continue;
		least = weight_u < least ? weight_u : least;
		most = weight_u > most ? weight_u : most;
	}
	if (__builtin_mul_overflow(least, count, &least) ||
	    __builtin_mul_overflow(most, count, &most) ||
	    __builtin_add_overflow(sums->weight_u[0], least,
				   &sums->weight_u[0]) ||
	    __builtin_add_overflow(sums->weight_u[1], most, &sums->weight_u[1]))
		return -1;
	return 0;
}

/* Of some bundles, return those that are in force and that candidate nodes have. If
 * candidate nodes have none of these, return all that are in force. */
static uint32_t bundles_near(const struct eqt_bundle_table *prices,
			     uint32_t bundles)
{
	const uint32_t held = bundles & ~prices->models_off;

	return held & ~prices->models_away ? held & ~prices->models_away : held;
}

/* Add up the GPUs of a request. A request without GPUs counts as one GPU of any model,
 * because it takes cores or memory that belong to a GPU. */
static int sums_make(struct sums *out, const struct eqt_bundle_table *prices,
		     const struct eqt_demand *demand, struct eqt_error *err)
{
	const uint32_t held = eqt_bundle_table_held(prices);
	bool any = demand->gpus_untyped > 0;

	*out = (struct sums){ .bundles = 0 };
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		const uint32_t named =
			demand->placed ? UINT32_C(1) << i
				       : eqt_bundle_table_named(prices, i);

		if (demand->gpus[i] == 0)
			continue;
		any = true;
		if (!bundles_near(prices, named))
			return eqt_error_set(err, "the request has GPUs of a "
						  "model that has no price");
		if (sums_add(out, prices, bundles_near(prices, named),
			     demand->gpus[i]) < 0)
			return eqt_price_too_large(err);
	}
	if (sums_add(out, prices, bundles_near(prices, held),
		     demand->gpus_untyped) < 0 ||
	    (!any && sums_add(out, prices, held, 1) < 0))
		return eqt_price_too_large(err);
	return 0;
}

/* Lower terms to those of a bundle: each resource gets the lower of two rates. If the
 * bundle has other terms, all resources are put into one term, which costs least. */
static void terms_lower(struct eqt_terms *terms,
			const struct eqt_bundle *bundle, bool first)
{
	const uint32_t apart = bundle->terms ? bundle->terms->apart : 0;

	for (int i = 0; i < EQT_RESOURCES; i++) {
		const struct eqt_frac rate =
			eqt_price_terms_rate(bundle, (enum eqt_resource) i);

		if (first ||
		    (terms->rate[i].den > 0 &&
		     (rate.den == 0 || eqt_frac_cmp(rate, terms->rate[i]) < 0)))
			terms->rate[i] = rate;
	}
	terms->apart = first || terms->apart == apart ? apart : 0;
}

/* Take the rates of cores, memory, disk and nodes from some bundles, each at its
 * highest or at its lowest. */
static void terms_bound(struct eqt_terms *out,
			const struct eqt_bundle_table *prices, uint32_t bundles,
			bool dearest)
{
	*out = (struct eqt_terms){ .apart = 0 };
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		if (!(bundles >> i & 1))
			continue;
		if (dearest)
			eqt_price_terms_raise(out, &prices->gpu[i]);
		else
			terms_lower(out, &prices->gpu[i],
				    (bundles & ((UINT32_C(1) << i) - 1)) == 0);
	}
}

static int bound_make(struct eqt_price *out,
		      const struct eqt_bundle_table *prices,
		      const struct eqt_demand *demand, const struct sums *sums,
		      bool dearest, struct eqt_error *err)
{
	struct eqt_terms terms;
	/* The bundle has no unit, because it stands for several bundles. */
	const struct eqt_bundle gpu = { .weight_u = sums->weight_u[dearest],
					.terms = &terms };
	struct eqt_bundle_table one = *prices;
	struct eqt_demand all = { .cores = demand->cores,
				  .mem_mib = demand->mem_mib,
				  .disk = demand->disk,
				  .nodes = demand->nodes,
				  .placed = true };

	terms_bound(&terms, prices, sums->bundles, dearest);
	one.gpu = &gpu;
	one.gpu_count = 1;
	one.models_off = one.models_away = 0;
	for (uint32_t i = 0; i < prices->gpu_count; i++)
		all.gpus[0] |= demand->gpus[i] > 0;
	all.gpus[0] |= demand->gpus_untyped > 0;
	return eqt_price_as(out, &one, &all, 0, err);
}

int eqt_price_range_bounds(struct eqt_price *low, struct eqt_price *high,
			   const struct eqt_bundle_table *prices,
			   const struct eqt_demand *demand,
			   struct eqt_error *err)
{
	struct eqt_price least, most;
	struct sums sums;

	if (eqt_price_terms_by_cores(prices)) {
		if (eqt_price_as(&most, prices, demand, 0, err) < 0)
			return -1;
		*low = *high = most;
		return 0;
	}

	if (sums_make(&sums, prices, demand, err) < 0)
		return -1;
	if (bound_make(&least, prices, demand, &sums, false, err) < 0 ||
	    bound_make(&most, prices, demand, &sums, true, err) < 0)
		return -1;
	*low = least;
	*high = most;
	return 0;
}

/* ---- The range ------------------------------------------------------------ */

/* Does no candidate node have any bundle of the model's name? Then all of these bundles
 * are used. */
static bool bundles_are_away(const struct eqt_bundle_table *prices,
			     uint32_t model)
{
	for (int i = (int) model; i >= 0;
	     i = eqt_bundle_table_next(prices, (uint32_t) i)) {
		if (eqt_bundle_table_near(prices, (uint32_t) i))
			return false;
	}
	return true;
}

/* Return the n-th bundle of a model that candidate nodes have, or the last one if there
 * are fewer. *found becomes true if there are enough. */
static uint32_t bundle_nth(const struct eqt_bundle_table *prices,
			   uint32_t model, uint32_t n, bool *found)
{
	const bool all = bundles_are_away(prices, model);
	uint32_t to = model, count = 0;

	for (int i = (int) model; i >= 0 && count <= n;
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
 * Move all GPUs of a request to the n-th bundles of their models. The bundles of one
 * name are for different nodes, so that a job gets only one of them. A model with fewer
 * bundles uses its last one. Return false if no model has that many.
 */
static bool demand_place(struct eqt_demand *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_demand *demand, uint32_t n)
{
	bool found = n == 0;
	uint32_t i, to;

	*out = *demand;
	for (i = 0; !demand->placed && i < prices->gpu_count; i++) {
		if (demand->gpus[i] == 0)
			continue;
		eqt_bundle_table_step(prices, EQT_PRICE_NAME_STEPS);
		to = bundle_nth(prices, i, n, &found);
		out->gpus[i] -= demand->gpus[i];
		if (__builtin_add_overflow(out->gpus[to], demand->gpus[i],
					   &out->gpus[to]))
			return false;
	}
	return found;
}

/* The lowest and the highest of all added prices. */
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

/* Add the prices of a request whose GPUs with a model have known nodes. */
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
	/* A request without GPUs is charged the same on all nodes, so that all bundles
	 * count, also those that no candidate node has. */
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

/* Return a bit for each bundle that GPUs of a request could have on some node, if their
 * name has several bundles. */
static uint32_t bundles_other(const struct eqt_bundle_table *prices,
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

uint32_t eqt_price_range_models(const struct eqt_bundle_table *prices,
				const struct eqt_demand *demand)
{
	const uint32_t bundles = bundles_other(prices, demand);

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

	/* Most requests have no GPUs, so that they have one price. */
	if (!prices->cores_off && !eqt_price_wants_gpus(demand)) {
		if (eqt_price_as(high, prices, demand, 0, err) < 0)
			return -1;
		*low = *high;
		return 0;
	}
	if (!eqt_bundle_table_has_steps(prices) &&
	    (bundles_other(prices, demand) ||
	     (eqt_price_wants_model(prices, demand) &&
	      eqt_price_count_held(prices) > 1))) {
		if (eqt_price_range_bounds(&range.low, &range.high, prices,
					   demand, err) < 0)
			return -1;
	} else if (!bundles_other(prices, demand)) {
		if (range_add_models(&range, prices, demand, err) < 0)
			return -1;
	} else {
		for (uint32_t n = 0; demand_place(&placed, prices, demand, n);
		     n++) {
			if (range_add_models(&range, prices, &placed, err) < 0)
				return -1;
		}
	}
	/* A request without GPUs is charged its highest price, because its allocation
	 * will not show a model. */
	*low = eqt_price_wants_gpus(demand) ? range.low : range.high;
	*high = range.high;
	return 0;
}

/* Return the models of a stock that are in a set. Bit i stands for of[i]. */
static struct eqt_price_stock stock_some(const struct eqt_price_stock *stock,
					 uint32_t set)
{
	struct eqt_price_stock some = { .models = 0 };

	for (uint32_t i = 0; i < stock->models; i++) {
		if (set >> i & 1)
			some.of[some.models++] = stock->of[i];
	}
	return some;
}

static bool stock_has(const struct eqt_price_stock *stock, uint64_t wanted)
{
	for (uint32_t i = 0; i < stock->models; i++) {
		if (stock->of[i].count >= wanted)
			return true;
		wanted -= stock->of[i].count;
	}
	return wanted == 0;
}

/* Let GPUs without a model become GPUs of the i-th model of a stock, up to a number of
 * them. */
static void stock_take(struct eqt_demand *demand, struct eqt_price_stock *stock,
		       uint32_t i, uint64_t most)
{
	const uint64_t count = eqt_whole_min(
		eqt_whole_min(demand->gpus_untyped, most), stock->of[i].count);

	demand->gpus[stock->of[i].model] += count;
	demand->gpus_untyped -= count;
	stock->of[i].count -= count;
}

/* Let the remaining GPUs without a model become GPUs of the models with the highest
 * equivalents, or with the lowest. */
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

/* Add the lowest price of a request whose GPUs are of the models in a set. The lightest
 * of these models are used first. */
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

/* Add the highest price of a request that has at least one GPU of a given model. */
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
 * The price is decided by the sum of the weights of the models, or by the highest of
 * their rates for cores or memory. So the highest price has one GPU of some model and
 * otherwise the heaviest models. The lowest price has the lightest models of some set.
 * If each model has enough GPUs, only sets of one model are tried.
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

	if (wanted == 0 || stock->models == 0 ||
	    !eqt_bundle_table_has_steps(prices))
		return eqt_price_range(low, high, prices, demand, err);
	for (uint32_t i = 0; i < some.models; i++) {
		if (!stock_has(stock, wanted))
			some.of[i].count = wanted;
		mixes |= some.of[i].count < wanted;
	}
	for (uint32_t set = 1; set < UINT32_C(1) << some.models; set++) {
		if ((mixes || (set & (set - 1)) == 0) &&
		    range_add_set(&range, prices, demand, &some, set, err) < 0)
			return -1;
	}
	for (uint32_t i = 0; mixes && i < some.models; i++) {
		if (range_add_dear(&range, prices, demand, &some, i, err) < 0)
			return -1;
	}
	*low = range.low;
	*high = range.high;
	return 0;
}
