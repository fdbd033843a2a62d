/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the billing TRES of jobs equal to their price. Three places must agree: the
 * count in the job record, the sums of all limits that contain it, and slurmdbd's record
 * of the job. They are changed in this order.
 */
#include <stdlib.h>

#include "slurm/elapsed.h"
#include "slurm/log.h"
#include "rate/job_rate.h"
#include "usage/limits/billing_tres.h"
#include "usage/amounts/charge_qos.h"
#include "usage/amounts/post.h"
#include "usage/limits/run_secs.h"
#include "usage/limits/tres_req_text.h"
#include "walk/hold.h"

/* One change of a job's billing, for all limits that count it. */
struct billing_change {
	uint64_t before;
	uint64_t after;
	uint64_t run_s; /* run-seconds that limits still hold for it */
};

/* The sum does not go below 0: slurmctld may have lowered it meanwhile. */
static void limit_apply(uint64_t *sum, uint64_t before, uint64_t after)
{
	if (after >= before)
		*sum += after - before;
	else
		*sum -= *sum < before - after ? *sum : before - after;
}

static void limit_apply_run_secs(uint64_t *run_secs,
				 const struct billing_change *change)
{
	if (run_secs)
		limit_apply(&run_secs[TRES_ARRAY_BILLING],
			    change->before * change->run_s,
			    change->after * change->run_s);
}

static void limit_change_used(slurmdb_used_limits_t *used,
			      const struct billing_change *change)
{
	limit_apply(&used->tres[TRES_ARRAY_BILLING], change->before,
		    change->after);
	limit_apply_run_secs(eqt_used_run_secs(used), change);
}

static void limit_change_qos(slurmdb_qos_rec_t *qos, const job_record_t *job,
			     const struct billing_change *change)
{
	slurmdb_qos_usage_t *usage = qos ? qos->usage : NULL;

	if (!usage)
		return;
	limit_apply(&usage->grp_used_tres[TRES_ARRAY_BILLING], change->before,
		    change->after);
	limit_apply_run_secs(usage->grp_used_tres_run_secs, change);
	limit_change_used(
		acct_policy_get_acct_used_limits(&usage->acct_limit_list,
						 job->assoc_ptr->acct),
		change);
	limit_change_used(acct_policy_get_user_used_limits(
				  &usage->user_limit_list, job->user_id),
			  change);
}

/* slurmctld adds the count to the limits when a job starts and subtracts the count that it
 * finds when the job ends. So when the count changes, all those limits change, too. */
static void limits_change(const job_record_t *job,
			  const struct billing_change *change)
{
	limit_change_qos(job->qos_ptr, job, change);
	limit_change_qos(eqt_charge_qos_of_partition(job), job, change);
	for (slurmdb_assoc_rec_t *assoc = job->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr) {
		limit_apply(&assoc->usage->grp_used_tres[TRES_ARRAY_BILLING],
			    change->before, change->after);
		limit_apply_run_secs(assoc->usage->grp_used_tres_run_secs,
				     change);
	}
}

/* Has the job an allocation? A job that the scheduler only tests has counts, but no text
 * of them. */
static bool job_holds_allocation(const job_record_t *job)
{
	return job->tres_alloc_cnt && job->tres_alloc_str && job->start_time &&
	       job->assoc_ptr;
}

void eqt_billing_tres_forget(const struct eqt_billing_tres *billing,
			     const struct eqt_config *config, job_record_t *job)
{
	if (eqt_usage_unit_is_older(billing->unit, config, job->start_time))
		job->billable_tres = NO_VAL;
}

void eqt_billing_tres_set_rate(job_record_t *job, double rate)
{
	if (job->billable_tres == rate || !job_holds_allocation(job))
		return;
	job->billable_tres = rate;
	/* Otherwise the saved record would be that of the start for minutes. */
	schedule_job_save();
}

/* stock_billing: compute Slurm's own billing of a job that may have ours; slurmctld keeps
 * it in billable_tres. NO_VAL64 if the job already has it. */
static uint64_t billing_of_weights(const struct eqt_billing_tres *noted,
				   const struct eqt_config *config,
				   job_record_t *job)
{
	if (!eqt_usage_unit_is_older(noted->unit, config, job->start_time))
		return NO_VAL64;
	job->billable_tres = NO_VAL;
	return (uint64_t) calc_job_billable_tres(job, job->start_time, true);
}

/* The billing for the price of the job's allocation. NO_VAL64 if we must not set it, or
 * if the job cannot be priced. */
static uint64_t billing_of_price(const struct eqt_billing_tres *noted,
				 const struct eqt_config *config,
				 job_record_t *job)
{
	struct eqt_rate rate;

	if (!job_holds_allocation(job))
		return NO_VAL64;
	if (config->stock.billing)
		return billing_of_weights(noted, config, job);
	if (eqt_job_rate(&rate, noted->rates, config, job,
			 job->tres_alloc_cnt) < 0)
		return NO_VAL64;
	return rate.billing;
}

/* Set the job's billing to the price of its allocation. Returns true if it changed. */
static bool billing_correct(const struct eqt_config *config, job_record_t *job,
			    uint64_t billing, uint64_t run_s)
{
	uint64_t *count;
	struct billing_change change = { .after = billing, .run_s = run_s };

	if (billing == NO_VAL64)
		return false;
	count = &job->tres_alloc_cnt[TRES_ARRAY_BILLING];
	change.before = *count == NO_CONSUME_VAL64 ? 0 : *count;
	if (change.before == change.after)
		return false;
	if (config->limits)
		limits_change(job, &change);
	*count = change.after;
	eqt_set_alloc_text(job);
	last_job_update = time(NULL);
	eqt_log_debug2("job %u: billing is %llu, it was %llu", job->job_id,
		       (unsigned long long) change.after,
		       (unsigned long long) change.before);
	return true;
}

/* stock_billing: slurmctld computes the billing when it allocates, unless billable_tres
 * still has the value of a previous run. Stock keeps that value for a requeued job
 * (stock->requeue), and for a job that never ran (stock->phantom). */
static void billing_preset_as_stock(const struct eqt_stock *stock,
				    job_record_t *job)
{
	if (!(job->restart_cnt ? stock->requeue : stock->phantom))
		job->billable_tres = NO_VAL;
}

/* The request of a job that was submitted before stock_billing was set has our billing.
 * Compute Slurm's from the partition's weights, as slurmctld does. */
static void billing_restore_request(job_record_t *job)
{
	uint64_t billing;

	job->billable_tres = NO_VAL;
	if (!job->part_ptr)
		return;
	billing = (uint64_t) assoc_mgr_tres_weighted(
		job->tres_req_cnt, job->part_ptr->billing_weights,
		slurm_conf.priority_flags, true);
	if (job->tres_req_cnt[TRES_ARRAY_BILLING] != billing)
		eqt_tres_req_text_set_billing(job, billing);
}

void eqt_billing_tres_preset(const struct eqt_billing_tres *billing,
			     const struct eqt_config *config, job_record_t *job)
{
	struct eqt_rate rate;

	if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
	    !job->tres_req_cnt)
		return;
	if (config->stock.billing) {
		if (job->details &&
		    eqt_usage_unit_is_older(billing->unit, config,
					    job->details->submit_time))
			billing_restore_request(job);
		else
			billing_preset_as_stock(&config->stock, job);
		return;
	}
	if (eqt_job_rate(&rate, billing->rates, config, job,
			 job->tres_req_cnt) < 0)
		return;
	/* Compare first: a cache line that is not written need not go back to
	 * memory, and most passes change nothing. */
	if (job->billable_tres != (double) rate.billing)
		job->billable_tres = (double) rate.billing;
	if (job->tres_req_cnt[TRES_ARRAY_BILLING] == rate.billing)
		return;
	eqt_tres_req_text_set_billing(job, rate.billing);
}

static int billing_notes_reserve(struct eqt_billing_tres *noted)
{
	size_t space = noted->space ? noted->space * 2 : 1024;
	uint32_t *ids;

	if (noted->count < noted->space)
		return 0;
	ids = realloc(noted->ids, space * sizeof(*ids));
	if (!ids)
		return -1;
	noted->ids = ids;
	noted->space = space;
	return 0;
}

void eqt_billing_tres_note(struct eqt_billing_tres *noted,
			   const job_record_t *job, uint64_t billing)
{
	if (job->tres_alloc_cnt &&
	    job->tres_alloc_cnt[TRES_ARRAY_BILLING] != billing &&
	    billing_notes_reserve(noted) == 0)
		noted->ids[noted->count++] = job->job_id;
}

static bool billing_job_is_running(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) &&
	       !IS_JOB_COMPLETING(job);
}

static bool billing_update_job(struct eqt_billing_tres *noted,
			       const struct eqt_config *config,
			       job_record_t *job, time_t last_ran)
{
	if (!job || !eqt_guard_ok(noted->guard, job))
		return false;
	if (billing_job_is_running(job))
		return billing_correct(
			config, job, billing_of_price(noted, config, job),
			eqt_run_secs_rebuild_pending(noted->rebuild)
				? eqt_run_secs_whole(job)
				: eqt_run_secs_left(job, last_ran));
	/* With limits enforced, priority_p_job_end() has corrected it. */
	return !config->limits && IS_JOB_FINISHED(job) &&
	       billing_correct(config, job,
			       billing_of_price(noted, config, job), 0);
}

/*
 * Correct jobs from position i on until the time of the hold is up; returns the next
 * position. The ids of changed jobs are moved to the front, up to *changed.
 */
static size_t billing_update_some(struct eqt_billing_tres *noted,
				  const struct eqt_config *config, size_t i,
				  time_t last_ran, size_t *changed)
{
	struct timespec start = eqt_elapsed_start();

	while (i < noted->count) {
		uint32_t id = noted->ids[i++];

		if (billing_update_job(noted, config, find_job_record(id),
				       last_ran))
			noted->ids[(*changed)++] = id;
		if (i % EQT_WALK_CLOCK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_POST_NS)
			break;
	}
	return i;
}

/* The same with assoc_mgr's lock taken; changes are reported to slurmdbd after it is
 * released. */
static size_t billing_update_and_report(struct eqt_billing_tres *noted,
					const struct eqt_config *config,
					size_t i, time_t last_ran,
					size_t *changed)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	size_t reported = *changed;

	assoc_mgr_lock(&locks);
	i = billing_update_some(noted, config, i, last_ran, changed);
	assoc_mgr_unlock(&locks);
	for (; reported < *changed; reported++)
		eqt_billing_tres_report(find_job_record(noted->ids[reported]));
	return i;
}

unsigned int eqt_billing_tres_update(struct eqt_billing_tres *noted,
				     const struct eqt_config *config,
				     time_t last_ran)
{
	slurmctld_lock_t job_lock = {
		.job = WRITE_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	struct timespec start;
	size_t i = 0, changed = 0;

	while (i < noted->count) {
		lock_slurmctld(job_lock);
		start = eqt_elapsed_start();
		do
			i = billing_update_and_report(noted, config, i,
						      last_ran, &changed);
		while (i < noted->count &&
		       eqt_elapsed_ns(&start) <= EQT_WALK_HOLD_NS);
		unlock_slurmctld(job_lock);
	}
	noted->count = 0;
	return (unsigned int) changed;
}

/* A node failed, and the job will wait again: slurmctld makes it pending only after its
 * nodes are deallocated. A job that ends for good is already completing. */
static bool job_is_requeued(const job_record_t *job)
{
	return IS_JOB_PENDING(job) ||
	       (IS_JOB_NODE_FAILED(job) && !IS_JOB_COMPLETING(job));
}

bool eqt_billing_tres_end(const struct eqt_billing_tres *noted,
			  const struct eqt_config *config, job_record_t *job,
			  uint64_t billing)
{
	if (billing == NO_VAL64 || !job_holds_allocation(job))
		billing = billing_of_price(noted, config, job);
	/* It may start again before a pass presets its billing. */
	if (!config->stock.billing && billing != NO_VAL64 &&
	    job_is_requeued(job))
		job->billable_tres = (double) billing;
	return billing_correct(config, job, billing, 0);
}

/*
 * Report the job to slurmdbd as if it had just started: a start message updates the
 * counts there, and never changes a state back to an earlier one. slurmctld sets the
 * state in the same way when it reports a suspension.
 */
static void job_report_start(job_record_t *job)
{
	const uint32_t state = job->job_state;
	const time_t start_time = job->start_time;

	if (job->resize_time)
		job->start_time = job->resize_time;
	job->job_state = JOB_RUNNING;
	(void) jobacct_storage_g_job_start(acct_db_conn, job);
	job->job_state = state;
	job->start_time = start_time;
}

/*
 * The same for a job that has no database index yet and is about to be requeued.
 * NO_VAL64 keeps slurmctld from waiting for an answer. In its answer slurmdbd would
 * request a script with an unknown hash, so the hashes are hidden from it.
 */
static void job_report_start_unknown(job_record_t *job)
{
	job_details_t *details = job->details;
	char *env_hash = details->env_hash, *script_hash = details->script_hash;

	details->env_hash = details->script_hash = NULL;
	job->db_index = NO_VAL64;
	job_report_start(job);
	job->db_index = 0;
	details->env_hash = env_hash;
	details->script_hash = script_hash;
}

void eqt_billing_tres_report(job_record_t *job)
{
	bool known = job->db_index && job->db_index != NO_VAL64;

	/* The record that a resize ends was reported before; report it again. */
	if (IS_JOB_RESIZING(job)) {
		if (known)
			(void) jobacct_storage_g_job_complete(acct_db_conn,
							      job);
		return;
	}
	/* Only the index distinguishes the record of a resized job from the
	 * previous one. */
	if (job->resize_time && !known)
		return;
	if (job->db_index)
		job_report_start(job);
	/* slurmctld has not reported the job yet and will report these counts,
	 * unless the job is requeued before. */
	else if (job_is_requeued(job) && job->details)
		job_report_start_unknown(job);
}

void eqt_billing_tres_clear(struct eqt_billing_tres *noted)
{
	free(noted->ids);
	noted->ids = NULL;
	noted->count = noted->space = 0;
}
