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

/* Lower terms to those of a bundle: the cheaper rates, and all in one term where it
 * has others. */
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

/* Cores, memory, disk and nodes at the dearest rates that any of some bundles has, or
 * at the cheapest. */
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
	/* Without a unit: the bundle may not be meant. */
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
