/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Books: many owners, jobs and requests are found, sums are audited, and the
 * entries that a file begins with give the same book again.
 */
#include "budget/book_impl.h"
#include "budget_jobs.h"

static void part_commit(struct eqt_book *book, uint64_t job, uint64_t budget,
			uint64_t hours)
{
	struct eqt_entry entry = next_entry(book, EQT_ENTRY_COMMIT, 500);

	entry.job = job;
	entry.tasks = 1;
	entry.parts = 1;
	entry.part[0] = (struct eqt_entry_part){ .budget = budget,
						 .taken_u = hours * HOUR };
	apply(book, &entry);
}

START_TEST(an_unknown_id_has_no_budget)
{
	struct eqt_book *book = eqt_book_new();

	ck_assert_ptr_null(eqt_book_budget(book, 1));
	grant(book, "physics", 1);
	ck_assert_ptr_null(eqt_book_budget(book, 0));
	ck_assert_uint_eq(eqt_book_budget(book, 1)->id, 1);
	ck_assert_ptr_null(eqt_book_budget(book, 2));
	ck_assert_ptr_null(eqt_book_job(book, 0));
	ck_assert_ptr_null(eqt_book_job(book, 5));
	eqt_book_free(book);
	eqt_book_free(NULL);
}
END_TEST

START_TEST(each_of_many_owners_has_its_budgets)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_path path = { .level = { { "", "" } }, .levels = 1 };
	struct eqt_book_wish wish = { .path = &path,
				      .pool = EQT_BUDGET_CORES,
				      .job = 1,
				      .tasks = 1,
				      .need_u = HOUR,
				      .now = 500 };
	char name[16];

	for (uint64_t i = 0; i < 400; i++) {
		struct eqt_entry entry;

		/* 200 accounts, each also with a budget of one user. */
		(void) snprintf(name, sizeof(name), "a%d", (int) i / 2);
		entry = grant_of(book, name, 1);
		if (i % 2)
			(void) snprintf(entry.state.terms.user, EQT_BUDGET_NAME,
					"u");
		apply(book, &entry);
	}
	for (uint64_t i = 0; i < 400; i++) {
		struct eqt_entry entry;

		(void) snprintf(name, sizeof(name), "a%d", (int) i / 2);
		path.level[0].account = name;
		path.level[0].user = i % 2 ? "u" : "";
		ck_assert(eqt_book_plan_commit(book, &wish, &entry, NULL) ==
			  EQT_BOOK_FITS);
		ck_assert_uint_eq(entry.part[0].budget, i + 1);
		path.level[0].user = "v";
		ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
			  EQT_BOOK_FREE);
	}
	eqt_book_free(book);
}
END_TEST

START_TEST(an_account_and_user_are_no_other_pair_with_the_same_letters)
{
	static const struct eqt_book_path path = {
		.level = { { "ab", "c" } }, .levels = 1
	};
	const struct eqt_book_wish wish = { .path = &path, .need_u = 1 };
	struct eqt_book *book = eqt_book_new();

	grant(book, "a", 1);
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
		  EQT_BOOK_FREE);
	grant(book, "ab", 1);
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
		  EQT_BOOK_FREE);
	eqt_book_free(book);
}
END_TEST

START_TEST(an_account_whose_user_has_a_budget_is_marked)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "physics", 1);
	ck_assert(!eqt_book_may_have_users(book, "physics"));
	entry = grant_of(book, "physics", 1);
	(void) snprintf(entry.state.terms.user, EQT_BUDGET_NAME, "ada");
	apply(book, &entry);
	ck_assert(eqt_book_may_have_users(book, "physics"));
	ck_assert(!eqt_book_may_have_users(book, "chemistry"));
	eqt_book_free(book);
}
END_TEST

START_TEST(budgets_that_end_at_one_time_are_spent_in_their_order)
{
	struct eqt_book *book = eqt_book_new();
	static const uint64_t ends[] = { 0, 900, 800, 900, 0, 700 };
	static const uint64_t order[] = { 6, 3, 2, 4, 1, 5 };
	const struct eqt_book_wish wish = { .path = &ada,
					    .pool = EQT_BUDGET_CORES,
					    .job = 1,
					    .tasks = 1,
					    .need_u = 6 * HOUR,
					    .now = 500 };
	struct eqt_entry entry;

	for (int i = 0; i < 6; i++) {
		entry = grant_of(book, "physics", 1);
		entry.state.terms.end = ends[i];
		apply(book, &entry);
	}
	ck_assert(eqt_book_plan_commit(book, &wish, &entry, NULL) ==
		  EQT_BOOK_FITS);
	ck_assert_uint_eq(entry.parts, 6);
	for (int i = 0; i < 6; i++)
		ck_assert_uint_eq(entry.part[i].budget, order[i]);
	eqt_book_free(book);
}
END_TEST

START_TEST(each_of_many_requests_counts_once)
{
	struct eqt_book *book = eqt_book_new();

	ck_assert(!eqt_book_has_request(book, 0));
	for (uint64_t i = 1; i <= 100; i++) {
		struct eqt_entry entry = grant_of(book, "physics", 1);

		entry.request = i % 2 ? 7 * i : 0;
		apply(book, &entry);
	}
	for (uint64_t i = 1; i <= 100; i++)
		ck_assert(eqt_book_has_request(book, 7 * i) == (i % 2 == 1));
	ck_assert(!eqt_book_has_request(book, 0));
	eqt_book_free(book);
}
END_TEST

START_TEST(each_of_many_jobs_is_found_until_it_is_forgotten)
{
	struct eqt_book *book = eqt_book_new();
	const struct eqt_book_job *job;
	size_t at = 0, count = 0;

	eqt_book_forget(book, 1);
	grant(book, "physics", 1000);
	for (uint64_t id = 1; id <= 300; id++)
		part_commit(book, id * 16, 1, 1);
	for (uint64_t id = 1; id <= 300; id++) {
		ck_assert_uint_eq(eqt_book_job(book, id * 16)->id, id * 16);
		ck_assert_ptr_null(eqt_book_job(book, id * 16 + 1));
	}
	for (uint64_t id = 1; id <= 300; id += 3)
		settle(book, id * 16, 1, 1, 0); /* until 600 */
	eqt_book_forget(book, 600);
	ck_assert_ptr_nonnull(eqt_book_job(book, 16));
	eqt_book_forget(book, 601);
	for (uint64_t id = 1; id <= 300; id++) {
		job = eqt_book_job(book, id * 16);
		ck_assert((job == NULL) == (id % 3 == 1));
		ck_assert(!job || job->id == id * 16);
	}
	while ((job = eqt_book_job_next(book, &at)))
		count += job->id % 16 == 0;
	ck_assert_uint_eq(count, 200);
	is_balanced(book);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_job_that_waits_is_not_forgotten)
{
	struct eqt_book *book = eqt_book_new();

	grant(book, "physics", 10);
	part_commit(book, 1, 1, 0); /* waits, and has committed nothing */
	part_commit(book, 2, 1, 3);
	eqt_book_forget(book, 10000);
	ck_assert_uint_eq(eqt_book_job(book, 1)->tasks, 1);
	ck_assert_uint_eq(eqt_book_job(book, 2)->tasks, 1);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_job_draws_again_on_a_budget_that_it_gave_back)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "physics", 10);
	grant(book, "science", 10);
	grant(book, "chemistry", 10);
	part_commit(book, 1, 1, 2);
	part_commit(book, 1, 2, 3);
	part_commit(book, 1, 3, 4);
	for (uint64_t gone = 1; gone <= 2; gone++) {
		entry = next_entry(book, EQT_ENTRY_SETTLE, 600);
		entry.job = entry.parts = 1;
		entry.part[0] = (struct eqt_entry_part){
			.budget = gone, .taken_u = (gone + 1) * HOUR
		};
		apply(book, &entry);
		ck_assert_uint_eq(eqt_book_job(book, 1)->parts, 3 - gone);
	}
	ck_assert_uint_eq(eqt_book_job(book, 1)->part[0].budget, 3);
	part_commit(book, 1, 3, 1);
	ck_assert_uint_eq(eqt_book_job(book, 1)->parts, 1);
	part_commit(book, 1, 2, 1);
	ck_assert_uint_eq(eqt_book_job(book, 1)->parts, 2);
	ck_assert_uint_eq(eqt_book_job(book, 1)->part[0].taken_u, 5 * HOUR);
	ck_assert_uint_eq(eqt_book_job(book, 1)->part[1].taken_u, 1 * HOUR);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_frozen_amount_is_not_left)
{
	struct eqt_book *book = eqt_book_new();

	grant(book, "physics", 10);
	(void) commit_job(book, 1, 4);
	ck_assert_int_eq(eqt_book_freeze(book, 2, 0), -1);
	ck_assert_int_eq(eqt_book_freeze(book, 1, 6 * HOUR), 0);
	is_at(book, 1, 0, 4, 0);
	is_balanced(book);
	/* The second one replaces the first one. */
	ck_assert_int_eq(eqt_book_freeze(book, 1, 5 * HOUR), 0);
	is_at(book, 1, 0, 4, 1);
	ck_assert_int_eq(eqt_book_freeze(book, 1, 6 * HOUR + 1), -1);
	ck_assert_int_eq(eqt_book_freeze(book, 1, 0), 0);
	is_at(book, 1, 0, 4, 6);
	eqt_book_free(book);
}
END_TEST

static void audit_says(struct eqt_book *book, const char *text)
{
	ck_assert_int_eq(eqt_book_audit(book, &err), -1);
	ck_assert_str_eq(err.text, text);
}

START_TEST(an_audit_finds_each_wrong_sum)
{
	struct eqt_book *book = eqt_book_new();

	grant(book, "physics", 10);
	grant(book, "chemistry", 10);
	part_commit(book, 8, 2, 4);
	is_balanced(book);
	book->job[0].part[0].taken_u++;
	audit_says(book, "budget 2: the commitments of its jobs have another "
			 "sum");
	book->job[0].part[0].taken_u--;
	book->job[0].tasks = 0;
	audit_says(book, "job 8 is settled and has a commitment");
	book->job[0].tasks = 1;
	book->job[0].part[0].budget = 3;
	audit_says(book,
		   "job 8 draws on budget 3, which does not exist");
	book->job[0].part[0].budget = 2;
	is_balanced(book);
	book->budget[1].is.spent_u = 6 * HOUR;
	is_balanced(book);
	book->budget[1].is.spent_u++;
	audit_says(book,
		   "budget 2 has more spent and committed than granted");
	book->budget[1].is.spent_u = 5 * HOUR;
	book->budget[1].is.frozen_u = 1 * HOUR;
	is_balanced(book);
	book->budget[0].is.committed_u = 1;
	audit_says(book, "budget 1: the commitments of its jobs have another "
			 "sum");
	book->budget[0].is.committed_u = 0;
	book->budget[1].is.frozen_u++;
	audit_says(book,
		   "budget 2 has more spent and committed than granted");
	eqt_book_free(book);
}
END_TEST

/* Apply the entries that a file begins with to a new book; returns their number. */
static int restate(struct eqt_book **again, const struct eqt_book *book)
{
	struct eqt_entry entry;
	size_t at = 0;
	int count = 0;

	*again = eqt_book_new();
	while (eqt_book_state(book, &at, &entry)) {
		ck_assert_uint_eq(entry.seq, eqt_book_seq(book));
		if (count == 0) {
			ck_assert_int_eq(entry.kind, EQT_ENTRY_BASE);
			ck_assert_uint_eq(entry.budget, eqt_book_count(book));
		}
		ck_assert_msg(eqt_book_apply(*again, &entry, &err) == 0, "%s",
			      err.text);
		count++;
	}
	is_balanced(*again);
	ck_assert_uint_eq(eqt_book_seq(*again), eqt_book_seq(book));
	return count;
}

START_TEST(a_book_is_stated_with_its_budgets_and_jobs)
{
	struct eqt_book *book = eqt_book_new(), *again;
	struct eqt_entry entry;
	size_t at = 0;

	grant(book, "science", 10);
	grant(book, "physics", 20);
	(void) commit_job(book, 1, 4);
	(void) commit_tasks(book, 2, 3, 3, 500);
	(void) commit_job(book, 3, 2);
	settle(book, 1, 1, 1, 0); /* settled at 600 */
	settle(book, 3, 0, 1, 1);

	ck_assert(eqt_book_state(book, &at, &entry));
	ck_assert_uint_eq(entry.job, 3);
	ck_assert_int_eq(restate(&again, book), 6);
	ck_assert_uint_eq(eqt_book_job(again, 1)->until, 600);
	eqt_book_free(again);

	eqt_book_forget(book, 601);
	at = 0;
	ck_assert(eqt_book_state(book, &at, &entry));
	ck_assert_uint_eq(entry.job, 2);
	ck_assert_int_eq(restate(&again, book), 5);
	ck_assert_ptr_null(eqt_book_job(again, 1));
	is_at(again, 1, 2, 4, 4);
	is_at(again, 2, 2, 4, 14);
	ck_assert_uint_eq(eqt_book_job(again, 2)->tasks, 3);
	ck_assert_uint_eq(eqt_book_job(again, 2)->parts, 2);
	ck_assert_uint_eq(eqt_book_job(again, 3)->until, 600);
	ck_assert_uint_eq(eqt_book_job(again, 3)->run, 450);
	ck_assert_uint_eq(eqt_book_job(again, 3)->settled_u, 1 * HOUR);
	eqt_book_free(again);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_file_begins_with_the_latest_requests)
{
	struct eqt_book *book = eqt_book_new(), *again;

	for (uint64_t i = 1; i <= EQT_ENTRY_PARTS + 2; i++) {
		struct eqt_entry entry = grant_of(book, "physics", 1);

		entry.request = 100 + i;
		apply(book, &entry);
		(void) restate(&again, book);
		for (uint64_t j = 1; j <= i; j++)
			ck_assert(eqt_book_has_request(again, 100 + j) ==
				  (j + EQT_ENTRY_PARTS > i));
		eqt_book_free(again);
	}
	eqt_book_free(book);
}
END_TEST

START_TEST(percentages_are_rounded_down)
{
	static const struct {
		uint64_t amount, spent, committed, percent;
	} rows[] = {
		{ 0, 0, 0, 100 },     { 1, 0, 0, 0 },
		{ 1, 1, 0, 100 },     { 200, 1, 0, 0 },
		{ 200, 1, 1, 1 },     { 200, 100, 99, 99 },
		{ 200, 100, 100, 100 },
		{ UINT64_MAX / 100, UINT64_MAX / 100 - 1, 0, 99 },
		{ UINT64_MAX / 100, UINT64_MAX / 100, 0, 100 },
		{ UINT64_MAX, UINT64_MAX / 4 * 3, 0, 74 },
		{ UINT64_C(10000000000000000000),
		  UINT64_C(10000000000000000000), 0, 100 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct eqt_budget budget = {
			.amount_u = rows[i].amount,
			.spent_u = rows[i].spent,
			.committed_u = rows[i].committed,
			.frozen_u = 7, /* not counted */
		};

		ck_assert_msg(eqt_budget_percent(&budget) == rows[i].percent,
			      "row %zu: %d", i,
			      (int) eqt_budget_percent(&budget));
	}
}
END_TEST

START_TEST(damaged_balances_leave_nothing)
{
	const struct eqt_budget budget = { .amount_u = 5, .spent_u = 6 };
	const struct eqt_budget spent = { .amount_u = 5,
					  .spent_u = 2,
					  .committed_u = 2,
					  .frozen_u = 1 };

	ck_assert_uint_eq(eqt_budget_left(&budget), 0);
	ck_assert_uint_eq(eqt_budget_left(&spent), 0);
}
END_TEST

START_TEST(each_word_of_terms_is_written_and_read)
{
	static const char *const pools[] = { "all", "cores", "gpus" };
	static const char *const ways[] = { "hold", "refuse", "bonus" };
	static const char *const everys[] = { "never", "month", "quarter",
					      "dates", "limit" };
	uint64_t value;

	for (uint64_t i = 0; i < 3; i++) {
		ck_assert_str_eq(eqt_budget_pool_word(i), pools[i]);
		ck_assert_int_eq(eqt_budget_pool_parse(&value, pools[i]), 0);
		ck_assert_uint_eq(value, i);
		ck_assert_str_eq(eqt_budget_way_word(i), ways[i]);
		ck_assert_int_eq(eqt_budget_way_parse(&value, ways[i]), 0);
		ck_assert_uint_eq(value, i);
	}
	for (uint64_t i = 0; i < EQT_BUDGET_EVERYS; i++) {
		ck_assert_str_eq(eqt_budget_every_word(i), everys[i]);
		ck_assert_int_eq(eqt_budget_every_parse(&value, everys[i]), 0);
		ck_assert_uint_eq(value, i);
	}
	ck_assert_str_eq(eqt_budget_pool_word(3), "?");
	ck_assert_str_eq(eqt_budget_way_word(3), "?");
	ck_assert_str_eq(eqt_budget_every_word(5), "?");
	ck_assert_int_eq(eqt_budget_way_parse(&value, ""), -1);
	ck_assert_int_eq(eqt_budget_every_parse(&value, "months"), -1);
}
END_TEST

START_TEST(a_text_without_numbers_has_no_dates)
{
	struct eqt_budget_terms terms = { .every = EQT_BUDGET_DATES_LISTED,
					  .dates = "" };

	ck_assert_uint_eq(eqt_budget_next_refill(&terms, 0), 0);
	(void) snprintf(terms.dates, sizeof(terms.dates), "soon");
	ck_assert_uint_eq(eqt_budget_next_refill(&terms, 0), 0);
	(void) snprintf(terms.dates, sizeof(terms.dates), "5,soon,9");
	ck_assert_uint_eq(eqt_budget_next_refill(&terms, 4), 5);
	ck_assert_uint_eq(eqt_budget_next_refill(&terms, 5), 0);
	(void) snprintf(terms.dates, sizeof(terms.dates), "5;9");
	ck_assert_uint_eq(eqt_budget_next_refill(&terms, 5), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget book");
	TCase *tests = tcase_create("budget book");

	tcase_add_test(tests, an_unknown_id_has_no_budget);
	tcase_add_test(tests, each_of_many_owners_has_its_budgets);
	tcase_add_test(
		tests,
		an_account_and_user_are_no_other_pair_with_the_same_letters);
	tcase_add_test(tests, an_account_whose_user_has_a_budget_is_marked);
	tcase_add_test(tests,
		       budgets_that_end_at_one_time_are_spent_in_their_order);
	tcase_add_test(tests, each_of_many_requests_counts_once);
	tcase_add_test(tests, each_of_many_jobs_is_found_until_it_is_forgotten);
	tcase_add_test(tests, a_job_that_waits_is_not_forgotten);
	tcase_add_test(tests, a_job_draws_again_on_a_budget_that_it_gave_back);
	tcase_add_test(tests, a_frozen_amount_is_not_left);
	tcase_add_test(tests, an_audit_finds_each_wrong_sum);
	tcase_add_test(tests, a_book_is_stated_with_its_budgets_and_jobs);
	tcase_add_test(tests, a_file_begins_with_the_latest_requests);
	tcase_add_test(tests, percentages_are_rounded_down);
	tcase_add_test(tests, damaged_balances_leave_nothing);
	tcase_add_test(tests, each_word_of_terms_is_written_and_read);
	tcase_add_test(tests, a_text_without_numbers_has_no_dates);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
