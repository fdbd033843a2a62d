/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_tree_property: random share trees against two slow references, and
 * changes that must not change a rank.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "../unit/unit.h"
#include "../unit/tree/tree_shares.h"
#include "base/fraction.h"
#include "tree/tree.h"
#include "random.h"
#include "unmarked.h"
#include "tree_reference.h"

#define DEPTH_MAX 8
#define TREES 4000 /* of each kind */

/* Shares and usages of a tree: small ones tie, close ones almost tie. */
enum numbers { SMALL, BINARY, NEAR, WIDE, NUMBERS };

/* Creating trees. */

static uint32_t random_shares(struct eqt_random *random, enum numbers numbers)
{
	switch (numbers) {
	case SMALL:
		return (uint32_t) eqt_random_below(random, 4);
	case BINARY:
		return UINT32_C(1) << eqt_random_below(random, 3);
	case NEAR:
		return 1 + (uint32_t) eqt_random_below(random, 2);
	default:
		return (uint32_t) eqt_random_below(random, UINT32_C(1) << 20);
	}
}

static uint64_t random_usage(struct eqt_random *random, enum numbers numbers)
{
	switch (numbers) {
	case SMALL:
		return eqt_random_below(random, 4);
	case BINARY:
		return UINT64_C(1) << eqt_random_below(random, 4);
	case NEAR:
		return (UINT64_C(1) << 48) + eqt_random_below(random, 3);
	default:
		return eqt_random_below(random, UINT64_C(1) << 30);
	}
}

static uint32_t depth_of(const struct plan *plan, uint32_t i)
{
	uint32_t depth = 0;

	for (; i; i = plan->in[i].parent)
		depth++;
	return depth;
}

static void plan_node(struct plan *plan, struct eqt_random *random, uint32_t i,
		      enum numbers numbers)
{
	struct eqt_tree_input *in = &plan->in[i];

	do {
		in->parent = (uint32_t) eqt_random_below(random, i);
	} while (plan->in[in->parent].user || depth_of(plan, i) > DEPTH_MAX);
	in->user = depth_of(plan, i) == DEPTH_MAX ||
		   eqt_random_below(random, 5) < 3;
	in->parent_shares = eqt_random_below(random, 8) == 0;
	in->shares = random_shares(random, numbers);
}

/* An account has the usage below it, or sometimes any other usage. */
static void plan_usage(struct plan *plan, struct eqt_random *random,
		       enum numbers numbers)
{
	bool summed = eqt_random_below(random, 3) > 0;

	for (uint32_t i = plan->count - 1; i < plan->count; i--) {
		if (plan->in[i].user || !summed)
			plan->usage[i] += random_usage(random, numbers);
		if (i && summed)
			plan->usage[plan->in[i].parent] += plan->usage[i];
	}
}

static struct plan random_plan(uint64_t seed, enum numbers numbers)
{
	struct eqt_random random = { seed };
	struct plan plan = { .seed = seed };

	plan.count = 1 + (uint32_t) eqt_random_below(&random, NODES_MAX);
	plan.in[0].parent = EQT_TREE_NONE;
	for (uint32_t i = 1; i < plan.count; i++)
		plan_node(&plan, &random, i, numbers);
	plan_usage(&plan, &random, numbers);
	return plan;
}

static struct eqt_tree *tree_of(const struct plan *plan)
{
	struct eqt_error err;
	struct eqt_tree *tree = eqt_tree_new(plan->in, plan->count, &err);

	ck_assert_msg(tree != NULL, "seed %ju: %s", (uintmax_t) plan->seed,
		      err.text);
	for (uint32_t i = 0; i < plan->count; i++)
		eqt_tree_usage_set(tree, i, (long double) plan->usage[i]);
	return tree;
}

static void assert_ranks(const struct plan *plan, const struct eqt_tree *tree,
			 const char *what)
{
	for (uint32_t i = 0; i < plan->count; i++)
		ck_assert_msg(eqt_tree_node(tree, i).rank == plan->rank[i],
			      "%s: seed %ju: node %u: %u instead of %u", what,
			      (uintmax_t) plan->seed, i,
			      eqt_tree_node(tree, i).rank, plan->rank[i]);
}

/* The properties; each test runs once for each kind of numbers. */

static struct plan plan_at(int kind, uint64_t k)
{
	return random_plan((uint64_t) kind * UINT64_C(1000000) + k,
			   (enum numbers) kind);
}

START_TEST(ranks_are_those_of_the_rule)
{
	for (uint64_t k = 0; k < TREES; k++) {
		struct plan plan = plan_at(_i, k);
		struct eqt_tree *tree = tree_of(&plan);

		documented_ranks(&plan);
		eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
		assert_ranks(&plan, tree, "documented");
		eqt_tree_free(tree);
	}
}
END_TEST

START_TEST(stock_ranks_are_slurms)
{
	for (uint64_t k = 0; k < TREES; k++) {
		struct plan plan = plan_at(_i, k);
		struct eqt_tree *tree = tree_of(&plan);

		stock_ranks(&plan);
		eqt_tree_rank(tree, EQT_TREE_STOCK);
		assert_ranks(&plan, tree, "stock");
		eqt_tree_free(tree);
	}
}
END_TEST

/* The users of one account, too many for a reference. */
#define WIDE_MAX 2000
#define WIDE_TREES 12 /* of each kind */

struct level {
	uint32_t users;
	uint32_t shares[WIDE_MAX];
	uint64_t usage[WIDE_MAX];
	long double level_fs[WIDE_MAX]; /* as the tree says */
	uint32_t rank[WIDE_MAX];
};

static void rank_level(struct level *level, struct eqt_random *random,
		       enum numbers numbers, enum eqt_tree_mode mode)
{
	static struct eqt_tree_input in[WIDE_MAX + 1];
	struct eqt_error err;
	struct eqt_tree *tree;
	uint64_t sum = 0;

	in[0] = (struct eqt_tree_input){ .parent = EQT_TREE_NONE };
	level->users = 1 + (uint32_t) eqt_random_below(random, WIDE_MAX);
	for (uint32_t i = 0; i < level->users; i++) {
		level->shares[i] = random_shares(random, numbers);
		level->usage[i] = random_usage(random, numbers);
		in[i + 1] = (struct eqt_tree_input){ .shares = level->shares[i],
						  .user = true };
	}
	tree = eqt_tree_new(in, level->users + 1, &err);
	ck_assert_msg(tree != NULL, "%s", err.text);
	for (uint32_t i = 0; i < level->users; i++) {
		eqt_tree_usage_set(tree, i + 1, (long double) level->usage[i]);
		sum += level->usage[i];
	}
	eqt_tree_usage_set(tree, 0, (long double) sum);
	eqt_tree_rank(tree, mode);
	for (uint32_t i = 0; i < level->users; i++) {
		level->rank[i] = eqt_tree_node(tree, i + 1).rank;
		level->level_fs[i] = eqt_tree_node(tree, i + 1).level_fs;
	}
	eqt_tree_free(tree);
}

static bool is_better(const struct level *level, uint32_t a, uint32_t b,
		      enum eqt_tree_mode mode)
{
	if (mode == EQT_TREE_STOCK)
		return level->level_fs[a] > level->level_fs[b];
	if (!level->shares[a] || !level->shares[b])
		return level->shares[a] > 0 && !level->shares[b];
	return (eqt_u128) level->shares[a] * level->usage[b] >
	       (eqt_u128) level->shares[b] * level->usage[a];
}

/* The rank of each user counts all users that are better, and no others. */
static void assert_level(const struct level *level, enum eqt_tree_mode mode)
{
	for (uint32_t i = 0; i < level->users; i++) {
		uint32_t better = 0;

		for (uint32_t k = 0; k < level->users; k++)
			better += is_better(level, k, i, mode);
		ck_assert_msg(level->rank[i] == level->users - better,
			      "user %u of %u: %u instead of %u", i,
			      level->users, level->rank[i],
			      level->users - better);
	}
}

START_TEST(wide_levels_have_the_ranks_of_the_rule)
{
	static struct level level;
	struct eqt_random random = { (uint64_t) _i };

	for (int k = 0; k < 2 * WIDE_TREES; k++) {
		enum eqt_tree_mode mode = k % 2 ? EQT_TREE_STOCK
						: EQT_TREE_DOCUMENTED;

		rank_level(&level, &random, (enum numbers) _i, mode);
		assert_level(&level, mode);
	}
}
END_TEST

static void keep_ranks(struct plan *plan, const struct eqt_tree *tree)
{
	for (uint32_t i = 0; i < plan->count; i++)
		plan->rank[i] = eqt_tree_node(tree, i).rank;
}

/*
 * Scale by whole numbers and powers of two, so that usage itself stays exact.
 */
START_TEST(scaling_all_usage_changes_no_rank)
{
	for (uint64_t k = 0; k < TREES; k++) {
		struct plan plan = plan_at(_i, k);
		struct eqt_tree *tree = tree_of(&plan);
		struct eqt_random random = { k };
		long double scale = ldexpl(
			(long double) (1 + eqt_random_below(&random, 1000)),
			(int) eqt_random_below(&random, 2000) - 1000);

		eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
		keep_ranks(&plan, tree);
		for (uint32_t i = 0; i < plan.count; i++)
			eqt_tree_usage_set(tree, i,
					   scale * (long double) plan.usage[i]);
		eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
		assert_ranks(&plan, tree, "usage scaled");
		eqt_tree_free(tree);
	}
}
END_TEST

START_TEST(scaling_the_shares_of_levels_changes_no_rank)
{
	for (uint64_t k = 0; k < TREES; k++) {
		struct plan plan = plan_at(_i, k);
		struct eqt_tree *tree = tree_of(&plan);
		uint32_t scale[NODES_MAX];
		struct eqt_random random = { k };

		eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
		keep_ranks(&plan, tree);
		for (uint32_t i = 0; i < plan.count; i++)
			scale[i] =
				1 + (uint32_t) eqt_random_below(&random, 1000);
		for (uint32_t i = 1; i < plan.count; i++)
			tree_shares_set(tree, i,
					    plan.in[i].shares *
						    scale[parent_of(&plan, i)]);
		eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
		assert_ranks(&plan, tree, "shares scaled");
		eqt_tree_free(tree);
	}
}
END_TEST

/* The same tree in another order of nodes; to[i] is the new place of i. */
static struct plan shuffled(const struct plan *plan, uint32_t *to,
			    struct eqt_random *random)
{
	struct plan result = { .seed = plan->seed, .count = plan->count };

	for (uint32_t i = 0; i < plan->count; i++)
		to[i] = i;
	for (uint32_t i = plan->count - 1; i > 1; i--) {
		uint32_t k = 1 + (uint32_t) eqt_random_below(random, i);
		uint32_t kept = to[i];

		to[i] = to[k];
		to[k] = kept;
	}
	for (uint32_t i = 0; i < plan->count; i++) {
		result.in[to[i]] = plan->in[i];
		if (i)
			result.in[to[i]].parent = to[plan->in[i].parent];
		result.usage[to[i]] = plan->usage[i];
		result.rank[to[i]] = plan->rank[i];
	}
	return result;
}

START_TEST(the_order_of_nodes_changes_no_rank)
{
	for (uint64_t k = 0; k < TREES; k++) {
		struct plan plan = plan_at(_i, k), other;
		struct eqt_tree *tree = tree_of(&plan);
		uint32_t to[NODES_MAX];
		struct eqt_random random = { k };

		eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
		keep_ranks(&plan, tree);
		eqt_tree_free(tree);
		other = shuffled(&plan, to, &random);
		tree = tree_of(&other);
		eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
		assert_ranks(&other, tree, "shuffled");
		eqt_tree_free(tree);
	}
}
END_TEST

START_TEST(products_compare_as_integers_do)
{
	struct eqt_random random = { 1 };

	for (int k = 0; k < 100000; k++) {
		uint64_t f[8], bits = UINT64_C(1)
				      << eqt_random_below(&random, 32);
		struct eqt_frac_product a, b;
		eqt_u128 left, right;

		for (int i = 0; i < 8; i++)
			f[i] = 1 + eqt_random_below(&random, bits);
		a = (struct eqt_frac_product){ { f[0], f[1] },
					  { (long double) f[2],
					    (long double) f[3] } };
		b = (struct eqt_frac_product){ { f[4], f[5] },
					  { (long double) f[6],
					    (long double) f[7] } };
		left = (eqt_u128) f[0] * f[1] * f[2] * f[3];
		right = (eqt_u128) f[4] * f[5] * f[6] * f[7];
		ck_assert_int_eq(eqt_frac_cmp_products(&a, &b),
				 left < right ? -1 : left > right);
		ck_assert_int_eq(eqt_frac_cmp_products(&a, &a), 0);
	}
}
END_TEST

/*
 * Factors of 64 bits: a product has its value in any order, and never rounds.
 */
START_TEST(products_are_exact_to_the_last_bit)
{
	struct eqt_random random = { 2 };

	for (int k = 0; k < 100000; k++) {
		uint64_t f[4];
		struct eqt_frac_product a, b;

		for (int i = 0; i < 4; i++)
			f[i] = eqt_random_next(&random) >> 1 | 1;
		a = (struct eqt_frac_product){ { f[0], f[1] },
					  { (long double) f[2],
					    (long double) f[3] * 0x1p-9000L } };
		b = (struct eqt_frac_product){ { f[3], f[2] },
					  { (long double) f[0] * 0x1p-9000L,
					    (long double) f[1] } };
		ck_assert_int_eq(eqt_frac_cmp_products(&a, &b), 0);
		b.n[k % 2]++;
		ck_assert_int_eq(eqt_frac_cmp_products(&a, &b), -1);
		ck_assert_int_eq(eqt_frac_cmp_products(&b, &a), 1);
	}
}
END_TEST

static Suite *tree_suite(void)
{
	Suite *suite = suite_create("tree_property");
	TCase *tc = tcase_create("tree_property");

	tcase_set_timeout(tc, 120); /* sanitizers, slow machines */
	tcase_add_loop_test(tc, ranks_are_those_of_the_rule, 0, NUMBERS);
	tcase_add_loop_test(tc, stock_ranks_are_slurms, 0, NUMBERS);
	tcase_add_loop_test(tc, wide_levels_have_the_ranks_of_the_rule, 0,
			    NUMBERS);
	tcase_add_loop_test(tc, scaling_all_usage_changes_no_rank, 0, NUMBERS);
	tcase_add_loop_test(tc, scaling_the_shares_of_levels_changes_no_rank, 0,
			    NUMBERS);
	tcase_add_loop_test(tc, the_order_of_nodes_changes_no_rank, 0, NUMBERS);
	tcase_add_test(tc, products_compare_as_integers_do);
	tcase_add_test(tc, products_are_exact_to_the_last_bit);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return eqt_unit_main(tree_suite());
}
