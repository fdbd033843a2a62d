/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_run: the run of a job that is charged (usage/runs/runs.h), made from slurmctld's
 * record of it.
 *
 * Locks: slurmctld's jobs for writing, assoc_mgr's as in EQT_CHARGE_ASSOC_LOCKS.
 */
#ifndef EQT_JOB_RUN_H
#define EQT_JOB_RUN_H

#include <stdbool.h>
#include <time.h>

#include "clock.h"
#include "configuration.h"
#include "slurm/compat.h"
#include "usage/amounts/post.h"
#include "usage/runs/run_record.h"
#include "usage/runs/runs.h"

/*
 * stretch: the cost of a run. Each charge of a job adds its seconds to the present stretch
 * of its run; a resize or the end closes the stretch, and budgets settle what the run owes.
 * Decayed usage is charged with the same seconds at the same rate (job_charge.h).
 *
 * Locks of all functions: slurmctld's jobs for writing and assoc_mgr's as in
 * EQT_CHARGE_ASSOC_LOCKS.
 */

/* Why a stretch ends. */
enum eqt_stretch_kind {
	EQT_STRETCH_RESIZE, /* the job goes on at another size */
	EQT_STRETCH_END, /* the run is over */
	EQT_STRETCH_HELD, /* the job has held nodes after its end up to now */
	EQT_STRETCH_LOST /* slurmctld, which was killed, has forgotten the run */
};

/* The end of a stretch; a plain value. */
struct eqt_stretch_end {
	enum eqt_stretch_kind kind;
	bool holds; /* the run is over and holds nodes: EQT_STRETCH_HELD follows */
	const struct eqt_run *run;
	struct eqt_run_settled *settled; /* filled by budgets */
	job_record_t *job; /* NULL: the record is gone, or is of another run */
};

/* Budgets, which settle run->owed_u when a stretch ends; arg is not owned. Any thread may
 * call active(). */
struct eqt_stretch_sink {
	bool (*active)(void *arg);
	void (*settle)(void *arg, const struct eqt_config *config,
		       const struct eqt_stretch_end *end);
	void *arg;
	struct eqt_run_record *record; /* not owned */
	struct eqt_runs
		*runs; /* not owned: those of reservations note what jobs pay */
};

/* A price times its factor, in millionths of an equivalent, rounded up. A rounding error of a
 * double adds no millionth. */
uint64_t eqt_stretch_rate_u(double price, double factor);

/* What a run owes with these seconds added; it saturates. Seconds before run->until that a
 * recalled run has already are not added: usage lost them by a kill, but the run did not. */
uint64_t eqt_stretch_owed_u(const struct eqt_run *run,
			    const struct eqt_run_charge *part);

/* Add seconds to the run's stretch, at the price that they have. */
void eqt_stretch_add(const struct eqt_stretch_sink *sink, struct eqt_run *run,
		     const struct eqt_run_charge *part);

/* End the stretch of a run, which may be empty, and have all that it owes settled.
 * end->run is that run. */
void eqt_stretch_close(const struct eqt_stretch_sink *sink,
		       const struct eqt_config *config, struct eqt_run *run,
		       const struct eqt_stretch_end *end);

/* A start has read a line of the record in the journal: remove its seconds from the open
 * stretch, and count them as settled if they were. Only budgets know whether their entry is on
 * the disk as well: they compare run->settled_u with their own sum. */
void eqt_stretch_seen(struct eqt_runs *runs,
		      const struct eqt_charge_record *line);

/* Usage has only the charges up to this time: cut the open stretch there. */
void eqt_stretch_cut(struct eqt_run *run, time_t to);

/* slurmctld has forgotten a run that was charged: have what it owes settled. job is the record
 * of its job, or NULL. */
void eqt_stretch_lose(const struct eqt_stretch_sink *sink,
		      const struct eqt_config *config, struct eqt_run *run,
		      job_record_t *job);

/* The table of runs, who settles them, and their clock; not owned. */
struct eqt_job_runs {
	struct eqt_runs *table;
	const struct eqt_stretch_sink *sink;
	const struct eqt_clock *clock;
};

/* Do budgets settle what runs owe? */
bool eqt_job_run_is_settled(const struct eqt_job_runs *runs);

/* The start of a job by the clock of charges; slurmctld's record has it by the wall clock,
 * which may have been set since. */
time_t eqt_job_run_start(const struct eqt_job_runs *runs,
			 const job_record_t *job);

/* The same; run is the job's entry in the table, or NULL. */
time_t eqt_job_run_start_of(const struct eqt_job_runs *runs,
			    const struct eqt_run *run, const job_record_t *job);

/*
 * Suspended time, for sites that do not charge it (charge_suspended = no). A job's record
 * has the sum of its past suspensions, and the time at which it was suspended or resumed
 * last. So the sum at the end of each span is remembered and subtracted the next time.
 */

/* All seconds in which the job was suspended, until to, which is now or its end. The job
 * lock for reading is enough. */
time_t eqt_job_run_suspended(const job_record_t *job, time_t now, time_t to);

/* Was the job cancelled while it was suspended? Slurm then sets its end to the begin of
 * the suspension, but adds the time until now to the sum. */
bool eqt_job_run_ends_suspended(const job_record_t *job);

/* Seconds within [from, to] in which the job was suspended. from is the `to` of the previous
 * call, and *mark has the sum at that time (struct eqt_run_marks); it is set to the sum at
 * `to`. If *mark is 0, the span is assumed to have one suspension, as long as possible. */
time_t eqt_job_run_suspended_in(time_t *mark, const job_record_t *job,
				time_t now, time_t from, time_t to);

/* Note the true start of a job whose record has another one; it is charged up to now. */
void eqt_job_run_place(const struct eqt_job_runs *runs, const job_record_t *job,
		       time_t start, time_t now);

/*
 * Begin a run that is charged up to next->from, at the price of next. If an earlier slurmctld
 * charged it and left no record of that, it owes the time since its start, or since its last
 * resize, at the present price. *run is the job's last run, or {0}.
 */
void eqt_job_run_begin(const struct eqt_job_runs *runs,
		       const struct eqt_config *config, job_record_t *job,
		       const struct eqt_run_charge *next, struct eqt_run *run);

/* A job ended before slurmctld started, is charged up to this time, and holds nodes: begin a
 * stretch of its run for them. */
void eqt_job_run_hold(const struct eqt_job_runs *runs, const job_record_t *job,
		      time_t until);

/* Add a charge to the run of the job; run is the job's entry in the table, or NULL. Returns
 * the entry; NULL: the job never ran, or memory is short. */
struct eqt_run *eqt_job_run_add(const struct eqt_job_runs *runs,
				struct eqt_run *run, job_record_t *job,
				const struct eqt_post *post,
				const struct eqt_run_charge *part);

#endif
