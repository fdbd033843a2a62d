/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs: the table of runs. A run is a job from one start to its end; what it costs is
 * worked out once, here; budgets settle it (docs/design/0082).
 *
 * Each running job has a run from its first charge on, and an ended one keeps it while it
 * holds nodes, and until the next pass. A run has the start, the price and the charged
 * time of its job, which the record of a job that was requeued, resized or purged no
 * longer has, and what it owes to budgets (job_run.h). It also has the marks of its job,
 * which outlive the run; after a start of slurmctld an entry may have nothing else.
 *
 * The records never move: they lie in blocks, with a hash table of their places. The
 * table grows when jobs become known; otherwise nothing is allocated. Changed under
 * slurmctld's job lock and assoc_mgr's assoc lock, both for writing, or from init and
 * fini; one of the two is enough to read.
 */
#ifndef EQT_RUNS_H
#define EQT_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "ledger/charge_record.h"
#include "walk/job_table.h"

/* Seconds that were charged at one price, and have no line in the record of charges yet
 * (run_record.h). {0}: none. */
struct eqt_run_open {
	time_t start; /* of the run that they are of */
	time_t from, to;
	time_t idle_s; /* not charged, at the begin */
	double rate; /* in the unit of usage */
	double factor;
	uint64_t billing;
	uint64_t scale; /* the unit of usage */
	uint64_t unit; /* of rate, in one equivalent */
	uint64_t money_u;
	const char *partition, *currency; /* of the record; NULL: none */
	uint32_t array_job_id, array_task_id, het_job_id;
	uint32_t restarts;
	uint32_t
		copied; /* number of the pass that has copied it to the file "open" */
	char decided, pool;
};

/* What one charge of a job leaves for the next one, also that of another run. {0}: none.
 * Times are seconds since the epoch. */
struct eqt_run_marks {
	/*
	 * The job is charged up to a time other than the last pass: a resized one up to
	 * the resize, at its old size; one that the journal charged to its end, but that
	 * runs again because slurmctld was killed before it saved its own state, up to
	 * that end (before or after the last pass). A mark from before the job's start
	 * does not count.
	 */
	time_t charged_until;
	/*
	 * The journal refunded the job up to its end. slurmctld may have been killed
	 * before it saved that end, and then runs the job again: a second refund begins
	 * there.
	 */
	time_t refunded;
	/*
	 * The ended job held no node any more, and was charged up to then. slurmctld may
	 * have been killed before it saved that: then the job completes once more, and is
	 * not charged for it.
	 */
	time_t freed;
	/* The start, as slurmctld has it, of a run that the record has to its end, which is
	 * later than the last pass: the clock was set back since. */
	time_t recorded;
	/* 1 + the seconds of suspension up to the end of the last span charged, where they
	 * are not charged; 0: not known, as after a start, or never suspended. */
	time_t suspended;
	/*
	 * The job was resized since the last pass: slurmctld has counted its run-seconds
	 * from its start again, so the passed part must be subtracted once more.
	 */
	bool recounted;
	bool parted; /* the journal charged a job that goes on, up to charged_until */
	bool ended; /* slurmctld reported its end before the first pass */
	bool completes; /* it is one of those in completing.h */
};

/* One run. Times are seconds since the epoch. */
struct eqt_run {
	uint32_t job_id;
	uint32_t assoc_id;
	uint32_t qos_id; /* 0: none */
	uint32_t part_qos_id; /* 0: none */
	uint32_t look; /* the last pass or look that found it running */
	bool is_suspended; /* at that look */
	bool is_over; /* charged to its end, or not begun */
	bool holds; /* it is over, and still holds nodes */
	time_t start; /* of the run, as slurmctld has it; 0: the run is new */
	time_t shift; /* of the clock since that start was noted (clock.h) */
	time_t resized; /* start of this size; 0: it was never resized */
	time_t until; /* charged up to here */
	bool in_parts; /* its last line alone does not say what budgets have settled */
	bool recalled; /* an earlier slurmctld charged it, */
	time_t guessed; /* 0; or from this time on, and nobody knows at which prices */
	time_t seen; /* the moment of that look, */
	time_t suspended_s; /* and the suspended seconds since the start */
	double rate; /* in the unit of usage */
	double factor; /* UsageFactor, without that of the time of the week */
	double price; /* equivalents, of the last charge */
	uint64_t owed_u; /* micro-equivalent-seconds, not settled yet */
	time_t owed_from; /* since this time */
	uint64_t settled_u; /* and what budgets have settled, and not excused */
	/* What sizes cost that it had while budgets could not be read. Budgets settle it,
	 * also if the rest of the run is excused. */
	uint64_t unread_u;
	uint64_t
		line; /* of the record, below which lines count in these two; 0: none */
	/* The reservation of the job; 0: none. In the run of a reservation: what its jobs
	 * were charged since the last pass, in equivalent-seconds, the price of all of
	 * it, and its end. */
	uint32_t reserved;
	double jobs_paid, whole;
	time_t ends;
	struct eqt_run_marks marks; /* of the job */
	struct eqt_run_open open; /* for the record of charges */
};

#define EQT_RUNS_BLOCK 256 /* runs of a block */

/* {0} is empty; eqt_runs_free() frees what it holds. */
struct eqt_runs {
	struct eqt_job_table places; /* 1 + the place of a job */
	struct eqt_run **block;
	size_t blocks;
	size_t count; /* places 0 to count - 1 are in use */
	uint32_t look; /* number of the present pass or look */
	bool shifted; /* some run has a shift */
	bool whole; /* whatever earlier slurmctlds charged for a run that goes on is here */
	uint32_t reserved; /* runs of reservations */
};

/* The entry of a job, which may have marks alone, or NULL; valid until a run is
 * forgotten. */
struct eqt_run *eqt_runs_find(const struct eqt_runs *runs, uint32_t job_id);

/* The run of a job, or NULL: there is none, or there are marks alone. */
struct eqt_run *eqt_runs_get(const struct eqt_runs *runs, uint32_t job_id);

/* The entry of a job; if there is none, a new one without marks, whose run has not begun.
 * NULL: out of memory. */
struct eqt_run *eqt_runs_add(struct eqt_runs *runs, uint32_t job_id);

/* The start of a run as slurmctld has it, also before its first charge after a restart. */
static inline time_t eqt_run_start(const struct eqt_run *run)
{
	return run->start ? run->start : run->open.start;
}

/* The run at a place below count, in no order. */
struct eqt_run *eqt_runs_at(const struct eqt_runs *runs, size_t place);

/* Forget a job's run; the one at the last place takes its place. */
void eqt_runs_forget(struct eqt_runs *runs, uint32_t job_id);

/* The clock has followed a step: all times of charges move by it. The start of a run stays,
 * as slurmctld's record has it; its shift grows. all: also those that a start has from the
 * file of open stretches, of which otherwise the marks alone move. */
void eqt_runs_shift(struct eqt_runs *runs, time_t step, bool all);

/* Free what *runs owns; it is empty then. */
void eqt_runs_free(struct eqt_runs *runs);

#endif
