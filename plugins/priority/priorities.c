/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "../common/elapsed.h"
#include "../common/log.h"
#include "guard.h"
#include "job_ids.h"
#include "points.h"
#include "priorities.h"

/* Longest time for which priorities are written under one hold of the locks:
 * an RPC that waits for them should not notice. */
#define SLICE_NS 2000000L

/* The jobs of this pass; the pass thread's own. */
static struct eqt_job_ids jobs;

/* Does a pass set this job's priority? 0 is held and stays 0. */
static bool has_priority(const struct eqt_settings *settings,
			 const job_record_t *job)
{
	if (!eqt_guard_ok(job) || !job->priority || IS_JOB_POWER_UP_NODE(job))
		return false;
	return IS_JOB_PENDING(job) ||
	       (settings->flags & PRIORITY_FLAGS_CALCULATE_RUNNING &&
		!IS_JOB_FINISHED(job) && !IS_JOB_COMPLETING(job));
}

static int collect_one(void *item, void *arg)
{
	const job_record_t *job = item;

	return has_priority(arg, job) ? eqt_job_ids_add(&jobs, job->job_id) : 0;
}

static void collect_jobs(const struct eqt_settings *settings)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };

	jobs.count = 0;
	lock_slurmctld(locks);
	if (job_list)
		list_for_each_ro(job_list, collect_one, (void *) settings);
	unlock_slurmctld(locks);
}

static void update_one(const struct eqt_settings *settings, job_record_t *job,
		       time_t now)
{
	uint32_t priority = eqt_points_priority(settings, job, now);

	if (settings->flags & PRIORITY_FLAGS_INCR_ONLY &&
	    job->priority >= priority)
		return;
	if (job->priority == priority)
		return;
	job->priority = priority;
	last_job_update = time(NULL);
	eqt_log_debug2("job %u: priority is now %u", job->job_id, priority);
}

/* Write the priorities of the jobs from position i on, until the slice's time
 * is up; returns the position after the last one. Locks as in update_all(). */
static size_t update_slice(const struct eqt_settings *settings, size_t i,
			   time_t now, unsigned int *updated)
{
	struct timespec start = eqt_elapsed_start();

	while (i < jobs.count) {
		job_record_t *job = find_job_record(jobs.ids[i++]);

		if (job && has_priority(settings, job)) {
			update_one(settings, job, now);
			(*updated)++;
		}
		if (i % 64 == 0 && eqt_elapsed_ns(&start) > SLICE_NS)
			break;
	}
	return i;
}

unsigned int eqt_priorities_update(const struct eqt_settings *settings,
				   time_t now)
{
	slurmctld_lock_t job_lock = {
		.job = WRITE_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	assoc_mgr_lock_t assoc_lock = {
		.assoc = READ_LOCK,
		.qos = READ_LOCK,
		.tres = READ_LOCK,
	};
	unsigned int updated = 0;
	size_t i = 0;

	collect_jobs(settings);
	while (i < jobs.count) {
		lock_slurmctld(job_lock);
		assoc_mgr_lock(&assoc_lock);
		i = update_slice(settings, i, now, &updated);
		assoc_mgr_unlock(&assoc_lock);
		unlock_slurmctld(job_lock);
	}
	return updated;
}

void eqt_priorities_clear(void)
{
	eqt_job_ids_free(&jobs);
}
