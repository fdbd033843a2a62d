/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "usage/charged_until.h"
#include "usage/lost_end.h"

static struct {
	time_t last_ran; /* of the snapshot; 0: the first pass is over */
	struct eqt_job_times told; /* jobs that ended since the start */
} lost;

void eqt_lost_end_begin(time_t last_ran)
{
	lost.last_ran = last_ran;
}

void eqt_lost_end_told(uint32_t job_id)
{
	if (lost.last_ran)
		eqt_job_times_set(&lost.told, job_id, 1);
}

bool eqt_lost_end_is(const job_record_t *job)
{
	return lost.last_ran && job->end_time > lost.last_ran &&
	       job->end_time_exp == (time_t) NO_VAL &&
	       (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job)) &&
	       eqt_charged_until(job->job_id) < job->end_time &&
	       !eqt_job_times_find(&lost.told, job->job_id);
}

void eqt_lost_end_over(void)
{
	lost.last_ran = 0;
	eqt_job_times_clear(&lost.told);
}
