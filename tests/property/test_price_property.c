/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_price_property: properties of every price, tried on random price tables
 * and requests. The seed is printed; EQT_SEED=<number> repeats a run.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "price/price.h"
#include "random_prices.h"
#include "../unit/unit.h"
#include "unmarked.h"

#define ROUNDS 20000
#define AGREE 1e-12L

static uint64_t seed = UINT64_C(20240229);

struct round {
	struct eqt_random random;
	struct eqt_bundle_table prices;
	struct eqt_demand demand;
	struct eqt_price price;
};

static struct eqt_price price_of(const struct eqt_bundle_table *prices,
				 const struct eqt_demand *demand)
{
	struct eqt_price price;
	struct eqt_error err = { "" };

	ck_assert_msg(eqt_price(&price, prices, demand, &err) == 0,
		      "seed %ju: %s", (uintmax_t) seed, err.text);
	return price;
}

static struct round round_begin(int number)
{
	struct round round = { .random = { seed + (uint64_t) number } };

	round.prices = random_prices(&round.random);
	round.demand = random_request(&round.random,
				       round.prices.gpu_count);
	round.price = price_of(&round.prices, &round.demand);
	return round;
}

/* a <= b */
static void assert_order(struct eqt_frac a, struct eqt_frac b, int number)
{
	ck_assert_msg(eqt_frac_cmp(a, b) <= 0,
		      "seed %ju, round %d: %ju/%ju > %ju/%ju",
		      (uintmax_t) seed, number, (uintmax_t) a.num,
		      (uintmax_t) a.den, (uintmax_t) b.num,
		      (uintmax_t) b.den);
}

static void assert_equal(struct eqt_frac a, struct eqt_frac b, int number)
{
	assert_order(a, b, number);
	assert_order(b, a, number);
}

START_TEST(more_cores_or_memory_never_cost_less)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		struct round round = round_begin(i);
		struct eqt_demand more = round.demand;

		more.cores += eqt_random_below(&round.random, 100);
		more.mem_mib += eqt_random_below(&round.random, 100000);
		more.disk += eqt_random_below(&round.random, 1000000);
		assert_order(round.price.equivalents,
			     price_of(&round.prices, &more).equivalents, i);
	}
}
END_TEST

/* The index of the one model that is requested, or -1. */
static int single_model(const struct eqt_demand *demand)
{
	int i, found = -1, models = 0;

	for (i = 0; i < EQT_MODELS_MAX; i++) {
		if (demand->gpus[i] == 0)
			continue;
		models++;
		found = i;
	}
	return models == 1 ? found : -1;
}

START_TEST(price_is_the_largest_of_what_each_resource_costs)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		struct round round = round_begin(i);
		const struct eqt_price *price = &round.price;

		assert_order(price->by[EQT_CORES], price->equivalents, i);
		assert_order(price->by[EQT_MEMORY], price->equivalents, i);
		assert_order(price->by[EQT_GPUS], price->equivalents, i);
		assert_order(price->by[EQT_DISK], price->equivalents, i);
		assert_equal(price->by[price->dominant], price->equivalents,
			     i);
	}
}
END_TEST

START_TEST(twice_the_request_is_twice_the_price)
{
	int i, model;

	for (i = 0; i < ROUNDS; i++) {
		struct round round = round_begin(i);
		struct eqt_demand twice = round.demand;
		struct eqt_frac sum;

		twice.cores *= 2;
		twice.mem_mib *= 2;
		twice.disk *= 2;
		for (model = 0; model < EQT_MODELS_MAX; model++)
			twice.gpus[model] *= 2;
		ck_assert_int_eq(eqt_frac_add(&sum, round.price.equivalents,
					      round.price.equivalents), 0);
		assert_equal(price_of(&round.prices, &twice).equivalents, sum,
			     i);
	}
}
END_TEST

/* The formula of eqt_price.h, written as plainly as there. */
static long double slow_price(const struct eqt_bundle_table *prices,
			      const struct eqt_demand *demand)
{
	long double weight = 0, cores = 0, mem = 0, disk = 0;
	uint32_t i;

	for (i = 0; i < prices->gpu_count; i++) {
		const struct eqt_bundle *bundle = &prices->gpu[i];
		const long double each = (long double) bundle->weight_u;

		if (demand->gpus[i] == 0)
			continue;
		weight += (long double) demand->gpus[i] * each / EQT_MICRO;
		cores = fmaxl(cores, each / bundle->cores_u);
		if (bundle->mem_mib_u > 0)
			mem = fmaxl(mem, each / bundle->mem_mib_u);
		if (bundle->disk > 0)
			disk = fmaxl(disk, each / EQT_MICRO / bundle->disk);
	}
	if (weight > 0)
		return fmaxl(fmaxl(weight, demand->disk * disk),
			     fmaxl(demand->cores * cores,
				   demand->mem_mib * mem));
	cores = (long double) EQT_MICRO / prices->cores.cores_u;
	if (prices->cores.mem_mib_u > 0)
		mem = (long double) EQT_MICRO / prices->cores.mem_mib_u;
	if (prices->cores.disk > 0)
		disk = 1.0L / prices->cores.disk;
	return fmaxl(fmaxl(demand->cores * cores, demand->mem_mib * mem),
		     demand->disk * disk);
}

START_TEST(price_agrees_with_the_plain_formula)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		struct round round = round_begin(i);
		struct eqt_frac price = round.price.equivalents;
		long double want = slow_price(&round.prices, &round.demand);
		long double got = (long double) price.num / price.den;

		ck_assert_msg(fabsl(got - want) <= AGREE * want,
			      "seed %ju, round %d: %.15Lg instead of %.15Lg",
			      (uintmax_t) seed, i, got, want);
	}
}
END_TEST

/* weight * max(g, cores / bundle cores, memory / bundle memory, disk / bundle disk),
 * exact */
static struct eqt_frac single_price(const struct eqt_bundle *bundle,
				    const struct eqt_demand *demand,
				    uint64_t gpus)
{
	struct eqt_frac best, other;

	ck_assert_int_eq(eqt_frac_make(&best, gpus, 1), 0);
	ck_assert_int_eq(eqt_frac_make(&other,
				       (eqt_u128) demand->cores * EQT_MICRO,
				       bundle->cores_u), 0);
	if (eqt_frac_cmp(other, best) > 0)
		best = other;
	if (bundle->mem_mib_u > 0) {
		ck_assert_int_eq(eqt_frac_make(
			&other, (eqt_u128) demand->mem_mib * EQT_MICRO,
			bundle->mem_mib_u), 0);
		if (eqt_frac_cmp(other, best) > 0)
			best = other;
	}
	if (bundle->disk > 0) {
		ck_assert_int_eq(eqt_frac_make(&other, demand->disk,
					       bundle->disk), 0);
		if (eqt_frac_cmp(other, best) > 0)
			best = other;
	}
	ck_assert_int_eq(eqt_frac_make(
		&best, (eqt_u128) best.num * bundle->weight_u,
		(eqt_u128) best.den * EQT_MICRO), 0);
	return best;
}

START_TEST(one_model_costs_the_maximum_over_its_bundle)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		struct round round = round_begin(i);
		int model = single_model(&round.demand);

		if (model < 0)
			continue;
		assert_equal(single_price(&round.prices.gpu[model],
					  &round.demand,
					  round.demand.gpus[model]),
			     round.price.equivalents, i);
	}
}
END_TEST

START_TEST(range_holds_the_price_of_every_model)
{
	uint32_t model;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		struct round round = round_begin(i);
		struct eqt_demand demand = round.demand;
		uint64_t untyped = 1 + eqt_random_below(&round.random, 16);
		struct eqt_price low, high;

		if (round.prices.gpu_count == 0)
			continue;
		demand.gpus_untyped = untyped;
		ck_assert_int_eq(eqt_price_range(&low, &high, &round.prices,
						 &demand, NULL), 0);
		assert_order(low.equivalents, high.equivalents, i);
		for (model = 0; model < round.prices.gpu_count; model++) {
			struct eqt_demand typed = round.demand;
			struct eqt_frac price;

			typed.gpus[model] += untyped;
			price = price_of(&round.prices, &typed).equivalents;
			assert_order(low.equivalents, price, i);
			assert_order(price, high.equivalents, i);
		}
	}
}
END_TEST

/* Bundles of a few names, some of them off, some on nodes that are far away; some
 * without memory. */
static void spread_models(struct eqt_random *random,
			  struct eqt_bundle_table *prices)
{
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		(void) snprintf(random_gpus[i].name, EQT_NAME_SIZE, "gpu:m%u",
				(unsigned int) eqt_random_below(random, 3));
		random_gpus[i].nodes = "somewhere";
		if (eqt_random_below(random, 4) == 0)
			random_gpus[i].mem_mib_u = 0;
	}
	prices->models_off = (uint32_t) eqt_random_below(random, 64) &
			     (uint32_t) eqt_random_below(random, 64);
	prices->models_away = (uint32_t) eqt_random_below(random, 64);
	prices->cores_off = eqt_random_below(random, 2);
}

static bool has_typed(const struct eqt_demand *demand)
{
	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++) {
		if (demand->gpus[i] > 0)
			return true;
	}
	return false;
}

START_TEST(spent_steps_leave_bounds_that_enclose_all_prices)
{
	unsigned int priced = 0, wider = 0, named = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct round round = round_begin(i);
		struct eqt_price low, high, least, most;
		uint32_t steps = 0;

		spread_models(&round.random, &round.prices);
		round.demand.gpus_untyped = eqt_random_below(&round.random, 6);
		if (eqt_price_range(&low, &high, &round.prices, &round.demand,
				    NULL) < 0)
			continue;
		round.prices.steps = &steps;
		ck_assert_int_eq(eqt_price_range(&least, &most, &round.prices,
						 &round.demand, NULL),
				 0);
		/* Without GPUs the dearest is told as both ends. */
		if (round.demand.gpus_untyped > 0 || has_typed(&round.demand))
			assert_order(least.equivalents, low.equivalents, i);
		assert_order(high.equivalents, most.equivalents, i);
		assert_order(high.charge, most.charge, i);
		ck_assert_int_eq(most.gpu_pool, high.gpu_pool);
		ck_assert_uint_eq(steps, 0);
		priced++;
		wider += eqt_frac_cmp(high.equivalents, most.equivalents) < 0;
		named += round.demand.gpus_untyped == 0 &&
			 has_typed(&round.demand) &&
			 eqt_frac_cmp(high.equivalents, most.equivalents) < 0;
	}
	/* Most requests have a price, and of many the bounds are the range. */
	ck_assert_uint_gt(priced, ROUNDS / 3);
	ck_assert_uint_lt(wider, priced / 2);
	ck_assert_uint_gt(wider, 0);
	/* Bundles of one name on other nodes take steps, too. */
	ck_assert_uint_gt(named, 0);
}
END_TEST

START_TEST(ranges_take_no_more_steps_than_there_are)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct round round = round_begin(i);
		struct eqt_price low[2], high[2];
		uint32_t steps = 100000;

		spread_models(&round.random, &round.prices);
		round.demand.gpus_untyped = eqt_random_below(&round.random, 6);
		if (eqt_price_range(&low[0], &high[0], &round.prices,
				    &round.demand, NULL) < 0)
			continue;
		round.prices.steps = &steps;
		ck_assert_int_eq(eqt_price_range(&low[1], &high[1],
						 &round.prices, &round.demand,
						 NULL),
				 0);
		assert_equal(low[0].equivalents, low[1].equivalents, i);
		assert_equal(high[0].equivalents, high[1].equivalents, i);
		ck_assert_uint_lt(steps, 100000);
	}
}
END_TEST

START_TEST(rules_make_the_least_multiple_that_is_not_below)
{
	struct eqt_random random = { seed };
	int i;

	for (i = 0; i < ROUNDS; i++) {
		struct eqt_bundle_table prices = random_prices(&random), ruled;
		struct eqt_demand demand =
			random_request(&random, prices.gpu_count);
		struct eqt_price plain, price;
		long double least, factor = 1, unit;
		int kind;

		ruled = prices;
		add_rules(&random, &ruled);
		plain = price_of(&prices, &demand);
		if (eqt_price(&price, &ruled, &demand, NULL) < 0)
			continue;
		least = (long double) plain.equivalents.num /
			(long double) plain.equivalents.den;
		if (least < (long double) ruled.minimum_u / EQT_MICRO)
			least = (long double) ruled.minimum_u / EQT_MICRO;
		if (ruled.round_unit > 0) {
			unit = (long double) ruled.round_unit;
			least = ceill(least * unit * (1 - 1e-15L)) / unit;
		}
		ck_assert(fabsl((long double) price.equivalents.num /
				(long double) price.equivalents.den - least) <=
			  least * AGREE);
		for (kind = 0; kind < EQT_CHARGE_FACTORS; kind++) {
			/* UsageFactor changes usage only. */
			if (kind == EQT_CHARGE_FACTOR_USAGE)
				ck_assert(fabsl((long double) price.charge.num /
						(long double) price.charge.den -
						least * factor) <=
					  least * factor * AGREE);
			if (ruled.queue[kind].name)
				factor *= (long double)
						  ruled.queue[kind].factor_u /
					  EQT_MICRO;
		}
		ck_assert(fabsl((long double) price.usage.num /
				(long double) price.usage.den -
				least * factor) <= least * factor * AGREE);
	}
}
END_TEST

/* Any 64 bits, for a run under the sanitizers. */
START_TEST(hostile_numbers_are_priced_or_refused)
{
	struct eqt_random random = { seed };
	int i, model;

	for (i = 0; i < ROUNDS; i++) {
		struct eqt_bundle_table prices = random_prices(&random);
		struct eqt_demand demand = { 0 };
		struct eqt_error err = { "" };
		struct eqt_price price;

		add_rules(&random, &prices);
		for (model = 0; model < (int) prices.gpu_count; model++)
			demand.gpus[model] = eqt_random_next(&random) >>
					      eqt_random_below(&random, 64);
		demand.cores = eqt_random_next(&random) >>
				eqt_random_below(&random, 64);
		demand.mem_mib = eqt_random_next(&random);
		if (eqt_price(&price, &prices, &demand, &err) < 0)
			ck_assert_str_eq(err.text, "the request is too large "
					 "to price");
		else
			ck_assert_uint_ge(price.equivalents.den, 1);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("price_property");
	TCase *tcase = tcase_create("price_property");

	seed = eqt_random_seed(seed);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, more_cores_or_memory_never_cost_less);
	tcase_add_test(tcase,
		       price_is_the_largest_of_what_each_resource_costs);
	tcase_add_test(tcase, twice_the_request_is_twice_the_price);
	tcase_add_test(tcase, price_agrees_with_the_plain_formula);
	tcase_add_test(tcase, one_model_costs_the_maximum_over_its_bundle);
	tcase_add_test(tcase, range_holds_the_price_of_every_model);
	tcase_add_test(tcase, spent_steps_leave_bounds_that_enclose_all_prices);
	tcase_add_test(tcase, ranges_take_no_more_steps_than_there_are);
	tcase_add_test(tcase,
		       rules_make_the_least_multiple_that_is_not_below);
	tcase_add_test(tcase, hostile_numbers_are_priced_or_refused);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
