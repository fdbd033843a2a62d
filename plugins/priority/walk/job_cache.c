/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache of job records. If find_job_record() still returns the cached
 * address for an id, the job is the same. New jobs come from an iterator that
 * stays at the end of slurmctld's list (docs/design/0028).
 */
#include <stdlib.h>
#include <time.h>

#include "base/array.h"
#include "slurm/elapsed.h"
#include "walk/job_cache.h"
#include "walk/prefetch.h"
#include "walk/visit.h"

/* The number of jobs between two readings of the clock. */
#define CLOCK_CHECK_EVERY 64

/* The number of jobs between the prefetch of a record and its use. */
#define AHEAD 16

/* One update of the cache. */
struct job_cache_update {
	struct eqt_job_cache *cache;
	eqt_job_cache_begin *begin;
	eqt_job_cache_look *look;
	void *arg;
	uint32_t from; /* The index of the next cached job to look up. */
	uint32_t kept; /* The number of jobs before `from` that still exist. */
};

static void job_cache_add(struct eqt_job_cache *cache, job_record_t *job)
{
	cache->at[cache->count++] =
		(struct eqt_job_at){ .job = job, .id = job->job_id };
}

/*
 * Add new jobs until the lock must be released or the array is full. Returns
 * true if no more new jobs are left. list_next() is never called after the last
 * job, because the iterator would then miss the next appended job.
 */
static bool job_cache_take_new(struct eqt_job_cache *cache)
{
	struct timespec start = eqt_elapsed_start();
	unsigned int i = 0;

	while (list_peek_next(cache->iterator)) {
		if (cache->count == cache->space)
			return false;
		job_cache_add(cache, list_next(cache->iterator));
		if (++i % CLOCK_CHECK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_HOLD_NS)
			return false;
	}
	return true;
}

static void job_cache_touch(void *item)
{
	const job_record_t *job = item;

	eqt_prefetch_want(&job->job_id);
	eqt_prefetch_want(&job->job_state);
}

/* Look up cached jobs, and close the gaps of removed jobs, until the lock must
 * be released. Returns false at the end of the cache. */
static bool job_cache_look_some(struct job_cache_update *update)
{
	struct eqt_job_cache *cache = update->cache;
	struct timespec start = eqt_elapsed_start();

	while (update->from < cache->count) {
		struct eqt_job_at at = cache->at[update->from++];

		if (cache->count - update->from > AHEAD)
			job_cache_touch(cache->at[update->from + AHEAD].job);
		if (find_job_record(at.id) == at.job) {
			cache->at[update->kept] = at;
			update->look(at.job, update->kept++, update->arg);
		}
		if (update->from % CLOCK_CHECK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_HOLD_NS)
			return true;
	}
	return false;
}

/* Add all new jobs, releasing the lock in between. Returns the length of the
 * list at the moment when no more new jobs were left. */
static uint32_t job_cache_take_all_new(struct eqt_job_cache *cache)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };
	uint32_t count;
	bool all;

	do {
		/* The array grows without the lock, because realloc() may copy
		   the whole array. */
		const bool room = EQT_ARRAY_RESERVE(cache->at, cache->space,
						    cache->count + 1) == 0;

		lock_slurmctld(locks);
		all = job_cache_take_new(cache) || !room;
		count = (uint32_t) list_count(cache->list);
		unlock_slurmctld(locks);
	} while (!all);
	return count;
}

/* Start again with the first job of the list. */
static void job_cache_restart(struct eqt_job_cache *cache)
{
	cache->count = 0;
	if (cache->iterator) {
		list_iterator_reset(cache->iterator);
		return;
	}
	cache->list = job_list;
	cache->iterator = list_iterator_create(job_list);
}

/*
 * Call look for all cached jobs. Returns true if these were all the jobs in the
 * list at the moment when the last new job was added.
 *
 * The list had in_list jobs at that moment. A cached job that was removed
 * before then is found to be missing here. So if in_list jobs are left, they
 * are exactly the jobs of the list.
 */
static bool job_cache_look_all(struct job_cache_update *update)
{
	struct eqt_job_cache *cache = update->cache;
	slurmctld_lock_t locks = { .job = READ_LOCK };
	uint32_t in_list = job_cache_take_all_new(cache);
	bool more;

	update->begin(cache->count, update->arg);
	do {
		lock_slurmctld(locks);
		more = job_cache_look_some(update);
		unlock_slurmctld(locks);
	} while (more);
	cache->count = update->kept;
	return update->kept == in_list;
}

void eqt_job_cache_update(struct eqt_job_cache *cache,
			  eqt_job_cache_begin *begin, eqt_job_cache_look *look,
			  void *arg)
{
	struct job_cache_update update = {
		.cache = cache,
		.begin = begin,
		.look = look,
		.arg = arg,
	};
	bool from_scratch = !cache->iterator;

	if (!job_list) {
		cache->count = 0;
		begin(0, arg);
		return;
	}
	if (from_scratch)
		job_cache_restart(cache);
	if (job_cache_look_all(&update) || from_scratch)
		return;
	/* The counts differ, because a job was inserted in the middle or has
	   ended meanwhile. So read the whole list once. */
	job_cache_restart(cache);
	update.from = update.kept = 0;
	(void) job_cache_look_all(&update);
}

void eqt_job_cache_clear(struct eqt_job_cache *cache)
{
	if (cache->iterator && job_list == cache->list)
		list_iterator_destroy(cache->iterator);
	free(cache->at);
	cache->at = NULL;
	cache->iterator = NULL;
	cache->count = 0;
	cache->space = 0;
}
