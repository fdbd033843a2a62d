/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <string.h>

#include "price/price_impl.h"

#define PRICE_STEPS 2 /* of one price, and of each of several names in it */
#define NAME_STEPS 4

/* What an amount costs: num / den equivalents each. den is 0 where no bundle holds
 * any of it. */
struct rate {
	uint64_t num;
	uint64_t den;
};

/* What the bundles of a request come to: their equivalents, in millionths, and for
 * cores and memory the rate of the model that has the dearest. */
struct bundles {
	eqt_u128 weight_u;
	struct rate cores;
	struct rate memory;
};

static int too_large(struct eqt_error *err)
{
	return eqt_error_set(err, "the request is too large to price");
}

/* Keep the dearer of two rates. The products of 64 bits fit. */
static void rate_raise(struct rate *rate, uint64_t num, uint64_t den)
{
	if (den > 0 && (rate->den == 0 || (eqt_u128) num * rate->den >
						  (eqt_u128) rate->num * den))
		*rate = (struct rate){ num, den };
}

static void bundle_raise(struct bundles *sum, const struct eqt_bundle *bundle)
{
	rate_raise(&sum->cores, bundle->weight_u, bundle->cores_u);
	rate_raise(&sum->memory, bundle->weight_u, bundle->mem_mib_u);
}

/* *sum += count * unit; -1 when that does not fit. */
static int add_product(eqt_u128 *sum, uint64_t count, uint64_t unit)
{
	eqt_u128 product = (eqt_u128) count * unit;

	return __builtin_add_overflow(*sum, product, sum) ? -1 : 0;
}

static uint32_t count_held(const struct eqt_bundle_table *prices)
{
	return (uint32_t) __builtin_popcount(eqt_bundle_table_held(prices));
}

/* The first model that holds, from one on; gpu_count when there is none. */
static uint32_t next_held(const struct eqt_bundle_table *prices, uint32_t from)
{
	while (from < prices->gpu_count &&
	       !eqt_bundle_table_holds(prices, from))
		from++;
	return from;
}

/* One unit of the cores' pool, which is one equivalent whatever it holds. */
static struct bundles core_bundle(const struct eqt_bundle_table *prices)
{
	return (struct bundles){
		.weight_u = EQT_MICRO,
		.cores = { EQT_MICRO, prices->cores.cores_u },
		.memory = { EQT_MICRO, prices->cores.mem_mib_u },
	};
}

/* The GPUs of one bundle, those without a model being of this one. */
static int bundle_gpus(uint64_t *count, const struct eqt_demand *demand,
		       uint32_t model, uint32_t i)
{
	return __builtin_add_overflow(demand->gpus[i],
				      i == model ? demand->gpus_untyped : 0,
				      count)
		       ? -1
		       : 0;
}

/* The sum of a model's bundles that a request takes: equivalents, and what they
 * hold, without the bundles that hold none. */
static int rate_raise_sum(struct rate *rate, eqt_u128 weight_u, eqt_u128 part_u)
{
	struct eqt_frac sum;

	if (part_u == 0)
		return 0;
	if (eqt_frac_make(&sum, weight_u, part_u) < 0)
		return -1;
	rate_raise(rate, sum.num, sum.den);
	return 0;
}

/* A model of which a request has GPUs by several bundles, from this one on. */
static int raise_by_name(struct bundles *sum, uint32_t *taken,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_demand *demand, uint32_t model,
			 uint32_t from)
{
	eqt_u128 weight_u = 0, cores_u = 0, mem_weight_u = 0, mem_mib_u = 0;
	uint64_t count;
	int i;

	for (i = (int) from; i >= 0;
	     i = eqt_bundle_table_next(prices, (uint32_t) i)) {
		const struct eqt_bundle *bundle = &prices->gpu[i];

		*taken &= ~(UINT32_C(1) << i);
		if (bundle_gpus(&count, demand, model, (uint32_t) i) < 0 ||
		    add_product(&weight_u, count, bundle->weight_u) < 0 ||
		    add_product(&cores_u, count, bundle->cores_u) < 0 ||
		    add_product(&mem_mib_u, count, bundle->mem_mib_u) < 0 ||
		    add_product(&mem_weight_u,
				bundle->mem_mib_u > 0 ? count : 0,
				bundle->weight_u) < 0)
			return -1;
	}
	return rate_raise_sum(&sum->cores, weight_u, cores_u) < 0 ||
			       rate_raise_sum(&sum->memory, mem_weight_u,
					      mem_mib_u) < 0
		       ? -1
		       : 0;
}

/* The GPUs' bundles, those without a model being of this one; without GPUs
 * one bundle of it. */
static int gpu_bundles(struct bundles *sum,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_demand *demand, uint32_t model)
{
	uint32_t taken = 0, i;
	uint64_t count;

	*sum = (struct bundles){ 0 };
	for (i = 0; i < prices->gpu_count; i++) {
		if (bundle_gpus(&count, demand, model, i) < 0 ||
		    add_product(&sum->weight_u, count,
				prices->gpu[i].weight_u) < 0)
			return -1;
		taken |= (uint32_t) (count > 0) << i;
	}
	if (taken == 0) {
		sum->weight_u = prices->gpu[model].weight_u;
		taken = UINT32_C(1) << model;
	}
	/* Most requests take one bundle: no name is compared. */
	if ((taken & (taken - 1)) == 0) {
		bundle_raise(sum, &prices->gpu[__builtin_ctz(taken)]);
		return 0;
	}
	while (taken) {
		eqt_bundle_table_step(prices, NAME_STEPS);
		i = (uint32_t) __builtin_ctz(taken);
		if (raise_by_name(sum, &taken, prices, demand, model, i) < 0)
			return -1;
	}
	return 0;
}

/* All at once: most requests have none. */
static bool has_models(const struct eqt_demand *demand)
{
	uint64_t any = 0;
	uint32_t i;

	for (i = 0; i < EQT_MODELS_MAX; i++)
		any |= demand->gpus[i];
	return any > 0;
}

static bool wants_gpus(const struct eqt_demand *demand)
{
	return demand->gpus_untyped > 0 || has_models(demand);
}

/* Refuse GPUs that no bundle prices. */
static int check_models(const struct eqt_bundle_table *prices,
			const struct eqt_demand *demand, struct eqt_error *err)
{
	uint32_t i;

	for (i = 0; i < EQT_MODELS_MAX; i++) {
		if (demand->gpus[i] > 0 && !eqt_bundle_table_holds(prices, i))
			return eqt_error_set(err,
					     "the request has GPUs of a model "
					     "that has no price");
	}
	return 0;
}

/* What an amount costs by itself. A resource that no bundle holds is not counted. */
static int cost_alone(struct eqt_frac *out, uint64_t amount, struct rate rate)
{
	*out = EQT_FRAC_ZERO;
	if (amount == 0 || rate.den == 0)
		return 0;
	return eqt_frac_make(out, (eqt_u128) rate.num * amount, rate.den);
}

/* Say which resource decides, a tie going to the first in order. */
static void decide(struct eqt_price *price)
{
	enum eqt_resource best = price->gpu_pool ? EQT_GPUS : EQT_CORES;

	if (eqt_frac_cmp(price->by[EQT_CORES], price->by[best]) > 0)
		best = EQT_CORES;
	if (eqt_frac_cmp(price->by[EQT_MEMORY], price->by[best]) > 0)
		best = EQT_MEMORY;
	price->dominant = best;
	price->equivalents = price->by[best];
}

/* Whether the price depends on a model that the request does not tell. */
static bool wants_model(const struct eqt_bundle_table *prices,
			const struct eqt_demand *demand)
{
	return demand->gpus_untyped > 0 ||
	       (prices->cores_off && !wants_gpus(demand));
}

/* Round up to a multiple of 1 / unit, unless that goes beyond 64 bits. */
static int round_up(struct eqt_frac *value, uint64_t unit)
{
	uint64_t count = eqt_frac_round(*value, unit, EQT_ROUND_CEIL);

	if (count > UINT64_MAX - 3)
		return 0;
	return eqt_frac_make(value, count, unit);
}

static int raise_to_least(struct eqt_price *price, uint64_t minimum_u)
{
	struct eqt_frac least;

	if (minimum_u == 0)
		return 0;
	if (eqt_frac_make(&least, minimum_u, EQT_MICRO) < 0)
		return -1;
	price->minimum = eqt_frac_cmp(price->equivalents, least) < 0;
	if (price->minimum)
		price->equivalents = least;
	return 0;
}

/* From what the resources cost to the price and what is charged for it. */
static int finish(struct eqt_price *price,
		  const struct eqt_bundle_table *prices)
{
	struct eqt_frac factor;
	int i;

	if (raise_to_least(price, prices->minimum_u) < 0)
		return -1;
	if (prices->round_unit > 0 &&
	    round_up(&price->equivalents, prices->round_unit) < 0)
		return -1;
	price->usage = price->equivalents;
	for (i = 0; i < EQT_CHARGE_FACTORS; i++) {
		const struct eqt_charge_factor *queue = &prices->queue[i];

		if (i == EQT_CHARGE_FACTOR_USAGE)
			price->charge = price->usage;
		if (queue->name &&
		    (eqt_frac_make(&factor, queue->factor_u, EQT_MICRO) < 0 ||
		     eqt_frac_mul(&price->usage, price->usage, factor) < 0))
			return -1;
	}
	return 0;
}

/* What the bundles that a request takes and its resources make of it. */
static int price_bundles(struct eqt_price *price, const struct bundles *sum,
			 const struct eqt_demand *demand, bool has_gpus)
{
	if (has_gpus &&
	    eqt_frac_make(&price->by[EQT_GPUS], sum->weight_u, EQT_MICRO) < 0)
		return -1;
	if (cost_alone(&price->by[EQT_CORES], demand->cores, sum->cores) < 0 ||
	    cost_alone(&price->by[EQT_MEMORY], demand->mem_mib, sum->memory) <
		    0)
		return -1;
	decide(price);
	return 0;
}

int eqt_price_as(struct eqt_price *out, const struct eqt_bundle_table *prices,
		 const struct eqt_demand *demand, uint32_t model,
		 struct eqt_error *err)
{
	const bool models = has_models(demand);
	const bool gpus = models || demand->gpus_untyped > 0;
	struct eqt_price price = {
		.gpu_pool = prices->cores_off || gpus,
		.by[EQT_GPUS] = EQT_FRAC_ZERO,
	};
	struct bundles sum;

	eqt_bundle_table_step(prices, PRICE_STEPS);
	if (models && check_models(prices, demand, err) < 0)
		return -1;
	if (!price.gpu_pool)
		sum = core_bundle(prices);
	else if (gpu_bundles(&sum, prices, demand, model) < 0)
		return too_large(err);
	if (price_bundles(&price, &sum, demand, gpus) < 0 ||
	    finish(&price, prices) < 0)
		return too_large(err);
	price.unit = eqt_price_unit_find(prices, demand, price.gpu_pool, model);
	*out = price;
	return 0;
}

int eqt_price(struct eqt_price *out, const struct eqt_bundle_table *prices,
	      const struct eqt_demand *demand, struct eqt_error *err)
{
	uint32_t held = count_held(prices);

	if (wants_model(prices, demand) && held == 0)
		return eqt_error_set(err,
				     "the request has GPUs, but no GPU model "
				     "has a price");
	if (wants_model(prices, demand) && held > 1)
		return eqt_error_set(err,
				     "the request has GPUs without a model, "
				     "which could be any of %u models",
				     (unsigned int) held);
	return eqt_price_as(out, prices, demand, next_held(prices, 0), err);
}

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
		eqt_bundle_table_step(prices, NAME_STEPS);
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

	if (!wants_model(prices, demand) || count_held(prices) < 2) {
		if (eqt_price(&price, prices, demand, err) < 0)
			return -1;
		range_add(range, &price);
		return 0;
	}
	/* What keeps GPUs from others is charged alike wherever it runs. */
	near_only = wants_gpus(demand) && any_near(prices);
	for (i = next_held(prices, 0); i < prices->gpu_count;
	     i = next_held(prices, i + 1)) {
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

	if (demand->gpus_untyped == 0 || count_held(prices) < 2)
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
	    (others(prices, demand) ||
	     (wants_model(prices, demand) && count_held(prices) > 1))) {
		if (eqt_price_bounds(&range.low, &range.high, prices, demand,
				     err) < 0)
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
	*low = wants_gpus(demand) ? range.low : range.high;
	*high = range.high;
	return 0;
}
