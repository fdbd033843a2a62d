/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prefetch plans: each function requests the fields of one level of pointers. */
#include "slurm/compat.h"
#include "walk/job_prefetch.h"

/* The fields of a job that a priority reads. A record may begin anywhere in a cache line,
 * so each field is listed, even if it is next to another one. */
static void job_touch_job(void *item)
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

/* The records that the job points to. */
static void job_touch_parts(void *item)
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

static void job_touch_usage(void *item)
{
	const job_record_t *job = item;

	if (job->assoc_ptr)
		eqt_prefetch_want(&job->assoc_ptr->usage->fs_factor);
}

const struct eqt_prefetch_plan eqt_job_prefetch_ranked = {
	.ahead = 3,
	.touch = { job_touch_job, job_touch_parts, job_touch_usage },
};

/* The fields of a job that a charge reads. */
static void job_touch_running(void *item)
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

static void job_touch_held(void *item)
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

/* The association that is charged. Its account follows below; the accounts above are
 * few and stay in the processor's cache. */
static void job_touch_owner(void *item)
{
	const job_record_t *job = item;

	if (job->assoc_ptr)
		eqt_prefetch_own_all(job->assoc_ptr->usage,
				     sizeof(*job->assoc_ptr->usage));
}

static const slurmdb_assoc_rec_t *job_account_of(const job_record_t *job)
{
	return job->assoc_ptr ? job->assoc_ptr->usage->parent_assoc_ptr : NULL;
}

static void job_touch_usage_tres(const slurmdb_assoc_usage_t *usage)
{
	eqt_prefetch_own_all(usage->usage_tres_raw,
			     g_tres_count * sizeof(*usage->usage_tres_raw));
	eqt_prefetch_own_all(usage->grp_used_tres_run_secs,
			     g_tres_count *
				     sizeof(*usage->grp_used_tres_run_secs));
}

static void job_touch_owner_tres(void *item)
{
	const job_record_t *job = item;
	const slurmdb_assoc_rec_t *account = job_account_of(job);

	if (job->assoc_ptr)
		job_touch_usage_tres(job->assoc_ptr->usage);
	if (account)
		eqt_prefetch_want(&account->usage);
}

static void job_touch_account(void *item)
{
	const slurmdb_assoc_rec_t *account = job_account_of(item);

	if (account)
		eqt_prefetch_own_all(account->usage, sizeof(*account->usage));
}

static void job_touch_account_tres(void *item)
{
	const slurmdb_assoc_rec_t *account = job_account_of(item);

	if (account)
		job_touch_usage_tres(account->usage);
}

const struct eqt_prefetch_plan eqt_job_prefetch_charged = {
	.ahead = 4,
	.touch = { job_touch_running, job_touch_held, job_touch_owner,
		   job_touch_owner_tres, job_touch_account,
		   job_touch_account_tres },
};
