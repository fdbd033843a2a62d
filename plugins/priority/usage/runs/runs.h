/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs: the table of runs. A run is a job from one start to its end. Its cost
 * is computed once, here, and budgets settle that cost (docs/design/0082).
 *
 * Each running job has a run from its first charge on. An ended job keeps its
 * run while it holds nodes, and until the next pass. A run has the start, the
 * price and the charged time of its job, because the record of a job that was
 * requeued, resized or purged no longer has these. It also has the amount that
 * it owes to budgets (job_run.h), and the marks of its job, which outlive the
 * run. After a start of slurmctld an entry may have only marks.
 *
 * A run never moves while the table grows: the table has blocks of runs, and a
 * hash table of their places. It grows when jobs become known; otherwise
 * nothing is allocated. It is changed while slurmctld's job lock and
 * assoc_mgr's assoc lock are both held for writing, or by init() and fini(). To
 * read it, one of the two locks is enough.
 */
#ifndef EQT_RUNS_H
#define EQT_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "ledger/charge_record.h"
#include "walk/job_table.h"

/* Seconds that were charged at one price and have no line in the record of
 * charges yet (run_record.h). A struct of zeros is empty. */
struct eqt_run_open {
	time_t start; /* The start of the run. */
	time_t from, to;
	/* The number of seconds at the beginning that are not charged. */
	time_t idle_s;
	double rate; /* In the unit of usage. */
	double factor;
	uint64_t billing;
	uint64_t scale; /* The unit of usage. */
	uint64_t unit; /* The units of `rate` in one equivalent. */
	uint64_t money_u;
	/* Owned by the record; NULL if there is none. */
	const char *partition, *currency;
	uint32_t array_job_id, array_task_id, het_job_id;
	uint32_t restarts;
	/* The number of the last copy of the file "open" that has this
	   stretch. */
	uint32_t copied;
	char decided, pool;
};

/* Marks that one charge of a job leaves for the next charge, even if that
 * charge belongs to another run. A struct of zeros is empty. Times are in
 * seconds since the epoch. */
struct eqt_run_marks {
	/*
	 * The time up to which the job is charged, if that is not the last
	 * pass. For a resized job it is the time of the resize. For a job that
	 * runs again because slurmctld was killed before it saved the end, it
	 * is the end that the journal has. A mark that is older than the job's
	 * start does not count.
	 */
	time_t charged_until;
	/*
	 * The end up to which the journal refunded the job. If slurmctld was
	 * killed before it saved that end, the job runs again, and a second
	 * refund begins here.
	 */
	time_t refunded;
	/*
	 * The time at which the ended job had released all of its nodes, and up
	 * to which it was charged. If slurmctld was killed before it saved
	 * that, the job completes a second time and is not charged for that.
	 */
	time_t freed;
	/* The start, as slurmctld has it, of a run that ended later than the
	   last pass according to the record of charges. That is so if the clock
	   was set back since. */
	time_t recorded;
	/* If suspensions are not charged: 1 + the seconds of suspension up to
	   the end of the last charge. 0 if they are not known, as after a
	   start, or if the job was never suspended. */
	time_t suspended;
	/*
	 * The job was resized since the last pass. slurmctld has counted its
	 * run-seconds from its start again, so the passed part must be
	 * subtracted once more.
	 */
	bool recounted;
	/* The value of charged_until comes from a journal line of a job that
	   continues. */
	bool parted;
	/* slurmctld reported the job's end before the first pass. */
	bool ended;
	bool completes; /* The job is one of the jobs in completing.h. */
};

/* One run. Times are in seconds since the epoch. */
struct eqt_run {
	uint32_t job_id;
	uint32_t assoc_id;
	uint32_t qos_id; /* 0 if there is none. */
	uint32_t part_qos_id; /* 0 if there is none. */
	/* The number of the last pass or search that found the job running. */
	uint32_t look;
	/* The job was suspended at the pass or search that `look` counts. */
	bool is_suspended;
	bool is_over; /* The run is charged to its end, or has not begun. */
	bool holds; /* The run is over, and its job still holds nodes. */
	/* The start of the run, as slurmctld has it; 0 if the run is new. */
	time_t start;
	/* The seconds by which the clock was set since the start was recorded
	   (clock.h). */
	time_t shift;
	/* When the job got its present size; 0 if the job was never resized. */
	time_t resized;
	time_t until; /* The time up to which the run is charged. */
	/* The last line of the run does not cover everything that budgets have
	   settled. */
	bool in_parts;
	bool recalled; /* An earlier slurmctld charged the run. */
	/* The time from which on an earlier slurmctld charged the run at
	   unknown prices; 0 if none did. */
	time_t guessed;
	time_t seen; /* The time of the pass or search that `look` counts. */
	/* The suspended seconds from the start of the run to `seen`. */
	time_t suspended_s;
	double rate; /* In the unit of usage. */
	/* UsageFactor, without the factor of the time of the week. */
	double factor;
	double price; /* The equivalents of the last charge. */
	uint64_t owed_u; /* In micro-equivalent-seconds, not settled yet. */
	/* The beginning of the time for which the run owes owed_u. */
	time_t owed_from;
	/* The amount that budgets have settled and not excused. */
	uint64_t settled_u;
	/* The cost of the sizes that the run had while budgets could not be
	   read. Budgets settle it even if the rest of the run is excused. */
	uint64_t unread_u;
	/* owed_u and settled_u include the lines of the record below this
	   number; 0 if it is not known. */
	uint64_t line;
	uint32_t reserved; /* The reservation of the job; 0 if there is none. */
	/* The members below belong to the run of a reservation. */
	/* What jobs of the reservation paid since the last pass, in
	   equivalent-seconds. */
	double jobs_paid;
	double whole; /* The price of the whole reservation. */
	time_t ends;
	struct eqt_run_marks marks; /* The marks of the job. */
	/* The open stretch, for the record of charges. */
	struct eqt_run_open open;
};

#define EQT_RUNS_BLOCK 256 /* The number of runs in a block. */

/* A table of runs. A struct of zeros is empty, and eqt_runs_free() frees its
 * members. */
struct eqt_runs {
	struct eqt_job_table places; /* The place of each job's run. */
	struct eqt_run **block;
	size_t blocks;
	size_t count; /* The places from 0 to count - 1 are in use. */
	uint32_t look; /* The number of the present pass or search. */
	bool shifted; /* Some run has a shift. */
	/* Continuing runs have everything that earlier slurmctlds charged. */
	bool whole;
	uint32_t reserved; /* The number of runs of reservations. */
};

/* The entry of a job, which may have only marks, or NULL. It is valid until a
 * run is forgotten. */
struct eqt_run *eqt_runs_find(const struct eqt_runs *runs, uint32_t job_id);

/* The run of a job, or NULL if there is none or its entry has only marks. */
struct eqt_run *eqt_runs_get(const struct eqt_runs *runs, uint32_t job_id);

/* The entry of a job. If there is none, a new entry is added, without marks and
 * with a run that has not begun. Returns NULL if memory is short. */
struct eqt_run *eqt_runs_add(struct eqt_runs *runs, uint32_t job_id);

/* The start of a run as slurmctld has it, also before its first charge after a
 * restart. */
static inline time_t eqt_run_start(const struct eqt_run *run)
{
	return run->start ? run->start : run->open.start;
}

/* The run at a place below count. The places have no order. */
struct eqt_run *eqt_runs_at(const struct eqt_runs *runs, size_t place);

/* Forget a job's run. The run at the last place moves to its place. */
void eqt_runs_forget(struct eqt_runs *runs, uint32_t job_id);

/* Move all times of charges by a step, because the clock was set. The start of
 * a run stays as slurmctld's record has it, and its shift grows. If `all` is
 * false, only the marks of runs that were read from the file of open stretches
 * move. */
void eqt_runs_shift(struct eqt_runs *runs, time_t step, bool all);

/* Free the members of *runs, and make it empty. */
void eqt_runs_free(struct eqt_runs *runs);

#endif
