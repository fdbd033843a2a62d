/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run-seconds of one job. Passed seconds are always rounded as one number from the start,
 * so that the parts of any division add up. */
#include <math.h>

#include "usage/amounts/charge_qos.h"
#include "usage/limits/run_secs.h"

static time_t run_secs_limit_end(const job_record_t *job)
{
	return job->start_time + (time_t) job->time_limit * 60;
}

static uint64_t run_secs_with_factor(const job_record_t *job, time_t seconds)
{
	return (uint64_t) floor(eqt_charge_qos_factor(job) * (double) seconds);
}

uint64_t eqt_run_secs_whole(const job_record_t *job)
{
	return run_secs_with_factor(job, (time_t) job->time_limit * 60);
}

uint64_t eqt_run_secs_passed(const job_record_t *job, time_t moment)
{
	if (moment > run_secs_limit_end(job))
		moment = run_secs_limit_end(job);
	return moment > job->start_time
		       ? run_secs_with_factor(job, moment - job->start_time)
		       : 0;
}

uint64_t eqt_run_secs_left(const job_record_t *job, time_t last_ran)
{
	return eqt_run_secs_whole(job) - eqt_run_secs_passed(job, last_ran);
}

uint64_t eqt_run_secs_freed(const struct eqt_config *config,
			    const job_record_t *job, time_t from, time_t to)
{
	if (from >= run_secs_limit_end(job))
		return 0;
	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job) ||
	    IS_JOB_RESIZING(job))
		to = run_secs_limit_end(job);
	else if (to > job->end_time_exp)
		to = job->end_time_exp;
	if (to <= from)
		return 0;
	/* Stock rounds each interval by itself. */
	if (config->stock.limits)
		return run_secs_with_factor(job, to - from);
	return eqt_run_secs_passed(job, to) - eqt_run_secs_passed(job, from);
}
