/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "slurm/log.h"
#include "factors/priority.h"
#include "factors/priority_update.h"
#include "usage/billing_tres.h"
#include "walk/job_walk.h"

/* One walk over the jobs. */
struct writing {
	const struct eqt_config *config;
	time_t now;
	unsigned int updated;
};

/* slurmctld asks for no priority of a job that is submitted held; its price is
 * seen before it is released all the same. */
static void price_held(const struct eqt_config *config, job_record_t *job)
{
	if (!config->stock.billing && job->details)
		eqt_billing_tres_preset(config, job);
}

static void update_one(job_record_t *job, void *arg)
{
	struct writing *writing = arg;
	const struct eqt_config *config = writing->config;
	uint32_t priority;

	if (!eqt_job_walk_has_priority(config, job)) {
		price_held(config, job);
		return;
	}
	writing->updated++;
	priority = eqt_priority_priority(config, job, writing->now);
	if (config->flags & PRIORITY_FLAGS_INCR_ONLY &&
	    job->priority >= priority)
		return;
	if (job->priority == priority)
		return;
	job->priority = priority;
	last_job_update = time(NULL);
	eqt_log_debug2("job %u: priority is now %u", job->job_id, priority);
}

unsigned int eqt_priority_update_update(const struct eqt_config *config,
					time_t now)
{
	struct writing writing = { .config = config, .now = now };

	eqt_job_walk_visit(EQT_JOB_WALK_RANKED,
			   (assoc_mgr_lock_t) EQT_PRIORITY_LOCKS, update_one,
			   &writing);
	return writing.updated;
}
