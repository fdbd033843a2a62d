/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_run: the run of a job that is charged (usage/runs/runs.h), made from
 * slurmctld's record of the job.
 *
 * slurmctld's job lock is held for writing, and EQT_CHARGE_ASSOC_LOCKS of
 * assoc_mgr.
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
 * stretch: the cost of a run. Each charge of a job adds its seconds to the
 * present stretch of its run. A resize or the end closes the stretch, and
 * budgets settle what the run owes. Decayed usage is charged with the same
 * seconds at the same rate (job_charge.h).
 *
 * For all functions, slurmctld's job lock is held for writing, and
 * EQT_CHARGE_ASSOC_LOCKS of assoc_mgr.
 */

/* Why a stretch ends. */
enum eqt_stretch_kind {
	EQT_STRETCH_RESIZE, /* The job continues at another size. */
	EQT_STRETCH_END, /* The run is over. */
	EQT_STRETCH_HELD, /* The job has held nodes after its end until now. */
	/* A slurmctld that was killed has forgotten the run. */
	EQT_STRETCH_LOST
};

/* The end of a stretch. */
struct eqt_stretch_end {
	enum eqt_stretch_kind kind;
	/* The run is over and holds nodes, so EQT_STRETCH_HELD follows. */
	bool holds;
	const struct eqt_run *run;
	struct eqt_run_settled *settled; /* Filled by budgets. */
	/* NULL if the record was removed or belongs to another run. */
	job_record_t *job;
};

/* Callbacks of budgets, which settle run->owed_u when a stretch ends. arg is
 * borrowed. Any thread may call active(). */
struct eqt_stretch_sink {
	bool (*active)(void *arg);
	void (*settle)(void *arg, const struct eqt_config *config,
		       const struct eqt_stretch_end *end);
	void *arg;
	struct eqt_run_record *record; /* Borrowed. */
	/* Borrowed. The runs of reservations record what their jobs pay. */
	struct eqt_runs *runs;
};

/* A price times its factor, in millionths of an equivalent, rounded up. A
 * rounding error of a double adds no millionth. */
uint64_t eqt_stretch_rate_u(double price, double factor);

/* What a run owes after these seconds are added. The sum does not exceed
 * UINT64_MAX. Of a recalled run, seconds before run->until are not added again:
 * a kill removed them from usage, but the run still has them. */
uint64_t eqt_stretch_owed_u(const struct eqt_run *run,
			    const struct eqt_run_charge *part);

/* Add seconds to the run's stretch, at the price that they have. */
void eqt_stretch_add(const struct eqt_stretch_sink *sink, struct eqt_run *run,
		     const struct eqt_run_charge *part);

/* End the stretch of a run, which may be empty, and let budgets settle
 * everything that the run owes. end->run is that run. */
void eqt_stretch_close(const struct eqt_stretch_sink *sink,
		       const struct eqt_config *config, struct eqt_run *run,
		       const struct eqt_stretch_end *end);

/* Process a line of the record of charges that a start has read from the
 * journal. Its seconds are removed from the open stretch, and count as settled
 * if they were settled. Only budgets know whether their entry is on the disk as
 * well, so they compare run->settled_u with their own sum. */
void eqt_stretch_seen(struct eqt_runs *runs,
		      const struct eqt_charge_record *line);

/* Cut the open stretch at `to`, because usage has only the charges up to that
 * time. */
void eqt_stretch_cut(struct eqt_run *run, time_t to);

/* Let budgets settle what a run owes. The run was charged, but slurmctld has
 * forgotten it. `job` is the record of the run's job, or NULL. */
void eqt_stretch_lose(const struct eqt_stretch_sink *sink,
		      const struct eqt_config *config, struct eqt_run *run,
		      job_record_t *job);

/* The table of runs, the budgets that settle them, and their clock. The
 * pointers are borrowed. */
struct eqt_job_runs {
	struct eqt_runs *table;
	const struct eqt_stretch_sink *sink;
	const struct eqt_clock *clock;
};

/* Do budgets settle what runs owe? */
bool eqt_job_run_is_settled(const struct eqt_job_runs *runs);

/* The start of a job by the clock of charges. slurmctld's record has the start
 * by the wall clock, which may have been set since. */
time_t eqt_job_run_start(const struct eqt_job_runs *runs,
			 const job_record_t *job);

/* Like eqt_job_run_start(), but run is the job's entry in the table, or
 * NULL. */
time_t eqt_job_run_start_of(const struct eqt_job_runs *runs,
			    const struct eqt_run *run, const job_record_t *job);

/*
 * Suspended time, for sites that do not charge it (charge_suspended = no). A
 * job's record has the sum of its past suspensions, and the time at which it
 * was last suspended or resumed. So the sum at the end of each span is
 * remembered and subtracted the next time.
 */

/* All seconds in which the job was suspended, up to `to`, which is now or the
 * end of the job. It is enough to hold the job lock for reading. */
time_t eqt_job_run_suspended(const job_record_t *job, time_t now, time_t to);

/* Was the job cancelled while it was suspended? Slurm then sets its end to the
 * begin of the suspension, but adds the time until now to the sum. */
bool eqt_job_run_ends_suspended(const job_record_t *job);

/* The seconds within [from, to] in which the job was suspended. `from` is the
 * `to` of the previous call. *mark has the sum at that time (struct
 * eqt_run_marks), and becomes the sum at `to`. If *mark is 0, the span is
 * assumed to have one suspension that is as long as possible. */
time_t eqt_job_run_suspended_in(time_t *mark, const job_record_t *job,
				time_t now, time_t from, time_t to);

/* Record the true start of a job whose record has another start. The job is
 * charged up to `now`. */
void eqt_job_run_place(const struct eqt_job_runs *runs, const job_record_t *job,
		       time_t start, time_t now);

/*
 * Begin a run that is charged up to next->from, at the price of next. If an
 * earlier slurmctld charged it and left no record of that, the run owes the
 * time since its start or its last resize at the present price. *run is the
 * job's last run, or a struct of zeros.
 */
void eqt_job_run_begin(const struct eqt_job_runs *runs,
		       const struct eqt_config *config, job_record_t *job,
		       const struct eqt_run_charge *next, struct eqt_run *run);

/* Begin a stretch for the nodes that a job holds, which ended before slurmctld
 * started and is charged up to `until`. */
void eqt_job_run_hold(const struct eqt_job_runs *runs, const job_record_t *job,
		      time_t until);

/* Add a charge to the run of the job. run is the job's entry in the table, or
 * NULL. Returns the entry, or NULL if the job never ran or memory is short. */
struct eqt_run *eqt_job_run_add(const struct eqt_job_runs *runs,
				struct eqt_run *run, job_record_t *job,
				const struct eqt_post *post,
				const struct eqt_run_charge *part);

#endif
