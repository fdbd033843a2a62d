/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keep the TRES billing of jobs equal to their price. Three places must agree:
 * the count in the job record, the sums of all limits that contain it, and
 * slurmdbd's record of the job. They are changed in this order.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/amount.h"
#include "base/text.h"
#include "walk/job_links.h"
#include "rate/job_rate.h"
#include "slurm/elapsed.h"
#include "slurm/log.h"
#include "usage/amounts/post.h"
#include "usage/limits/billing_tres.h"
#include "usage/limits/run_secs.h"
#include "walk/walk.h"

/* The largest count that is replaced in a text. It is below Slurm's special
 * values such as NO_VAL64, and this many MiB, converted to bytes, still fit
 * into 64 bits. */
#define COUNT_MAX (UINT64_C(1) << 40)

/* The place of a number in a text. */
struct number {
	size_t at;
	size_t length;
};

/* Set *name to the name of a TRES in a text, or to its id. Returns the length.
 * buf has EQT_DIGITS bytes. */
static size_t tres_text_name(const char **name, char *buf, uint32_t tres,
			     bool by_id)
{
	if (by_id) {
		*name = buf;
		return eqt_digits(buf, assoc_mgr_tres_array[tres]->id);
	}
	*name = assoc_mgr_tres_name_array[tres];
	return strlen(*name);
}

/* Does the number in the text equal this count? In the text with names, memory
 * has a unit. */
static bool tres_text_has_count(const char *text, size_t length, uint32_t tres,
				bool by_id, uint64_t count)
{
	uint64_t value;

	if (tres == TRES_ARRAY_MEM && !by_id)
		count <<= 20;
	return eqt_amount_count(&value, text, length) == 0 && value == count;
}

/* Find the billing in a text. Returns false if the text has none, or if it does
 * not have exactly these counts. */
static bool tres_text_find_billing(struct number *billing, const char *text,
				   const uint64_t *counts, bool by_id)
{
	const char *at = text, *name;
	char digits[EQT_DIGITS];

	*billing = (struct number){ .length = 0 };
	for (uint32_t i = 0; at && i < g_tres_count; i++) {
		size_t length;

		if (counts[i] == 0)
			continue;
		if (counts[i] > COUNT_MAX || (at != text && *at++ != ','))
			return false;
		length = tres_text_name(&name, digits, i, by_id);
		if (strncmp(at, name, length) != 0 || at[length] != '=')
			return false;
		at += length + 1;
		length = strcspn(at, ",");
		if (!tres_text_has_count(at, length, i, by_id, counts[i]))
			return false;
		if (i == TRES_ARRAY_BILLING)
			*billing =
				(struct number){ (size_t) (at - text), length };
		at += length;
	}
	return at && *at == '\0' && billing->length > 0;
}

/* Replace a number in a text by digits. xrealloc() is used because slurmctld
 * owns the text. */
static void tres_text_replace(char **text, const struct number *number,
			      const char *digits, size_t length)
{
	const size_t rest = strlen(*text + number->at + number->length) + 1;
	char *at;

	if (length > number->length)
		xrealloc(*text, number->at + length + rest);
	at = *text + number->at;
	memmove(at + length, at + number->length, rest);
	memcpy(at, digits, length);
}

/*
 * Set the billing of a job, which has tres_req_cnt, in its counts and in the
 * two texts that slurmctld keeps of them ("1=2,2=4096,4=1,5=2" and
 * "cpu=2,mem=4G,node=1,billing=2").
 *
 * If the texts have exactly these counts, only one number is replaced.
 * set_job_tres_req_str(), which formats both texts again, took three quarters
 * of the time of a job's first priority. The function may allocate memory.
 * slurmctld's job lock is held for writing, and assoc_mgr's TRES lock for
 * reading.
 */
static void text_set_billing(job_record_t *job, uint64_t billing)
{
	uint64_t *counts = job->tres_req_cnt;
	struct number simple, named;
	char digits[EQT_DIGITS];
	size_t length;
	/* Slurm's TRES texts do not mention a TRES whose count is 0. */
	bool ready = billing > 0 && billing <= COUNT_MAX &&
		     tres_text_find_billing(&simple, job->tres_req_str, counts,
					    true) &&
		     tres_text_find_billing(&named, job->tres_fmt_req_str,
					    counts, false);

	counts[TRES_ARRAY_BILLING] = billing;
	if (!ready) {
		set_job_tres_req_str(job, true);
		return;
	}
	length = eqt_digits(digits, billing);
	tres_text_replace(&job->tres_req_str, &simple, digits, length);
	tres_text_replace(&job->tres_fmt_req_str, &named, digits, length);
}

/* A change of a job's billing, which applies to all limits that count it. */
struct billing_change {
	uint64_t before;
	uint64_t after;
	/* The run-seconds that limits still hold for the job. */
	uint64_t run_s;
};

/* Change a sum. It does not go below 0, because slurmctld may have lowered it
 * meanwhile. */
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

/* Apply a change to all limits. slurmctld adds the count to the limits when a
 * job starts, and subtracts the count that it finds when the job ends. So a
 * change of the count must change all these limits. */
static void limits_change(const job_record_t *job,
			  const struct billing_change *change)
{
	limit_change_qos(job->qos_ptr, job, change);
	limit_change_qos(eqt_job_links_partition_qos(job), job, change);
	for (slurmdb_assoc_rec_t *assoc = job->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr) {
		limit_apply(&assoc->usage->grp_used_tres[TRES_ARRAY_BILLING],
			    change->before, change->after);
		limit_apply_run_secs(assoc->usage->grp_used_tres_run_secs,
				     change);
	}
}

/* Does the job have an allocation? A job that the scheduler only tests has
 * counts, but no text of them. */
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
	/* Without this call, the saved record would keep the value of the job's
	   start for minutes. */
	schedule_job_save();
}

/* With stock_billing, compute Slurm's own billing of a job that may have our
 * billing. slurmctld keeps it in billable_tres. Returns NO_VAL64 if the job
 * already has Slurm's billing. */
static uint64_t billing_of_weights(const struct eqt_billing_tres *noted,
				   const struct eqt_config *config,
				   job_record_t *job)
{
	if (!eqt_usage_unit_is_older(noted->unit, config, job->start_time))
		return NO_VAL64;
	job->billable_tres = NO_VAL;
	return (uint64_t) calc_job_billable_tres(job, job->start_time, true);
}

/* The billing for the price of the job's allocation. Returns NO_VAL64 if we
 * must not set it, or if the job cannot be priced. */
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

/* Set the job's billing to the price of its allocation. Returns true if it
 * changed. */
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

/* Prepare a job for stock_billing. slurmctld computes the billing when it
 * allocates, unless billable_tres still has the value of a previous run.
 * Slurm's own plugin keeps that value for a requeued job (stock->requeue) and
 * for a job that never ran (stock->phantom). */
static void billing_preset_as_stock(const struct eqt_stock *stock,
				    job_record_t *job)
{
	if (!(job->restart_cnt ? stock->requeue : stock->phantom))
		job->billable_tres = NO_VAL;
}

/* Set the billing of a request that was submitted before stock_billing was set,
 * because it has our billing. The value is computed from the partition's
 * weights, as slurmctld does. */
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
		text_set_billing(job, billing);
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
	/* The values are compared before they are written, because most passes
	   change nothing and a cache line that is not written need not go back
	   to memory. A higher value stays: it is the most that the job may get
	   (eqt_billing_tres_preset_most()). */
	if (!(job->billable_tres >= (double) rate.billing) ||
	    job->billable_tres == (double) NO_VAL)
		job->billable_tres = (double) rate.billing;
	if (job->tres_req_cnt[TRES_ARRAY_BILLING] == rate.billing)
		return;
	job->billable_tres = (double) rate.billing;
	text_set_billing(job, rate.billing);
}

void eqt_billing_tres_preset_most(const struct eqt_config *config,
				  job_record_t *job,
				  const struct eqt_quote *quote)
{
	const struct eqt_price most = eqt_quote_most_with_number(quote);
	const uint64_t billing = eqt_frac_round(most.charge,
						config->conf->billing_scale,
						config->conf->billing_round);

	if (config->stock.billing || !job->tres_req_cnt)
		return;
	job->billable_tres = (double) billing;
	if (billing < job->tres_req_cnt[TRES_ARRAY_BILLING])
		job->billable_tres =
			(double) job->tres_req_cnt[TRES_ARRAY_BILLING];
}

void eqt_billing_tres_note(struct eqt_billing_tres *noted,
			   const job_record_t *job, uint64_t billing)
{
	if (job->tres_alloc_cnt &&
	    job->tres_alloc_cnt[TRES_ARRAY_BILLING] != billing &&
	    EQT_ARRAY_RESERVE(noted->ids, noted->space, noted->count + 1) == 0)
		noted->ids[noted->count++] = job->job_id;
}

static bool billing_job_is_running(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) &&
	       !IS_JOB_COMPLETING(job);
}

/* The run-seconds that limits hold for a running job. */
static uint64_t billing_run_secs_left(const struct eqt_billing_tres *noted,
				      const job_record_t *job, time_t last_ran)
{
	const time_t start = eqt_job_run_start(noted->rebuild->runs, job);

	return eqt_run_secs_left(job, last_ran - (start - job->start_time));
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
				: billing_run_secs_left(noted, job, last_ran));
	/* If limits are enforced, priority_p_job_end() has corrected the
	   billing. */
	return !config->limits && IS_JOB_FINISHED(job) &&
	       billing_correct(config, job,
			       billing_of_price(noted, config, job), 0);
}

/* The state of a walk over the recorded jobs. */
struct billing_walk {
	struct eqt_billing_tres *noted;
	const struct eqt_config *config;
	time_t last_ran;
	size_t next; /* The position of the next job. */
	/* The number of changed jobs, whose ids are moved to the front. */
	size_t changed;
};

/* Correct jobs until assoc_mgr's lock must be released. */
static void billing_update_some(struct billing_walk *walk)
{
	struct eqt_billing_tres *noted = walk->noted;
	struct timespec start = eqt_elapsed_start();

	while (walk->next < noted->count) {
		const uint32_t id = noted->ids[walk->next++];

		if (billing_update_job(noted, walk->config, find_job_record(id),
				       walk->last_ran))
			noted->ids[walk->changed++] = id;
		if (walk->next % EQT_WALK_CLOCK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_POST_NS)
			break;
	}
}

/* Correct some jobs in one hold of assoc_mgr's lock. Changes are reported to
 * slurmdbd after the lock is released. */
static bool billing_update_step(void *arg)
{
	struct billing_walk *walk = arg;
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	const uint32_t *ids = walk->noted->ids;
	size_t reported = walk->changed;

	assoc_mgr_lock(&locks);
	billing_update_some(walk);
	assoc_mgr_unlock(&locks);
	for (; reported < walk->changed; reported++)
		eqt_billing_tres_report(find_job_record(ids[reported]));
	return walk->next < walk->noted->count;
}

unsigned int eqt_billing_tres_update(struct eqt_billing_tres *noted,
				     const struct eqt_config *config,
				     time_t last_ran)
{
	struct billing_walk walk = { noted, config, last_ran, 0, 0 };

	/* Each step takes assoc_mgr's locks by itself. */
	if (noted->count)
		eqt_walk_steps((assoc_mgr_lock_t){ .assoc = NO_LOCK }, 1,
			       billing_update_step, &walk);
	noted->count = 0;
	return (unsigned int) walk.changed;
}

/* Will the job wait again? After a node failure slurmctld makes a requeued job
 * pending only when its nodes are deallocated. A job that ends permanently is
 * already completing at that time. */
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
	/* The job may start again before a pass presets its billing. */
	if (!config->stock.billing && billing != NO_VAL64 &&
	    job_is_requeued(job))
		job->billable_tres = (double) billing;
	return billing_correct(config, job, billing, 0);
}

/*
 * Report the job to slurmdbd as if it had just started. A start message updates
 * the counts there, and never changes a state back to an earlier one. slurmctld
 * sets the state in the same way when it reports a suspension.
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
 * Report a job that has no database index yet and is about to be requeued.
 * NO_VAL64 keeps slurmctld from waiting for an answer. The hashes are hidden,
 * because slurmdbd would answer an unknown hash with a request for the script.
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

	/* The record that a resize ends was reported before, so it is reported
	   again. */
	if (IS_JOB_RESIZING(job)) {
		if (known)
			(void) jobacct_storage_g_job_complete(acct_db_conn,
							      job);
		return;
	}
	/* Only the index distinguishes the record of a resized job from the
	   previous record. */
	if (job->resize_time && !known)
		return;
	if (job->db_index)
		job_report_start(job);
	/* slurmctld has not reported the job yet. It will report these counts,
	   unless the job is requeued before. */
	else if (job_is_requeued(job) && job->details)
		job_report_start_unknown(job);
}

void eqt_billing_tres_clear(struct eqt_billing_tres *noted)
{
	free(noted->ids);
	noted->ids = NULL;
	noted->count = noted->space = 0;
}
