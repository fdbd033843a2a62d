/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The planner of budgets: which of several budgets a job draws on, why it does not
 * fit and when it may, and the dates that change that.
 */
#include "budget_jobs.h"

START_TEST(a_job_draws_only_on_budgets_of_its_pool)
{
	struct eqt_book *book = eqt_book_new();
	const struct eqt_budget_terms gpus = { .pool = EQT_BUDGET_GPUS };
	struct eqt_book_wish wish = wish_of(1, 5);

	grant_terms(book, 10, 100, 0, 0, &gpus);
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
		  EQT_BOOK_FREE);
	wish.pool = EQT_BUDGET_GPUS;
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
		  EQT_BOOK_FITS);
	wish.need_u = 11 * HOUR;
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
		  EQT_BOOK_NEVER);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_job_in_the_bonus_qos_draws_nothing)
{
	struct eqt_book *book = eqt_book_new();
	const struct eqt_budget_terms bonus = { .way = EQT_BUDGET_BONUS,
						.bonus = "spare" };
	const struct eqt_budget_terms hold = { .way = EQT_BUDGET_HOLD,
					       .bonus = "spare" };
	struct eqt_book_wish wish = wish_of(1, 5);

	grant_terms(book, 10, 100, 0, 0, &bonus);
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
		  EQT_BOOK_FITS);
	wish.qos = "spares";
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
		  EQT_BOOK_FITS);
	wish.qos = "spare";
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
		  EQT_BOOK_FREE);
	grant_terms(book, 10, 100, 0, 0, &hold);
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
		  EQT_BOOK_FITS);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_commitment_names_its_job_and_each_budget)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_wish wish = wish_of(9, 3);
	struct eqt_entry entry;

	grant(book, "science", 10);
	grant(book, "physics", 2);
	grant(book, "physics", 10);
	wish.tasks = 4;
	ck_assert(eqt_book_plan_commit(book, &wish, &entry, NULL) ==
		  EQT_BOOK_FITS);
	ck_assert_int_eq(entry.kind, EQT_ENTRY_COMMIT);
	ck_assert_uint_eq(entry.seq, 4);
	ck_assert_uint_eq(entry.when, 500);
	ck_assert_uint_eq(entry.job, 9);
	ck_assert_uint_eq(entry.tasks, 4);
	ck_assert_uint_eq(entry.until, 0);
	ck_assert_uint_eq(entry.parts, 3);
	ck_assert_uint_eq(entry.part[0].budget, 2);
	ck_assert_uint_eq(entry.part[0].taken_u, 2 * HOUR);
	ck_assert_uint_eq(entry.part[1].budget, 3);
	ck_assert_uint_eq(entry.part[1].taken_u, 1 * HOUR);
	ck_assert_uint_eq(entry.part[2].budget, 1);
	ck_assert_uint_eq(entry.part[2].taken_u, 3 * HOUR);
	apply(book, &entry);
	settle(book, 9, 0, 1, 10);
	/* More for the same job: it stays charged up to 600. */
	ck_assert(eqt_book_plan_commit(book, &wish, &entry, NULL) ==
		  EQT_BOOK_FITS);
	ck_assert_uint_eq(entry.until, 600);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_job_that_needs_nothing_fits_an_empty_budget)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_wish wish = wish_of(1, 0);
	struct eqt_entry entry;

	grant(book, "physics", 0);
	ck_assert(eqt_book_plan_commit(book, &wish, &entry, NULL) ==
		  EQT_BOOK_FITS);
	ck_assert_uint_eq(entry.parts, 0);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_job_in_the_place_of_another_has_what_that_one_committed)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_wish wish = wish_of(2, 2);
	struct eqt_book_lack lack;
	struct eqt_entry entry;

	grant(book, "physics", 10);
	grant(book, "physics", 2);
	ck_assert(commit_job(book, 1, 11) == EQT_BOOK_FITS);
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
		  EQT_BOOK_LACKS);
	ck_assert_uint_eq(lack.left_u, 1 * HOUR);
	wish.instead_of = 3; /* unknown */
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
		  EQT_BOOK_LACKS);
	wish.instead_of = 1;
	wish.need_u = 12 * HOUR;
	ck_assert(eqt_book_plan_commit(book, &wish, &entry, NULL) ==
		  EQT_BOOK_FITS);
	ck_assert_uint_eq(entry.part[0].taken_u, 10 * HOUR);
	ck_assert_uint_eq(entry.part[1].taken_u, 2 * HOUR);
	ck_assert_uint_eq(eqt_book_budget_without(book, 1, 1).committed_u, 0);
	ck_assert_uint_eq(eqt_book_budget_without(book, 2, 1).committed_u, 0);
	ck_assert_uint_eq(eqt_book_budget_without(book, 2, 3).committed_u,
			  1 * HOUR);
	ck_assert_uint_eq(eqt_book_budget_without(book, 2, 0).committed_u,
			  1 * HOUR);
	/* It gives all of the first budget back, and has 1 h of the second. */
	settle(book, 1, 0, 0, 1);
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, NULL) ==
		  EQT_BOOK_FITS);
	wish.need_u++;
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
		  EQT_BOOK_NEVER);
	ck_assert_uint_eq(lack.left_u, 12 * HOUR);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_job_that_needs_too_many_budgets_does_not_fit)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_wish wish = wish_of(1, EQT_ENTRY_PARTS);
	struct eqt_entry entry;

	for (int i = 0; i < EQT_ENTRY_PARTS + 1; i++)
		grant(book, "physics", 1);
	ck_assert(eqt_book_plan_commit(book, &wish, &entry, NULL) ==
		  EQT_BOOK_FITS);
	ck_assert_uint_eq(entry.parts, EQT_ENTRY_PARTS);
	wish.need_u++;
	ck_assert(eqt_book_plan_commit(book, &wish, &entry, NULL) ==
		  EQT_BOOK_LACKS);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_budget_that_follows_a_limit_may_be_raised)
{
	const struct eqt_budget_terms terms = { .every = EQT_BUDGET_LIMIT };
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_wish wish = wish_of(9, 100);
	struct eqt_book_lack lack;

	grant_terms(book, 10, 0, 0, 0, &terms);
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
		  EQT_BOOK_LACKS);
	ck_assert_uint_eq(lack.left_u, 10 * HOUR);
	eqt_book_free(book);
}
END_TEST

/* What is told of a budget of 10 h, of which 4 are spent and 2 committed, when a
 * job needs 100 h at 500. */
static const struct lack_row {
	const char *name;
	uint64_t start, end, next;
	uint64_t refill, carry;
	enum eqt_book_answer answer;
	uint64_t left, fillable, changes; /* fillable 99: any amount */
} lacks[] = {
	{ "no dates", 0, 0, 0, 0, 0, EQT_BOOK_NEVER, 4, 6, 0 },
	{ "end later", 0, 501, 0, 0, 0, EQT_BOOK_NEVER, 4, 6, 0 },
	{ "end now", 0, 500, 0, 0, 0, EQT_BOOK_NEVER, 0, 0, 0 },
	{ "end before a refill", 0, 500, 600, 200, 0, EQT_BOOK_NEVER, 0, 0,
	  600 },
	{ "start now", 500, 0, 0, 0, 0, EQT_BOOK_NEVER, 4, 6, 0 },
	{ "start later", 501, 0, 0, 0, 0, EQT_BOOK_NEVER, 0, 6, 501 },
	{ "start before a refill", 501, 0, 700, 5, 0, EQT_BOOK_NEVER, 0, 6,
	  501 },
	{ "start now before a refill", 500, 0, 700, 5, 0, EQT_BOOK_NEVER, 4, 6,
	  700 },
	{ "small refill", 0, 0, 700, 5, 0, EQT_BOOK_NEVER, 4, 6, 700 },
	{ "larger refill", 0, 0, 700, 7, 0, EQT_BOOK_NEVER, 4, 7, 700 },
	{ "refill of too little", 0, 0, 700, 99, 0, EQT_BOOK_NEVER, 4, 99,
	  700 },
	{ "refill of enough", 0, 0, 700, 100, 0, EQT_BOOK_LACKS, 4, 100, 700 },
	{ "refills that add up", 0, 0, 700, 1, 1, EQT_BOOK_LACKS, 4,
	  UINT64_MAX, 700 },
	{ "refill that is due", 0, 0, 500, 100, 0, EQT_BOOK_LACKS, 4, 100, 0 },
};

START_TEST(a_lack_says_what_is_left_and_what_can_come)
{
	const struct lack_row *row = &lacks[_i];
	const struct eqt_budget_terms terms = { .refill_u = row->refill * HOUR,
						.carry = row->carry };
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_wish wish = wish_of(9, 100);
	struct eqt_entry entry;
	struct eqt_book_lack lack;

	grant_terms(book, 10, row->start, row->end, row->next, &terms);
	entry = next_entry(book, EQT_ENTRY_COMMIT, 500);
	entry.job = entry.tasks = entry.parts = 1;
	entry.part[0] = (struct eqt_entry_part){ .budget = 1,
						 .taken_u = 6 * HOUR };
	apply(book, &entry);
	settle(book, 1, 0, 4, 2);
	ck_assert_msg(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
			      row->answer,
		      "%s", row->name);
	ck_assert_uint_eq(lack.budget, 1);
	ck_assert_msg(lack.left_u == row->left * HOUR, "%s", row->name);
	ck_assert_msg(lack.fillable_u == (row->fillable == UINT64_MAX
						  ? UINT64_MAX
						  : row->fillable * HOUR),
		      "%s: %f", row->name,
		      (double) lack.fillable_u / (double) HOUR);
	ck_assert_msg(lack.next == row->changes, "%s", row->name);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_closed_budget_is_named_if_there_is_no_other)
{
	struct eqt_book *book = eqt_book_new();
	const struct eqt_book_wish wish = wish_of(9, 1);
	struct eqt_book_lack lack;
	struct eqt_entry entry;

	grant(book, "physics", 10);
	entry = next_entry(book, EQT_ENTRY_CLOSE, 500);
	entry.budget = 1;
	apply(book, &entry);
	ck_assert_int_eq(eqt_book_plan_commit(book, &wish, NULL, &lack),
			 EQT_BOOK_NEVER);
	ck_assert_uint_eq(lack.budget, 1);
	ck_assert_uint_eq(lack.left_u, 0);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_lack_sums_up_the_budgets_of_one_level)
{
	const struct eqt_budget_terms terms = { .refill_u = 0, .carry = 1 };
	const struct eqt_budget_terms gpus = { .pool = EQT_BUDGET_GPUS };
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_wish wish = wish_of(9, 16);
	struct eqt_book_lack lack;
	struct eqt_entry entry;

	grant_terms(book, 10, 0, 900, 0, &terms);
	grant_terms(book, 5, 600, 950, 0, &terms);
	grant_terms(book, 70, 550, 960, 0, &gpus);
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
		  EQT_BOOK_NEVER);
	ck_assert_uint_eq(lack.budget, 1);
	ck_assert_uint_eq(lack.left_u, 10 * HOUR);
	ck_assert_uint_eq(lack.amount_u, 10 * HOUR);
	ck_assert_uint_eq(lack.in_force, 1);
	ck_assert_uint_eq(lack.fillable_u, 15 * HOUR);
	ck_assert_uint_eq(lack.next, 600);
	wish.need_u = 15 * HOUR;
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
		  EQT_BOOK_LACKS);
	/* One more, which starts earlier and then has refills without end. */
	grant_terms(book, 1, 560, 970, 980, &terms);
	wish.need_u = 99 * HOUR;
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
		  EQT_BOOK_LACKS);
	ck_assert_uint_eq(lack.budget, 1);
	ck_assert_uint_eq(lack.fillable_u, UINT64_MAX);
	ck_assert_uint_eq(lack.next, 560);
	entry = next_entry(book, EQT_ENTRY_CLOSE, 500);
	entry.budget = 4;
	apply(book, &entry);
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
		  EQT_BOOK_NEVER);
	ck_assert_uint_eq(lack.fillable_u, 15 * HOUR);
	ck_assert_uint_eq(lack.next, 600);
	/* Two in force, whose sums belong together; then none. */
	wish.now = 700;
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
		  EQT_BOOK_NEVER);
	ck_assert_uint_eq(lack.budget, 2);
	ck_assert_uint_eq(lack.in_force, 2);
	ck_assert_uint_eq(lack.amount_u, 15 * HOUR);
	ck_assert_uint_eq(lack.left_u + lack.spent_u + lack.committed_u,
			  lack.amount_u);
	wish.now = 955;
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
		  EQT_BOOK_NEVER);
	ck_assert_uint_eq(lack.budget, 2);
	ck_assert_uint_eq(lack.in_force, 0);
	eqt_book_free(book);
}
END_TEST

START_TEST(the_first_level_with_too_little_is_named)
{
	static const struct eqt_book_path path = {
		.level = { { "physics", "" }, { "science", "" } },
		.levels = 2,
	};
	struct eqt_book *book = eqt_book_new();
	struct eqt_book_wish wish = wish_of(9, 6);
	struct eqt_book_lack lack;

	wish.path = &path;
	grant(book, "science", 5);
	grant(book, "physics", 10);
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
		  EQT_BOOK_NEVER);
	ck_assert_uint_eq(lack.budget, 1);
	wish.need_u = 11 * HOUR;
	ck_assert(eqt_book_plan_commit(book, &wish, NULL, &lack) ==
		  EQT_BOOK_NEVER);
	ck_assert_uint_eq(lack.budget, 2);
	eqt_book_free(book);
}
END_TEST

START_TEST(a_level_has_what_its_open_budgets_have_left)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;

	grant(book, "physics", 10);
	grant(book, "physics", 5);
	grant(book, "chemistry", 70);
	ck_assert(commit_job(book, 1, 12) == EQT_BOOK_FITS);
	settle(book, 1, 1, 12, 0);
	ck_assert_uint_eq(eqt_book_owner_left(book, 1), 3 * HOUR);
	ck_assert_uint_eq(eqt_book_owner_left(book, 2), 3 * HOUR);
	ck_assert_uint_eq(eqt_book_owner_left(book, 3), 70 * HOUR);
	ck_assert_uint_eq(eqt_book_owner_left(book, 4), 0);
	entry = next_entry(book, EQT_ENTRY_CLOSE, 700);
	entry.budget = 1;
	apply(book, &entry);
	/* A refund of a closed budget is left over, and lost. */
	entry = next_entry(book, EQT_ENTRY_REFUND, 700);
	entry.parts = 1;
	entry.part[0] = (struct eqt_entry_part){ .budget = 1,
						 .spent_u = 4 * HOUR };
	apply(book, &entry);
	ck_assert_uint_eq(eqt_book_owner_left(book, 1), 3 * HOUR);
	eqt_book_free(book);
}
END_TEST

START_TEST(the_first_refill_that_is_due_is_planned)
{
	struct eqt_book *book = eqt_book_new();
	const struct eqt_budget_terms lapsing = { .refill_u = 6 * HOUR };
	const struct eqt_budget_terms carried = { .refill_u = 7 * HOUR,
						  .carry = 1 };
	struct eqt_entry entry;

	grant_terms(book, 10, 100, 0, 0, &lapsing); /* no refill */
	grant_terms(book, 10, 100, 0, 650, &lapsing); /* closed below */
	grant_terms(book, 10, 100, 0, 700, &carried);
	grant_terms(book, 10, 100, 0, 600, &lapsing);
	entry = next_entry(book, EQT_ENTRY_CLOSE, 500);
	entry.budget = 2;
	apply(book, &entry);
	ck_assert(!eqt_book_plan_refill(book, 599, &entry));
	ck_assert(eqt_book_plan_refill(book, 600, &entry));
	ck_assert_int_eq(entry.kind, EQT_ENTRY_REFILL);
	ck_assert_uint_eq(entry.seq, 6);
	ck_assert_uint_eq(entry.when, 600);
	ck_assert_uint_eq(entry.budget, 4);
	ck_assert_uint_eq(entry.amount_u, 6 * HOUR);
	ck_assert_uint_eq(entry.lapse_u, 10 * HOUR);
	ck_assert(eqt_book_plan_refill(book, 701, &entry));
	ck_assert_uint_eq(entry.budget, 3);
	ck_assert_uint_eq(entry.amount_u, 7 * HOUR);
	ck_assert_uint_eq(entry.lapse_u, 0);
	eqt_book_free(book);
}
END_TEST

START_TEST(the_next_change_is_the_first_date_to_come)
{
	struct eqt_book *book = eqt_book_new();
	const struct eqt_budget_terms terms = { .refill_u = 0 };
	struct eqt_entry entry;

	ck_assert_uint_eq(eqt_book_next_change(book, 0), 0);
	grant_terms(book, 1, 300, 900, 600, &terms);
	grant_terms(book, 1, 200, 0, 0, &terms);
	grant_terms(book, 1, 150, 950, 160, &terms);
	entry = next_entry(book, EQT_ENTRY_CLOSE, 100);
	entry.budget = 3;
	apply(book, &entry);
	ck_assert_uint_eq(eqt_book_next_change(book, 0), 200);
	ck_assert_uint_eq(eqt_book_next_change(book, 199), 200);
	ck_assert_uint_eq(eqt_book_next_change(book, 200), 300);
	ck_assert_uint_eq(eqt_book_next_change(book, 300), 600);
	ck_assert_uint_eq(eqt_book_next_change(book, 600), 900);
	ck_assert_uint_eq(eqt_book_next_change(book, 900), 0);
	eqt_book_free(book);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget plan");
	TCase *tests = tcase_create("budget plan");

	tcase_add_test(tests, a_job_draws_only_on_budgets_of_its_pool);
	tcase_add_test(tests, a_job_in_the_bonus_qos_draws_nothing);
	tcase_add_test(tests, a_commitment_names_its_job_and_each_budget);
	tcase_add_test(tests, a_job_that_needs_nothing_fits_an_empty_budget);
	tcase_add_test(
		tests,
		a_job_in_the_place_of_another_has_what_that_one_committed);
	tcase_add_test(tests, a_job_that_needs_too_many_budgets_does_not_fit);
	tcase_add_test(tests, a_budget_that_follows_a_limit_may_be_raised);
	tcase_add_loop_test(tests, a_lack_says_what_is_left_and_what_can_come,
			    0, (int) (sizeof(lacks) / sizeof(*lacks)));
	tcase_add_test(tests, a_closed_budget_is_named_if_there_is_no_other);
	tcase_add_test(tests, a_lack_sums_up_the_budgets_of_one_level);
	tcase_add_test(tests, the_first_level_with_too_little_is_named);
	tcase_add_test(tests, a_level_has_what_its_open_budgets_have_left);
	tcase_add_test(tests, the_first_refill_that_is_due_is_planned);
	tcase_add_test(tests, the_next_change_is_the_first_date_to_come);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
