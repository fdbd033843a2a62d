/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The planner of budgets at the end of a job: who pays for its charge, and what its
 * tasks and the job itself keep.
 */
#include "budget_jobs.h"

START_TEST(a_settlement_needs_the_job_and_its_tasks)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_charge charge = { .job = 1, .tasks = 1 };
	struct eqt_entry entry;

	grant(book, "physics", 10);
	ck_assert_int_eq(eqt_book_plan_settle(book, &charge, &entry), -1);
	(void) commit_tasks(book, 1, 3, 6, 500);
	charge.tasks = 4;
	ck_assert_int_eq(eqt_book_plan_settle(book, &charge, &entry), -1);
	charge.tasks = 3;
	charge.until = 700;
	charge.now = 750;
	ck_assert_int_eq(eqt_book_plan_settle(book, &charge, &entry), 0);
	ck_assert_int_eq(entry.kind, EQT_ENTRY_SETTLE);
	ck_assert_uint_eq(entry.seq, 3);
	ck_assert_uint_eq(entry.when, 750);
	ck_assert_uint_eq(entry.until, 700);
	ck_assert_uint_eq(entry.tasks, 3);
	ck_assert_uint_eq(entry.parts, 1);
	ck_assert_uint_eq(entry.part[0].taken_u, 6 * HOUR);
	ck_assert_uint_eq(entry.part[0].spent_u, 0);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_settlement_goes_through_each_level_in_order)
{
	struct eqt_book *book = eqt_book_new();
	const struct eqt_book_charge charge = {
		.job = 1, .tasks = 1, .charge_u = 5 * HOUR, .now = 600
	};
	struct eqt_entry entry;

	grant(book, "science", 10);
	grant(book, "physics", 2);
	grant(book, "physics", 10);
	(void) commit_job(book, 1, 4);
	ck_assert_int_eq(eqt_book_plan_settle(book, &charge, &entry), 0);
	/* physics: 2 of 2 and 2 of 2, 1 more of the rest; science: 4 and 1. */
	ck_assert_uint_eq(entry.parts, 5);
	ck_assert_uint_eq(entry.part[0].budget, 2);
	ck_assert_uint_eq(entry.part[0].taken_u, 2 * HOUR);
	ck_assert_uint_eq(entry.part[0].spent_u, 2 * HOUR);
	ck_assert_uint_eq(entry.part[1].budget, 3);
	ck_assert_uint_eq(entry.part[1].taken_u, 2 * HOUR);
	ck_assert_uint_eq(entry.part[1].spent_u, 2 * HOUR);
	ck_assert_uint_eq(entry.part[2].budget, 3);
	ck_assert_uint_eq(entry.part[2].taken_u, 0);
	ck_assert_uint_eq(entry.part[2].spent_u, 1 * HOUR);
	ck_assert_uint_eq(entry.part[3].budget, 1);
	ck_assert_uint_eq(entry.part[3].taken_u, 4 * HOUR);
	ck_assert_uint_eq(entry.part[3].spent_u, 4 * HOUR);
	ck_assert_uint_eq(entry.part[4].spent_u, 1 * HOUR);
	ck_assert_uint_eq(entry.overrun_u, 0);
	apply(book, &entry);
	is_at(book, 1, 5, 0, 5);
	is_at(book, 2, 2, 0, 0);
	is_at(book, 3, 3, 0, 7);
	eqt_book_free(book);
}
END_TEST

START_TEST(the_overrun_is_that_of_the_level_that_lacks_most)
{
	struct eqt_book *book = eqt_book_new();

	grant(book, "science", 10);
	grant(book, "physics", 7);
	(void) commit_job(book, 1, 4);
	/* 9 h: physics has 7, science has all of it. */
	ck_assert_uint_eq(settle(book, 1, 1, 9, 0), 2);
	is_at(book, 2, 7, 0, 0);
	is_at(book, 1, 9, 0, 1);
	ck_assert_uint_eq(eqt_book_budget(book, 2)->overrun_u, 2 * HOUR);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->overrun_u, 0);
	grant(book, "physics", 20);
	(void) commit_job(book, 3, 1);
	/* 4 h: physics has them, science has 1. */
	ck_assert_uint_eq(settle(book, 3, 1, 4, 0), 3);
	is_at(book, 1, 10, 0, 0);
	is_at(book, 3, 4, 0, 16);
	/* It counts where it was lacking. */
	ck_assert_uint_eq(eqt_book_budget(book, 1)->overrun_u, 3 * HOUR);
	ck_assert_uint_eq(eqt_book_budget(book, 3)->overrun_u, 0);
	eqt_book_free(book);
}
END_TEST

/* A job that was settled at 600 goes on, as slurmctld forgot its end. */
START_TEST(a_settled_job_that_goes_on_is_charged_to_what_its_payers_have_left)
{
	struct eqt_book_wish payers = wish_of(1, 0);
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_charge charge = { .job = 1,
					  .charge_u = 4 * HOUR,
					  .until = 700,
					  .run = 450,
					  .settled_u = 8 * HOUR,
					  .payers = &payers,
					  .now = 700 };
	struct eqt_entry entry;

	grant(book, "science", 10);
	grant(book, "physics", 5);
	(void) commit_job(book, 1, 4);
	(void) settle(book, 1, 1, 4, 0);
	ck_assert_int_eq(eqt_book_plan_settle(book, &charge, &entry), 0);
	apply(book, &entry);
	ck_assert_uint_eq(entry.overrun_u, 3 * HOUR);
	is_at(book, 1, 8, 0, 2);
	is_at(book, 2, 5, 0, 0);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->overrun_u, 0);
	ck_assert_uint_eq(eqt_book_budget(book, 2)->overrun_u, 3 * HOUR);
	ck_assert_uint_eq(eqt_book_job(book, 1)->tasks, 0);
	ck_assert_uint_eq(eqt_book_job(book, 1)->run, 450);
	ck_assert_uint_eq(eqt_book_job(book, 1)->settled_u, 8 * HOUR);

	/* Nothing is left: all of it is an overrun of physics. */
	charge.charge_u = HOUR;
	ck_assert_int_eq(eqt_book_plan_settle(book, &charge, &entry), 0);
	ck_assert_uint_eq(entry.parts, 2);
	apply(book, &entry);
	is_at(book, 1, 9, 0, 1);
	ck_assert_uint_eq(eqt_book_budget(book, 2)->overrun_u, 4 * HOUR);

	/* No level has a budget. */
	payers.path = &(const struct eqt_book_path){ .levels = 0 };
	ck_assert_int_eq(eqt_book_plan_settle(book, &charge, &entry), 0);
	ck_assert_uint_eq(entry.parts, 0);
	ck_assert_uint_eq(entry.overrun_u, 0);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_job_knows_what_of_its_run_is_settled)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_charge charge = { .job = 1,
					  .charge_u = HOUR,
					  .keep_u = 3 * HOUR,
					  .until = 600,
					  .run = 450,
					  .settled_u = HOUR,
					  .now = 600 };
	struct eqt_book_wish late = wish_of(2, 1);
	struct eqt_entry entry = { 0 };

	grant(book, "physics", 10);
	(void) commit_job(book, 1, 4);
	ck_assert_uint_eq(eqt_book_job(book, 1)->run, 0);
	ck_assert_int_eq(eqt_book_plan_settle(book, &charge, &entry), 0);
	apply(book, &entry);
	/* Neither another commitment nor what is given back changes that. */
	(void) commit_job(book, 1, 1);
	charge = (struct eqt_book_charge){ .job = 1, .tasks = 1, .now = 700 };
	ck_assert_int_eq(eqt_book_plan_settle(book, &charge, &entry), 0);
	apply(book, &entry);
	ck_assert_uint_eq(eqt_book_job(book, 1)->run, 450);
	ck_assert_uint_eq(eqt_book_job(book, 1)->settled_u, HOUR);

	/* A run that goes on when its budget is granted. */
	ck_assert_uint_eq(eqt_book_plan_last_grant(book, &late), 100);
	late.run = 90;
	late.settled_u = 7;
	ck_assert(eqt_book_plan_commit(book, &late, &entry, NULL) ==
		  EQT_BOOK_FITS);
	apply(book, &entry);
	ck_assert_uint_eq(eqt_book_job(book, 2)->run, 90);
	ck_assert_uint_eq(eqt_book_job(book, 2)->settled_u, 7);
	ck_assert_uint_eq(eqt_book_job(book, 2)->until, 500);
	eqt_book_free(book);
}
END_TEST

/* A job of a pool runs over; a second budget of its account may pay. */
static const struct exceed_row {
	const char *name;
	uint64_t own_pool, other_pool, start, end;
	uint64_t overrun;
} exceeds[] = {
	{ "a budget of all jobs pays", EQT_BUDGET_CORES, EQT_BUDGET_ALL, 100,
	  1000, 0 },
	{ "a budget of its pool pays", EQT_BUDGET_CORES, EQT_BUDGET_CORES, 600,
	  601, 0 },
	{ "a budget of GPUs does not pay", EQT_BUDGET_CORES, EQT_BUDGET_GPUS,
	  100, 1000, 3 },
	{ "a budget of cores pays what one of all jobs has not left",
	  EQT_BUDGET_ALL, EQT_BUDGET_CORES, 100, 1000, 0 },
	{ "a budget of GPUs does not", EQT_BUDGET_ALL, EQT_BUDGET_GPUS, 100,
	  1000, 3 },
	{ "a budget that has ended does not pay", EQT_BUDGET_CORES,
	  EQT_BUDGET_ALL, 100, 600, 3 },
	{ "a budget that has not begun does not pay", EQT_BUDGET_CORES,
	  EQT_BUDGET_ALL, 601, 1000, 3 },
};

START_TEST(a_charge_beyond_the_commitment_is_paid_by_budgets_of_its_pool)
{
	const struct exceed_row *row = &exceeds[_i];
	const struct eqt_budget_terms own = { .pool = row->own_pool };
	const struct eqt_budget_terms other = { .pool = row->other_pool };
	struct eqt_book *book = eqt_book_new();

	struct eqt_entry entry;

	grant_terms(book, 4, 100, 900, 0, &own);
	grant_terms(book, 10, row->start, row->end, 0, &other);
	entry = next_entry(book, EQT_ENTRY_COMMIT, 500);
	entry.job = entry.tasks = entry.parts = 1;
	entry.part[0] = (struct eqt_entry_part){ .budget = 1,
						 .taken_u = 4 * HOUR };
	apply(book, &entry);
	ck_assert_msg(settle(book, 1, 1, 7, 0) == row->overrun, "%s",
		      row->name);
	is_at(book, 1, 4, 0, 0);
	is_at(book, 2, 3 - row->overrun, 0, 7 + row->overrun);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_job_that_keeps_more_than_it_has_gives_nothing_back)
{
	struct eqt_book *book = eqt_book_new();

	grant(book, "physics", 10);
	(void) commit_job(book, 1, 8);
	ck_assert_uint_eq(settle(book, 1, 0, 1, 9), 0);
	/* The hour is taken from the rest. */
	is_at(book, 1, 1, 8, 1);
	eqt_book_free(book);
}
END_TEST

START_TEST(tasks_share_a_commitment_and_the_last_one_has_the_rest)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry = grant_of(book, "physics", 0);
	static const uint64_t shares[] = { 3, 3 };

	entry.state.terms.amount_u = 100;
	apply(book, &entry);
	entry = next_entry(book, EQT_ENTRY_COMMIT, 500);
	entry.job = 7;
	entry.tasks = 3;
	entry.parts = 1;
	entry.part[0] = (struct eqt_entry_part){ .budget = 1, .taken_u = 10 };
	apply(book, &entry);
	for (uint64_t i = 0; i < 2; i++) {
		ck_assert_int_eq(eqt_book_plan_split(book, 7, 8 + i, &entry),
				 0);
		ck_assert_int_eq(entry.kind, EQT_ENTRY_SPLIT);
		ck_assert_uint_eq(entry.other, 7);
		ck_assert_uint_eq(entry.job, 8 + i);
		apply(book, &entry);
		ck_assert_uint_eq(eqt_book_job(book, 8 + i)->part[0].taken_u,
				  shares[i]);
		ck_assert_uint_eq(eqt_book_job(book, 8 + i)->tasks, 1);
	}
	ck_assert_uint_eq(eqt_book_job(book, 7)->part[0].taken_u, 4);
	ck_assert_uint_eq(eqt_book_job(book, 7)->tasks, 1);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_task_takes_its_share_of_each_level_with_it)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "science", 20);
	grant(book, "physics", 3);
	grant(book, "physics", 10);
	(void) commit_tasks(book, 7, 2, 8, 500);
	ck_assert_int_eq(eqt_book_plan_split(book, 7, 8, &entry), 0);
	apply(book, &entry);
	ck_assert_uint_eq(entry.parts, 3);
	ck_assert_uint_eq(entry.part[0].budget, 2);
	ck_assert_uint_eq(entry.part[0].taken_u, 3 * HOUR);
	ck_assert_uint_eq(entry.part[1].budget, 3);
	ck_assert_uint_eq(entry.part[1].taken_u, 1 * HOUR);
	ck_assert_uint_eq(entry.part[2].budget, 1);
	ck_assert_uint_eq(entry.part[2].taken_u, 4 * HOUR);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(entry.part[i].spent_u, 0);
	/* The array has nothing of budget 2 any more. */
	ck_assert_uint_eq(eqt_book_job(book, 7)->parts, 2);
	ck_assert_uint_eq(eqt_book_job(book, 7)->part[0].budget, 3);
	ck_assert_uint_eq(eqt_book_job(book, 7)->part[0].taken_u, 4 * HOUR);
	eqt_book_free(book);
}
END_TEST

START_TEST(only_a_task_of_several_is_split_off)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "physics", 10);
	(void) commit_tasks(book, 7, 2, 2, 500);
	(void) commit_tasks(book, 6, 1, 2, 500);
	ck_assert_int_eq(eqt_book_plan_split(book, 5, 8, &entry), -1);
	ck_assert_int_eq(eqt_book_plan_split(book, 6, 8, &entry), -1);
	ck_assert_int_eq(eqt_book_plan_split(book, 7, 7, &entry), -1);
	ck_assert_int_eq(eqt_book_plan_split(book, 7, 8, &entry), 0);
	ck_assert_uint_eq(entry.seq, 4);
	eqt_book_free(book);
}
END_TEST

/* A job with the largest number of parts, of budgets from first on. */
static void many_parts_commit(struct eqt_book *book, uint64_t job,
			      uint64_t first)
{
	struct eqt_entry entry = next_entry(book, EQT_ENTRY_COMMIT, 500);

	entry.job = job;
	entry.tasks = 2;
	entry.parts = EQT_ENTRY_PARTS;
	for (uint64_t i = 0; i < EQT_ENTRY_PARTS; i++)
		entry.part[i] = (struct eqt_entry_part){ .budget = first + i,
							 .taken_u = 2 };
	apply(book, &entry);
}

START_TEST(a_task_takes_a_part_from_a_job_and_to_one_that_has_room_for_it)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	for (int i = 0; i <= EQT_ENTRY_PARTS; i++)
		grant(book, "physics", 1);
	many_parts_commit(book, 1, 1);
	many_parts_commit(book, 2, 2);
	/* The array has no part of the last budget, the other job has no room for
	 * one of the first. */
	for (int i = 0; i < 2; i++) {
		entry = next_entry(book, EQT_ENTRY_SPLIT, 500);
		entry.other = 1;
		entry.job = i ? 2 : 9;
		entry.parts = 1;
		entry.part[0] = (struct eqt_entry_part){
			.budget = i ? 1 : EQT_ENTRY_PARTS + 1, .taken_u = 1
		};
		ck_assert_int_eq(eqt_book_apply(book, &entry, &err), -1);
		ck_assert_str_eq(err.text,
				 "entry 16 (split): it has not so much");
	}
	entry.part[0].budget = EQT_ENTRY_PARTS;
	apply(book, &entry);
	ck_assert_uint_eq(eqt_book_job(book, 2)->part[10].taken_u, 3);
	eqt_book_free(book);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget settle");
	TCase *tests = tcase_create("budget settle");

	tcase_add_test(tests, a_settlement_needs_the_job_and_its_tasks);
	tcase_add_test(tests, a_settlement_goes_through_each_level_in_order);
	tcase_add_test(tests, the_overrun_is_that_of_the_level_that_lacks_most);
	tcase_add_test(tests,
		       a_settled_job_that_goes_on_is_charged_to_what_its_payers_have_left);
	tcase_add_test(tests, a_job_knows_what_of_its_run_is_settled);
	tcase_add_loop_test(
		tests,
		a_charge_beyond_the_commitment_is_paid_by_budgets_of_its_pool,
		0, (int) (sizeof(exceeds) / sizeof(*exceeds)));
	tcase_add_test(tests,
		       a_job_that_keeps_more_than_it_has_gives_nothing_back);
	tcase_add_test(tests,
		       tasks_share_a_commitment_and_the_last_one_has_the_rest);
	tcase_add_test(tests, a_task_takes_its_share_of_each_level_with_it);
	tcase_add_test(tests, only_a_task_of_several_is_split_off);
	tcase_add_test(
		tests,
		a_task_takes_a_part_from_a_job_and_to_one_that_has_room_for_it);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
