/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of damaged files: a book refuses each with its reason, and does not
 * change; the largest entries that it accepts.
 */
#include "budget_jobs.h"

#define MOST EQT_BUDGET_MOST_U

/*
 * Budget 1 (physics): amount 10 h, of which job 1 has committed 4 and the three
 * tasks of array 7 have 3, and the settled job 2 has spent 1: 2 are left. Budget 2
 * (chemistry): 5 h. Budget 3 (biology) is closed. The last entry is number 8.
 */
static struct eqt_book *sound_book(void)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "physics", 10);
	grant(book, "chemistry", 5);
	grant(book, "biology", 1);
	entry = next_entry(book, EQT_ENTRY_CLOSE, 400);
	entry.budget = 3;
	entry.request = 77;
	apply(book, &entry);
	ck_assert(commit_job(book, 1, 4) == EQT_BOOK_FITS);
	ck_assert(commit_tasks(book, 7, 3, 3, 500) == EQT_BOOK_FITS);
	ck_assert(commit_job(book, 2, 2) == EQT_BOOK_FITS);
	settle(book, 2, 1, 1, 0);
	is_at(book, 1, 1, 7, 2);
	ck_assert_uint_eq(eqt_book_seq(book), 8);
	return book;
}

#define PART(id, taken, spent)                                            \
	{                                                                 \
		.budget = id, .taken_u = (taken), .spent_u = (spent)      \
	}

static const struct refused {
	const char *name;
	struct eqt_entry entry; /* seq 0: the next one */
	const char *reason;
} refused[] = {
	{ "a base after other entries",
	  { .kind = EQT_ENTRY_BASE, .seq = 8 },
	  "entry 8 (base): it does not follow the one before" },
	{ "a balance with a later number",
	  { .kind = EQT_ENTRY_BUDGET, .state = { .id = 4 } },
	  "entry 9 (budget): it does not follow the one before" },
	{ "a job with a later number",
	  { .kind = EQT_ENTRY_JOB, .job = 9, .tasks = 1 },
	  "entry 9 (job): it does not follow the one before" },
	{ "a number twice",
	  { .kind = EQT_ENTRY_NOTIFY, .seq = 8, .budget = 1 },
	  "entry 8 (notify): it does not follow the one before" },
	{ "a number too far",
	  { .kind = EQT_ENTRY_NOTIFY, .seq = 10, .budget = 1 },
	  "entry 10 (notify): it does not follow the one before" },
	{ "a request twice",
	  { .kind = EQT_ENTRY_NOTIFY, .request = 77, .budget = 1 },
	  "entry 9 (notify): its request counts already" },
	{ "a balance that skips an id",
	  { .kind = EQT_ENTRY_BUDGET, .seq = 8, .state = { .id = 5 } },
	  "entry 8 (budget): budgets are not in order" },
	{ "a balance of a known id",
	  { .kind = EQT_ENTRY_BUDGET, .seq = 8, .state = { .id = 3 } },
	  "entry 8 (budget): budgets are not in order" },
	{ "a balance with more spent than granted",
	  { .kind = EQT_ENTRY_BUDGET,
	    .seq = 8,
	    .state = { .id = 4, .amount_u = 5, .spent_u = 6 } },
	  "entry 8 (budget): more is spent than granted" },
	{ "a grant of a known id",
	  { .kind = EQT_ENTRY_GRANT, .budget = 3 },
	  "entry 9 (grant): the id is not the next one" },
	{ "a grant that skips an id",
	  { .kind = EQT_ENTRY_GRANT, .budget = 5 },
	  "entry 9 (grant): the id is not the next one" },
	{ "too large a grant",
	  { .kind = EQT_ENTRY_GRANT,
	    .budget = 4,
	    .state = { .terms = { .amount_u = MOST + 1 } } },
	  "entry 9 (grant): the amount is too large" },
	{ "a grant with too large refills",
	  { .kind = EQT_ENTRY_GRANT,
	    .budget = 4,
	    .state = { .terms = { .refill_u = MOST + 1 } } },
	  "entry 9 (grant): the amount is too large" },
	{ "a transfer from an unknown budget",
	  { .kind = EQT_ENTRY_TRANSFER, .budget = 4, .other = 2 },
	  "entry 9 (transfer): no such budgets" },
	{ "a transfer to an unknown budget",
	  { .kind = EQT_ENTRY_TRANSFER, .budget = 1, .other = 4 },
	  "entry 9 (transfer): no such budgets" },
	{ "a transfer from a budget to itself",
	  { .kind = EQT_ENTRY_TRANSFER, .budget = 2, .other = 2 },
	  "entry 9 (transfer): no such budgets" },
	{ "a transfer between no budgets",
	  { .kind = EQT_ENTRY_TRANSFER },
	  "entry 9 (transfer): no such budgets" },
	{ "a transfer to a closed budget",
	  { .kind = EQT_ENTRY_TRANSFER, .budget = 2, .other = 3 },
	  "entry 9 (transfer): the other budget is closed" },
	{ "a transfer of more than is left",
	  { .kind = EQT_ENTRY_TRANSFER,
	    .budget = 1,
	    .other = 2,
	    .amount_u = 2 * HOUR + 1 },
	  "entry 9 (transfer): so much is not left" },
	{ "too large a transfer from outside",
	  { .kind = EQT_ENTRY_TRANSFER, .other = 2, .amount_u = MOST + 1 },
	  "entry 9 (transfer): the amount is too large" },
	{ "a refund to an unknown budget",
	  { .kind = EQT_ENTRY_REFUND, .parts = 1, .part = { PART(4, 0, 0) } },
	  "entry 9 (refund): so much was not spent" },
	{ "a refund whose second part was not spent",
	  { .kind = EQT_ENTRY_REFUND,
	    .parts = 2,
	    .part = { PART(1, 0, HOUR), PART(2, 0, 1) } },
	  "entry 9 (refund): so much was not spent" },
	{ "the end of an unknown budget",
	  { .kind = EQT_ENTRY_CLOSE, .budget = 4 },
	  "entry 9 (close): no such budget" },
	{ "a refill of an unknown budget",
	  { .kind = EQT_ENTRY_REFILL, .budget = 4 },
	  "entry 9 (refill): no such budget" },
	{ "a refill that takes more away than is left",
	  { .kind = EQT_ENTRY_REFILL, .budget = 1, .lapse_u = 2 * HOUR + 1 },
	  "entry 9 (refill): so much is not left" },
	{ "too large a refill",
	  { .kind = EQT_ENTRY_REFILL, .budget = 1, .amount_u = MOST + 1 },
	  "entry 9 (refill): the amount is too large" },
	{ "a notice about an unknown budget",
	  { .kind = EQT_ENTRY_NOTIFY, .budget = 0 },
	  "entry 9 (notify): no such budget" },
	{ "a commitment from an unknown budget",
	  { .kind = EQT_ENTRY_COMMIT,
	    .job = 9,
	    .tasks = 1,
	    .parts = 1,
	    .part = { PART(4, 0, 0) } },
	  "entry 9 (commit): so much is not left" },
	{ "a commitment of more than is left",
	  { .kind = EQT_ENTRY_COMMIT,
	    .job = 9,
	    .tasks = 1,
	    .parts = 1,
	    .part = { PART(1, 2 * HOUR + 1, 0) } },
	  "entry 9 (commit): so much is not left" },
	{ "a commitment of no job",
	  { .kind = EQT_ENTRY_COMMIT, .tasks = 1 },
	  "entry 9 (commit): no such job" },
	{ "a task of an unknown array",
	  { .kind = EQT_ENTRY_SPLIT, .job = 9, .other = 8 },
	  "entry 9 (split): no such array" },
	{ "a task without a number",
	  { .kind = EQT_ENTRY_SPLIT, .other = 7 },
	  "entry 9 (split): no such array" },
	{ "a task that is its array",
	  { .kind = EQT_ENTRY_SPLIT, .job = 7, .other = 7 },
	  "entry 9 (split): no such task" },
	{ "a task of a job that is none of several",
	  { .kind = EQT_ENTRY_SPLIT, .job = 9, .other = 1 },
	  "entry 9 (split): no such task" },
	{ "a task that takes more than its array has",
	  { .kind = EQT_ENTRY_SPLIT,
	    .job = 9,
	    .other = 7,
	    .parts = 1,
	    .part = { PART(1, 3 * HOUR + 1, 0) } },
	  "entry 9 (split): it has not so much" },
	{ "the end of an unknown job",
	  { .kind = EQT_ENTRY_SETTLE, .job = 9 },
	  "entry 9 (settle): no such job" },
	{ "the end of no job",
	  { .kind = EQT_ENTRY_SETTLE, .job = 0 },
	  "entry 9 (settle): no such job" },
	{ "a charge to an unknown budget",
	  { .kind = EQT_ENTRY_SETTLE,
	    .job = 1,
	    .parts = 1,
	    .part = { PART(4, 0, 0) } },
	  "entry 9 (settle): it has not so much" },
	{ "a charge of more than the commitment and the rest",
	  { .kind = EQT_ENTRY_SETTLE,
	    .job = 1,
	    .parts = 1,
	    .part = { PART(1, 4 * HOUR, 6 * HOUR + 1) } },
	  "entry 9 (settle): it has not so much" },
	{ "the end of a larger commitment",
	  { .kind = EQT_ENTRY_SETTLE,
	    .job = 1,
	    .parts = 1,
	    .part = { PART(1, 4 * HOUR + 1, 0) } },
	  "entry 9 (settle): it has not so much" },
	{ "the end of a commitment in another budget",
	  { .kind = EQT_ENTRY_SETTLE,
	    .job = 1,
	    .parts = 1,
	    .part = { PART(2, 1, 0) } },
	  "entry 9 (settle): it has not so much" },
	{ "the end of more tasks than there are",
	  { .kind = EQT_ENTRY_SETTLE, .job = 7, .tasks = 4 },
	  "entry 9 (settle): it has not so much" },
	{ "the end of a job that leaves a commitment",
	  { .kind = EQT_ENTRY_SETTLE,
	    .job = 1,
	    .tasks = 1,
	    .parts = 1,
	    .part = { PART(1, 4 * HOUR - 1, 0) } },
	  "entry 9 (settle): something stays committed" },
};

START_TEST(an_unsound_entry_is_refused_and_changes_nothing)
{
	const struct refused *row = &refused[_i];
	struct eqt_book *book = sound_book();
	struct eqt_entry entry = row->entry;
	const struct eqt_book_job *job;
	size_t at = 0, jobs = 0;

	if (!entry.seq)
		entry.seq = 9;
	ck_assert_msg(eqt_book_apply(book, &entry, &err) == -1, "%s",
		      row->name);
	ck_assert_msg(strcmp(err.text, row->reason) == 0, "%s: %s", row->name,
		      err.text);
	ck_assert_uint_eq(eqt_book_seq(book), 8);
	ck_assert_uint_eq(eqt_book_count(book), 3);
	is_at(book, 1, 1, 7, 2);
	is_at(book, 2, 0, 0, 5);
	is_at(book, 3, 0, 0, 0);
	ck_assert_uint_eq(eqt_book_job(book, 1)->part[0].taken_u, 4 * HOUR);
	ck_assert_uint_eq(eqt_book_job(book, 1)->tasks, 1);
	ck_assert_uint_eq(eqt_book_job(book, 7)->part[0].taken_u, 3 * HOUR);
	ck_assert_uint_eq(eqt_book_job(book, 7)->tasks, 3);
	while ((job = eqt_book_job_next(book, &at)))
		jobs++;
	ck_assert_uint_eq(jobs, 3);
	eqt_book_free(book);
}
END_TEST

START_TEST(the_first_balance_needs_a_base)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry = { .kind = EQT_ENTRY_BUDGET,
				   .state = { .id = 1 } };

	ck_assert_int_eq(eqt_book_apply(book, &entry, &err), -1);
	entry = (struct eqt_entry){ .kind = EQT_ENTRY_BASE };
	apply(book, &entry);
	entry = (struct eqt_entry){ .kind = EQT_ENTRY_BUDGET,
				    .state = { .id = 1,
					       .amount_u = 7,
					       .spent_u = 7,
					       .committed_u = 3,
					       .frozen_u = 2 } };
	apply(book, &entry);
	/* Commitments come with the lines of jobs. */
	ck_assert_uint_eq(eqt_book_budget(book, 1)->committed_u, 0);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->frozen_u, 0);
	eqt_book_free(book);
}
END_TEST

START_TEST(the_largest_amount_is_granted)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry = grant_of(book, "physics", 0);

	entry.state.terms.amount_u = entry.state.terms.refill_u = MOST;
	entry.state.next = 600;
	apply(book, &entry);
	ck_assert_uint_eq(eqt_budget_left(eqt_book_budget(book, 1)), MOST);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->granted, 100);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->next, 600);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_budget_is_transferred_and_refilled_beyond_the_largest_amount_once)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry = grant_of(book, "physics", 0);

	entry.state.terms.amount_u = MOST;
	apply(book, &entry);
	entry = next_entry(book, EQT_ENTRY_TRANSFER, 500);
	entry.other = 1;
	entry.amount_u = MOST;
	apply(book, &entry);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->amount_u, 2 * MOST);
	entry.seq++;
	entry.amount_u = 1;
	ck_assert_int_eq(eqt_book_apply(book, &entry, &err), -1);
	ck_assert_str_eq(err.text,
			 "entry 3 (transfer): the amount is too large");
	entry = next_entry(book, EQT_ENTRY_REFILL, 500);
	entry.budget = 1;
	ck_assert_int_eq(eqt_book_apply(book, &entry, &err), -1);
	ck_assert_str_eq(err.text, "entry 3 (refill): the amount is too large");
	/* Some of it goes back to outside, and a refill fits again. */
	entry = next_entry(book, EQT_ENTRY_TRANSFER, 500);
	entry.budget = 1;
	entry.amount_u = MOST;
	apply(book, &entry);
	entry = next_entry(book, EQT_ENTRY_REFILL, 500);
	entry.budget = 1;
	entry.amount_u = MOST;
	entry.lapse_u = MOST;
	apply(book, &entry);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->amount_u, MOST);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_job_draws_on_no_more_budgets_than_a_line_has)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	for (int i = 0; i < EQT_ENTRY_PARTS + 1; i++)
		grant(book, "physics", 1);
	entry = next_entry(book, EQT_ENTRY_COMMIT, 500);
	entry.job = entry.tasks = 1;
	entry.parts = EQT_ENTRY_PARTS;
	for (uint64_t i = 0; i < EQT_ENTRY_PARTS; i++)
		entry.part[i] = (struct eqt_entry_part){ .budget = i + 1,
							 .taken_u = 1 };
	apply(book, &entry);
	entry.seq++;
	entry.parts = 1;
	entry.part[0].budget = EQT_ENTRY_PARTS + 1;
	ck_assert_int_eq(eqt_book_apply(book, &entry, &err), -1);
	ck_assert_str_eq(err.text, "entry 15 (commit): too many budgets");
	/* More of a budget that it draws on has a place. */
	entry.part[0].budget = EQT_ENTRY_PARTS;
	apply(book, &entry);
	ck_assert_uint_eq(eqt_book_job(book, 1)->part[11].taken_u, 2);
	eqt_book_free(book);
}
END_TEST

START_TEST(all_that_is_left_can_be_spent_beyond_a_commitment)
{
	struct eqt_book *book = sound_book();
	struct eqt_entry entry = next_entry(book, EQT_ENTRY_SETTLE, 600);

	entry.job = entry.tasks = entry.parts = 1;
	entry.until = 650;
	entry.overrun_u = 5;
	entry.part[0] = (struct eqt_entry_part)PART(1, 4 * HOUR, 6 * HOUR);
	apply(book, &entry);
	is_at(book, 1, 7, 3, 0);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->overrun_u, 5);
	ck_assert_uint_eq(eqt_book_job(book, 1)->tasks, 0);
	ck_assert_uint_eq(eqt_book_job(book, 1)->until, 650);
	ck_assert_uint_eq(eqt_book_job(book, 1)->parts, 0);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_settlement_without_parts_ends_tasks_alone)
{
	struct eqt_book *book = sound_book();
	struct eqt_entry entry = next_entry(book, EQT_ENTRY_SETTLE, 600);

	entry.job = 7;
	entry.tasks = 2;
	entry.overrun_u = 5;
	apply(book, &entry);
	is_at(book, 1, 1, 7, 2);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->overrun_u, 0);
	ck_assert_uint_eq(eqt_book_job(book, 7)->tasks, 1);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_notice_and_a_refill_change_what_was_notified)
{
	struct eqt_book *book = sound_book();
	struct eqt_entry entry = next_entry(book, EQT_ENTRY_NOTIFY, 600);

	entry.budget = 1;
	entry.amount_u = 75;
	ck_assert_int_eq(eqt_book_apply(book, &entry, &err), 0);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->notified, 75);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->period, 0);
	entry = next_entry(book, EQT_ENTRY_REFILL, 600);
	entry.budget = 1;
	entry.amount_u = 3 * HOUR;
	entry.lapse_u = 2 * HOUR;
	entry.next = 900;
	apply(book, &entry);
	is_at(book, 1, 1, 7, 3);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->notified, 0);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->period, 1);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->next, 900);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_closed_budget_keeps_what_is_frozen_and_is_not_refilled)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry = grant_of(book, "physics", 10);

	entry.state.next = 600;
	apply(book, &entry);
	(void) commit_job(book, 1, 3);
	ck_assert_int_eq(eqt_book_freeze(book, 1, HOUR), 0);
	entry = next_entry(book, EQT_ENTRY_CLOSE, 500);
	entry.budget = 1;
	apply(book, &entry);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->amount_u, 4 * HOUR);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->closed, 1);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->lifted, 0);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->next, 0);
	entry.seq++;
	entry.amount_u = 3;
	apply(book, &entry);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->lifted, 1);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_refund_is_counted_in_each_budget)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "science", 10);
	grant(book, "physics", 10);
	(void) commit_job(book, 1, 6);
	settle(book, 1, 1, 5, 0);
	entry = next_entry(book, EQT_ENTRY_REFUND, 700);
	entry.parts = 2;
	entry.part[0] = (struct eqt_entry_part)PART(1, 0, 2 * HOUR);
	entry.part[1] = (struct eqt_entry_part)PART(2, 0, 5 * HOUR);
	apply(book, &entry);
	is_at(book, 1, 3, 0, 7);
	is_at(book, 2, 0, 0, 10);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->refunded_u, 2 * HOUR);
	ck_assert_uint_eq(eqt_book_budget(book, 2)->refunded_u, 5 * HOUR);
	eqt_book_free(book);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget refusals");
	TCase *tests = tcase_create("budget refusals");

	tcase_add_loop_test(tests,
			    an_unsound_entry_is_refused_and_changes_nothing, 0,
			    (int) (sizeof(refused) / sizeof(*refused)));
	tcase_add_test(tests, the_first_balance_needs_a_base);
	tcase_add_test(tests, the_largest_amount_is_granted);
	tcase_add_test(
		tests,
		a_budget_is_transferred_and_refilled_beyond_the_largest_amount_once);
	tcase_add_test(tests, a_job_draws_on_no_more_budgets_than_a_line_has);
	tcase_add_test(tests, all_that_is_left_can_be_spent_beyond_a_commitment);
	tcase_add_test(tests, a_settlement_without_parts_ends_tasks_alone);
	tcase_add_test(tests, a_notice_and_a_refill_change_what_was_notified);
	tcase_add_test(tests,
		       a_closed_budget_keeps_what_is_frozen_and_is_not_refilled);
	tcase_add_test(tests, a_refund_is_counted_in_each_budget);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
