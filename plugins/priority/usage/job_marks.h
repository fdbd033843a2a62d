/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_marks: what is remembered of single jobs between two charges. The tables
 * are short but for jobs that were ever suspended.
 *
 * All calls are made under slurmctld's job write lock, or from init or fini.
 */
#ifndef EQT_JOB_MARKS_H
#define EQT_JOB_MARKS_H

#include "walk/job_table.h"

/* {0} is empty; eqt_job_marks_free() frees what it holds. */
struct eqt_job_marks {
	/*
	 * Running jobs that are charged up to another moment than the last
	 * pass. A job that was resized is charged, at its old size, up to that
	 * moment. A job that ran when the clock was set back is charged up to
	 * the old time. A job that the journal charged to its end comes back as
	 * running when slurmctld was killed before it saved its own state; it is
	 * charged up to that end, before the last pass or after it. Says nothing
	 * of a run that began later.
	 */
	struct eqt_job_table charged_until;
	/*
	 * Jobs whose run seconds slurmctld has counted from their start again,
	 * because they were resized since the last pass: what has passed of them
	 * is to be taken off once more. No values.
	 */
	struct eqt_job_table resized;
	/* Seconds of suspension up to the end of the last span charged
	 * (suspend.h). */
	struct eqt_job_table suspended;
};

/* The moment up to which a job is charged, 0 when none is remembered. */
time_t eqt_job_marks_charged_until(const struct eqt_job_marks *marks,
				   uint32_t job_id);

void eqt_job_marks_free(struct eqt_job_marks *marks);

#endif
