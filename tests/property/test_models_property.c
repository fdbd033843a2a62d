/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_models_property: properties of the price of several GPU models, tried on
 * 100,000 random price tables each. The seed is printed; EQT_SEED=<number>
 * repeats a run.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "random_prices.h"
#include "../unit/unit.h"
#include "unmarked.h"

#define TABLES 100000

static uint64_t seed = UINT64_C(20241105);

static struct eqt_frac price_of(const struct eqt_bundle_table *prices,
				const struct eqt_demand *demand)
{
	struct eqt_price price;
	struct eqt_error err = { "" };

	ck_assert_msg(eqt_price(&price, prices, demand, &err) == 0,
		      "seed %ju: %s", (uintmax_t) seed, err.text);
	return price.equivalents;
}

/* a <= b */
static void assert_order(struct eqt_frac a, struct eqt_frac b, int number)
{
	ck_assert_msg(eqt_frac_cmp(a, b) <= 0,
		      "seed %ju, table %d: %ju/%ju > %ju/%ju",
		      (uintmax_t) seed, number, (uintmax_t) a.num,
		      (uintmax_t) a.den, (uintmax_t) b.num, (uintmax_t) b.den);
}

/* A table with some models; whole millionths make short fractions. */
static struct eqt_bundle_table table_of_models(struct eqt_random *random)
{
	struct eqt_bundle_table prices = random_prices(random);

	while (prices.gpu_count < 2)
		prices = random_prices(random);
	return prices;
}

/* A request of up to three models. */
static struct eqt_demand request_of_models(struct eqt_random *random,
					   const struct eqt_bundle_table *prices)
{
	struct eqt_demand demand = {
		.cores = eqt_random_below(random, 1000),
		.mem_mib = eqt_random_below(random, 4000000),
	};
	int i;

	for (i = 0; i < 3; i++)
		demand.gpus[eqt_random_below(random, prices->gpu_count)] +=
			eqt_random_below(random, 9);
	demand.gpus[eqt_random_below(random, prices->gpu_count)]++;
	return demand;
}

START_TEST(one_more_gpu_of_any_model_never_costs_less)
{
	struct eqt_random random = { seed };
	int i;

	for (i = 0; i < TABLES; i++) {
		struct eqt_bundle_table prices = table_of_models(&random);
		struct eqt_demand demand = request_of_models(&random, &prices);
		struct eqt_demand more = demand;

		if (eqt_random_below(&random, 2))
			prices.minimum_u =
				eqt_random_below(&random, 9 * EQT_MICRO);
		if (eqt_random_below(&random, 2))
			prices.round_unit = eqt_random_below(&random, 100);
		more.gpus[eqt_random_below(&random, prices.gpu_count)]++;
		assert_order(price_of(&prices, &demand),
			     price_of(&prices, &more), i);
	}
}
END_TEST

/*
 * The previous rule for models: sum(weights) * max(1, cores / sum(cores), ...).
 */
static struct eqt_frac price_of_sums(const struct eqt_bundle_table *prices,
				     const struct eqt_demand *demand)
{
	eqt_u128 weight = 0, cores = 0, mem = 0;
	struct eqt_frac best, other;
	uint32_t i;

	for (i = 0; i < prices->gpu_count; i++) {
		weight += (eqt_u128) demand->gpus[i] * prices->gpu[i].weight_u;
		cores += (eqt_u128) demand->gpus[i] * prices->gpu[i].cores_u;
		mem += (eqt_u128) demand->gpus[i] * prices->gpu[i].mem_mib_u;
	}
	ck_assert_int_eq(eqt_frac_make(&best, weight, EQT_MICRO), 0);
	ck_assert_int_eq(eqt_frac_make(&other, weight * demand->cores, cores),
			 0);
	if (eqt_frac_cmp(other, best) > 0)
		best = other;
	if (mem == 0)
		return best;
	ck_assert_int_eq(eqt_frac_make(&other, weight * demand->mem_mib, mem),
			 0);
	return eqt_frac_cmp(other, best) > 0 ? other : best;
}

START_TEST(bundles_in_proportion_are_one_pool)
{
	struct eqt_random random = { seed };
	uint32_t model;
	int i;

	for (i = 0; i < TABLES; i++) {
		struct eqt_bundle_table prices = table_of_models(&random);
		struct eqt_demand demand = request_of_models(&random, &prices);
		const struct eqt_bundle first = prices.gpu[0];
		struct eqt_frac want;

		for (model = 1; model < prices.gpu_count; model++) {
			struct eqt_bundle *bundle = &random_gpus[model];
			uint64_t times = 1 + eqt_random_below(&random, 12);

			bundle->weight_u = first.weight_u * times;
			bundle->cores_u = first.cores_u * times;
			bundle->mem_mib_u = first.mem_mib_u * times;
		}
		want = price_of_sums(&prices, &demand);
		assert_order(want, price_of(&prices, &demand), i);
		assert_order(price_of(&prices, &demand), want, i);
	}
}
END_TEST

/* The GPUs of one model alone, with all cores and memory of the request. */
static struct eqt_frac price_alone(const struct eqt_bundle_table *prices,
				   const struct eqt_demand *demand,
				   uint32_t model)
{
	struct eqt_demand alone = { .cores = demand->cores,
				    .mem_mib = demand->mem_mib };

	alone.gpus[model] = demand->gpus[model];
	return price_of(prices, &alone);
}

START_TEST(price_is_the_least_that_more_gpus_never_lower)
{
	struct eqt_random random = { seed };
	uint32_t model;
	int i;

	for (i = 0; i < TABLES; i++) {
		struct eqt_bundle_table prices = table_of_models(&random);
		struct eqt_demand demand = request_of_models(&random, &prices);
		struct eqt_demand gpus = demand;
		struct eqt_frac price = price_of(&prices, &demand), least;

		gpus.cores = gpus.mem_mib = 0;
		least = price_of(&prices, &gpus);
		for (model = 0; model < prices.gpu_count; model++) {
			struct eqt_frac alone;

			if (demand.gpus[model] == 0)
				continue;
			alone = price_alone(&prices, &demand, model);
			if (eqt_frac_cmp(alone, least) > 0)
				least = alone;
		}
		assert_order(price, least, i);
		assert_order(least, price, i);
	}
}
END_TEST

/* The least and the most of all ways to choose GPUs of three models for some. */
static void all_ways(struct eqt_frac ends[2],
		     const struct eqt_bundle_table *prices,
		     const struct eqt_demand *demand,
		     const struct eqt_price_stock *stock)
{
	const uint64_t wanted = demand->gpus_untyped;
	bool any = false;

	for (uint64_t a = 0; a <= wanted && a <= stock->of[0].count; a++) {
		for (uint64_t b = 0;
		     a + b <= wanted && b <= stock->of[1].count; b++) {
			struct eqt_demand way = *demand;
			struct eqt_frac price;

			if (wanted - a - b > stock->of[2].count)
				continue;
			way.gpus_untyped = 0;
			way.gpus[stock->of[0].model] += a;
			way.gpus[stock->of[1].model] += b;
			way.gpus[stock->of[2].model] += wanted - a - b;
			price = price_of(prices, &way);
			if (!any || eqt_frac_cmp(price, ends[0]) < 0)
				ends[0] = price;
			if (!any || eqt_frac_cmp(price, ends[1]) > 0)
				ends[1] = price;
			any = true;
		}
	}
}

START_TEST(a_range_is_of_the_gpus_that_nodes_have)
{
	struct eqt_random random = { seed };
	struct eqt_frac ends[2] = { EQT_FRAC_ZERO, EQT_FRAC_ZERO };

	for (int i = 0; i < TABLES / 10; i++) {
		const struct eqt_bundle_table prices = table_of_models(&random);
		const uint32_t first = (uint32_t) eqt_random_below(
			&random, prices.gpu_count);
		struct eqt_demand demand = {
			.cores = eqt_random_below(&random, 50),
			.mem_mib = eqt_random_below(&random, 400000),
			.gpus_untyped = 1 + eqt_random_below(&random, 9),
		};
		struct eqt_price_stock stock = { .models = 3 };
		struct eqt_price low, high;

		for (uint32_t j = 0; j < stock.models; j++) {
			stock.of[j].model = (first + j) % prices.gpu_count;
			stock.of[j].count =
				eqt_random_below(&random, 5) + (j == 0);
		}
		while (demand.gpus_untyped > stock.of[0].count +
						     stock.of[1].count +
						     stock.of[2].count)
			demand.gpus_untyped--;
		all_ways(ends, &prices, &demand, &stock);
		ck_assert_int_eq(eqt_price_range_of(&low, &high, &prices,
						    &demand, &stock, NULL),
				 0);
		assert_order(low.equivalents, ends[0], i);
		assert_order(ends[0], low.equivalents, i);
		assert_order(high.equivalents, ends[1], i);
		assert_order(ends[1], high.equivalents, i);
	}
}
END_TEST

static void assert_parts(const struct eqt_bundle_table *prices,
			 const struct eqt_demand *whole,
			 const struct eqt_demand *one,
			 const struct eqt_demand *other, int number)
{
	struct eqt_frac sum;

	if (eqt_frac_add(&sum, price_of(prices, one), price_of(prices, other)) <
	    0)
		return;
	assert_order(price_of(prices, whole), sum, number);
}

/* The part of a request that is not in the other part. */
static struct eqt_demand rest_of(const struct eqt_demand *whole,
				 const struct eqt_demand *one)
{
	struct eqt_demand rest = *whole;
	int i;

	rest.cores -= one->cores;
	rest.mem_mib -= one->mem_mib;
	for (i = 0; i < EQT_MODELS_MAX; i++)
		rest.gpus[i] -= one->gpus[i];
	return rest;
}

START_TEST(two_parts_with_all_models_never_cost_less)
{
	struct eqt_random random = { seed };
	uint32_t model;
	int i;

	for (i = 0; i < TABLES; i++) {
		struct eqt_bundle_table prices = table_of_models(&random);
		struct eqt_demand whole = request_of_models(&random, &prices);
		struct eqt_demand one = { 0 }, other;

		one.cores = eqt_random_below(&random, whole.cores + 1);
		one.mem_mib = eqt_random_below(&random, whole.mem_mib + 1);
		for (model = 0; model < prices.gpu_count; model++) {
			if (whole.gpus[model] == 0)
				continue;
			whole.gpus[model]++;
			one.gpus[model] = 1 + eqt_random_below(
				&random, whole.gpus[model] - 1);
		}
		other = rest_of(&whole, &one);
		assert_parts(&prices, &whole, &one, &other, i);
	}
}
END_TEST

/* The model of a request that has the dearest core, or memory. */
static uint32_t dearest(const struct eqt_bundle_table *prices,
			const struct eqt_demand *demand, bool memory)
{
	uint32_t best = UINT32_MAX, i;

	for (i = 0; i < prices->gpu_count; i++) {
		const struct eqt_bundle *a = &prices->gpu[i], *b;
		uint64_t part_a = memory ? a->mem_mib_u : a->cores_u, part_b;

		if (demand->gpus[i] == 0 || part_a == 0)
			continue;
		if (best == UINT32_MAX) {
			best = i;
			continue;
		}
		b = &prices->gpu[best];
		part_b = memory ? b->mem_mib_u : b->cores_u;
		if ((eqt_u128) a->weight_u * part_b >
		    (eqt_u128) b->weight_u * part_a)
			best = i;
	}
	return best;
}

START_TEST(models_apart_never_cost_less_if_cores_and_memory_stay)
{
	struct eqt_random random = { seed };
	uint32_t model, keeps;
	int i;

	for (i = 0; i < TABLES; i++) {
		struct eqt_bundle_table prices = table_of_models(&random);
		struct eqt_demand whole = request_of_models(&random, &prices);
		struct eqt_demand one = { 0 }, other;

		/* Cores and memory stay with the model that has the dearest of
		 * each; the other GPUs go to either part. */
		for (model = 0; model < prices.gpu_count; model++) {
			if (eqt_random_below(&random, 2))
				one.gpus[model] = whole.gpus[model];
		}
		keeps = dearest(&prices, &whole, false);
		if (keeps < UINT32_MAX && one.gpus[keeps] > 0)
			one.cores = whole.cores;
		keeps = dearest(&prices, &whole, true);
		if (keeps == UINT32_MAX || one.gpus[keeps] > 0)
			one.mem_mib = whole.mem_mib;
		other = rest_of(&whole, &one);
		assert_parts(&prices, &whole, &one, &other, i);
	}
}
END_TEST

START_TEST(model_without_memory_leaves_it_to_the_others)
{
	struct eqt_random random = { seed };
	int i;

	for (i = 0; i < TABLES; i++) {
		struct eqt_bundle_table prices = table_of_models(&random);
		struct eqt_demand demand = {
			.mem_mib = eqt_random_below(&random, 4000000),
			.gpus = { 1, 1 },
		};
		struct eqt_demand alone = { .mem_mib = demand.mem_mib,
					    .gpus = { 0, 1 } };
		struct eqt_price with, without;

		random_gpus[0].mem_mib_u = 0;
		ck_assert_int_eq(eqt_price(&with, &prices, &demand, NULL), 0);
		ck_assert_int_eq(eqt_price(&without, &prices, &alone, NULL), 0);
		ck_assert_int_eq(eqt_frac_cmp(with.by[EQT_MEMORY],
					      without.by[EQT_MEMORY]), 0);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("models_property");
	TCase *tcase = tcase_create("models_property");

	seed = eqt_random_seed(seed);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, one_more_gpu_of_any_model_never_costs_less);
	tcase_add_test(tcase, bundles_in_proportion_are_one_pool);
	tcase_add_test(tcase, price_is_the_least_that_more_gpus_never_lower);
	tcase_add_test(tcase, a_range_is_of_the_gpus_that_nodes_have);
	tcase_add_test(tcase, two_parts_with_all_models_never_cost_less);
	tcase_add_test(tcase,
		       models_apart_never_cost_less_if_cores_and_memory_stay);
	tcase_add_test(tcase, model_without_memory_leaves_it_to_the_others);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
