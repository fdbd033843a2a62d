/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget_jobs: grant budgets to accounts, and let jobs of "ada" of the account
 * "physics" below "science" draw on them, for tests of books. Budgets hold from
 * 100 to 1000, amounts are hours.
 */
#ifndef EQT_TESTS_BUDGET_JOBS_H
#define EQT_TESTS_BUDGET_JOBS_H

#include <stdio.h>

#include "budget_fixture.h"

#define HOUR EQT_BUDGET_HOUR_U

static inline void apply(struct eqt_book *book, const struct eqt_entry *entry)
{
	ck_assert_msg(eqt_book_apply(book, entry, &err) == 0, "%s", err.text);
	is_balanced(book);
}

static inline struct eqt_entry grant_of(const struct eqt_book *book,
				 const char *account, uint64_t hours)
{
	struct eqt_entry entry = next_entry(book, EQT_ENTRY_GRANT, 100);

	entry.budget = eqt_book_count(book) + 1;
	(void) snprintf(entry.state.terms.account, EQT_BUDGET_NAME, "%s",
			account);
	entry.state.terms.amount_u = hours * HOUR;
	entry.state.terms.start = 100;
	entry.state.terms.end = 1000;
	return entry;
}

static inline void grant(struct eqt_book *book, const char *account, uint64_t hours)
{
	struct eqt_entry entry = grant_of(book, account, hours);

	apply(book, &entry);
}

static const struct eqt_book_path ada = {
	.level = { { "physics", "ada" }, { "physics", "" }, { "science", "" } },
	.levels = 3,
};

static inline enum eqt_book_answer commit_tasks(struct eqt_book *book, uint64_t job,
					 uint64_t tasks, uint64_t hours,
					 uint64_t now)
{
	const struct eqt_book_wish wish = {
		.path = &ada,
		.pool = EQT_BUDGET_CORES,
		.job = job,
		.tasks = tasks,
		.need_u = hours * HOUR,
		.now = now,
	};
	struct eqt_entry entry = { 0 };
	enum eqt_book_answer answer =
		eqt_book_plan_commit(book, &wish, &entry, NULL);

	if (answer == EQT_BOOK_FITS)
		apply(book, &entry);
	return answer;
}

static inline enum eqt_book_answer commit_job(struct eqt_book *book, uint64_t job,
				       uint64_t hours)
{
	return commit_tasks(book, job, 1, hours, 500);
}

static inline uint64_t settle(struct eqt_book *book, uint64_t job, uint64_t tasks,
		       uint64_t hours, uint64_t keep)
{
	const struct eqt_book_charge charge = { .job = job,
						.tasks = tasks,
						.charge_u = hours * HOUR,
						.keep_u = keep * HOUR,
						.until = 600,
						.run = 450,
						.settled_u = hours * HOUR,
						.pool = EQT_BUDGET_CORES,
						.now = 600 };
	struct eqt_entry entry;

	ck_assert(eqt_book_plan_settle(book, &charge, &entry) == 0);
	apply(book, &entry);
	return entry.overrun_u / HOUR;
}

static inline void is_at(const struct eqt_book *book, uint64_t id, uint64_t spent,
		  uint64_t committed, uint64_t left)
{
	const struct eqt_budget *budget = eqt_book_budget(book, id);

	ck_assert_uint_eq(budget->spent_u, spent * HOUR);
	ck_assert_uint_eq(budget->committed_u, committed * HOUR);
	ck_assert_uint_eq(eqt_budget_left(budget), left * HOUR);
}

static inline struct eqt_book_wish wish_of(uint64_t job, uint64_t hours)
{
	return (struct eqt_book_wish){
		.path = &ada,
		.pool = EQT_BUDGET_CORES,
		.job = job,
		.tasks = 1,
		.need_u = hours * HOUR,
		.now = 500,
	};
}

/* A grant to physics with the terms of the pattern: only its set members. */
static inline void grant_terms(struct eqt_book *book, uint64_t hours, uint64_t start,
			uint64_t end, uint64_t next,
			const struct eqt_budget_terms *terms)
{
	struct eqt_entry entry = grant_of(book, "physics", hours);

	entry.state.terms.start = start;
	entry.state.terms.end = end;
	entry.state.next = next;
	entry.state.terms.pool = terms->pool;
	entry.state.terms.way = terms->way;
	entry.state.terms.every = terms->every;
	entry.state.terms.refill_u = terms->refill_u;
	entry.state.terms.carry = terms->carry;
	memcpy(entry.state.terms.bonus, terms->bonus, EQT_BUDGET_NAME);
	apply(book, &entry);
}

#endif
