/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The default implementation of walk.h: jobs and associations come from the caches, and
 * their memory is prefetched before each visit.
 */
#include <time.h>

#include "slurm/elapsed.h"
#include "walk/prefetch.h"
#include "walk/walk_impl.h"
#include "slurm/compat.h"

/* Jobs visited between two looks at the clock under a read lock. */
#define CLOCK_CHECK_EVERY 16

/* Jobs between the prefetch of an id and its comparison. */
#define AHEAD 8

/* Jobs prefetched before assoc_mgr's lock is taken for writing. Their memory should fit
 * into the L1 cache. */
#define BATCH 32

/* The argument of the job cache's callbacks. */
struct cached_collection {
	struct eqt_walk *walk;
	const struct eqt_walk_wanted *wanted;
};

/* ---- Prefetch plans -----------------------------------------------------------------
 * Prefetch plans: each function requests the fields of one level of pointers. */

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

/* For a visit that sets the priority. */
static const struct eqt_prefetch_plan job_prefetch_ranked = {
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

/* For a visit that charges the job. */
static const struct eqt_prefetch_plan job_prefetch_charged = {
	.ahead = 4,
	.touch = { job_touch_running, job_touch_held, job_touch_owner,
		   job_touch_owner_tres, job_touch_account,
		   job_touch_account_tres },
};

static void cached_collect_begin(size_t most, void *arg)
{
	const struct cached_collection *collection = arg;

	eqt_walk_begin(collection->walk, most);
}

static void cached_collect_job(job_record_t *job, uint32_t position, void *arg)
{
	const struct cached_collection *collection = arg;

	eqt_walk_take(collection->walk, collection->wanted, job, position);
}

void eqt_walk_cached_collect(struct eqt_walk *walk,
			     const struct eqt_walk_wanted *wanted)
{
	struct cached_collection collection = { walk, wanted };

	eqt_job_cache_update(&walk->jobs, cached_collect_begin,
			     cached_collect_job, &collection);
}

static const struct eqt_prefetch_plan *const plans[EQT_WALK_SELECTIONS] = {
	[EQT_WALK_CHARGED] = &job_prefetch_charged,
	[EQT_WALK_RANKED] = &job_prefetch_ranked,
};

/* The job of an entry; NULL if it is gone. */
static job_record_t *cached_job_find(const struct eqt_walk *walk,
				     const struct eqt_walk_list *list, size_t i)
{
	const struct eqt_job_at *at =
		eqt_job_cache_at(&walk->jobs, list->entry[i]);
	job_record_t *job;

	/* find_job_record() of a later job will compare this id. */
	if (list->count - i > AHEAD)
		eqt_prefetch_want(
			&eqt_job_cache_at(&walk->jobs, list->entry[i + AHEAD])
				 ->job->job_id);
	job = find_job_record(at->id);
	return job && eqt_guard_ok(walk->guard, job) ? job : NULL;
}

/* The argument of visits by prefetch.h. */
struct cached_visit {
	struct eqt_walk *walk;
	const struct eqt_walk_call *call;
};

static void cached_visit_item(void *item, void *arg)
{
	const struct cached_visit *visit = arg;

	eqt_walk_visit_job(visit->walk, visit->call, item);
}

/* Visit jobs with assoc_mgr's read locks held, until the time of the hold is up. */
static size_t cached_visit_stream(struct eqt_walk *walk,
				  const struct eqt_walk_call *call, size_t i)
{
	const struct eqt_walk_list *list = &walk->lists[call->which];
	struct cached_visit visit = { walk, call };
	struct eqt_prefetch prefetch = {
		.plan = plans[call->which],
		.visit = cached_visit_item,
		.arg = &visit,
	};
	struct timespec start = eqt_elapsed_start();

	while (i < list->count) {
		job_record_t *job = cached_job_find(walk, list, i++);

		if (job)
			eqt_prefetch_push(&prefetch, job);
		if (i % CLOCK_CHECK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_HOLD_NS)
			break;
	}
	eqt_prefetch_finish(&prefetch);
	return i;
}

/* Jobs to visit with assoc_mgr's write locks held. Their memory is prefetched before the
 * lock is taken, so that others do not wait for our cache misses. */
struct cached_batch {
	job_record_t *job[BATCH];
	size_t count;
};

/* Look up the jobs from entry i on and prefetch them; returns the entry after
 * the last one. */
static size_t cached_batch_fill(struct cached_batch *batch,
				struct eqt_walk *walk,
				const struct eqt_walk_call *call, size_t i)
{
	const struct eqt_walk_list *list = &walk->lists[call->which];
	const size_t end = list->count - i > BATCH ? i + BATCH : list->count;
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct eqt_prefetch prefetch = { .plan = plans[call->which] };

	batch->count = 0;
	assoc_mgr_lock(&locks);
	while (i < end) {
		job_record_t *job = cached_job_find(walk, list, i++);

		if (!job)
			continue;
		batch->job[batch->count++] = job;
		eqt_prefetch_push(&prefetch, job);
	}
	eqt_prefetch_finish(&prefetch);
	assoc_mgr_unlock(&locks);
	return i;
}

/* Visit the jobs of a batch from i on, until their time is up; returns the one
 * after the last. */
static size_t cached_batch_visit(const struct cached_batch *batch,
				 struct eqt_walk *walk,
				 const struct eqt_walk_call *call, size_t i)
{
	struct timespec start = eqt_elapsed_start();

	while (i < batch->count) {
		eqt_walk_visit_job(walk, call, batch->job[i++]);
		if (i % EQT_WALK_CLOCK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_POST_NS)
			break;
	}
	return i;
}

static size_t cached_visit_batch(struct eqt_walk *walk,
				 const struct eqt_walk_call *call, size_t i,
				 assoc_mgr_lock_t *locks)
{
	struct cached_batch batch;
	size_t visited = 0;

	i = cached_batch_fill(&batch, walk, call, i);
	while (visited < batch.count) {
		assoc_mgr_lock(locks);
		visited = cached_batch_visit(&batch, walk, call, visited);
		assoc_mgr_unlock(locks);
	}
	return i;
}

size_t eqt_walk_cached_visit(struct eqt_walk *walk,
			     const struct eqt_walk_call *call, size_t i,
			     assoc_mgr_lock_t *locks)
{
	const struct eqt_walk_list *list = &walk->lists[call->which];
	struct timespec start = eqt_elapsed_start();

	if (locks->assoc != WRITE_LOCK) {
		assoc_mgr_lock(locks);
		i = cached_visit_stream(walk, call, i);
		assoc_mgr_unlock(locks);
		return i;
	}
	do
		i = cached_visit_batch(walk, call, i, locks);
	while (i < list->count && eqt_elapsed_ns(&start) <= EQT_WALK_HOLD_NS);
	return i;
}
