/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "usage/ends/lost_end.h"

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
