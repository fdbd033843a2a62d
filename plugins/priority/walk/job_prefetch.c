/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slurm/compat.h"
#include "walk/job_prefetch.h"

/* The parts of a job's record that a priority is made of. Records begin anywhere
 * in a line: what stands side by side here may be on two. */
static void touch_job(void *item)
{
	const job_record_t *job = item;

	eqt_prefetch_want(&job->assoc_ptr);
	eqt_prefetch_want(&job->billable_tres);
	eqt_prefetch_want(&job->details);
	eqt_prefetch_want(&job->direct_set_prio);
	eqt_prefetch_want(&job->job_state);
	eqt_prefetch_want(&job->part_ptr);
	eqt_prefetch_want(&job->part_ptr_list);
	eqt_prefetch_want(&job->prio_factors);
	eqt_prefetch_want(&job->priority);
	eqt_prefetch_want(&job->qos_ptr);
	eqt_prefetch_want(&job->site_factor);
	eqt_prefetch_want(&job->time_limit);
	eqt_prefetch_want(&job->total_cpus);
	eqt_prefetch_want(&job->tres_req_cnt);
	eqt_prefetch_want(&job->tres_alloc_cnt);
}

/* What the record leads to. */
static void touch_parts(void *item)
{
	const job_record_t *job = item;
	const job_details_t *details = job->details;

	eqt_prefetch_own_all(job->prio_factors, sizeof(*job->prio_factors));
	eqt_prefetch_want_all(job->tres_req_cnt,
			      g_tres_count * sizeof(*job->tres_req_cnt));
	if (job->assoc_ptr)
		eqt_prefetch_want(&job->assoc_ptr->usage);
	if (!details)
		return;
	eqt_prefetch_want(&details->accrue_time);
	eqt_prefetch_want(&details->max_cpus);
	eqt_prefetch_want(&details->mc_ptr);
	eqt_prefetch_want(&details->min_cpus);
	eqt_prefetch_want(&details->nice);
	eqt_prefetch_want(&details->pn_min_memory);
}

static void touch_usage(void *item)
{
	const job_record_t *job = item;

	if (job->assoc_ptr)
		eqt_prefetch_want(&job->assoc_ptr->usage->fs_factor);
}

const struct eqt_prefetch_plan eqt_job_memory_ranked = {
	.touch = { touch_job, touch_parts, touch_usage },
};

/* The parts of a job's record that a charge is made of. */
static void touch_running(void *item)
{
	const job_record_t *job = item;

	eqt_prefetch_want(&job->assoc_ptr);
	eqt_prefetch_want(&job->details);
	eqt_prefetch_want(&job->end_time_exp);
	eqt_prefetch_want(&job->job_resrcs);
	eqt_prefetch_want(&job->job_state);
	eqt_prefetch_want(&job->node_bitmap);
	eqt_prefetch_want(&job->part_ptr);
	eqt_prefetch_want(&job->qos_ptr);
	eqt_prefetch_want(&job->start_time);
	eqt_prefetch_want(&job->suspend_time);
	eqt_prefetch_want(&job->time_limit);
	eqt_prefetch_want(&job->tres_alloc_cnt);
}

static void touch_held(void *item)
{
	const job_record_t *job = item;

	eqt_prefetch_want_all(job->tres_alloc_cnt,
			      g_tres_count * sizeof(*job->tres_alloc_cnt));
	eqt_prefetch_want(job->job_resrcs);
	/* Whether they are whole nodes. */
	if (job->node_bitmap && job->details)
		eqt_prefetch_want(&job->details->whole_node);
	if (job->assoc_ptr)
		eqt_prefetch_want(&job->assoc_ptr->usage);
}

/* Whom it is charged to, and the account of that; those above are few and at
 * hand. */
static void touch_owner(void *item)
{
	const job_record_t *job = item;

	if (job->assoc_ptr)
		eqt_prefetch_own_all(job->assoc_ptr->usage,
				     sizeof(*job->assoc_ptr->usage));
}

static const slurmdb_assoc_rec_t *account_of(const job_record_t *job)
{
	return job->assoc_ptr ? job->assoc_ptr->usage->parent_assoc_ptr : NULL;
}

static void touch_usage_tres(const slurmdb_assoc_usage_t *usage)
{
	eqt_prefetch_own_all(usage->usage_tres_raw,
			     g_tres_count * sizeof(*usage->usage_tres_raw));
	eqt_prefetch_own_all(usage->grp_used_tres_run_secs,
			     g_tres_count *
				     sizeof(*usage->grp_used_tres_run_secs));
}

static void touch_owner_tres(void *item)
{
	const job_record_t *job = item;
	const slurmdb_assoc_rec_t *account = account_of(job);

	if (job->assoc_ptr)
		touch_usage_tres(job->assoc_ptr->usage);
	if (account)
		eqt_prefetch_want(&account->usage);
}

static void touch_account(void *item)
{
	const slurmdb_assoc_rec_t *account = account_of(item);

	if (account)
		eqt_prefetch_own_all(account->usage, sizeof(*account->usage));
}

static void touch_account_tres(void *item)
{
	const slurmdb_assoc_rec_t *account = account_of(item);

	if (account)
		touch_usage_tres(account->usage);
}

const struct eqt_prefetch_plan eqt_job_memory_charged = {
	.touch = { touch_running, touch_held, touch_owner, touch_owner_tres,
		   touch_account, touch_account_tres },
};
