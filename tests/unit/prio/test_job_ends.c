/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_ends: what the jobs that are expected to end leave of an account's usage. */
#include "job_order_fixture.h"

/* Account 3 is 9 tenths above its share: it is in front for one job if a whole one is
 * taken off. A job that does not wait is no part of the mean. */
START_TEST(on_a_full_cluster_a_whole_mean_job_ends)
{
	static const uint32_t users[] = { 5, 6 };
	struct eqt_tree *tree = small_tree();
	struct eqt_ordered_job jobs[9];
	size_t count = flood(jobs, users, 2, 4);

	jobs[8] = (struct eqt_ordered_job){ .job_id = 9,
					    .node = 5,
					    .equivalents = 100 };
	eqt_tree_usage_add(tree, 5, 6);
	eqt_tree_usage_add(tree, 6, 4.9);
	eqt_job_order_end(tree, 6, 1);
	give_places(jobs, count + 1, tree, 1);
	ck_assert_int_eq(among_first(jobs, count, 6, 1), 1);
	ck_assert_int_eq(among_first(jobs, count, 6, 3), 1);
	eqt_tree_free(tree);
}
END_TEST

/* An eighth of the 16 that have ended. */
START_TEST(more_than_a_job_that_ends_is_subtracted_as_it_is)
{
	static const uint32_t users[] = { 5, 6 };
	struct eqt_tree *tree = small_tree();
	struct eqt_ordered_job jobs[8];
	size_t count = flood(jobs, users, 2, 4);

	eqt_tree_usage_add(tree, 5, 6);
	eqt_tree_usage_add(tree, 6, 5.9);
	eqt_job_order_end(tree, 6, 16);
	give_places(jobs, count, tree, 1);
	ck_assert_int_eq(among_first(jobs, count, 6, 1), 1);
	ck_assert_int_eq(among_first(jobs, count, 6, 3), 1);
	eqt_tree_free(tree);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("job ends");
	TCase *tcase = tcase_create("job ends");

	tcase_add_test(tcase, on_a_full_cluster_a_whole_mean_job_ends);
	tcase_add_test(tcase,
		       more_than_a_job_that_ends_is_subtracted_as_it_is);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
