/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks of single jobs between two charges. */
#include "usage/runs/job_marks.h"

time_t eqt_job_marks_charged_until(const struct eqt_job_marks *marks,
				   uint32_t job_id)
{
	const time_t *until = eqt_job_table_get(&marks->charged_until, job_id);

	return until ? *until : 0;
}

void eqt_job_marks_free(struct eqt_job_marks *marks)
{
	eqt_job_table_free(&marks->charged_until);
	eqt_job_table_free(&marks->resized);
	eqt_job_table_free(&marks->suspended);
	eqt_job_table_free(&marks->refunded);
	eqt_job_table_free(&marks->freed);
}

void eqt_lost_end_begin(struct eqt_lost_end *lost, time_t last_ran)
{
	lost->last_ran = last_ran;
}

void eqt_lost_end_exclude(struct eqt_lost_end *lost, uint32_t job_id)
{
	if (lost->last_ran)
		eqt_job_table_add(&lost->ended, job_id);
}

/* end_time_exp is NO_VAL: slurmctld saved the job after a charge of its end. No
 * line of the journal set its mark, and no hook has charged it since. */
bool eqt_lost_end_is(const struct eqt_lost_end *lost, const job_record_t *job)
{
	return lost->last_ran && job->end_time > lost->last_ran &&
	       job->end_time_exp == (time_t) NO_VAL &&
	       (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job)) &&
	       eqt_job_marks_charged_until(lost->marks, job->job_id) <
		       job->end_time &&
	       !eqt_job_table_has(&lost->ended, job->job_id);
}

void eqt_lost_end_over(struct eqt_lost_end *lost)
{
	lost->last_ran = 0;
	eqt_job_table_free(&lost->ended);
}
