/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Suspended time within a span. The record has only the sum of past suspensions
 * (tot_sus_time) and the time of the last change (suspend_time), so the sum at the end of
 * each span is remembered and subtracted the next time.
 */

#include "usage/runs/suspend.h"

static time_t time_least(time_t a, time_t b)
{
	return a < b ? a : b;
}

/* to - from, but not below 0. */
static time_t time_since(time_t from, time_t to)
{
	return to > from ? to - from : 0;
}

bool eqt_suspend_is_end(const job_record_t *job)
{
	return IS_JOB_FINISHED(job) && job->suspend_time &&
	       job->end_time == job->suspend_time;
}

time_t eqt_suspend_until(const job_record_t *job, time_t now, time_t to)
{
	time_t sum = job->tot_sus_time;

	if (IS_JOB_SUSPENDED(job))
		sum += time_since(job->suspend_time, to);
	else if (eqt_suspend_is_end(job))
		sum = time_since(time_since(job->suspend_time, now), sum);
	return sum;
}

time_t eqt_suspend_total(const job_record_t *job, time_t now)
{
	return eqt_suspend_until(job, now, now);
}

/* If the job was resumed during a pass: the part of its suspension after the time up to
 * which the pass charges. */
static time_t suspend_after(const job_record_t *job, time_t to, time_t within)
{
	if (IS_JOB_SUSPENDED(job) || eqt_suspend_is_end(job))
		return 0;
	return time_least(time_since(to, job->suspend_time), within);
}

time_t eqt_suspend_within(struct eqt_job_table *suspended,
			  const job_record_t *job, time_t now, time_t from,
			  time_t to)
{
	const time_t *known = eqt_job_table_get(suspended, job->job_id);
	const time_t before = known ? *known : 0;
	time_t sum = eqt_suspend_until(job, now, to), within;

	/* Never suspended, as most jobs: no entry in the table. */
	if (!job->suspend_time || sum == 0)
		return 0;
	within = time_since(before, sum);
	sum -= suspend_after(job, to, within);
	within = time_since(before, sum);
	if (!IS_JOB_SUSPENDED(job) && !eqt_suspend_is_end(job))
		within =
			time_least(within, time_since(from, job->suspend_time));
	else if (IS_JOB_SUSPENDED(job) && !known)
		within = time_since(job->suspend_time, to);
	eqt_job_table_set(suspended, job->job_id, sum);
	return time_least(within, time_since(from, to));
}
