/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plain implementation of walk.h (plain_walk): it walks Slurm's lists from the first
 * member to the last and looks up jobs by id. It keeps only the ids of one pass.
 */
#include <stdint.h>
#include <time.h>

#include "slurm/elapsed.h"
#include "walk/walk_impl.h"

/* Collect jobs from the iterator until the time of the hold is up; false at the end of
 * the list. */
static bool plain_collect_some(struct eqt_walk *walk,
			       const struct eqt_walk_wanted *wanted,
			       list_itr_t *iterator)
{
	struct timespec start = eqt_elapsed_start();
	unsigned int seen = 0;
	job_record_t *job;

	while ((job = list_next(iterator))) {
		eqt_walk_take(walk, wanted, job, job->job_id);
		if (++seen % EQT_WALK_CLOCK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_HOLD_NS)
			return true;
	}
	return false;
}

static size_t plain_job_count(void)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };
	size_t count;

	lock_slurmctld(locks);
	count = job_list ? (size_t) list_count(job_list) : 0;
	unlock_slurmctld(locks);
	return count;
}

/* The lock is released between holds. If a job is removed then, Slurm's list moves the
 * iterator to the next one. */
void eqt_walk_plain_collect(struct eqt_walk *walk,
			    const struct eqt_walk_wanted *wanted)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };
	list_itr_t *iterator;
	bool more;

	eqt_walk_begin(walk, plain_job_count());
	if (!job_list)
		return;
	iterator = list_iterator_create(job_list);
	do {
		lock_slurmctld(locks);
		more = plain_collect_some(walk, wanted, iterator);
		unlock_slurmctld(locks);
	} while (more);
	list_iterator_destroy(iterator);
}

/* Where a visit of a selection is. */
struct plain_visit {
	struct eqt_walk *walk;
	const struct eqt_walk_call *call;
	size_t entry;
};

static bool plain_visit_one(void *arg)
{
	struct plain_visit *at = arg;
	const struct eqt_walk_list *list = &at->walk->lists[at->call->which];
	job_record_t *job;

	if (at->entry == list->count)
		return false;
	job = find_job_record(list->entry[at->entry++]);
	if (job && eqt_guard_ok(at->walk->guard, job))
		eqt_walk_visit_job(at->walk, at->call, job);
	return true;
}

void eqt_walk_plain_visit(struct eqt_walk *walk,
			  const struct eqt_walk_call *call,
			  assoc_mgr_lock_t locks)
{
	eqt_walk_steps(locks, EQT_WALK_CLOCK_EVERY, plain_visit_one,
		       &(struct plain_visit){ walk, call, 0 });
}

/* FNV-1a by words, with a final mix. Two different lists have the same 64-bit hash with
 * negligible probability. */
static void plain_hash_add(uint64_t *hash, uint64_t word)
{
	*hash = (*hash ^ word) * UINT64_C(0x100000001b3);
	*hash ^= *hash >> 29;
}

static int plain_hash_assoc(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = item;
	struct eqt_assoc_state *state = arg;

	plain_hash_add(&state->order, (uintptr_t) assoc);
	plain_hash_add(&state->order, assoc->id);
	plain_hash_add(&state->shape, (uintptr_t) assoc->usage->fs_assoc_ptr);
	plain_hash_add(&state->shape, assoc->shares_raw);
	plain_hash_add(&state->shape, assoc->user != NULL);
	return 0;
}

struct eqt_assoc_state eqt_walk_plain_assoc_state(void)
{
	struct eqt_assoc_state state = { 1, 1 };

	list_for_each_ro(assoc_mgr_assoc_list, plain_hash_assoc, &state);
	plain_hash_add(&state.shape, state.order);
	return state;
}
