/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>

#include "walk/job_times.h"
#include "usage/suspend.h"

/* Seconds, up to the end of the last span, of jobs that ever were. */
static struct eqt_job_times known;

static time_t least_of(time_t a, time_t b)
{
	return a < b ? a : b;
}

/* Not below 0. */
static time_t since(time_t from, time_t to)
{
	return to > from ? to - from : 0;
}

/* Cancelled in its sleep: Slurm ends it there, but counts on until now. */
static bool ended_suspended(const job_record_t *job)
{
	return IS_JOB_FINISHED(job) && job->suspend_time &&
	       job->end_time == job->suspend_time;
}

/* All seconds until to, which is in the present or at the job's end. */
static time_t total(const job_record_t *job, time_t now, time_t to)
{
	time_t sum = job->tot_sus_time;

	if (IS_JOB_SUSPENDED(job))
		sum += since(job->suspend_time, to);
	else if (ended_suspended(job))
		sum = since(since(job->suspend_time, now), sum);
	return sum;
}

/* Of a job that was resumed while a pass was already at work: what of that
 * stretch is after the moment that the pass charges up to. */
static time_t not_yet(const job_record_t *job, time_t to, time_t within)
{
	if (IS_JOB_SUSPENDED(job) || ended_suspended(job))
		return 0;
	return least_of(since(to, job->suspend_time), within);
}

time_t eqt_suspend_within(const job_record_t *job, time_t now, time_t from,
			  time_t to)
{
	const struct eqt_job_time *before =
		eqt_job_times_find(&known, job->job_id);
	time_t sum = total(job, now, to), within;

	if (!job->suspend_time || sum == 0)
		return 0;
	within = since(before ? before->value : 0, sum);
	sum -= not_yet(job, to, within);
	within = since(before ? before->value : 0, sum);
	if (!IS_JOB_SUSPENDED(job) && !ended_suspended(job))
		within = least_of(within, since(from, job->suspend_time));
	else if (IS_JOB_SUSPENDED(job) && !before)
		within = since(job->suspend_time, to);
	eqt_job_times_set(&known, job->job_id, sum);
	return least_of(within, since(from, to));
}

void eqt_suspend_forget(uint32_t job_id)
{
	eqt_job_times_forget(&known, job_id);
}

void eqt_suspend_clear(void)
{
	eqt_job_times_clear(&known);
}
