/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "budget/book/waiting.h"
#include "../unit.h"

#define JOBS 40

static void waiting_put(struct eqt_waiting *waiting, uint32_t id,
			enum eqt_waiting_state state)
{
	const struct eqt_waiting_job job = { .id = id, .state = state };

	ck_assert_int_eq(eqt_waiting_set(waiting, &job), 0);
}

START_TEST(jobs_are_ordered_whatever_comes_first)
{
	struct eqt_waiting waiting = { .job = NULL };

	waiting_put(&waiting, 7, EQT_WAITING_HELD);
	waiting_put(&waiting, 3, EQT_WAITING_COMMITTED);
	waiting_put(&waiting, 5, EQT_WAITING_ENDED);
	ck_assert_uint_eq(waiting.count, 3);
	ck_assert_uint_eq(waiting.job[0].id, 3);
	ck_assert_uint_eq(waiting.job[1].id, 5);
	ck_assert_uint_eq(waiting.job[2].id, 7);
	ck_assert_ptr_null(eqt_waiting_get(&waiting, 4));
	ck_assert_uint_eq(eqt_waiting_place(&waiting, 4), 1);
	ck_assert_uint_eq(eqt_waiting_place(&waiting, 8), 3);
	eqt_waiting_free(&waiting);
	ck_assert_uint_eq(waiting.count, 0);
}
END_TEST

START_TEST(a_state_replaces_the_one_before)
{
	struct eqt_waiting waiting = { .job = NULL };

	waiting_put(&waiting, 1, EQT_WAITING_HELD);
	waiting_put(&waiting, 1, EQT_WAITING_HELD);
	ck_assert_uint_eq(waiting.held, 1);
	waiting_put(&waiting, 1, EQT_WAITING_COMMITTED);
	ck_assert_uint_eq(waiting.held, 0);
	ck_assert_uint_eq(waiting.count, 1);
	waiting_put(&waiting, 1, EQT_WAITING_HELD);
	eqt_waiting_forget(&waiting, 1);
	eqt_waiting_forget(&waiting, 1);
	ck_assert_uint_eq(waiting.held, 0);
	ck_assert_uint_eq(waiting.count, 0);
	eqt_waiting_free(&waiting);
}
END_TEST

START_TEST(random_changes_leave_what_an_array_has)
{
	struct eqt_waiting waiting = { .job = NULL };
	int plain[JOBS] = { 0 }; /* 1 + the state; 0: not known */
	uint64_t random = 1;

	for (int i = 0; i < 1000; i++) {
		uint32_t id;
		size_t held = 0, count = 0;

		random = random * 6364136223846793005u + 1442695040888963407u;
		id = (uint32_t) (random >> 33) % JOBS;
		plain[id] = (int) (random >> 60) % 4;
		if (plain[id])
			waiting_put(&waiting, id,
				    (enum eqt_waiting_state) (plain[id] - 1));
		else
			eqt_waiting_forget(&waiting, id);
		for (uint32_t j = 0; j < JOBS; j++) {
			const struct eqt_waiting_job *job =
				eqt_waiting_get(&waiting, j);

			ck_assert_int_eq(job ? 1 + (int) job->state : 0,
					 plain[j]);
			held += plain[j] == 1 + EQT_WAITING_HELD;
			count += plain[j] > 0;
		}
		ck_assert_uint_eq(waiting.held, held);
		ck_assert_uint_eq(waiting.count, count);
	}
	eqt_waiting_free(&waiting);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("waiting");
	TCase *tcase = tcase_create("waiting");

	tcase_add_test(tcase, jobs_are_ordered_whatever_comes_first);
	tcase_add_test(tcase, a_state_replaces_the_one_before);
	tcase_add_test(tcase, random_changes_leave_what_an_array_has);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
