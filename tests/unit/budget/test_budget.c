/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Budgets: which jobs fit, who is charged, and how a file of entries is read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "budget/hours.h"
#include "budget_jobs.h"

START_TEST(an_account_without_a_budget_is_free)
{
	struct eqt_book *book = eqt_book_new();

	ck_assert(commit_job(book, 1, 5) == EQT_BOOK_FREE);
	grant(book, "chemistry", 10);
	ck_assert(commit_job(book, 1, 5) == EQT_BOOK_FREE);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_percentage_can_have_the_amount_of_one_more_job)
{
	struct eqt_budget budget = { .amount_u = 200,
				     .spent_u = 100,
				     .committed_u = 40 };

	ck_assert_uint_eq(eqt_budget_percent(&budget), 70);
	budget.committed_u = 40 + 60;
	ck_assert_uint_eq(eqt_budget_percent(&budget), 100);
	budget.committed_u = 40 + 62;
	ck_assert_uint_eq(eqt_budget_percent(&budget), 101);
}
END_TEST

START_TEST(hours_that_do_not_fit_never_read_as_if_they_did)
{
	const uint64_t left_u = EQT_BUDGET_HOUR_U / 3;
	char text[EQT_HOURS_TEXT];

	ck_assert_str_eq(eqt_hours_short(left_u, text), "0.3333");
	ck_assert_str_eq(eqt_hours_need(left_u, text), "0.3334");
	ck_assert_str_eq(eqt_hours_need(EQT_BUDGET_HOUR_U / 2, text), "0.5");
	ck_assert_str_eq(eqt_hours_need(0, text), "0");
	ck_assert_str_eq(eqt_hours_need(1, text), "0.0001");
	ck_assert_str_eq(eqt_hours_short(1, text), "0");
}
END_TEST

START_TEST(balance_decides)
{
	struct eqt_book *book = eqt_book_new();

	grant(book, "physics", 10);
	ck_assert(commit_job(book, 1, 6) == EQT_BOOK_FITS);
	is_at(book, 1, 0, 6, 4);
	ck_assert(commit_job(book, 2, 5) == EQT_BOOK_LACKS);
	ck_assert(commit_job(book, 2, 11) == EQT_BOOK_NEVER);
	ck_assert(commit_job(book, 2, 4) == EQT_BOOK_FITS);
	ck_assert_uint_eq(settle(book, 1, 1, 1, 0), 0);
	is_at(book, 1, 1, 4, 5);
	ck_assert(commit_job(book, 3, 10) == EQT_BOOK_NEVER);
	eqt_book_free(book);
}
END_TEST

START_TEST(of_two_budgets_the_one_that_ends_first_is_spent_first)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry later = grant_of(book, "physics", 10);

	later.state.terms.end = 0;
	apply(book, &later);
	grant(book, "physics", 10);
	ck_assert(commit_job(book, 1, 12) == EQT_BOOK_FITS);
	is_at(book, 2, 0, 10, 0);
	is_at(book, 1, 0, 2, 8);
	settle(book, 1, 1, 3, 0);
	is_at(book, 2, 3, 0, 7);
	is_at(book, 1, 0, 0, 10);
	eqt_book_free(book);
}
END_TEST

START_TEST(each_level_pays)
{
	struct eqt_book *book = eqt_book_new();

	grant(book, "science", 10);
	grant(book, "physics", 100);
	ck_assert(commit_job(book, 1, 8) == EQT_BOOK_FITS);
	is_at(book, 1, 0, 8, 2);
	is_at(book, 2, 0, 8, 92);
	ck_assert(commit_job(book, 2, 3) == EQT_BOOK_LACKS);
	settle(book, 1, 1, 7, 0);
	is_at(book, 1, 7, 0, 3);
	is_at(book, 2, 7, 0, 93);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_budget_holds_between_its_dates)
{
	struct eqt_book *book = eqt_book_new();

	grant(book, "physics", 10);
	ck_assert(commit_tasks(book, 1, 1, 5, 99) == EQT_BOOK_LACKS);
	ck_assert(commit_tasks(book, 1, 1, 5, 1000) == EQT_BOOK_NEVER);
	ck_assert(commit_tasks(book, 1, 1, 5, 999) == EQT_BOOK_FITS);
	eqt_book_free(book);
}
END_TEST

START_TEST(tasks_of_an_array_settle_one_by_one)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "physics", 10);
	ck_assert(commit_tasks(book, 7, 4, 8, 500) == EQT_BOOK_FITS);
	ck_assert(eqt_book_plan_split(book, 7, 8, &entry) == 0);
	apply(book, &entry);
	is_at(book, 1, 0, 8, 2);
	settle(book, 8, 1, 1, 0);
	is_at(book, 1, 1, 6, 3);
	settle(book, 7, 2, 0, 0); /* two tasks are cancelled */
	is_at(book, 1, 1, 2, 7);
	ck_assert(eqt_book_plan_split(book, 7, 9, &entry) < 0);
	settle(book, 7, 1, 2, 0);
	is_at(book, 1, 3, 0, 7);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_charge_beyond_the_commitment_takes_what_is_left_and_no_more)
{
	struct eqt_book *book = eqt_book_new();

	grant(book, "physics", 10);
	(void) commit_job(book, 1, 4);
	(void) commit_job(book, 2, 5);
	ck_assert_uint_eq(settle(book, 1, 1, 7, 0), 2);
	is_at(book, 1, 5, 5, 0);
	ck_assert_uint_eq(eqt_book_budget(book, 1)->overrun_u, 2 * HOUR);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_job_that_goes_on_keeps_what_it_needs)
{
	struct eqt_book *book = eqt_book_new();

	grant(book, "physics", 10);
	(void) commit_job(book, 1, 8);
	settle(book, 1, 0, 2, 3);
	is_at(book, 1, 2, 3, 5);
	settle(book, 1, 1, 3, 0);
	is_at(book, 1, 5, 0, 5);
	eqt_book_free(book);
}
END_TEST

static struct eqt_entry refill(struct eqt_book *book, uint64_t now)
{
	struct eqt_entry entry = { 0 };

	ck_assert(eqt_book_plan_refill(book, now, &entry));
	entry.next = now + 100;
	apply(book, &entry);
	return entry;
}

START_TEST(a_refill_lets_the_rest_lapse_or_carries_it_over)
{
	for (uint64_t carry = 0; carry < 2; carry++) {
		struct eqt_book *book = eqt_book_new();
		struct eqt_entry entry = grant_of(book, "physics", 10);

		entry.state.terms.every = EQT_BUDGET_QUARTER;
		entry.state.terms.refill_u = 10 * HOUR;
		entry.state.terms.carry = carry;
		entry.state.next = 550;
		apply(book, &entry);
		(void) commit_job(book, 1, 4);
		ck_assert(!eqt_book_plan_refill(book, 549, &entry));
		(void) refill(book, 550);
		is_at(book, 1, 0, 4, carry ? 16 : 10);
		ck_assert_uint_eq(eqt_book_next_change(book, 550), 650);
		/* The part that it does not use belongs to the previous
		 * quarter. */
		settle(book, 1, 1, 1, 0);
		is_at(book, 1, 1, 0, carry ? 19 : 10);
		eqt_book_free(book);
	}
}
END_TEST

START_TEST(a_refill_has_a_largest_amount)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry = grant_of(book, "physics", 10);

	apply(book, &entry);
	entry = next_entry(book, EQT_ENTRY_REFILL, 100);
	entry.budget = 1;
	entry.amount_u = EQT_BUDGET_MOST_U + 1;
	ck_assert(eqt_book_apply(book, &entry, &err) < 0);
	entry.amount_u = EQT_BUDGET_MOST_U;
	apply(book, &entry);
	/* More than the most is granted by now. */
	entry = next_entry(book, EQT_ENTRY_REFILL, 200);
	entry.budget = 1;
	entry.amount_u = 1;
	ck_assert(eqt_book_apply(book, &entry, &err) < 0);
	eqt_book_free(book);
}
END_TEST

START_TEST(the_last_task_of_an_array_is_not_split_off)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "physics", 10);
	ck_assert(commit_tasks(book, 7, 2, 8, 500) == EQT_BOOK_FITS);
	ck_assert(eqt_book_plan_split(book, 7, 8, &entry) == 0);
	apply(book, &entry);
	entry.seq = eqt_book_seq(book) + 1;
	entry.job = 9;
	ck_assert(eqt_book_apply(book, &entry, &err) < 0);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_transfer_takes_what_is_left_alone)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "physics", 10);
	grant(book, "chemistry", 1);
	(void) commit_job(book, 1, 6);
	entry = next_entry(book, EQT_ENTRY_TRANSFER, 500);
	entry.budget = 1;
	entry.other = 2;
	entry.amount_u = 5 * HOUR;
	ck_assert(eqt_book_apply(book, &entry, &err) < 0);
	is_at(book, 1, 0, 6, 4);
	entry.amount_u = 4 * HOUR;
	apply(book, &entry);
	is_at(book, 1, 0, 6, 0);
	is_at(book, 2, 0, 0, 5);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_closed_budget_gives_nothing_more)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "physics", 10);
	(void) commit_job(book, 1, 6);
	entry = next_entry(book, EQT_ENTRY_CLOSE, 500);
	entry.budget = 1;
	apply(book, &entry);
	is_at(book, 1, 0, 6, 0);
	ck_assert(commit_job(book, 2, 1) == EQT_BOOK_NEVER);
	settle(book, 1, 1, 2, 0);
	is_at(book, 1, 2, 0, 0);
	entry = next_entry(book, EQT_ENTRY_CLOSE, 500);
	entry.budget = 1;
	entry.amount_u = 1;
	apply(book, &entry);
	ck_assert(commit_job(book, 2, 1) == EQT_BOOK_FREE);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_refund_gives_back_what_was_spent_and_no_more)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "physics", 10);
	(void) commit_job(book, 1, 6);
	settle(book, 1, 1, 5, 0);
	entry = next_entry(book, EQT_ENTRY_REFUND, 700);
	entry.parts = 1;
	entry.part[0].budget = 1;
	entry.part[0].spent_u = 6 * HOUR;
	ck_assert(eqt_book_apply(book, &entry, &err) < 0);
	entry.part[0].spent_u = 5 * HOUR;
	apply(book, &entry);
	is_at(book, 1, 0, 0, 10);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_request_counts_once)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry = grant_of(book, "physics", 1);

	entry.request = 77;
	apply(book, &entry);
	entry = grant_of(book, "physics", 1);
	entry.request = 77;
	ck_assert(eqt_book_apply(book, &entry, &err) < 0);
	ck_assert_uint_eq(eqt_book_count(book), 1);
	ck_assert(eqt_book_has_request(book, 77));
	eqt_book_free(book);
}
END_TEST

START_TEST(texts_of_people_survive_a_line)
{
	static const char *const texts[] = { "", "-", "a b", "50 % more\n",
					     "M\xc3\xbcller", "a\tb" };
	char line[EQT_ENTRY_TEXT];

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct eqt_entry entry = { .kind = EQT_ENTRY_CLOSE, .seq = 3 };
		struct eqt_entry read;
		uint32_t crc = 5, again = 5;

		(void) snprintf(entry.why, sizeof(entry.why), "%s", texts[i]);
		ck_assert_int_gt(entry_line(&entry, &crc, line,
						sizeof(line)),
				 0);
		ck_assert_ptr_eq(strchr(line, '\n'), line + strlen(line) - 1);
		ck_assert_msg(eqt_entry_parse(&read, &again, line, &err) == 0,
			      "%s: %s", line, err.text);
		ck_assert_str_eq(read.why, texts[i]);
		ck_assert_uint_eq(crc, again);
	}
}
END_TEST

START_TEST(a_changed_line_is_found)
{
	struct eqt_entry entry = { .kind = EQT_ENTRY_NOTIFY,
				   .seq = 3,
				   .budget = 1,
				   .amount_u = 50 };
	char line[EQT_ENTRY_TEXT];
	uint32_t crc = 0;
	int length = entry_line(&entry, &crc, line, sizeof(line));

	for (int i = 0; i < length - 1; i++) {
		struct eqt_entry read;
		uint32_t sum = 0;

		line[i] ^= 1;
		ck_assert_msg(eqt_entry_parse(&read, &sum, line, &err) < 0,
			      "byte %d", i);
		line[i] ^= 1;
	}
	crc = 9; /* with another line before it */
	ck_assert(eqt_entry_parse(&entry, &crc, line, &err) < 0);
	line[length - 5] = '\0';
	crc = 0;
	ck_assert(eqt_entry_parse(&entry, &crc, line, &err) < 0);
}
END_TEST

START_TEST(a_line_always_has_room)
{
	struct eqt_entry entry = { .kind = EQT_ENTRY_BUDGET };
	char line[EQT_ENTRY_TEXT];
	uint32_t crc = 0;

	memset(entry.state.terms.account, '%', EQT_BUDGET_NAME - 1);
	memset(entry.state.terms.user, '%', EQT_BUDGET_NAME - 1);
	memset(entry.state.terms.bonus, '%', EQT_BUDGET_NAME - 1);
	memset(entry.state.terms.dates, '1', EQT_BUDGET_DATES - 1);
	ck_assert_int_gt(entry_line(&entry, &crc, line, sizeof(line)), 0);
}
END_TEST

START_TEST(words_of_terms)
{
	uint64_t value;

	ck_assert(eqt_budget_way_parse(&value, "bonus") == 0);
	ck_assert_str_eq(eqt_budget_way_word(value), "bonus");
	ck_assert(eqt_budget_pool_parse(&value, "gpu") < 0);
	ck_assert(eqt_budget_every_parse(&value, "quarter") == 0);
	ck_assert_str_eq(eqt_budget_every_word(99), "?");
}
END_TEST

/* In the local time of the tests. */
static uint64_t moment(int year, int month, int day, int hour)
{
	struct tm tm = { .tm_year = year - 1900,
			 .tm_mon = month - 1,
			 .tm_mday = day,
			 .tm_hour = hour,
			 .tm_isdst = -1 };

	return (uint64_t) mktime(&tm);
}

START_TEST(a_month_begins_at_local_midnight)
{
	const struct eqt_budget_terms month = { .every = EQT_BUDGET_MONTH };
	const struct eqt_budget_terms quarter = { .every = EQT_BUDGET_QUARTER };
	const struct eqt_budget_terms never = { .every = EQT_BUDGET_NEVER };

	ck_assert_uint_eq(eqt_budget_next_refill(&month, moment(2026, 3, 31, 23)),
			  moment(2026, 4, 1, 0));
	ck_assert_uint_eq(eqt_budget_next_refill(&month, moment(2026, 4, 1, 0)),
			  moment(2026, 5, 1, 0));
	/* Summer time begins or ends until then. */
	ck_assert_uint_eq(eqt_budget_next_refill(&month, moment(2026, 3, 15, 0)),
			  moment(2026, 4, 1, 0));
	ck_assert_uint_eq(eqt_budget_next_refill(&month, moment(2026, 10, 15, 0)),
			  moment(2026, 11, 1, 0));
	ck_assert_uint_eq(eqt_budget_next_refill(&month, moment(2026, 12, 5, 1)),
			  moment(2027, 1, 1, 0));
	ck_assert_uint_eq(eqt_budget_next_refill(&quarter, moment(2026, 11, 30, 9)),
			  moment(2027, 1, 1, 0));
	ck_assert_uint_eq(eqt_budget_next_refill(&quarter, moment(2026, 4, 1, 0)),
			  moment(2026, 7, 1, 0));
	ck_assert_uint_eq(eqt_budget_next_refill(&never, moment(2026, 4, 1, 0)), 0);
}
END_TEST

START_TEST(times_beyond_the_last_year_have_no_next_month)
{
	const struct eqt_budget_terms month = { .every = EQT_BUDGET_MONTH };

	/* localtime_r() knows no such year, or mktime() no year after it. */
	ck_assert_uint_eq(eqt_budget_next_refill(&month, INT64_MAX), 0);
	ck_assert_uint_eq(eqt_budget_next_refill(&month, 67768036190000000), 0);
}
END_TEST

START_TEST(listed_dates)
{
	struct eqt_budget_terms terms = { .every = EQT_BUDGET_DATES_LISTED,
					  .dates = "100,250,300" };

	ck_assert_uint_eq(eqt_budget_next_refill(&terms, 0), 100);
	ck_assert_uint_eq(eqt_budget_next_refill(&terms, 100), 250);
	ck_assert_uint_eq(eqt_budget_next_refill(&terms, 300), 0);
}
END_TEST

START_TEST(hours_are_read_to_the_eighth_decimal)
{
	static const struct {
		const char *text;
		uint64_t amount_u; /* 0: refused */
		const char *why;
	} rows[] = {
		{ "1", HOUR, "" },
		{ "12.5", 12 * HOUR + HOUR / 2, "" },
		{ "09", 9 * HOUR, "" },
		{ ".25", HOUR / 4, "" },
		{ "3.", 3 * HOUR, "" },
		{ "0.00000001", 36, "" },
		{ "0.000000019", 36, "" },
		{ "1.99999999", 2 * HOUR - 36, "" },
		{ "640511947", 640511947 * HOUR, "" },
		{ "640511948", 0, "640511948: the amount is too large" },
		{ "99999999999999999999", 0,
		  "99999999999999999999: the amount is too large" },
		{ "18446744073709551616", 0,
		  "18446744073709551616: the amount is too large" },
		{ "0", 0, "0: the amount must be above 0" },
		{ "0.000000009", 0, "0.000000009: the amount must be above 0" },
		{ "", 0, ": expected a number of equivalent-hours" },
		{ ".", 0, ".: expected a number of equivalent-hours" },
		{ "1:", 0, "1:: expected a number of equivalent-hours" },
		{ "1/", 0, "1/: expected a number of equivalent-hours" },
		{ "1.5:", 0, "1.5:: expected a number of equivalent-hours" },
		{ "1.5/", 0, "1.5/: expected a number of equivalent-hours" },
		{ "-1", 0, "-1: expected a number of equivalent-hours" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t amount_u = 0;

		err.text[0] = '\0';
		ck_assert_msg(eqt_hours_parse(&amount_u, rows[i].text, &err) ==
				      (rows[i].amount_u ? 0 : -1),
			      "%s", rows[i].text);
		ck_assert_msg(amount_u == rows[i].amount_u, "%s: %llu",
			      rows[i].text, (unsigned long long) amount_u);
		ck_assert_str_eq(err.text, rows[i].why);
	}
	ck_assert_double_eq(eqt_hours_double(HOUR / 2), 0.5);
	ck_assert_double_eq(eqt_hours_double(UINT64_MAX),
			    (double) UINT64_MAX / 3.6e9);
}
END_TEST

START_TEST(budgets_have_one_owner_by_account_and_user)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "physics", 1);
	grant(book, "physics", 2);
	grant(book, "biology", 1);
	entry = grant_of(book, "physics", 1);
	(void) snprintf(entry.state.terms.user, EQT_BUDGET_NAME, "ada");
	apply(book, &entry);
	ck_assert(eqt_book_same_owner(book, 1, 1));
	ck_assert(eqt_book_same_owner(book, 1, 2));
	ck_assert(!eqt_book_same_owner(book, 1, 3));
	ck_assert(!eqt_book_same_owner(book, 1, 4));
	ck_assert(!eqt_book_same_owner(book, 1, 5));
	ck_assert(!eqt_book_same_owner(book, 5, 1));
	eqt_book_free(book);
}
END_TEST

/* Budgets 2 and 3 follow the limit of an account, and 4 is one of its users. */
START_TEST(limit_of_an_account_is_its_newest_open_budget)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	for (uint64_t id = 1; id <= 4; id++) {
		entry = grant_of(book, "physics", id);
		entry.state.terms.end = 0;
		entry.state.terms.every = id == 1 ? 0 : EQT_BUDGET_LIMIT;
		if (id == 4)
			(void) snprintf(entry.state.terms.user, EQT_BUDGET_NAME,
					"ada");
		ck_assert_ptr_eq(eqt_book_limit(book, "physics"),
				 id <= 2 ? NULL
					 : eqt_book_budget(book, id - 1));
		apply(book, &entry);
	}
	ck_assert_ptr_eq(eqt_book_limit(book, "physics"),
			 eqt_book_budget(book, 3));
	ck_assert_ptr_null(eqt_book_limit(book, "biology"));
	for (uint64_t id = 3; id >= 2; id--) {
		entry = next_entry(book, EQT_ENTRY_CLOSE, 500);
		entry.budget = id;
		apply(book, &entry);
		ck_assert_ptr_eq(eqt_book_limit(book, "physics"),
				 id == 2 ? NULL : eqt_book_budget(book, 2));
	}
	eqt_book_free(book);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget");
	TCase *tests = tcase_create("budget");

	tcase_add_test(tests, an_account_without_a_budget_is_free);
	tcase_add_test(tests,
		       a_percentage_can_have_the_amount_of_one_more_job);
	tcase_add_test(tests, hours_that_do_not_fit_never_read_as_if_they_did);
	tcase_add_test(tests, balance_decides);
	tcase_add_test(
		tests,
		of_two_budgets_the_one_that_ends_first_is_spent_first);
	tcase_add_test(tests, each_level_pays);
	tcase_add_test(tests, a_budget_holds_between_its_dates);
	tcase_add_test(tests, tasks_of_an_array_settle_one_by_one);
	tcase_add_test(
		tests,
		a_charge_beyond_the_commitment_takes_what_is_left_and_no_more);
	tcase_add_test(tests, a_job_that_goes_on_keeps_what_it_needs);
	tcase_add_test(tests, a_refill_lets_the_rest_lapse_or_carries_it_over);
	tcase_add_test(tests, a_refill_has_a_largest_amount);
	tcase_add_test(tests, the_last_task_of_an_array_is_not_split_off);
	tcase_add_test(tests, a_transfer_takes_what_is_left_alone);
	tcase_add_test(tests, a_closed_budget_gives_nothing_more);
	tcase_add_test(tests, a_refund_gives_back_what_was_spent_and_no_more);
	tcase_add_test(tests, a_request_counts_once);
	tcase_add_test(tests, texts_of_people_survive_a_line);
	tcase_add_test(tests, a_changed_line_is_found);
	tcase_add_test(tests, a_line_always_has_room);
	tcase_add_test(tests, words_of_terms);
	tcase_add_test(tests, hours_are_read_to_the_eighth_decimal);
	tcase_add_test(tests, budgets_have_one_owner_by_account_and_user);
	tcase_add_test(tests, limit_of_an_account_is_its_newest_open_budget);
	/* A zone with summer time. */
	(void) setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tcase_add_test(tests, a_month_begins_at_local_midnight);
	tcase_add_test(tests, times_beyond_the_last_year_have_no_next_month);
	tcase_add_test(tests, listed_dates);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
