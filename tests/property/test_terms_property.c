/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_terms_property: random terms and requests, priced a second time from what a person
 * reads in the file: which resources are in which term, and what each costs. The seed is
 * printed; EQT_SEED=<number> repeats a run.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "price/price.h"
#include "random.h"
#include "../unit/unit.h"
#include "unmarked.h"

#define ROUNDS 100000
#define MODELS 4
#define TERMS 3

static uint64_t seed = UINT64_C(20261125);

/* A bundle as it is written: the term of each resource, and its cost for an amount. */
struct written {
	int term[EQT_RESOURCES];
	uint64_t cost[EQT_RESOURCES]; /* thousandths; 0: not counted */
	uint64_t amount[EQT_RESOURCES];
};

struct round {
	struct eqt_random random;
	struct written written[1 + MODELS]; /* the first is of the cores */
	struct eqt_terms terms[1 + MODELS];
	struct eqt_bundle gpu[MODELS];
	struct eqt_bundle_table prices;
	struct eqt_demand demand;
	/* In hundredths: factors of partition, QOS and usage, of big jobs in the first
	 * two, and of the time of the week. */
	uint64_t factor[EQT_CHARGE_FACTORS], big[2], big_nodes[2], week_most;
	struct eqt_week week;
};

static void written_make(struct round *round, int bundle)
{
	static const uint64_t amounts[] = { 1, 2, 4, 1024, 1000 };
	struct written *written = &round->written[bundle];

	for (int i = 0; i < EQT_RESOURCES; i++) {
		written->term[i] = (int) eqt_random_below(&round->random,
							  TERMS);
		written->cost[i] = eqt_random_below(&round->random, 4)
			? 1 + eqt_random_below(&round->random, 100000) : 0;
		written->amount[i] = i == EQT_GPUS || i == EQT_NODES
			? 1 : amounts[eqt_random_below(&round->random, 5)];
	}
	if (bundle == 0)
		written->cost[EQT_GPUS] = 0;
}

/* The same for the program. */
static void terms_make(struct eqt_bundle *bundle, struct eqt_terms *terms,
		       const struct written *written)
{
	*terms = (struct eqt_terms){ .apart = 0 };
	for (int i = 0; i < EQT_RESOURCES; i++) {
		for (int j = 0; j < EQT_RESOURCES; j++) {
			if (i != j && (written->cost[i] == 0 ||
				       written->cost[j] == 0 ||
				       written->term[i] != written->term[j]))
				terms->apart |= EQT_APART(i, j);
		}
		if (written->cost[i] && i != EQT_GPUS)
			ck_assert_int_eq(eqt_frac_make(
				&terms->rate[i], written->cost[i],
				1000 * written->amount[i]), 0);
	}
	bundle->weight_u = written->cost[EQT_GPUS] * 1000;
	bundle->terms = terms;
}

static void request_make(struct round *round)
{
	struct eqt_demand *demand = &round->demand;
	struct eqt_random *random = &round->random;

	*demand = (struct eqt_demand){
		.cores = eqt_random_below(random, 10000),
		.mem_mib = eqt_random_below(random, 10000000),
		.disk = eqt_random_below(random, 1000000),
		.nodes = eqt_random_below(random, 100),
	};
	for (int i = 0; i < MODELS && eqt_random_below(random, 3); i++)
		demand->gpus[eqt_random_below(random, MODELS)] =
			eqt_random_below(random, 64);
}

static void round_make(struct round *round, int number)
{
	round->random = (struct eqt_random){ seed + (uint64_t) number };
	round->prices = (struct eqt_bundle_table){ .gpu = round->gpu,
						   .gpu_count = MODELS };
	for (int i = 0; i <= MODELS; i++) {
		struct eqt_bundle *bundle =
			i ? &round->gpu[i - 1] : &round->prices.cores;

		written_make(round, i);
		*bundle = (struct eqt_bundle){ .named = 0 };
		terms_make(bundle, &round->terms[i], &round->written[i]);
		(void) snprintf(bundle->name, EQT_NAME_SIZE, "gpu:m%d", i);
	}
	request_make(round);
}

/* ---- The second computation ---------------------------------------------------- */

__extension__ typedef unsigned __int128 wide;

struct exact {
	wide num, den;
};

static struct exact exact_reduce(wide num, wide den)
{
	wide a = num, b = den;

	while (b) {
		const wide rest = a % b;

		a = b;
		b = rest;
	}
	return (struct exact){ num / a, den / a };
}

static uint64_t amount_of(const struct eqt_demand *demand, int resource)
{
	switch (resource) {
	case EQT_CORES:
		return demand->cores;
	case EQT_MEMORY:
		return demand->mem_mib;
	case EQT_DISK:
		return demand->disk;
	default:
		return demand->nodes;
	}
}

/* Of the bundles that a request takes (a bit each) the dearest cost of a resource. */
static struct exact exact_cost(const struct round *round, uint32_t bundles,
			       int resource)
{
	struct exact best = { 0, 1 }, one;
	uint64_t thousandths = 0;

	for (int i = 0; i <= MODELS; i++) {
		const struct written *written = &round->written[i];

		if (!(bundles >> i & 1))
			continue;
		if (resource == EQT_GPUS) {
			if (i > 0)
				thousandths += written->cost[EQT_GPUS] *
					       round->demand.gpus[i - 1];
			continue;
		}
		one = exact_reduce((wide) written->cost[resource] *
					   amount_of(&round->demand, resource),
				   1000 * (wide) written->amount[resource]);
		if (one.num * best.den > best.num * one.den)
			best = one;
	}
	return resource == EQT_GPUS ? exact_reduce(thousandths, 1000) : best;
}

/* Are two resources in one term of each bundle? Then both are counted there. */
static bool are_together(const struct round *round, uint32_t bundles, int a,
			 int b)
{
	for (int i = 0; i <= MODELS; i++) {
		const struct written *written = &round->written[i];

		if ((bundles >> i & 1) &&
		    (written->cost[a] == 0 || written->cost[b] == 0 ||
		     written->term[a] != written->term[b]))
			return false;
	}
	return true;
}

static uint32_t bundles_taken(const struct eqt_demand *demand)
{
	uint32_t bundles = 0;

	for (int i = 0; i < MODELS; i++)
		bundles |= (uint32_t) (demand->gpus[i] > 0) << (i + 1);
	return bundles ? bundles : 1;
}

/* Which of the costs count: no resource of its term is dearer. */
static struct exact exact_price(const struct round *round)
{
	static const int order[] = { EQT_GPUS, EQT_CORES, EQT_MEMORY, EQT_DISK,
				     EQT_NODES };
	const uint32_t bundles = bundles_taken(&round->demand);
	struct exact sum = { 0, 1 }, cost[EQT_RESOURCES];

	for (int i = 0; i < EQT_RESOURCES; i++)
		cost[i] = exact_cost(round, bundles, i);
	for (int i = 0; i < EQT_RESOURCES; i++) {
		const struct exact one = cost[order[i]];
		bool counts = true;

		for (int j = 0; j < EQT_RESOURCES; j++) {
			const struct exact other = cost[order[j]];
			const wide left = other.num * one.den;
			const wide right = one.num * other.den;

			if (i != j && are_together(round, bundles, order[i],
						   order[j]) &&
			    (left > right || (left == right && j < i)))
				counts = false;
		}
		if (counts)
			sum = exact_reduce(sum.num * one.den +
						   one.num * sum.den,
					   sum.den * one.den);
	}
	return sum;
}

/* ---- Properties ------------------------------------------------------------------ */

static struct eqt_price price_of(const struct round *round,
				 const struct eqt_demand *demand)
{
	struct eqt_price price;
	struct eqt_error err = { "" };

	ck_assert_msg(eqt_price(&price, &round->prices, demand, &err) == 0,
		      "seed %ju: %s", (uintmax_t) seed, err.text);
	return price;
}

START_TEST(price_is_that_of_a_second_computation)
{
	struct round round;

	for (int i = 0; i < ROUNDS; i++) {
		struct eqt_price price;
		struct exact want;

		round_make(&round, i);
		price = price_of(&round, &round.demand);
		want = exact_price(&round);
		ck_assert_msg(price.equivalents.num == want.num &&
				      price.equivalents.den == want.den,
			      "seed %ju, round %d: %ju/%ju instead of %ju/%ju",
			      (uintmax_t) seed, i,
			      (uintmax_t) price.equivalents.num,
			      (uintmax_t) price.equivalents.den,
			      (uintmax_t) want.num, (uintmax_t) want.den);
	}
}
END_TEST

START_TEST(more_of_anything_never_costs_less)
{
	struct round round;

	for (int i = 0; i < ROUNDS; i++) {
		struct eqt_demand more;
		uint64_t *const amounts[] = { &more.cores, &more.mem_mib,
					      &more.disk, &more.nodes,
					      &more.gpus[i % MODELS] };

		round_make(&round, i);
		more = round.demand;
		/* A first GPU prices cores by other bundles than the cores'. */
		if (bundles_taken(&more) == 1)
			more.gpus[0] = round.demand.gpus[0] = 1;
		*amounts[i / MODELS % 5] +=
			1 + eqt_random_below(&round.random, 1000);
		ck_assert_msg(eqt_frac_cmp(
				      price_of(&round, &more).equivalents,
				      price_of(&round, &round.demand)
					      .equivalents) >= 0,
			      "seed %ju, round %d", (uintmax_t) seed, i);
	}
}
END_TEST

START_TEST(bounds_hold_the_price_of_every_model)
{
	struct round round;

	for (int i = 0; i < ROUNDS; i++) {
		struct eqt_price low, high, least, most, price;
		struct eqt_demand one;

		round_make(&round, i);
		round.demand.gpus_untyped =
			1 + eqt_random_below(&round.random, 8);
		ck_assert_int_eq(eqt_price_range(&low, &high, &round.prices,
						 &round.demand, NULL), 0);
		ck_assert_int_eq(eqt_price_range_bounds(&least, &most,
							&round.prices,
							&round.demand, NULL),
				 0);
		ck_assert_int_le(eqt_frac_cmp(least.equivalents,
					      low.equivalents), 0);
		ck_assert_int_ge(eqt_frac_cmp(most.equivalents,
					      high.equivalents), 0);
		one = round.demand;
		one.gpus[i % MODELS] += one.gpus_untyped;
		one.gpus_untyped = 0;
		price = price_of(&round, &one);
		ck_assert_int_le(eqt_frac_cmp(low.equivalents,
					      price.equivalents), 0);
		ck_assert_int_ge(eqt_frac_cmp(high.equivalents,
					      price.equivalents), 0);
	}
}
END_TEST

/* ---- Conditions ------------------------------------------------------------------ */

static void conditions_make(struct round *round, int number)
{
	static const char *const names[] = { "partition", "qos", "usage" };

	round_make(round, number);
	for (int i = 0; i < EQT_CHARGE_FACTORS; i++) {
		struct eqt_charge_factor *queue = &round->prices.queue[i];

		if (eqt_random_below(&round->random, 4) == 0)
			continue;
		round->factor[i] = eqt_random_below(&round->random, 400);
		*queue = (struct eqt_charge_factor){
			.name = names[i],
			.factor_u = round->factor[i] * 10000,
		};
		if (i > 1 || eqt_random_below(&round->random, 2))
			continue;
		round->big_nodes[i] = 2 + eqt_random_below(&round->random, 99);
		round->big[i] = eqt_random_below(&round->random, 200);
		queue->big_nodes = round->big_nodes[i];
		queue->big_u = round->big[i] * 10000;
	}
	if (eqt_random_below(&round->random, 2))
		return;
	round->week_most = eqt_random_below(&round->random, 300);
	round->week.most_u = round->week_most * 10000;
	round->prices.week = &round->week;
}

/* The hundredths of all factors up to a kind, multiplied. */
static struct exact exact_factor(const struct round *round, int kinds)
{
	struct exact product = { 1, 1 };

	for (int i = 0; i < kinds; i++) {
		if (!round->prices.queue[i].name)
			continue;
		product = exact_reduce(product.num * round->factor[i],
				       product.den * 100);
		if (i < 2 && round->big_nodes[i] &&
		    round->demand.nodes >= round->big_nodes[i])
			product = exact_reduce(product.num * round->big[i],
					       product.den * 100);
	}
	return product;
}

static bool is_product(struct eqt_frac got, struct eqt_frac price,
		       struct exact factor)
{
	const struct exact want = exact_reduce(price.num * factor.num,
					       price.den * factor.den);

	return got.num == want.num &&
	       (got.den == want.den || want.num == 0);
}

/* The price with these factors; false: it does not fit 64 bits, which an error says. */
static bool charged(struct eqt_price *price, const struct round *round)
{
	return eqt_price(price, &round->prices, &round->demand, NULL) == 0;
}

START_TEST(charge_is_that_of_a_second_computation)
{
	int large = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct round round = { .week_most = 0 };
		struct exact factor;
		struct eqt_price price;

		conditions_make(&round, i);
		if (!charged(&price, &round)) {
			large++;
			continue;
		}
		factor = exact_factor(&round, EQT_CHARGE_FACTOR_USAGE);
		ck_assert_msg(is_product(price.charge, price.equivalents,
					 factor),
			      "seed %ju, round %d: the charge",
			      (uintmax_t) seed, i);
		factor = exact_factor(&round, EQT_CHARGE_FACTORS);
		if (round.prices.week)
			factor = exact_reduce(factor.num * round.week_most,
					      factor.den * 100);
		ck_assert_msg(is_product(price.usage, price.equivalents,
					 factor),
			      "seed %ju, round %d: usage", (uintmax_t) seed, i);
	}
	ck_assert_int_lt(large, ROUNDS / 5);
}
END_TEST

START_TEST(more_nodes_never_cost_less_but_by_a_discount)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct round round = { .week_most = 0 };
		struct eqt_price few, many;
		bool discount = false;
		uint64_t before;

		conditions_make(&round, i);
		before = round.demand.nodes;
		if (!charged(&few, &round))
			continue;
		round.demand.nodes += 1 + eqt_random_below(&round.random, 50);
		for (int k = 0; k < 2; k++)
			discount |= round.big_nodes[k] > before &&
				    round.big_nodes[k] <= round.demand.nodes &&
				    round.big[k] < 100;
		if (!discount && charged(&many, &round))
			ck_assert_msg(eqt_frac_cmp(many.usage, few.usage) >= 0,
				      "seed %ju, round %d", (uintmax_t) seed,
				      i);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("terms_property");
	TCase *tcase = tcase_create("terms_property");

	seed = eqt_random_seed(seed);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, price_is_that_of_a_second_computation);
	tcase_add_test(tcase, more_of_anything_never_costs_less);
	tcase_add_test(tcase, charge_is_that_of_a_second_computation);
	tcase_add_test(tcase, more_nodes_never_cost_less_but_by_a_discount);
	tcase_add_test(tcase, bounds_hold_the_price_of_every_model);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
