/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables that find owners and jobs of a book, with the worst of names and ids: all
 * belong into slots with even numbers, of which a table that is half full has no other
 * one left.
 */
#include "base/hash.h"
#include "budget_jobs.h"

#define OWNER_SLOTS 32 /* of a new table */
#define JOB_SLOTS 64

/* As in book.c. */
static uint64_t owner_hash(const char *account)
{
	return eqt_hash_bytes(
		eqt_hash_bytes(EQT_HASH_START, account, strlen(account) + 1),
		"", 1);
}

static uint64_t job_hash(uint64_t id)
{
	return (id * UINT64_C(11400714819323198485)) >> 20;
}

/* The next account with an even slot; *at begins with 0. */
static void even_account(char name[16], int *at)
{
	do
		(void) snprintf(name, 16, "a%d", (*at)++);
	while (owner_hash(name) % 2 != 0);
}

static uint64_t even_job(uint64_t *at)
{
	do
		++*at;
	while (job_hash(*at) % 2 != 0);
	return *at;
}

static enum eqt_book_answer account_answer(const struct eqt_book *book,
					   const char *account)
{
	const struct eqt_book_path path = { .level = { { account, "" } },
					    .levels = 1 };
	const struct eqt_book_wish wish = { .path = &path,
					    .pool = EQT_BUDGET_CORES,
					    .job = 1,
					    .tasks = 1,
					    .need_u = HOUR,
					    .now = 500 };

	return eqt_book_plan_commit(book, &wish, NULL, NULL);
}

START_TEST(owners_whose_slots_are_taken_are_found_in_others)
{
	struct eqt_book *book = eqt_book_new();
	char name[16];
	int at = 0, again = 0;

	for (int i = 0; i < OWNER_SLOTS / 2; i++) {
		even_account(name, &at);
		grant(book, name, 1);
	}
	for (int i = 0; i < OWNER_SLOTS / 2; i++) {
		even_account(name, &again);
		ck_assert(account_answer(book, name) == EQT_BOOK_FITS);
	}
	for (int i = 0; i < OWNER_SLOTS; i++) {
		even_account(name, &again);
		ck_assert(account_answer(book, name) == EQT_BOOK_FREE);
	}
	eqt_book_free(book);
}
END_TEST

START_TEST(jobs_whose_slots_are_taken_are_found_in_others)
{
	struct eqt_book *book = eqt_book_new();
	uint64_t at = 0, again = 0;

	grant(book, "physics", 1000);
	for (int i = 0; i < JOB_SLOTS / 2; i++)
		ck_assert(commit_job(book, even_job(&at), 1) == EQT_BOOK_FITS);
	for (int i = 0; i < JOB_SLOTS / 2; i++) {
		const uint64_t id = even_job(&again);

		ck_assert_ptr_nonnull(eqt_book_job(book, id));
		ck_assert_uint_eq(eqt_book_job(book, id)->id, id);
	}
	for (int i = 0; i < JOB_SLOTS; i++)
		ck_assert_ptr_null(eqt_book_job(book, even_job(&again)));
	eqt_book_free(book);
}
END_TEST

START_TEST(a_user_with_a_name_of_one_letter_marks_the_account)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry = grant_of(book, "physics", 1);

	ck_assert(!eqt_book_may_have_users(book, "physics"));
	apply(book, &entry);
	ck_assert(!eqt_book_may_have_users(book, "physics"));
	entry = grant_of(book, "physics", 1);
	memcpy(entry.state.terms.user, "u", 2);
	apply(book, &entry);
	ck_assert(eqt_book_may_have_users(book, "physics"));
	eqt_book_free(book);
}
END_TEST

/* Job 2 lies behind the one that stays, in memory that is not cleared. */
START_TEST(the_last_job_is_forgotten_as_well)
{
	struct eqt_book *book = eqt_book_new();

	grant(book, "physics", 10);
	ck_assert(commit_job(book, 1, 1) == EQT_BOOK_FITS);
	ck_assert(commit_job(book, 2, 1) == EQT_BOOK_FITS);
	settle(book, 2, 1, 1, 0);
	eqt_book_forget(book, 600);
	ck_assert_ptr_nonnull(eqt_book_job(book, 2));
	eqt_book_forget(book, 601);
	ck_assert_ptr_null(eqt_book_job(book, 2));
	ck_assert_ptr_nonnull(eqt_book_job(book, 1));
	eqt_book_free(book);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget tables");
	TCase *tests = tcase_create("budget tables");

	tcase_add_test(tests,
		       owners_whose_slots_are_taken_are_found_in_others);
	tcase_add_test(tests, jobs_whose_slots_are_taken_are_found_in_others);
	tcase_add_test(tests,
		       a_user_with_a_name_of_one_letter_marks_the_account);
	tcase_add_test(tests, the_last_job_is_forgotten_as_well);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
