/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "../common/elapsed.h"
#include "guard.h"
#include "job_ids.h"
#include "slices.h"

/* Longest time for which jobs are visited under one hold of the locks: an RPC
 * that waits for them should not notice. */
#define SLICE_NS 2000000L

/* The jobs of this pass; the pass thread's own. */
static struct eqt_job_ids jobs;

bool eqt_slices_has_priority(const struct eqt_settings *settings,
			     const job_record_t *job)
{
	if (!job->priority || IS_JOB_POWER_UP_NODE(job))
		return false;
	return IS_JOB_PENDING(job) ||
	       (settings->flags & PRIORITY_FLAGS_CALCULATE_RUNNING &&
		!IS_JOB_FINISHED(job) && !IS_JOB_COMPLETING(job));
}

static int collect_one(void *item, void *arg)
{
	const job_record_t *job = item;

	if (!eqt_guard_ok(job) ||
	    (!IS_JOB_RUNNING(job) && !eqt_slices_has_priority(arg, job)))
		return 0;
	return eqt_job_ids_add(&jobs, job->job_id);
}

void eqt_slices_collect(const struct eqt_settings *settings)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };

	jobs.count = 0;
	lock_slurmctld(locks);
	if (job_list)
		list_for_each_ro(job_list, collect_one, (void *) settings);
	unlock_slurmctld(locks);
}

size_t eqt_slices_count(void)
{
	return jobs.count;
}

/* Visit the jobs from position i on, until the slice's time is up; returns the
 * position after the last one. */
static size_t visit_slice(size_t i, void (*visit)(job_record_t *, void *),
			  void *arg)
{
	struct timespec start = eqt_elapsed_start();

	while (i < jobs.count) {
		job_record_t *job = find_job_record(jobs.ids[i++]);

		if (job && eqt_guard_ok(job))
			visit(job, arg);
		if (i % 64 == 0 && eqt_elapsed_ns(&start) > SLICE_NS)
			break;
	}
	return i;
}

void eqt_slices_visit(void (*visit)(job_record_t *job, void *arg), void *arg)
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
	size_t i = 0;

	while (i < jobs.count) {
		lock_slurmctld(job_lock);
		assoc_mgr_lock(&assoc_lock);
		i = visit_slice(i, visit, arg);
		assoc_mgr_unlock(&assoc_lock);
		unlock_slurmctld(job_lock);
	}
}

void eqt_slices_clear(void)
{
	eqt_job_ids_free(&jobs);
}
