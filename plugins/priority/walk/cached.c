/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The default implementation of walk.h: jobs and associations come from the caches, and
 * their memory is prefetched before each visit.
 */
#include <time.h>

#include "slurm/elapsed.h"
#include "walk/job_prefetch.h"
#include "walk/prefetch.h"
#include "walk/walk_impl.h"

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

static void cached_collect(struct eqt_walk *walk,
			   const struct eqt_walk_wanted *wanted)
{
	struct cached_collection collection = { walk, wanted };

	eqt_job_cache_update(&walk->jobs, cached_collect_begin,
			     cached_collect_job, &collection);
}

static const struct eqt_prefetch_plan *const plans[EQT_WALK_SELECTIONS] = {
	[EQT_WALK_CHARGED] = &eqt_job_prefetch_charged,
	[EQT_WALK_RANKED] = &eqt_job_prefetch_ranked,
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

static size_t cached_visit(struct eqt_walk *walk,
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

static void cached_assocs(struct eqt_walk *walk, enum eqt_assoc_parts parts,
			  eqt_assoc_visit *visit, void *arg)
{
	eqt_assoc_cache_each(&walk->assocs, parts, visit, arg);
}

static struct eqt_assoc_state cached_assoc_state(struct eqt_walk *walk)
{
	return eqt_assoc_cache_state(&walk->assocs);
}

static void cached_keep_assocs(struct eqt_walk *walk)
{
	eqt_assoc_cache_keep(&walk->assocs);
}

const struct eqt_walk_way eqt_walk_cached = {
	.collect = cached_collect,
	.visit = cached_visit,
	.assocs = cached_assocs,
	.assoc_state = cached_assoc_state,
	.keep_assocs = cached_keep_assocs,
};
