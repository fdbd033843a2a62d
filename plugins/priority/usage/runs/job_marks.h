/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_marks: marks of single jobs that last from one charge to the next. The tables are
 * short, except that of jobs that were ever suspended.
 *
 * All calls are made with slurmctld's job lock held for writing, or from init or fini.
 */
#ifndef EQT_JOB_MARKS_H
#define EQT_JOB_MARKS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "slurm/compat.h"
#include "walk/job_table.h"

/* {0} is empty; eqt_job_marks_free() frees what it holds. */
struct eqt_job_marks {
	/*
	 * Running jobs that are charged up to a time other than the last pass:
	 * a resized job up to the resize, at its old size; a job that ran when
	 * the clock was set back up to the old time; a job that the journal
	 * charged to its end, but that runs again because slurmctld was killed
	 * before it saved its own state, up to that end (before or after the
	 * last pass). A mark from before the job's start does not count.
	 */
	struct eqt_job_table charged_until;
	/*
	 * Jobs that were resized since the last pass: slurmctld has counted
	 * their run-seconds from their start again, so the passed part must be
	 * subtracted once more. No values.
	 */
	struct eqt_job_table resized;
	/* Seconds of suspension up to the end of the last span charged
	 * (suspend.h). */
	struct eqt_job_table suspended;
	/*
	 * Jobs that the journal refunded, up to their end. slurmctld may have
	 * been killed before it saved that end, and then runs the job again: a
	 * second refund begins there.
	 */
	struct eqt_job_table refunded;
	/*
	 * Ended jobs that held no node any more, up to when they are charged.
	 * slurmctld may have been killed before it saved that: then they
	 * complete once more, and are not charged for it. Until the first pass.
	 */
	struct eqt_job_table freed;
};

/* The time up to which a job is charged; 0 without a mark. */
time_t eqt_job_marks_charged_until(const struct eqt_job_marks *marks,
				   uint32_t job_id);

/* Free what *marks owns; all tables are empty then. */
void eqt_job_marks_free(struct eqt_job_marks *marks);

/*
 * lost_end: jobs that slurmctld saved as ended and charged, but whose line of the
 * journal was lost by a kill.
 *
 * slurmctld reports an end under its locks, and another thread writes the line
 * without them. If slurmctld is killed in between, and had saved the job already,
 * its record says that the job is charged, and no file of ours does. The first pass
 * after a start charges such a job: its end is after the snapshot's time, and
 * neither the journal nor slurmctld has reported it.
 *
 * Called under slurmctld's job lock (for writing, or reading where the argument is
 * const), or from init and fini.
 */

/* marks is not owned; eqt_lost_end_over() frees the rest. */
struct eqt_lost_end {
	const struct eqt_job_marks *marks;
	time_t last_ran; /* of the snapshot; 0: the first pass is over */
	struct eqt_job_table ended; /* jobs that ended since the start */
};

/* A snapshot as of last_ran was recovered, with the journal after it. */
void eqt_lost_end_begin(struct eqt_lost_end *lost, time_t last_ran);

/* slurmctld reports the end of this job, which is charged now. */
void eqt_lost_end_exclude(struct eqt_lost_end *lost, uint32_t job_id);

/* Was the end of this job, which has started once, lost? */
bool eqt_lost_end_is(const struct eqt_lost_end *lost, const job_record_t *job);

/* The first pass has visited all jobs. */
void eqt_lost_end_over(struct eqt_lost_end *lost);

#endif
