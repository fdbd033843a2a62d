/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A share tree when memory is short. */
#include "tree/tree_impl.h"
#include "../short_memory.h"
#include "../unit.h"

#define NODES 5

static const struct eqt_tree_input inputs[NODES] = {
	{ .parent = EQT_TREE_NONE },
	{ .parent = 0, .shares = 3 },
	{ .parent = 0, .shares = 1 },
	{ .parent = 1, .shares = 1, .user = true },
	{ .parent = 2, .shares = 1, .user = true },
};

static void tree_is_whole(struct eqt_tree *tree)
{
	ck_assert_ptr_nonnull(tree);
	eqt_tree_usage_add(tree, 3, 100);
	eqt_tree_rank(tree, EQT_TREE_DOCUMENTED);
	ck_assert_uint_eq(eqt_tree_node(tree, 3).rank, 1);
	ck_assert_uint_eq(eqt_tree_node(tree, 4).rank, 2);
}

START_TEST(a_tree_is_made_whole_or_not_at_all)
{
	unsigned long n = 0;
	bool failed;

	do {
		struct eqt_error err = { "" };
		struct eqt_tree *tree;

		short_memory_begin(++n, _i);
		tree = eqt_tree_new(inputs, NODES, &err);
		failed = short_memory_end();
		if (failed) {
			ck_assert_ptr_null(tree);
			ck_assert_str_eq(err.text,
					 "out of memory for a tree of 5 nodes");
		} else {
			tree_is_whole(tree);
		}
		short_memory_begin(0, false);
		eqt_tree_free(tree);
		(void) short_memory_end();
		ck_assert_int_eq(short_memory.held, 0);
	} while (failed);
	ck_assert_uint_eq(n, 8);
}
END_TEST

START_TEST(without_memory_for_stored_shares_the_tree_stays)
{
	struct eqt_error err = { "" };
	struct eqt_tree *tree = eqt_tree_new(inputs, NODES, NULL);
	int rc;

	short_memory_begin(1, _i);
	rc = eqt_tree_norms_make(tree, &err);
	ck_assert(short_memory_end());
	ck_assert_int_eq(rc, -1);
	ck_assert_str_eq(err.text, "out of memory");
	tree_is_whole(tree);
	ck_assert_int_eq(eqt_tree_norms_make(tree, &err), 0);
	eqt_tree_norm_set(tree, 1, 0.25);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ck_assert(eqt_tree_node(tree, 1).shares_norm == 0.25);
	/* The second call needs no memory, and forgets what was set. */
	short_memory_begin(1, _i);
	rc = eqt_tree_norms_make(tree, &err);
	ck_assert(!short_memory_end());
	ck_assert_int_eq(rc, 0);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ck_assert(eqt_tree_node(tree, 1).shares_norm == 0.75);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(without_memory_for_waiting_jobs_a_later_call_gets_it)
{
	struct eqt_tree *tree = eqt_tree_new(inputs, NODES, NULL);
	int rc;

	for (unsigned long n = 1; n <= 2; n++) {
		short_memory_begin(n, _i);
		rc = eqt_tree_waiting_make(tree);
		ck_assert(short_memory_end());
		ck_assert_int_eq(rc, -1);
		if (_i == 0 && n == 1)
			break;
	}
	ck_assert_int_eq(eqt_tree_waiting_make(tree), 0);
	ck_assert_ptr_nonnull(tree->waiting);
	ck_assert_ptr_nonnull(tree->matches);
	short_memory_begin(1, _i);
	rc = eqt_tree_waiting_make(tree);
	ck_assert(!short_memory_end());
	ck_assert_int_eq(rc, 0);
	tree_is_whole(tree);
	eqt_tree_free(tree);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tree_memory");
	TCase *tc = tcase_create("tree_memory");

	tcase_add_loop_test(tc, a_tree_is_made_whole_or_not_at_all, 0,
			    SHORT_MEMORY_WAYS);
	tcase_add_loop_test(tc,
			    without_memory_for_stored_shares_the_tree_stays, 0,
			    SHORT_MEMORY_WAYS);
	tcase_add_loop_test(
		tc, without_memory_for_waiting_jobs_a_later_call_gets_it, 0,
		SHORT_MEMORY_WAYS);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
