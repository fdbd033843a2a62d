/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random histories of budgets: spent and committed always stay within each
 * budget, and a file that is cut after any line gives the balances after that
 * line.
 */
#include <stdio.h>

#include "../unit/budget/budget_fixture.h"
#include "random.h"
#include "unmarked.h"

#define STEPS 400
#define HISTORIES 60
#define MOST_LINES (STEPS * 4)

/* A book, the lines that created it, and its balances after each of them. */
struct history {
	struct eqt_random random;
	struct eqt_book *book;
	uint64_t now;
	uint64_t jobs; /* ids given so far */
	char (*line)[EQT_ENTRY_TEXT];
	uint64_t *balance; /* a sum over all budgets, after each line */
	int lines;
	uint32_t crc;
};

static uint64_t below(struct history *history, uint64_t n)
{
	return eqt_random_below(&history->random, n);
}

/* A number that changes with each balance. */
static uint64_t balance_of(const struct eqt_book *book)
{
	uint64_t sum = 0;

	for (uint64_t id = 1; id <= eqt_book_count(book); id++) {
		const struct eqt_budget *budget = eqt_book_budget(book, id);

		sum = sum * 31 + budget->amount_u;
		sum = sum * 31 + budget->spent_u;
		sum = sum * 31 + budget->committed_u;
		sum = sum * 31 + budget->refunded_u + budget->overrun_u * 3;
	}
	return sum;
}

/* Apply an entry and write its line; false if the book refuses it. */
static bool history_do(struct history *history, const struct eqt_entry *entry)
{
	uint64_t before = balance_of(history->book);

	if (eqt_book_apply(history->book, entry, &err) < 0) {
		ck_assert_uint_eq(balance_of(history->book), before);
		return false;
	}
	is_balanced(history->book);
	ck_assert_int_lt(history->lines, MOST_LINES);
	ck_assert_int_gt(entry_line(entry, &history->crc,
					history->line[history->lines],
					EQT_ENTRY_TEXT),
			 0);
	history->balance[history->lines++] = balance_of(history->book);
	return true;
}

static struct eqt_entry history_entry(struct history *history,
				      enum eqt_entry_kind kind)
{
	return next_entry(history->book, kind, history->now);
}

static void step_grant(struct history *history)
{
	static const char *const accounts[] = { "a", "b", "top" };
	struct eqt_entry entry = history_entry(history, EQT_ENTRY_GRANT);
	struct eqt_budget_terms *terms = &entry.state.terms;

	entry.budget = eqt_book_count(history->book) + 1;
	(void) snprintf(terms->account, sizeof(terms->account), "%s",
			accounts[below(history, 3)]);
	if (below(history, 4) == 0)
		(void) snprintf(terms->user, sizeof(terms->user), "u");
	terms->pool = below(history, EQT_BUDGET_POOLS);
	terms->amount_u = below(history, 1000);
	terms->start = history->now - below(history, 20);
	terms->end = below(history, 2) ? history->now + below(history, 200) : 0;
	terms->carry = below(history, 2);
	terms->refill_u = below(history, 500);
	entry.state.next = below(history, 2) ? history->now + 30 : 0;
	(void) history_do(history, &entry);
}

static void step_commit(struct history *history)
{
	struct eqt_book_path path = {
		.level = { { "a", "u" }, { "a", "" }, { "top", "" } },
		.levels = 3,
	};
	struct eqt_book_wish wish = {
		.path = &path,
		.pool = below(history, 2) ? EQT_BUDGET_CORES : EQT_BUDGET_GPUS,
		.job = history->jobs + 1,
		.tasks = 1 + below(history, 5),
		.now = history->now,
	};
	struct eqt_entry entry = { 0 };

	if (below(history, 2))
		path.level[0].account = path.level[1].account = "b";
	if (below(history, 5) == 0 && history->jobs)
		wish.job = 1 + below(history, history->jobs);
	else
		history->jobs++;
	wish.need_u = wish.tasks * below(history, 60);
	if (eqt_book_plan_commit(history->book, &wish, &entry, NULL) ==
	    EQT_BOOK_FITS)
		ck_assert_msg(history_do(history, &entry), "%s", err.text);
}

static void step_settle(struct history *history)
{
	struct eqt_book_charge charge = {
		.job = 1 + below(history, history->jobs + 1),
		.charge_u = below(history, 300),
		.keep_u = below(history, 100),
		.until = history->now,
		.now = history->now,
	};
	const struct eqt_book_job *job =
		eqt_book_job(history->book, charge.job);
	struct eqt_entry entry;

	if (!job || !job->tasks)
		return;
	charge.tasks = below(history, job->tasks + 1);
	ck_assert(eqt_book_plan_settle(history->book, &charge, &entry) == 0);
	ck_assert_msg(history_do(history, &entry), "%s", err.text);
}

static void step_split(struct history *history)
{
	struct eqt_entry entry;

	if (eqt_book_plan_split(history->book, 1 + below(history, history->jobs),
				history->jobs + 1, &entry) < 0)
		return;
	history->jobs++;
	ck_assert_msg(history_do(history, &entry), "%s", err.text);
}

static void step_operator(struct history *history)
{
	static const enum eqt_entry_kind kinds[] = {
		EQT_ENTRY_TRANSFER, EQT_ENTRY_REFUND, EQT_ENTRY_CLOSE,
		EQT_ENTRY_NOTIFY
	};
	struct eqt_entry entry = history_entry(
		history, kinds[below(history, below(history, 5) ? 2 : 4)]);
	uint64_t count = eqt_book_count(history->book);

	entry.budget = below(history, count + 2);
	entry.other = below(history, count + 2);
	entry.amount_u = below(history, 200);
	entry.request = eqt_random_next(&history->random);
	if (entry.kind == EQT_ENTRY_REFUND) {
		entry.parts = 1;
		entry.part[0].budget = entry.budget;
		entry.part[0].spent_u = below(history, 50);
	}
	(void) history_do(history, &entry);
}

static void step_refills(struct history *history)
{
	struct eqt_entry entry;

	history->now += below(history, 15);
	while (eqt_book_plan_refill(history->book, history->now, &entry)) {
		entry.next = history->now + 20 + below(history, 40);
		ck_assert_msg(history_do(history, &entry), "%s", err.text);
	}
}

static void history_begin(struct history *history, uint64_t seed)
{
	struct eqt_entry entry;

	*history = (struct history){ .random = { seed }, .now = 1000 };
	history->book = eqt_book_new();
	history->line = malloc(MOST_LINES * sizeof(*history->line));
	history->balance = malloc(MOST_LINES * sizeof(*history->balance));
	ck_assert(history->line && history->balance);
	entry = history_entry(history, EQT_ENTRY_BASE);
	ck_assert(history_do(history, &entry));
}

static void history_run(struct history *history)
{
	typedef void step(struct history *);
	static step *const steps[] = { step_grant,   step_commit, step_commit,
				       step_commit,  step_settle, step_settle,
				       step_refills, step_split,  step_operator };

	for (int i = 0; i < STEPS && history->lines < MOST_LINES - 50; i++)
		steps[below(history, i < 5 ? 1 : 9)](history);
}

static void history_end(struct history *history)
{
	eqt_book_free(history->book);
	free(history->line);
	free(history->balance);
}

/* Read the lines into a new book, and compare the balances after each. */
static void history_replay(const struct history *history)
{
	struct eqt_book *book = eqt_book_new();
	uint32_t crc = 0;

	for (int i = 0; i < history->lines; i++) {
		struct eqt_entry entry;

		ck_assert_msg(eqt_entry_parse(&entry, &crc, history->line[i],
					      &err) == 0,
			      "%s: %s", err.text, history->line[i]);
		ck_assert_msg(eqt_book_apply(book, &entry, &err) == 0, "%s",
			      err.text);
		ck_assert_uint_eq(balance_of(book), history->balance[i]);
	}
	ck_assert_msg(eqt_book_audit(book, &err) == 0, "%s", err.text);
	eqt_book_free(book);
}

/* A file that begins with the state of the book gives the same book. */
static void history_begin_again(const struct history *history)
{
	struct eqt_book *book = eqt_book_new();
	struct eqt_entry entry;
	size_t at = 0;

	while (eqt_book_state(history->book, &at, &entry))
		ck_assert_msg(eqt_book_apply(book, &entry, &err) == 0, "%s",
			      err.text);
	ck_assert_uint_eq(balance_of(book), balance_of(history->book));
	ck_assert_uint_eq(eqt_book_seq(book), eqt_book_seq(history->book));
	ck_assert_msg(eqt_book_audit(book, &err) == 0, "%s", err.text);
	eqt_book_forget(history->book, UINT64_MAX);
	is_balanced(history->book);
	eqt_book_free(book);
}

START_TEST(spent_and_committed_stay_within_each_budget)
{
	struct history history;

	history_begin(&history, (uint64_t) _i + 1);
	history_run(&history);
	history_replay(&history);
	history_begin_again(&history);
	history_end(&history);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget property");
	TCase *tests = tcase_create("histories");

	tcase_set_timeout(tests, 600);
	tcase_add_loop_test(tests, spent_and_committed_stay_within_each_budget,
			    0, HISTORIES);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
