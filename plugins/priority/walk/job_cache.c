/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <time.h>

#include "slurm/elapsed.h"
#include "walk/prefetch.h"
#include "walk/job_cache.h"
#include "walk/job_walk.h"

/* How many jobs are seen between two looks at the clock. */
#define GLANCE 64

static struct {
	struct eqt_job_at *at;
	uint32_t count;
	uint32_t space;
	/* Behind the last job that was seen. slurmctld makes its list once and
	 * frees it at its end, with its iterators. */
	list_itr_t *iterator;
	list_t *list;
} roster;

/* One update. */
struct update {
	eqt_job_cache_begin *begin;
	eqt_job_cache_prefetch *look;
	void *arg;
	uint32_t from; /* of the jobs that are known, the next to look up */
	uint32_t kept; /* how many of those before it are still there */
};

static int make_space(void)
{
	uint32_t space = roster.space ? roster.space + roster.space / 2 : 1024;
	struct eqt_job_at *at;

	if (roster.count < roster.space)
		return 0;
	at = realloc(roster.at, space * sizeof(*at));
	if (!at)
		return -1;
	roster.at = at;
	roster.space = space;
	return 0;
}

static void add(job_record_t *job)
{
	roster.at[roster.count++] =
		(struct eqt_job_at){ .job = job, .id = job->job_id };
}

/*
 * Take up the jobs that came since, until the slice's time is up or there is no
 * more space; true when there are no more jobs. The iterator is not asked for what comes after the last
 * one: it would then stay behind what comes next.
 */
static bool take_new(void)
{
	struct timespec start = eqt_elapsed_start();
	unsigned int i = 0;

	while (list_peek_next(roster.iterator)) {
		if (roster.count == roster.space)
			return false;
		add(list_next(roster.iterator));
		if (++i % GLANCE == 0 &&
		    eqt_elapsed_ns(&start) > EQT_JOB_WALK_HOLD_NS)
			return false;
	}
	return true;
}

static void touch_job(void *item)
{
	const job_record_t *job = item;

	eqt_prefetch_want(&job->job_id);
	eqt_prefetch_want(&job->job_state);
}

/* Look up the jobs that are known, close the gaps of those that are gone, until
 * the slice's time is up; false at the end. */
static bool look_slice(struct update *update)
{
	struct timespec start = eqt_elapsed_start();

	while (update->from < roster.count) {
		struct eqt_job_at at = roster.at[update->from++];

		if (roster.count - update->from > 2 * EQT_PREFETCH_STEP)
			touch_job(
				roster.at[update->from + 2 * EQT_PREFETCH_STEP]
					.job);
		if (find_job_record(at.id) == at.job) {
			roster.at[update->kept] = at;
			update->look(at.job, update->kept++, update->arg);
		}
		if (update->from % GLANCE == 0 &&
		    eqt_elapsed_ns(&start) > EQT_JOB_WALK_HOLD_NS)
			return true;
	}
	return false;
}

/* Everything until there are no more new jobs, in slices; returns how many are
 * in the list at that moment. */
static uint32_t take_all_new(void)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };
	uint32_t count;
	bool all;

	do {
		/* Not under the lock: a longer array may be a copy. */
		bool room = make_space() == 0;

		lock_slurmctld(locks);
		all = take_new() || !room;
		count = (uint32_t) list_count(roster.list);
		unlock_slurmctld(locks);
	} while (!all);
	return count;
}

/* Begin with the list's first job. */
static void start_anew(void)
{
	roster.count = 0;
	if (roster.iterator) {
		list_iterator_reset(roster.iterator);
		return;
	}
	roster.list = job_list;
	roster.iterator = list_iterator_create(job_list);
}

/*
 * Look at all that are known. True when they were all that are in the list at
 * the moment when the last new one was taken up.
 *
 * Then, the list had so many jobs. Every one that was known and gone by then is
 * found to be gone here, so at most that many of the known ones were not in it.
 */
static bool look_at_all(struct update *update)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };
	uint32_t in_list = take_all_new();
	bool more;

	update->begin(roster.count, update->arg);
	do {
		lock_slurmctld(locks);
		more = look_slice(update);
		unlock_slurmctld(locks);
	} while (more);
	roster.count = update->kept;
	return update->kept == in_list;
}

void eqt_job_cache_update(eqt_job_cache_begin *begin,
			  eqt_job_cache_prefetch *look, void *arg)
{
	struct update update = { .begin = begin, .look = look, .arg = arg };
	bool anew = !roster.iterator;

	if (!job_list) {
		roster.count = 0;
		begin(0, arg);
		return;
	}
	if (anew)
		start_anew();
	if (look_at_all(&update) || anew)
		return;
	start_anew();
	update.from = update.kept = 0;
	(void) look_at_all(&update);
}

struct eqt_job_at *eqt_job_cache_at(uint32_t position)
{
	return &roster.at[position];
}

void eqt_job_cache_clear(void)
{
	if (roster.iterator && job_list == roster.list)
		list_iterator_destroy(roster.iterator);
	free(roster.at);
	roster.at = NULL;
	roster.iterator = NULL;
	roster.count = roster.space = 0;
}
