/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk of a pass that sets the priorities of waiting jobs. */
#include <time.h>

#include "slurm/log.h"
#include "factors/priority_update.h"
#include "usage/limits/billing_tres.h"

/* One walk over the jobs. */
struct priority_walk {
	const struct eqt_priority *priority;
	const struct eqt_config *config;
	time_t now;
	unsigned int updated;
};

bool eqt_priority_update_wants(const struct eqt_config *config,
			       const job_record_t *job)
{
	if (!job->priority || IS_JOB_POWER_UP_NODE(job))
		return false;
	if (IS_JOB_PENDING(job))
		return true;
	if (!(config->flags & PRIORITY_FLAGS_CALCULATE_RUNNING))
		return false;
	return config->stock.ended ||
	       (!IS_JOB_FINISHED(job) && !IS_JOB_COMPLETING(job));
}

/* slurmctld requests no priority for a job that is submitted held. Its price is set here,
 * so that scontrol shows it before the job is released. */
static void held_job_set_price(const struct priority_walk *walk,
			       job_record_t *job)
{
	const struct eqt_billing_tres *billing = walk->priority->billing;
	const struct eqt_config *config = walk->config;

	if (job->details &&
	    (!config->stock.billing ||
	     eqt_usage_unit_is_older(billing->unit, config,
				     job->details->submit_time)))
		eqt_billing_tres_preset(billing, config, job);
}

static void priority_update_visit(job_record_t *job, void *arg)
{
	struct priority_walk *walk = arg;
	const struct eqt_config *config = walk->config;
	uint32_t priority;

	if (!eqt_priority_update_wants(config, job)) {
		held_job_set_price(walk, job);
		return;
	}
	walk->updated++;
	priority = eqt_priority_make(walk->priority, config, job, walk->now);
	if (config->flags & PRIORITY_FLAGS_INCR_ONLY &&
	    job->priority >= priority)
		return;
	if (job->priority == priority)
		return;
	job->priority = priority;
	/* By this time slurmctld knows that its jobs must be saved, and clients
	 * that they must be read again. */
	last_job_update = time(NULL);
	eqt_log_debug2("job %u: priority is now %u", job->job_id, priority);
}

unsigned int eqt_priority_update_all(const struct eqt_priority *priority,
				     struct eqt_walk *walk,
				     const struct eqt_config *config,
				     time_t now)
{
	struct priority_walk visit = { priority, config, now, 0 };

	eqt_walk_visit(walk, EQT_WALK_RANKED,
		       (assoc_mgr_lock_t) EQT_PRIORITY_LOCKS,
		       priority_update_visit, &visit);
	return visit.updated;
}
