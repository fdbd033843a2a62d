/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A book when memory is short: an entry that cannot be applied leaves the book as it
 * was, and the same entry can be applied later.
 */
#include <stdio.h>

#include "budget/book.h"
#include "../short_memory.h"
#include "../unit.h"

#define BUDGETS 40 /* the array and the table of owners both grow twice */
#define JOBS 70 /* so do the array and the table of jobs */
#define STEPS (1 + 2 + 1 + BUDGETS + JOBS)
#define STATE_MOST ((size_t) 1 << 20)

static char before[STATE_MOST], after[STATE_MOST];

/* Entries as a file has them: a base with requests, two balances, a job; then a
 * grant to each of many owners, and commitments of many jobs, all with requests. */
static struct eqt_entry step_entry(const struct eqt_book *book, int step)
{
	struct eqt_entry entry = { .seq = 7, .when = 100 };

	if (step == 0) {
		entry.kind = EQT_ENTRY_BASE;
		entry.parts = EQT_ENTRY_PARTS;
		for (uint64_t i = 0; i < EQT_ENTRY_PARTS; i++)
			entry.part[i].budget = 200 + i;
		return entry;
	}
	if (step <= 2) {
		entry.kind = EQT_ENTRY_BUDGET;
		entry.state.id = (uint64_t) step;
		entry.state.amount_u = entry.state.terms.amount_u = 1000;
		return entry;
	}
	entry.job = (uint64_t) step;
	entry.tasks = 1;
	entry.parts = 1;
	entry.part[0] = (struct eqt_entry_part){ .budget = 1, .taken_u = 2 };
	entry.kind = EQT_ENTRY_JOB;
	if (step == 3)
		return entry;
	entry.kind = EQT_ENTRY_COMMIT;
	entry.seq = eqt_book_seq(book) + 1;
	entry.request = (uint64_t) step;
	if (step >= 4 + BUDGETS)
		return entry;
	entry.kind = EQT_ENTRY_GRANT;
	entry.parts = 0;
	entry.budget = eqt_book_count(book) + 1;
	entry.state.terms.amount_u = 50;
	(void) snprintf(entry.state.terms.account, EQT_BUDGET_NAME, "a%d",
			step);
	return entry;
}

/* All that a file would begin with, and which of the steps' requests count. */
static void state_write(const struct eqt_book *book, char *text)
{
	char *const end = text + STATE_MOST;
	struct eqt_entry entry;
	size_t at = 0;

	while (eqt_book_state(book, &at, &entry)) {
		int length = eqt_entry_body(&entry, text, (size_t) (end - text));

		ck_assert_int_gt(length, 0);
		text += length;
	}
	for (uint64_t i = 1; i <= 200 + EQT_ENTRY_PARTS; i++)
		*text++ = eqt_book_has_request(book, i) ? '1' : '0';
	*text = '\0';
}

/* Apply a step while the n-th allocation fails; true if it has failed. Then the step
 * has changed nothing, and passes when it is repeated. */
static bool step_fails(struct eqt_book *book, int step, unsigned long *n,
		       bool stays)
{
	const struct eqt_entry entry = step_entry(book, step);
	struct eqt_error err = { "" };
	unsigned long left;
	int rc;

	state_write(book, before);
	short_memory_begin(*n, stays);
	rc = eqt_book_apply(book, &entry, &err);
	left = short_memory.next;
	if (!short_memory_end()) {
		*n = left;
		ck_assert_int_eq(rc, 0);
		return false;
	}
	ck_assert_int_eq(rc, -1);
	ck_assert_ptr_nonnull(strstr(err.text, "): out of memory"));
	state_write(book, after);
	ck_assert_str_eq(after, before);
	short_memory_begin(0, false);
	rc = eqt_book_apply(book, &entry, &err);
	(void) short_memory_end();
	ck_assert_int_eq(rc, 0);
	return true;
}

/* Apply all steps to an empty book; true if the n-th allocation has failed. */
static bool steps_fail(struct eqt_book *book, unsigned long n, bool stays)
{
	bool failed = false;

	for (int step = 0; step < STEPS; step++) {
		if (failed)
			n = 0;
		failed |= step_fails(book, step, &n, stays);
	}
	return failed;
}

static struct eqt_book *book_new(void)
{
	struct eqt_book *book;

	short_memory_begin(0, false);
	book = eqt_book_new();
	(void) short_memory_end();
	ck_assert_ptr_nonnull(book);
	return book;
}

static void book_free(struct eqt_book *book)
{
	short_memory_begin(0, false);
	eqt_book_free(book);
	(void) short_memory_end();
	ck_assert_int_eq(short_memory.held, 0);
}

START_TEST(an_entry_without_memory_changes_nothing_and_can_be_repeated)
{
	static char whole[STATE_MOST];
	struct eqt_book *book = book_new();
	unsigned long n = 0;
	bool failed;

	ck_assert(!steps_fail(book, 0, false));
	state_write(book, whole);
	book_free(book);
	do {
		book = book_new();
		failed = steps_fail(book, ++n, _i);
		state_write(book, after);
		ck_assert_str_eq(after, whole);
		book_free(book);
	} while (failed);
	/* Budgets, jobs and requests grow from 4, owners from 32 slots, places
	 * of jobs from 64. */
	ck_assert_uint_eq(n - 1, 5 + 6 + 6 + 3 + 3);
}
END_TEST

START_TEST(a_refused_entry_does_not_use_up_its_request)
{
	struct eqt_book *book = book_new();
	struct eqt_entry entry = { .kind = EQT_ENTRY_CLOSE,
				   .seq = 1,
				   .request = 5,
				   .budget = 9 };
	struct eqt_error err = { "" };
	int rc;

	short_memory_begin(0, false);
	rc = eqt_book_apply(book, &entry, &err);
	(void) short_memory_end();
	ck_assert_int_eq(rc, -1);
	ck_assert_str_eq(err.text, "entry 1 (close): no such budget");
	ck_assert(!eqt_book_has_request(book, 5));
	book_free(book);
}
END_TEST

START_TEST(without_memory_there_is_no_book)
{
	struct eqt_book *book;

	short_memory_begin(1, _i);
	book = eqt_book_new();
	ck_assert(short_memory_end());
	ck_assert_ptr_null(book);
}
END_TEST

START_TEST(without_memory_sums_cannot_be_audited)
{
	struct eqt_book *book = book_new();
	struct eqt_error err = { "" };
	int rc;

	short_memory_begin(1, _i);
	rc = eqt_book_audit(book, &err);
	ck_assert(short_memory_end());
	ck_assert_int_eq(rc, -1);
	ck_assert_str_eq(err.text, "out of memory");
	short_memory_begin(0, false);
	rc = eqt_book_audit(book, &err);
	(void) short_memory_end();
	ck_assert_int_eq(rc, 0);
	book_free(book);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget_memory");
	TCase *tc = tcase_create("budget_memory");

	tcase_add_loop_test(
		tc, an_entry_without_memory_changes_nothing_and_can_be_repeated,
		0, SHORT_MEMORY_WAYS);
	tcase_add_test(tc, a_refused_entry_does_not_use_up_its_request);
	tcase_add_loop_test(tc, without_memory_there_is_no_book, 0,
			    SHORT_MEMORY_WAYS);
	tcase_add_loop_test(tc, without_memory_sums_cannot_be_audited, 0,
			    SHORT_MEMORY_WAYS);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
