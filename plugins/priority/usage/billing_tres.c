/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "slurm/elapsed.h"
#include "slurm/log.h"
#include "usage/billing_tres.h"
#include "usage/job_charge.h"
#include "usage/run_secs_rebuild.h"
#include "usage/run_secs.h"
#include "guard.h"
#include "walk/job_ids.h"
#include "usage/tres_req_text.h"
#include "rate/job_rate.h"
#include "walk/job_walk.h"

/* The jobs of this pass; the pass thread's own. */
static struct eqt_job_ids noted;

/* One change of a job's billing, for all who have it in their limits. */
struct change {
	uint64_t before;
	uint64_t after;
	uint64_t run_s; /* what its run-seconds are still counted for */
};

/* The limits never go below 0, whoever may have trimmed them. */
static void apply(uint64_t *sum, uint64_t before, uint64_t after)
{
	if (after >= before)
		*sum += after - before;
	else
		*sum -= *sum < before - after ? *sum : before - after;
}

static void apply_run_secs(uint64_t *run_secs, const struct change *change)
{
	if (run_secs)
		apply(&run_secs[TRES_ARRAY_BILLING],
		      change->before * change->run_s,
		      change->after * change->run_s);
}

static void change_used(slurmdb_used_limits_t *used,
			const struct change *change)
{
	apply(&used->tres[TRES_ARRAY_BILLING], change->before, change->after);
	apply_run_secs(eqt_used_run_secs(used), change);
}

static void change_qos(slurmdb_qos_rec_t *qos, const job_record_t *job,
		       const struct change *change)
{
	slurmdb_qos_usage_t *usage = qos ? qos->usage : NULL;

	if (!usage)
		return;
	apply(&usage->grp_used_tres[TRES_ARRAY_BILLING], change->before,
	      change->after);
	apply_run_secs(usage->grp_used_tres_run_secs, change);
	change_used(acct_policy_get_acct_used_limits(&usage->acct_limit_list,
						     job->assoc_ptr->acct),
		    change);
	change_used(acct_policy_get_user_used_limits(&usage->user_limit_list,
						     job->user_id),
		    change);
}

/* What slurmctld added at the job's start, it takes off at its end by the
 * count that it finds then: all that have the old count get the new one. */
static void change_limits(const job_record_t *job, const struct change *change)
{
	change_qos(job->qos_ptr, job, change);
	change_qos(eqt_job_charge_part_qos(job), job, change);
	for (slurmdb_assoc_rec_t *assoc = job->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr) {
		apply(&assoc->usage->grp_used_tres[TRES_ARRAY_BILLING],
		      change->before, change->after);
		apply_run_secs(assoc->usage->grp_used_tres_run_secs, change);
	}
}

/* A job that the scheduler only tries has counts, but no text of them. */
static bool holds_something(const job_record_t *job)
{
	return job->tres_alloc_cnt && job->tres_alloc_str && job->start_time &&
	       job->assoc_ptr;
}

/* Give the job the billing of what it holds. Returns whether it had another. */
static bool put_right(const struct eqt_config *config, job_record_t *job,
		      uint64_t run_s)
{
	uint64_t *count;
	struct change change = { .run_s = run_s };
	struct eqt_rate rate;

	if (config->stock.billing || !holds_something(job) ||
	    eqt_job_rate(&rate, config, job, job->tres_alloc_cnt) < 0)
		return false;
	count = &job->tres_alloc_cnt[TRES_ARRAY_BILLING];
	change.before = *count == NO_CONSUME_VAL64 ? 0 : *count;
	change.after = rate.billing;
	job->billable_tres = (double) rate.billing;
	if (change.before == change.after)
		return false;
	if (config->limits)
		change_limits(job, &change);
	*count = change.after;
	eqt_set_alloc_text(job);
	last_job_update = time(NULL);
	eqt_log_debug2("job %u: billing is %llu, it was %llu", job->job_id,
		       (unsigned long long) change.after,
		       (unsigned long long) change.before);
	return true;
}

/* stock_billing: slurmctld works it out when it allocates, but for what it has
 * kept of a first run, or of a job that did not run. */
static void preset_as_stock(const struct eqt_stock *stock, job_record_t *job)
{
	if (!(job->restart_cnt ? stock->requeue : stock->phantom))
		job->billable_tres = NO_VAL;
}

void eqt_billing_tres_preset(const struct eqt_config *config, job_record_t *job)
{
	struct eqt_rate rate;

	if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
	    !job->tres_req_cnt)
		return;
	if (config->stock.billing) {
		preset_as_stock(&config->stock, job);
		return;
	}
	if (eqt_job_rate(&rate, config, job, job->tres_req_cnt) < 0)
		return;
	/* What is not written need not go back to memory. */
	if (job->billable_tres != (double) rate.billing)
		job->billable_tres = (double) rate.billing;
	if (job->tres_req_cnt[TRES_ARRAY_BILLING] == rate.billing)
		return;
	eqt_tres_req_text_set_billing(job, rate.billing);
}

void eqt_billing_tres_note(const job_record_t *job, uint64_t billing)
{
	if (job->tres_alloc_cnt &&
	    job->tres_alloc_cnt[TRES_ARRAY_BILLING] != billing)
		(void) eqt_job_ids_add(&noted, job->job_id);
}

static bool is_running(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) &&
	       !IS_JOB_COMPLETING(job);
}

static bool update_one(const struct eqt_config *config, job_record_t *job,
		       time_t last_ran)
{
	if (!job || !eqt_guard_ok(job))
		return false;
	if (is_running(job))
		return put_right(config, job,
				 eqt_run_secs_rebuild_pending()
					 ? eqt_run_secs_whole(job)
					 : eqt_run_secs_left(job, last_ran));
	/* Elsewhere its end has done so, and its limits have forgotten it. */
	return !config->limits && IS_JOB_FINISHED(job) &&
	       put_right(config, job, 0);
}

/*
 * Put right the jobs from position i on, until the time of the books is up; returns
 * the position after the last one. Those that had another billing are moved to
 * noted.ids[first, *changed).
 */
static size_t update_slice(const struct eqt_config *config, size_t i,
			   time_t last_ran, size_t *changed)
{
	struct timespec start = eqt_elapsed_start();

	while (i < noted.count) {
		uint32_t id = noted.ids[i++];

		if (update_one(config, find_job_record(id), last_ran))
			noted.ids[(*changed)++] = id;
		if (i % EQT_JOB_WALK_CLOCK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_JOB_WALK_POST_NS)
			break;
	}
	return i;
}

/* The same under assoc_mgr's lock; what has changed is told without it. */
static size_t update_and_tell(const struct eqt_config *config, size_t i,
			      time_t last_ran, size_t *changed)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	size_t told = *changed;

	assoc_mgr_lock(&locks);
	i = update_slice(config, i, last_ran, changed);
	assoc_mgr_unlock(&locks);
	for (; told < *changed; told++)
		eqt_billing_tres_report(find_job_record(noted.ids[told]));
	return i;
}

unsigned int eqt_billing_tres_update(const struct eqt_config *config,
				     time_t last_ran)
{
	slurmctld_lock_t job_lock = {
		.job = WRITE_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	struct timespec start;
	size_t i = 0, changed = 0;

	while (i < noted.count) {
		lock_slurmctld(job_lock);
		start = eqt_elapsed_start();
		do
			i = update_and_tell(config, i, last_ran, &changed);
		while (i < noted.count &&
		       eqt_elapsed_ns(&start) <= EQT_JOB_WALK_HOLD_NS);
		unlock_slurmctld(job_lock);
	}
	noted.count = 0;
	return (unsigned int) changed;
}

bool eqt_billing_tres_end(const struct eqt_config *config, job_record_t *job)
{
	return put_right(config, job, 0);
}

/*
 * The record in the database as the start of a running job tells it: there, a
 * state only ever becomes a later one. slurmctld lends the state in the same
 * way to what it tells of a suspension.
 */
static void tell_start(job_record_t *job)
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
 * The same of a job that has no number in the database yet and is to become
 * another one. The number that says so keeps slurmctld from waiting for an
 * answer; in the answer slurmdbd would ask for the script whose hash it sees
 * for the first time, so that it must see none.
 */
static void tell_start_unknown(job_record_t *job)
{
	job_details_t *details = job->details;
	char *env_hash = details->env_hash, *script_hash = details->script_hash;

	details->env_hash = details->script_hash = NULL;
	job->db_index = NO_VAL64;
	tell_start(job);
	job->db_index = 0;
	details->env_hash = env_hash;
	details->script_hash = script_hash;
}

void eqt_billing_tres_report(job_record_t *job)
{
	bool known = job->db_index && job->db_index != NO_VAL64;

	/* The record that a resize ends has been told of; say it again. */
	if (IS_JOB_RESIZING(job)) {
		if (known)
			(void) jobacct_storage_g_job_complete(acct_db_conn,
							      job);
		return;
	}
	/* Only its number tells a resized job's record from the one before. */
	if (job->resize_time && !known)
		return;
	if (job->db_index)
		tell_start(job);
	/* slurmctld has yet to tell of the job and will do so with what it has
	 * now; unless it is requeued and becomes another one before. */
	else if (IS_JOB_PENDING(job) && job->details)
		tell_start_unknown(job);
}

void eqt_billing_tres_clear(void)
{
	eqt_job_ids_free(&noted);
}
