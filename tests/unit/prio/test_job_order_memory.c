/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places of jobs when memory is short. */
#include "../short_memory.h"
#include "job_order_fixture.h"

#define JOBS 6

static const uint32_t users[] = { 4, 5, 6 };

START_TEST(without_memory_jobs_have_no_places_and_get_them_later)
{
	struct eqt_tree *tree = small_tree();
	struct eqt_ordered_job jobs[JOBS], before[JOBS];
	bool failed;

	(void) flood(jobs, users, 3, JOBS / 3);
	memcpy(before, jobs, sizeof(jobs));
	/* Nothing can be noted of a job that has ended. */
	short_memory_begin(1, _i);
	eqt_job_order_end(tree, 4, 1);
	ck_assert(short_memory_end());
	for (unsigned long n = 1;; n++) {
		int rc;

		short_memory_begin(n, true);
		rc = give_places(jobs, JOBS, tree, 1);
		failed = short_memory_end();
		ck_assert_int_eq(rc, failed ? -1 : 0);
		if (!failed)
			break;
		ck_assert_mem_eq(jobs, before, sizeof(jobs));
		ck_assert(eqt_tree_usage(tree, 0) == 0);
	}
	/* User 4, whose account has most shares, has the first place. */
	ck_assert_int_eq(among_first(jobs, JOBS, 4, 1), 1);
	ck_assert_int_eq(among_first(jobs, JOBS, 4, JOBS), 2);
	eqt_tree_free(tree);
}
END_TEST

START_TEST(without_jobs_no_memory_is_needed)
{
	struct eqt_tree *tree = small_tree();
	int rc;

	short_memory_begin(1, _i);
	rc = give_places(NULL, 0, tree, 1);
	ck_assert(!short_memory_end());
	ck_assert_int_eq(rc, 0);
	eqt_tree_free(tree);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("job_order_memory");
	TCase *tc = tcase_create("job_order_memory");

	tcase_add_loop_test(
		tc, without_memory_jobs_have_no_places_and_get_them_later, 0,
		SHORT_MEMORY_WAYS);
	tcase_add_loop_test(tc, without_jobs_no_memory_is_needed, 0,
			    SHORT_MEMORY_WAYS);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
