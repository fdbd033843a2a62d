/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of walk.h that both implementations share: selections, holds of slurmctld's
 * locks, and the note of visited jobs. */
#include <stdlib.h>

#include "base/array.h"
#include "slurm/elapsed.h"
#include "walk/walk_impl.h"

struct eqt_walk *eqt_walk_new(struct eqt_guard *guard, bool plain)
{
	struct eqt_walk *walk = calloc(1, sizeof(*walk));

	if (!walk)
		return NULL;
	walk->guard = guard;
	walk->plain = plain;
	return walk;
}

bool eqt_walk_is_plain(const struct eqt_walk *walk)
{
	return walk->plain;
}

void eqt_walk_free(struct eqt_walk *walk)
{
	if (!walk)
		return;
	for (int i = 0; i < EQT_WALK_SELECTIONS; i++)
		free(walk->lists[i].entry);
	eqt_job_table_free(&walk->visited);
	eqt_job_cache_clear(&walk->jobs);
	eqt_assoc_cache_clear(&walk->assocs);
	free(walk);
}

/* Each selection gets room for all jobs, since a job may be in both. */
void eqt_walk_begin(struct eqt_walk *walk, size_t most)
{
	for (int i = 0; i < EQT_WALK_SELECTIONS; i++) {
		struct eqt_walk_list *list = &walk->lists[i];

		list->count = 0;
		(void) EQT_ARRAY_RESERVE(list->entry, list->space, most);
	}
}

void eqt_walk_take(struct eqt_walk *walk, const struct eqt_walk_wanted *wanted,
		   const job_record_t *job, uint32_t entry)
{
	/* After a start the first job is checked here, before any is changed. */
	if (!eqt_guard_ok(walk->guard, job))
		return;
	for (int i = 0; i < EQT_WALK_SELECTIONS; i++) {
		struct eqt_walk_list *list = &walk->lists[i];

		if (list->count < list->space && wanted->wants[i] &&
		    wanted->wants[i](job, wanted->arg))
			list->entry[list->count++] = entry;
	}
}

void eqt_walk_collect(struct eqt_walk *walk,
		      const struct eqt_walk_wanted *wanted)
{
	struct eqt_walk_list *list = &walk->lists[EQT_WALK_CHARGED];

	if (walk->plain)
		eqt_walk_plain_collect(walk, wanted);
	else
		eqt_walk_cached_collect(walk, wanted);
	/* A job that ends during the pass is charged by its hook unless it is
	 * noted as visited. A charge that cannot be noted would be made twice,
	 * so jobs without room for the note wait for the next pass. */
	list->count = eqt_job_table_begin(&walk->visited, list->count);
}

size_t eqt_walk_count(const struct eqt_walk *walk, enum eqt_walk_jobs which)
{
	return walk->lists[which].count;
}

bool eqt_walk_visited(const struct eqt_walk *walk, uint32_t job_id)
{
	return eqt_job_table_has(&walk->visited, job_id);
}

void eqt_walk_visit_job(struct eqt_walk *walk, const struct eqt_walk_call *call,
			job_record_t *job)
{
	call->visit(job, call->arg);
	/* eqt_walk_collect() has made room: nothing is allocated here. */
	if (call->which == EQT_WALK_CHARGED)
		eqt_job_table_set(&walk->visited, job->job_id, 0);
}

void eqt_walk_visit(struct eqt_walk *walk, enum eqt_walk_jobs which,
		    assoc_mgr_lock_t locks, eqt_walk_job_visit *visit,
		    void *arg)
{
	const struct eqt_walk_call call = { which, visit, arg };
	slurmctld_lock_t job_lock = EQT_WALK_JOB_LOCKS;
	size_t i = 0;

	if (walk->plain) {
		eqt_walk_plain_visit(walk, &call, locks);
		return;
	}
	/* Between two holds, jobs are added, removed and changed. So entries are
	 * ids or positions, never pointers. */
	while (i < walk->lists[which].count) {
		lock_slurmctld(job_lock);
		i = eqt_walk_cached_visit(walk, &call, i, &locks);
		unlock_slurmctld(job_lock);
	}
}

void eqt_walk_assocs(struct eqt_walk *walk, enum eqt_assoc_parts parts,
		     eqt_assoc_visit *visit, void *arg)
{
	if (walk->plain)
		eqt_assoc_cache_each_uncached(visit, arg);
	else
		eqt_assoc_cache_each(&walk->assocs, parts, visit, arg);
}

bool eqt_walk_assocs_some(struct eqt_walk *walk, enum eqt_assoc_parts parts,
			  uint32_t *next, eqt_assoc_visit *visit, void *arg)
{
	if (!walk->plain)
		return eqt_assoc_cache_some(&walk->assocs, parts, next, visit,
					    arg);
	eqt_assoc_cache_each_uncached(visit, arg);
	return false;
}

bool eqt_walk_assocs_prepare(struct eqt_walk *walk)
{
	return !walk->plain && eqt_assoc_cache_prepare(&walk->assocs);
}

bool eqt_walk_assocs_are_known(const struct eqt_walk *walk)
{
	return eqt_assoc_cache_is_known(&walk->assocs);
}

uint32_t eqt_walk_assocs_most_id(const struct eqt_walk *walk)
{
	return walk->assocs.most_id;
}

struct eqt_assoc_state eqt_walk_assoc_state(struct eqt_walk *walk)
{
	return walk->plain ? eqt_walk_plain_assoc_state()
			   : eqt_assoc_cache_state(&walk->assocs);
}

void eqt_walk_keep_assocs(struct eqt_walk *walk)
{
	if (!walk->plain)
		eqt_assoc_cache_keep(&walk->assocs);
}

/* Steps of one hold of assoc_mgr's lock; returns whether there are more. */
static bool walk_step_some(unsigned int every, eqt_walk_step *step, void *arg)
{
	struct timespec start = eqt_elapsed_start();
	unsigned int steps = 0;

	while (step(arg))
		if (++steps % every == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_POST_NS)
			return true;
	return false;
}

void eqt_walk_steps(assoc_mgr_lock_t locks, unsigned int every,
		    eqt_walk_step *step, void *arg)
{
	slurmctld_lock_t job_lock = EQT_WALK_JOB_LOCKS;
	struct timespec start;
	bool more = true;

	while (more) {
		lock_slurmctld(job_lock);
		start = eqt_elapsed_start();
		do {
			assoc_mgr_lock(&locks);
			more = walk_step_some(every, step, arg);
			assoc_mgr_unlock(&locks);
		} while (more && eqt_elapsed_ns(&start) <= EQT_WALK_HOLD_NS);
		unlock_slurmctld(job_lock);
	}
}
