/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/charged_until.h"
#include "guard.h"
#include "usage/clock_step.h"

static int remember(void *item, void *arg)
{
	const job_record_t *job = item;
	time_t last_ran = *(const time_t *) arg;

	if (eqt_guard_ok(job) && job->start_time &&
	    eqt_charged_until(job->job_id) < last_ran &&
	    (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)))
		eqt_charged_until_set(job->job_id, last_ran);
	return 0;
}

void eqt_clock_step(time_t last_ran, time_t now)
{
	eqt_log_info("the clock went back by %lld s; jobs that run are "
		     "charged up to where it was",
		     (long long) (last_ran - now));
	if (job_list)
		list_for_each(job_list, remember, &last_ran);
}
