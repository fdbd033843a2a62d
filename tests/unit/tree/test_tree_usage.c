/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage, idleness and depth at the edges of a share tree. */
#include <math.h>

#include "tree/tree.h"
#include "tree_shares.h"
#include "../unit.h"

/* Two accounts with one user each. */
static const struct eqt_tree_input inputs[] = {
	{ .parent = EQT_TREE_NONE },
	{ .parent = 0, .shares = 3 },
	{ .parent = 0, .shares = 1 },
	{ .parent = 1, .shares = 1, .user = true },
	{ .parent = 2, .shares = 1, .user = true },
};

static struct eqt_tree *small_tree(void)
{
	struct eqt_tree *tree = eqt_tree_new(inputs, 5, NULL);

	ck_assert_ptr_nonnull(tree);
	return tree;
}

START_TEST(less_than_one_is_added_and_subtracted)
{
	struct eqt_tree *tree = small_tree();

	eqt_tree_usage_add(tree, 3, 0.75L);
	eqt_tree_usage_sub(tree, 3, 0.5L);
	ck_assert(eqt_tree_usage(tree, 3) == 0.25L);
	ck_assert(eqt_tree_usage(tree, 1) == 0.25L);
	ck_assert(eqt_tree_usage(tree, 0) == 0.25L);
	ck_assert(eqt_tree_usage(tree, 2) == 0);
	eqt_tree_usage_add(tree, 3, -1);
	eqt_tree_usage_sub(tree, 3, -1);
	ck_assert(eqt_tree_usage(tree, 3) == 0.25L);
	eqt_tree_free(tree);
}
END_TEST

/* The root is awake with the sum of its users, none of whom is. */
START_TEST(a_root_with_enough_usage_keeps_it)
{
	struct eqt_tree *tree = small_tree();

	eqt_tree_usage_add(tree, 3, 0.75L);
	eqt_tree_usage_add(tree, 4, 0.5L);
	eqt_tree_idle_all(tree);
	eqt_tree_idle_end(tree, 1);
	ck_assert(eqt_tree_usage(tree, 0) == 1.25L);
	ck_assert(eqt_tree_usage(tree, 1) == 0);
	ck_assert(eqt_tree_usage(tree, 3) == 0);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(an_idle_root_has_no_usage)
{
	struct eqt_tree *tree = small_tree();

	eqt_tree_usage_add(tree, 3, 0.75L);
	eqt_tree_idle_all(tree);
	eqt_tree_idle_end(tree, 1);
	ck_assert(eqt_tree_usage(tree, 0) == 0);
	eqt_tree_idle_none(tree);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert(eqt_tree_node(tree, 1).shares_norm == 0.75);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(stored_shares_are_forgotten_by_the_root_as_well)
{
	struct eqt_tree *tree = small_tree();

	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(eqt_tree_norms_make(tree, NULL), 0);
		eqt_tree_rank(tree, EQT_TREE_STOCK);
		ck_assert(eqt_tree_node(tree, 0).shares_norm == 0);
		for (uint32_t node = 0; node < 5; node++)
			eqt_tree_norm_set(tree, node, 0.5);
		ck_assert(eqt_tree_node(tree, 0).shares_norm == 0.5);
	}
	eqt_tree_free(tree);
}
END_TEST

START_TEST(a_level_without_shares_gives_nobody_a_part)
{
	struct eqt_tree *tree = small_tree();

	tree_shares_set(tree, 1, 0);
	tree_shares_set(tree, 2, 0);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert(eqt_tree_node(tree, 1).shares_norm == 0);
	ck_assert(eqt_tree_node(tree, 1).level_fs == 0);
	eqt_tree_free(tree);
}
END_TEST

/* Accounts without shares are tied, so that their users are ranked together. These have
 * equal shares and usage, but the second one's account has used one unit in 2^63
 * more. */
START_TEST(the_usage_of_tied_accounts_is_compared_exactly)
{
	const struct eqt_tree_input nodes[] = {
		{ .parent = EQT_TREE_NONE },
		{ .parent = 0 },
		{ .parent = 0 },
		{ .parent = 1, .shares = 1, .user = true },
		{ .parent = 2, .shares = 1, .user = true },
	};
	struct eqt_tree *tree = eqt_tree_new(nodes, 5, NULL);

	eqt_tree_usage_set(tree, 1, 0x1p63L);
	eqt_tree_usage_set(tree, 2, 0x1p63L + 1);
	eqt_tree_usage_set(tree, 3, 1000);
	eqt_tree_usage_set(tree, 4, 1000);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert_uint_eq(eqt_tree_node(tree, 4).rank, 2);
	ck_assert_uint_eq(eqt_tree_node(tree, 3).rank, 1);
	eqt_tree_usage_set(tree, 2, 0x1p63L);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert_uint_eq(eqt_tree_node(tree, 4).rank, 2);
	ck_assert_uint_eq(eqt_tree_node(tree, 3).rank, 2);
	eqt_tree_free(tree);
}
END_TEST

/* A chain whose deepest account comes first, and a user of each account, the deepest
 * ones first: depths that are known already count as well. */
START_TEST(the_depth_does_not_depend_on_the_order_of_nodes)
{
	enum { CHAIN = EQT_TREE_DEPTH_MAX, NODES = 1 + 2 * CHAIN };
	static struct eqt_tree_input nodes[NODES];
	const uint32_t accounts = _i ? CHAIN : CHAIN - 1;
	struct eqt_error err = { "" };
	struct eqt_tree *tree;

	nodes[0] = (struct eqt_tree_input){ .parent = EQT_TREE_NONE };
	for (uint32_t i = 1; i <= accounts; i++) {
		nodes[i] = (struct eqt_tree_input){
			.parent = i == accounts ? 0 : i + 1, .shares = 1
		};
		nodes[accounts + i] = (struct eqt_tree_input){ .parent = i,
							       .shares = 1,
							       .user = true };
	}
	tree = eqt_tree_new(nodes, 1 + 2 * accounts, &err);
	ck_assert(_i ? !tree : tree != NULL);
	ck_assert_str_eq(err.text, _i ? "node 1025: deeper than 1024 levels"
				      : "");
	eqt_tree_free(tree);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tree_usage");
	TCase *tc = tcase_create("tree_usage");

	tcase_add_test(tc, less_than_one_is_added_and_subtracted);
	tcase_add_test(tc, a_root_with_enough_usage_keeps_it);
	tcase_add_test(tc, an_idle_root_has_no_usage);
	tcase_add_test(tc, stored_shares_are_forgotten_by_the_root_as_well);
	tcase_add_test(tc, a_level_without_shares_gives_nobody_a_part);
	tcase_add_test(tc, the_usage_of_tied_accounts_is_compared_exactly);
	tcase_add_loop_test(tc, the_depth_does_not_depend_on_the_order_of_nodes,
			    0, 2);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
