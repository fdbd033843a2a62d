/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prices between which all prices of a request are, in a few steps. */
#include "price/price.h"

/* What a request could take, in millionths: the equivalents of its GPUs at least and
 * at most, and the bundles of which its cores and its memory could be. */
struct sums {
	uint64_t weight_u[2];
	uint32_t bundles;
};

/* Add GPUs that could be of any of some bundles, a bit each. */
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

/*
 * What a bundle of weight_u equivalents holds at the rate of another, which holds
 * part_u for other_u of them; rounded so that the price is no lower (dearest) or no
 * higher. 0: it is not counted.
 */
static uint64_t part_at_rate(uint64_t weight_u, uint64_t other_u,
			     uint64_t part_u, bool dearest)
{
	const eqt_u128 product = (eqt_u128) weight_u * part_u;
	eqt_u128 part;

	if (other_u == 0 || part_u == 0)
		return 0;
	/* Not 0: as the dearest is meant, weight_u is a sum with other_u. */
	part = product / other_u + (!dearest && product % other_u != 0);
	return part > UINT64_MAX ? UINT64_MAX : (uint64_t) part;
}

/* Keep the part that makes the price highest, or lowest. */
static void part_keep(uint64_t *part_u, uint64_t other_u, bool dearest,
		      bool first)
{
	if (first ||
	    (dearest ? other_u > 0 && (*part_u == 0 || other_u < *part_u)
		     : *part_u > 0 && (other_u == 0 || other_u > *part_u)))
		*part_u = other_u;
}

/* Of some bundles those that are near, or all that hold where none is. */
static uint32_t bundles_near(const struct eqt_bundle_table *prices,
			     uint32_t bundles)
{
	const uint32_t held = bundles & ~prices->models_off;

	return held & ~prices->models_away ? held & ~prices->models_away : held;
}

static int bounds_too_large(struct eqt_error *err)
{
	return eqt_error_set(err, "the request is too large to price");
}

static int bounds_no_price(struct eqt_error *err)
{
	return eqt_error_set(err, "the request has GPUs of a model that has no "
				  "price");
}

/* The GPUs of a request; without any, one of those that it keeps from others. */
static int sums_make(struct sums *out, const struct eqt_bundle_table *prices,
		     const struct eqt_demand *demand, struct eqt_error *err)
{
	const uint32_t held = eqt_bundle_table_held(prices);
	bool any = demand->gpus_untyped > 0;
	uint32_t i;

	*out = (struct sums){ .bundles = 0 };
	for (i = 0; i < prices->gpu_count; i++) {
		const uint32_t named =
			demand->placed ? UINT32_C(1) << i
				       : eqt_bundle_table_named(prices, i);

		if (demand->gpus[i] == 0)
			continue;
		any = true;
		if (!bundles_near(prices, named))
			return bounds_no_price(err);
		if (sums_add(out, prices, bundles_near(prices, named),
			     demand->gpus[i]) < 0)
			return bounds_too_large(err);
	}
	if (sums_add(out, prices, bundles_near(prices, held),
		     demand->gpus_untyped) < 0 ||
	    (!any && sums_add(out, prices, held, 1) < 0))
		return bounds_too_large(err);
	return 0;
}

/* One bundle of the weight of all, with cores and memory at the dearest rate that
 * any of them has, or at the cheapest. */
static struct eqt_bundle bundle_bound(const struct eqt_bundle_table *prices,
				      const struct sums *sums, bool dearest)
{
	struct eqt_bundle one = { .weight_u = sums->weight_u[dearest] };
	bool first = true;

	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		const struct eqt_bundle *other = &prices->gpu[i];

		if (!(sums->bundles >> i & 1))
			continue;
		part_keep(&one.cores_u,
			  part_at_rate(one.weight_u, other->weight_u,
				       other->cores_u, dearest),
			  dearest, first);
		part_keep(&one.mem_mib_u,
			  part_at_rate(one.weight_u, other->weight_u,
				       other->mem_mib_u, dearest),
			  dearest, first);
		part_keep(&one.disk,
			  part_at_rate(one.weight_u, other->weight_u,
				       other->disk, dearest),
			  dearest, first);
		first = false;
	}
	return one;
}

static int bound_make(struct eqt_price *out,
		      const struct eqt_bundle_table *prices,
		      const struct eqt_demand *demand, const struct sums *sums,
		      bool dearest, struct eqt_error *err)
{
	/* Without a unit: the bundle may not be meant. */
	const struct eqt_bundle gpu = bundle_bound(prices, sums, dearest);
	struct eqt_bundle_table one = *prices;
	struct eqt_demand all = { .cores = demand->cores,
				  .mem_mib = demand->mem_mib,
				  .disk = demand->disk,
				  .placed = true };

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

	if (sums_make(&sums, prices, demand, err) < 0)
		return -1;
	if (bound_make(&least, prices, demand, &sums, false, err) < 0 ||
	    bound_make(&most, prices, demand, &sums, true, err) < 0)
		return -1;
	*low = least;
	*high = most;
	return 0;
}
