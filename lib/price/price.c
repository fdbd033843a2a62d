/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <string.h>

#include "price/missing_price.h"
#include "price/price_impl.h"
#include "price/price_minimum.h"

#define PRICE_STEPS 2 /* of one price */

/* What an amount costs: num / den equivalents each. den is 0 where no bundle holds
 * any of it. */
struct rate {
	uint64_t num;
	uint64_t den;
};

/* What a bundle holds besides its GPU. */
static const enum eqt_resource parts[] = { EQT_CORES, EQT_MEMORY, EQT_DISK };
#define PARTS (sizeof(parts) / sizeof(parts[0]))

/* What the bundles of a request come to: their equivalents, in millionths, and for
 * each part the rate of the model that has the dearest. */
struct bundles {
	eqt_u128 weight_u;
	struct rate rate[EQT_RESOURCES];
};

/* A part of a bundle, in millionths. */
static eqt_u128 bundle_part(const struct eqt_bundle *bundle,
			    enum eqt_resource part)
{
	if (part == EQT_DISK)
		return (eqt_u128) bundle->disk * EQT_MICRO;
	return part == EQT_CORES ? bundle->cores_u : bundle->mem_mib_u;
}

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

/* Disk of a bundle is at most EQT_DISK_MAX, so that millionths of it fit. */
static void bundle_raise(struct bundles *sum, const struct eqt_bundle *bundle)
{
	for (size_t i = 0; i < PARTS; i++)
		rate_raise(&sum->rate[parts[i]], bundle->weight_u,
			   (uint64_t) bundle_part(bundle, parts[i]));
}

/* *sum += count * unit; -1 when that does not fit. */
static int add_product(eqt_u128 *sum, uint64_t count, uint64_t unit)
{
	eqt_u128 product = (eqt_u128) count * unit;

	return __builtin_add_overflow(*sum, product, sum) ? -1 : 0;
}

/* One unit of the cores' pool, which is one equivalent whatever it holds. */
static struct bundles core_bundle(const struct eqt_bundle_table *prices)
{
	return (struct bundles){
		.weight_u = EQT_MICRO,
		.rate[EQT_CORES] = { EQT_MICRO, prices->cores.cores_u },
		.rate[EQT_MEMORY] = { EQT_MICRO, prices->cores.mem_mib_u },
		.rate[EQT_DISK] = { 1, prices->cores.disk },
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

/* One part of the bundles of a model: their equivalents, without those that hold none of
 * it, and what they hold; in millionths. */
struct part_sum {
	eqt_u128 weight_u, part_u;
};

static int part_sums_add(struct part_sum sums[PARTS],
			 const struct eqt_bundle *bundle, uint64_t count)
{
	for (size_t i = 0; i < PARTS; i++) {
		const eqt_u128 part_u = bundle_part(bundle, parts[i]);
		eqt_u128 product;

		if (part_u > 0 &&
		    (__builtin_mul_overflow(part_u, count, &product) ||
		     __builtin_add_overflow(sums[i].part_u, product,
					    &sums[i].part_u) ||
		     add_product(&sums[i].weight_u, count, bundle->weight_u) <
			     0))
			return -1;
	}
	return 0;
}

/* A model of which a request has GPUs by several bundles, from this one on. */
static int raise_by_name(struct bundles *sum, uint32_t *taken,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_demand *demand, uint32_t model,
			 uint32_t from)
{
	struct part_sum sums[PARTS] = { { 0, 0 } };
	uint64_t count;
	int i;

	for (i = (int) from; i >= 0;
	     i = eqt_bundle_table_next(prices, (uint32_t) i)) {
		*taken &= ~(UINT32_C(1) << i);
		if (bundle_gpus(&count, demand, model, (uint32_t) i) < 0 ||
		    part_sums_add(sums, &prices->gpu[i], count) < 0)
			return -1;
	}
	for (size_t part = 0; part < PARTS; part++) {
		if (rate_raise_sum(&sum->rate[parts[part]], sums[part].weight_u,
				   sums[part].part_u) < 0)
			return -1;
	}
	return 0;
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
	if (taken == 0)
		taken = UINT32_C(1) << model;
	/* Most requests take one bundle: no name is compared. */
	if ((taken & (taken - 1)) == 0) {
		bundle_raise(sum, &prices->gpu[__builtin_ctz(taken)]);
		return 0;
	}
	while (taken) {
		eqt_bundle_table_step(prices, EQT_PRICE_NAME_STEPS);
		i = (uint32_t) __builtin_ctz(taken);
		if (raise_by_name(sum, &taken, prices, demand, model, i) < 0)
			return -1;
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
	if (eqt_frac_cmp(price->by[EQT_DISK], price->by[best]) > 0)
		best = EQT_DISK;
	price->dominant = best;
	price->equivalents = price->by[best];
}

/* From what the resources cost to the price and what is charged for it. */
static int finish(struct eqt_price *price,
		  const struct eqt_bundle_table *prices)
{
	struct eqt_frac factor;
	int i;

	if (eqt_price_minimum_apply(&price->equivalents, &price->minimum,
				    prices) < 0)
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
	if (cost_alone(&price->by[EQT_CORES], demand->cores,
		       sum->rate[EQT_CORES]) < 0 ||
	    cost_alone(&price->by[EQT_MEMORY], demand->mem_mib,
		       sum->rate[EQT_MEMORY]) < 0 ||
	    cost_alone(&price->by[EQT_DISK], demand->disk,
		       sum->rate[EQT_DISK]) < 0)
		return -1;
	decide(price);
	return 0;
}

int eqt_price_as(struct eqt_price *out, const struct eqt_bundle_table *prices,
		 const struct eqt_demand *demand, uint32_t model,
		 struct eqt_error *err)
{
	const bool models = eqt_price_has_models(demand);
	const bool gpus = models || demand->gpus_untyped > 0;
	struct eqt_price price = {
		.gpu_pool = prices->cores_off || gpus,
		.by[EQT_GPUS] = EQT_FRAC_ZERO,
	};
	struct bundles sum;

	eqt_bundle_table_step(prices, PRICE_STEPS);
	if (models && eqt_missing_price_check(prices, demand->gpus, err) < 0)
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
	uint32_t held = eqt_price_count_held(prices);

	if (eqt_price_wants_model(prices, demand) && held == 0)
		return eqt_error_set(err,
				     "the request has GPUs, but no GPU model "
				     "has a price");
	if (eqt_price_wants_model(prices, demand) && held > 1)
		return eqt_error_set(err,
				     "the request has GPUs without a model, "
				     "which could be any of %u models",
				     (unsigned int) held);
	return eqt_price_as(out, prices, demand, eqt_price_next_held(prices, 0),
			    err);
}
