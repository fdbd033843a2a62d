/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs: the table of runs. A run is a job from one start to its end. Its cost is computed
 * once, here, and budgets settle that (docs/design/0082).
 *
 * Each running job has a run from its first charge on. An ended job keeps its run while it
 * holds nodes, and until the next pass. A run has the start, the price and the charged time
 * of its job, because the record of a job that was requeued, resized or purged no longer has
 * these; and the amount that it owes to budgets (job_run.h). It also has the marks of its
 * job, which outlive the run; after a start of slurmctld an entry may have only marks.
 *
 * A run never moves while the table grows: the table has blocks of runs, and a hash table of
 * their places. It grows when jobs become known; otherwise nothing is allocated. It is
 * changed under slurmctld's job lock and assoc_mgr's assoc lock, both for writing, or from
 * init and fini; one of the two is enough to read.
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
	time_t start; /* of their run */
	time_t from, to;
	time_t idle_s; /* the first seconds, which are not charged */
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
		copied; /* number of the last copy of the file "open" that has it */
	char decided, pool;
};

/* Notes of one charge of a job for the next one, even if that is of another run. {0}: none.
 * Times are seconds since the epoch. */
struct eqt_run_marks {
	/*
	 * The time up to which the job is charged, if that is not the last pass: for a
	 * resized job the resize; or the end that the journal has, for a job that runs again
	 * because slurmctld was killed before it saved that end. A mark from before the
	 * job's start does not count.
	 */
	time_t charged_until;
	/*
	 * The end up to which the journal refunded the job. If slurmctld was killed before it
	 * saved that end, the job runs again, and a second refund begins here.
	 */
	time_t refunded;
	/*
	 * The time at which the ended job had released all of its nodes, and up to which it
	 * was charged. If slurmctld was killed before it saved that, the job completes a
	 * second time, and is not charged for that.
	 */
	time_t freed;
	/* The start, as slurmctld has it, of a run whose end the record of charges has, and
	 * whose end is later than the last pass: the clock was set back since. */
	time_t recorded;
	/* If suspensions are not charged: 1 + the seconds of suspension up to the end of the
	 * last charge. 0: not known, as after a start, or never suspended. */
	time_t suspended;
	/*
	 * The job was resized since the last pass: slurmctld has counted its run-seconds
	 * from its start again, so the passed part must be subtracted once more.
	 */
	bool recounted;
	bool parted; /* charged_until is from a journal line of a job that goes on */
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
	time_t shift; /* seconds that the clock was set by since start was noted (clock.h) */
	time_t resized; /* start of this size; 0: it was never resized */
	time_t until; /* charged up to here */
	bool in_parts; /* its last line does not have all that budgets have settled */
	bool recalled; /* an earlier slurmctld charged it */
	time_t guessed; /* it charged at unknown prices from this time on; 0: it did not */
	time_t seen; /* the moment of that look */
	time_t suspended_s; /* at that look: suspended seconds since the start */
	double rate; /* in the unit of usage */
	double factor; /* UsageFactor, without that of the time of the week */
	double price; /* equivalents, of the last charge */
	uint64_t owed_u; /* micro-equivalent-seconds, not settled yet */
	time_t owed_from; /* the begin of the time that owed_u is for */
	uint64_t settled_u; /* settled by budgets, and not excused */
	/* The cost of sizes that it had while budgets could not be read. Budgets settle it
	 * even if the rest of the run is excused. */
	uint64_t unread_u;
	/* owed_u and settled_u include the lines of the record below this number; 0: not
	 * known. */
	uint64_t line;
	uint32_t reserved; /* the reservation of the job; 0: none */
	/* In the run of a reservation: */
	double jobs_paid; /* by its jobs since the last pass, equivalent-seconds */
	double whole; /* the price of the whole reservation */
	time_t ends;
	struct eqt_run_marks marks; /* of the job */
	struct eqt_run_open open; /* for the record of charges */
};

#define EQT_RUNS_BLOCK 256 /* runs of a block */

/* {0} is empty; eqt_runs_free() frees what it holds. */
struct eqt_runs {
	struct eqt_job_table places; /* the place of each job's run */
	struct eqt_run **block;
	size_t blocks;
	size_t count; /* places 0 to count - 1 are in use */
	uint32_t look; /* number of the present pass or look */
	bool shifted; /* some run has a shift */
	bool whole; /* runs that go on have all that earlier slurmctlds charged */
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

/* The clock was moved by a step: move all times of charges. The start of a run stays as
 * slurmctld's record has it, and its shift grows. Unless all is true, only the marks of runs
 * that were read from the file of open stretches move. */
void eqt_runs_shift(struct eqt_runs *runs, time_t step, bool all);

/* Free what *runs owns; it is empty then. */
void eqt_runs_free(struct eqt_runs *runs);

#endif
