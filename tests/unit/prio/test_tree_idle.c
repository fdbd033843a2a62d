/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks where shares of idle accounts do not count, where running jobs count as
 * usage, and with shares that Slurm has stored. */
#include "prio/job_order.h"
#include "../unit.h"

/* root - a (3 shares): ann; b (1 share): bob; c (4 shares): cyd. */
enum { ROOT, A, B, C, ANN, BOB, CYD, TREE };
static const struct eqt_tree_input input[TREE] = {
	{ .parent = EQT_TREE_NONE },
	{ .parent = ROOT, .shares = 3 },
	{ .parent = ROOT, .shares = 1 },
	{ .parent = ROOT, .shares = 4 },
	{ .parent = A, .shares = 1, .user = true },
	{ .parent = B, .shares = 1, .user = true },
	{ .parent = C, .shares = 1, .user = true },
};

static struct eqt_tree *tree;
static struct eqt_conf_priority conf;

static void setup(void)
{
	tree = eqt_tree_new(input, TREE, NULL);
	conf = (struct eqt_conf_priority){ .idle_shares = true };
}

static void teardown(void)
{
	eqt_tree_free(tree);
}

static void give_usage(uint32_t account, uint32_t user, long double usage)
{
	eqt_tree_usage_set(tree, account, usage);
	eqt_tree_usage_set(tree, user, usage);
}

static void ranks_are(uint32_t ann, uint32_t bob, uint32_t cyd)
{
	ck_assert_uint_eq(eqt_tree_node(tree, ANN).rank, ann);
	ck_assert_uint_eq(eqt_tree_node(tree, BOB).rank, bob);
	ck_assert_uint_eq(eqt_tree_node(tree, CYD).rank, cyd);
}

START_TEST(the_usage_that_was_set_is_read)
{
	give_usage(A, ANN, 5);
	ck_assert(eqt_tree_usage(tree, ANN) == 5);
	ck_assert(eqt_tree_usage(tree, BOB) == 0);
	ck_assert(eqt_tree_usage(tree, A) == 5);
}
END_TEST

START_TEST(accounts_without_users_are_ranked_as_well)
{
	static const struct eqt_tree_input accounts[] = {
		{ .parent = EQT_TREE_NONE },
		{ .parent = 0, .shares = 1 },
		{ .parent = 0, .shares = 3 },
	};
	struct eqt_tree *empty = eqt_tree_new(accounts, 3, NULL);

	eqt_tree_rank(empty, EQT_TREE_DOCUMENTED);
	ck_assert_double_eq(eqt_tree_node(empty, 1).shares_norm, 0.25);
	ck_assert_double_eq(eqt_tree_node(empty, 2).shares_norm, 0.75);
	eqt_tree_free(empty);
}
END_TEST

START_TEST(shares_of_an_idle_account_count_or_not)
{
	give_usage(A, ANN, 100);
	give_usage(B, BOB, 100);
	eqt_job_order_rank(NULL, 0, tree, &conf, EQT_TREE_DOCUMENTED);
	ck_assert_double_eq(eqt_tree_node(tree, A).shares_norm, 3.0 / 8);
	conf.idle_shares = false;
	eqt_job_order_rank(NULL, 0, tree, &conf, EQT_TREE_DOCUMENTED);
	ck_assert_double_eq(eqt_tree_node(tree, A).shares_norm, 3.0 / 4);
	ck_assert_double_eq(eqt_tree_node(tree, B).shares_norm, 1.0 / 4);
	conf.idle_shares = true;
	eqt_job_order_rank(NULL, 0, tree, &conf, EQT_TREE_DOCUMENTED);
	ck_assert_double_eq(eqt_tree_node(tree, A).shares_norm, 3.0 / 8);
}
END_TEST

START_TEST(a_job_wakes_its_idle_account)
{
	const struct eqt_ordered_job waits = { .node = CYD, .eligible = true };

	give_usage(A, ANN, 100);
	conf.idle_shares = false;
	eqt_job_order_rank(NULL, 0, tree, &conf, EQT_TREE_DOCUMENTED);
	ck_assert_double_eq(eqt_tree_node(tree, A).shares_norm, 1);
	eqt_job_order_rank(&waits, 1, tree, &conf, EQT_TREE_DOCUMENTED);
	ck_assert_double_eq(eqt_tree_node(tree, A).shares_norm, 3.0 / 7);
	ck_assert_double_eq(eqt_tree_node(tree, C).shares_norm, 4.0 / 7);
}
END_TEST

START_TEST(running_jobs_count_as_usage_of_the_time_to_come)
{
	const struct eqt_ordered_job jobs[] = {
		{ .node = ANN, .running = true, .equivalents = 2 },
		{ .node = BOB, .running = false, .equivalents = 90 },
		{ .node = EQT_TREE_NONE, .running = true, .equivalents = 7 },
		{ .node = BOB, .running = true, .equivalents = 1 },
	};

	give_usage(C, CYD, 10);
	conf.allocated_now = 60;
	eqt_job_order_rank(jobs, 4, tree, &conf, EQT_TREE_DOCUMENTED);
	ck_assert(eqt_tree_usage(tree, ANN) == 120);
	ck_assert(eqt_tree_usage(tree, A) == 120);
	ck_assert(eqt_tree_usage(tree, BOB) == 60);
	ck_assert(eqt_tree_usage(tree, CYD) == 10);
	ck_assert_double_eq(eqt_job_order_horizon_s(&conf), 60);
	/* ann: 3/8 of 120/190; bob: 1/8 of 60/190; cyd: 4/8 of 10/190. */
	ranks_are(2, 1, 3);
}
END_TEST

START_TEST(ranks_by_what_is_allocated_forget_all_usage)
{
	const struct eqt_ordered_job jobs[] = {
		{ .node = ANN, .running = true, .equivalents = 2 },
		{ .node = CYD, .running = true, .equivalents = 9 },
	};

	give_usage(B, BOB, 1000);
	conf.rank_by = EQT_RANK_BY_ALLOCATED;
	conf.allocated_now = 60;
	eqt_job_order_rank(jobs, 2, tree, &conf, EQT_TREE_DOCUMENTED);
	ck_assert(eqt_tree_usage(tree, ANN) == 2);
	ck_assert(eqt_tree_usage(tree, BOB) == 0);
	ck_assert(eqt_tree_usage(tree, CYD) == 9);
	ck_assert_double_eq(eqt_job_order_horizon_s(&conf), 1);
	ranks_are(2, 3, 1);
}
END_TEST

START_TEST(stored_shares_replace_the_computed_ones_in_stock_mode)
{
	struct eqt_error err;

	give_usage(A, ANN, 100);
	give_usage(B, BOB, 100);
	give_usage(C, CYD, 100);
	eqt_tree_usage_set(tree, ROOT, 300);
	ck_assert_int_eq(eqt_tree_norms_make(tree, &err), 0);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ck_assert_double_eq(eqt_tree_node(tree, B).shares_norm, 1.0 / 8);
	ranks_are(2, 1, 3);
	eqt_tree_norm_set(tree, B, 0.75);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ck_assert_double_eq(eqt_tree_node(tree, B).shares_norm, 0.75);
	ck_assert_double_eq(eqt_tree_node(tree, A).shares_norm, 3.0 / 8);
	ranks_are(1, 3, 2);
	/* Made again, they are computed again. */
	ck_assert_int_eq(eqt_tree_norms_make(tree, &err), 0);
	eqt_tree_rank(tree, EQT_TREE_STOCK);
	ck_assert_double_eq(eqt_tree_node(tree, B).shares_norm, 1.0 / 8);
	ranks_are(2, 1, 3);
}
END_TEST

START_TEST(rankings_take_no_more_of_a_core_than_they_may)
{
	static const struct {
		uint64_t every_ms, percent, took_ms, want;
	} rows[] = {
		{ 0, 10, 700, 0 },	 { 500, 10, 0, 500 },
		{ 500, 10, 49, 500 },	 { 500, 10, 50, 500 },
		{ 500, 10, 51, 510 },	 { 500, 10, 200, 2000 },
		{ 500, 100, 400, 500 },	 { 500, 100, 600, 600 },
		{ 500, 1, 200, 20000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		conf.rank_every_ms = rows[i].every_ms;
		conf.rank_cpu = rows[i].percent;
		ck_assert_uint_eq(eqt_job_order_every_ms(&conf,
							 rows[i].took_ms),
				  rows[i].want);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tree idle");
	TCase *tests = tcase_create("tree idle");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, the_usage_that_was_set_is_read);
	tcase_add_test(tests, accounts_without_users_are_ranked_as_well);
	tcase_add_test(tests, shares_of_an_idle_account_count_or_not);
	tcase_add_test(tests, a_job_wakes_its_idle_account);
	tcase_add_test(tests, running_jobs_count_as_usage_of_the_time_to_come);
	tcase_add_test(tests, ranks_by_what_is_allocated_forget_all_usage);
	tcase_add_test(tests,
		       stored_shares_replace_the_computed_ones_in_stock_mode);
	tcase_add_test(tests, rankings_take_no_more_of_a_core_than_they_may);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
