/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budgets: the cost of budgets in the core, with many budgets and many jobs that
 * have committed a part of them. A line each: what, and the median of nanoseconds.
 *
 * budgets FILE COUNT [HOURS]: write the journal of that many budgets for accounts a0, a1,
 * ... to FILE, for bench/pass. The last account has so many hours; all others have enough.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget/book_plan.h"
#include "median.h"

#define BUDGETS 1000
#define BUDGETS_MAX 10000
#define JOBS 100000
#define TURNS 9
#define CALLS 20000

static struct {
	struct eqt_book *book;
	uint64_t jobs;
	struct eqt_entry entry;
	char account[BUDGETS_MAX][EQT_BUDGET_NAME];
} bench;

static void fail(const char *what)
{
	fprintf(stderr, "budgets: %s\n", what);
	exit(2);
}

static void apply(const struct eqt_entry *entry)
{
	struct eqt_error err;

	if (eqt_book_apply(bench.book, entry, &err) < 0)
		fail(err.text);
}

static void grant(uint64_t id, uint64_t amount_u)
{
	struct eqt_entry entry = {
		.kind = EQT_ENTRY_GRANT, .seq = id, .budget = id, .when = 100
	};

	(void) snprintf(bench.account[id - 1], EQT_BUDGET_NAME, "a%llu",
			(unsigned long long) id - 1);
	memcpy(entry.state.terms.account, bench.account[id - 1],
	       EQT_BUDGET_NAME);
	entry.state.terms.amount_u = amount_u;
	entry.state.terms.start = 100;
	apply(&entry);
}

/* A user's job, whose account and the two above have a budget. */
static void wish_make(struct eqt_book_wish *wish, struct eqt_book_path *path,
		      uint64_t job)
{
	uint64_t i = job % BUDGETS;

	path->levels = 4;
	path->level[0].account = bench.account[i];
	path->level[0].user = "ada";
	for (int level = 1; level < 4; level++, i /= 10) {
		path->level[level].account = bench.account[i];
		path->level[level].user = "";
	}
	*wish = (struct eqt_book_wish){ .path = path,
					.pool = EQT_BUDGET_CORES,
					.qos = "normal",
					.job = job,
					.tasks = 1,
					.need_u = EQT_BUDGET_HOUR_U,
					.now = 1000 };
}

static void plan(uint64_t of, uint64_t job)
{
	struct eqt_book_path path;
	struct eqt_book_wish wish;

	wish_make(&wish, &path, of);
	wish.job = job;
	if (eqt_book_plan_commit(bench.book, &wish, &bench.entry, NULL) !=
	    EQT_BOOK_FITS)
		fail("a job does not fit");
}

/* As a submission is judged: it has no job yet. */
static void judge(void)
{
	plan(++bench.jobs, 0);
}

/* As a new job gets its priority: it commits, and its line is made. */
static void commit(void)
{
	char line[EQT_ENTRY_TEXT];

	bench.jobs++;
	plan(bench.jobs, bench.jobs);
	apply(&bench.entry);
	if (eqt_entry_body(&bench.entry, line, sizeof(line)) < 0)
		fail("a line is too long");
}

/* As a job ends. */
static void settle(void)
{
	const struct eqt_book_charge charge = { .job = bench.jobs--,
						.tasks = 1,
						.charge_u = 1000000,
						.until = 2000,
						.now = 2000 };
	char line[EQT_ENTRY_TEXT];

	if (eqt_book_plan_settle(bench.book, &charge, &bench.entry) < 0)
		fail("a job is not known");
	apply(&bench.entry);
	if (eqt_entry_body(&bench.entry, line, sizeof(line)) < 0)
		fail("a line is too long");
}

static void time_print(const char *name, void (*what)(void))
{
	double took[TURNS];

	for (int turn = 0; turn < TURNS; turn++) {
		const uint64_t jobs = bench.jobs;
		const double start = median_clock();

		for (int i = 0; i < CALLS; i++)
			what();
		took[turn] = (median_clock() - start) / CALLS;
		if (what == judge)
			bench.jobs = jobs;
	}
	printf("%s\t%.0f\n", name, median_of(took, TURNS));
}

static void journal_write(const char *path)
{
	FILE *file = fopen(path, "w");
	char line[EQT_ENTRY_TEXT];
	struct eqt_entry entry;
	uint32_t crc = 0;
	size_t at = 0;

	if (!file)
		fail("cannot open the file");
	while (eqt_book_state(bench.book, &at, &entry)) {
		int length = eqt_entry_body(&entry, line, sizeof(line));

		length = eqt_entry_seal(entry.seq, &crc, line, (size_t) length,
					sizeof(line));
		if (length < 0 ||
		    fwrite(line, 1, (size_t) length, file) != (size_t) length)
			fail("cannot write the file");
	}
	if (fclose(file) != 0)
		fail("cannot write the file");
}

int main(int argc, char **argv)
{
	const struct eqt_entry base = { .kind = EQT_ENTRY_BASE };
	const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : BUDGETS;

	if (count < 1 || count > BUDGETS_MAX || argc == 2)
		fail("wanted are FILE and a number of budgets");
	bench.book = eqt_book_new();
	if (!bench.book)
		fail("out of memory");
	apply(&base);
	for (uint64_t id = 1; id < count; id++)
		grant(id, EQT_BUDGET_MOST_U);
	grant(count, argc > 3 ? EQT_BUDGET_HOUR_U * (uint64_t) atoi(argv[3])
			      : EQT_BUDGET_MOST_U);
	if (argc > 1) {
		journal_write(argv[1]);
		return 0;
	}
	while (bench.jobs < JOBS)
		commit();
	time_print("judge a submission", judge);
	time_print("commit, with its line", commit);
	time_print("settle, with its line", settle);
	eqt_book_free(bench.book);
	return 0;
}
