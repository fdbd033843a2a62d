/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_marks: marks of single jobs that last from one charge to the next. The tables are
 * short, except that of jobs that were ever suspended.
 *
 * All calls are made with slurmctld's job lock held for writing, or from init or fini.
 */
#ifndef EQT_JOB_MARKS_H
#define EQT_JOB_MARKS_H

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

#endif
