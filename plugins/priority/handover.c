/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slurm/log.h"
#include "handover.h"

/* The state of one walk over the jobs. */
struct handover {
	struct eqt_state *state;
	const struct eqt_config *config;
	unsigned int running; /* The number of jobs with an allocation. */
};

/* Select jobs that wait or have an allocation. */
static bool handover_wants_job(const job_record_t *job, void *arg)
{
	(void) arg;
	return IS_JOB_PENDING(job) || IS_JOB_RUNNING(job) ||
	       IS_JOB_SUSPENDED(job);
}

static void handover_visit_job(job_record_t *job, void *arg)
{
	struct handover *handover = arg;

	if (IS_JOB_PENDING(job)) {
		job->billable_tres = NO_VAL;
		return;
	}
	handover->running++;
	/* The record of a job that started since the last pass does not have
	   its rate yet. */
	eqt_job_charge_set_rate(&handover->state->charge, handover->config,
				job);
}

void eqt_handover_prepare(struct eqt_state *state,
			  const struct eqt_config *config)
{
	struct handover handover = { state, config, 0 };
	const struct eqt_walk_wanted wanted = {
		.wants = { [EQT_WALK_CHARGED] = handover_wants_job },
	};

	if (config->stock.billing)
		return;
	eqt_walk_collect(state->walk, &wanted);
	eqt_walk_visit(state->walk, EQT_WALK_CHARGED,
		       (assoc_mgr_lock_t) EQT_CHARGE_ASSOC_LOCKS,
		       handover_visit_job, &handover);
	/* Without this call, slurmctld would not save the changed records of
	   waiting jobs. */
	schedule_job_save();
	eqt_log_info("if priority/multifactor starts next: usage of %u jobs "
		     "goes on at their price; limits and sacct keep their "
		     "billing (billing_scale %llu) until they end; jobs that "
		     "start later are billed by TRESBillingWeights",
		     handover.running,
		     (unsigned long long) config->conf->billing_scale);
	if (state->budgets.waiting.held)
		eqt_log_info("if priority/multifactor starts next: %u jobs "
			     "that budgets hold stay held until they are "
			     "released, as by equitree leave",
			     (unsigned int) state->budgets.waiting.held);
}
