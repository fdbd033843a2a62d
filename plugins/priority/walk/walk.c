/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Both implementations of walk.h. The default walk takes jobs and associations
 * from the caches and prefetches their memory before each visit. The plain walk
 * (plain_walk) follows Slurm's lists from the first member to the last, looks
 * up jobs by id, and keeps only the ids of one pass.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "base/array.h"
#include "slurm/elapsed.h"
#include "walk/assoc_cache.h"
#include "walk/job_cache.h"
#include "walk/job_table.h"
#include "walk/prefetch.h"
#include "walk/walk.h"

/* The number of jobs visited between two readings of the clock under a read
 * lock. */
#define CLOCK_CHECK_EVERY 16

/* The number of jobs between the prefetch of an id and its comparison. */
#define AHEAD 8

/* The number of jobs that are prefetched before assoc_mgr's lock is taken for
 * writing. Their memory should fit into the L1 cache. */
#define BATCH 32

/* The selected jobs, in the order of slurmctld's list. */
struct walk_list {
	/* Positions in the job cache, or job ids in the plain walk. The entries
	   are never pointers, because slurmctld adds, removes and changes jobs
	   whenever the locks are released. */
	uint32_t *entry;
	size_t count;
	size_t space;
};

struct eqt_walk {
	struct eqt_guard *guard;
	bool plain;
	struct walk_list lists[EQT_WALK_SELECTIONS];
	/* The visited jobs of EQT_WALK_CHARGED. */
	struct eqt_job_table visited;
	/* The cache of jobs, which the plain walk does not use. */
	struct eqt_job_cache jobs;
	/* The cache of associations, which the plain walk does not use. */
	struct eqt_assoc_cache assocs;
};

/* One collection of jobs. */
struct walk_collection {
	struct eqt_walk *walk;
	const struct eqt_walk_wanted *wanted;
};

/* The visits of one selection. */
struct walk_call {
	struct eqt_walk *walk;
	enum eqt_walk_jobs which;
	eqt_walk_job_visit *visit;
	void *arg;
	size_t next; /* The index of the next entry. */
};

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

/* ---- Selections ---------------------------------------------------------------- */

/* Empty the selections and make room for `most` jobs in each, because a job may
 * be in both. So nothing is allocated later under slurmctld's lock. */
static void walk_begin(struct eqt_walk *walk, size_t most)
{
	for (int i = 0; i < EQT_WALK_SELECTIONS; i++) {
		struct walk_list *list = &walk->lists[i];

		list->count = 0;
		(void) EQT_ARRAY_RESERVE(list->entry, list->space, most);
	}
}

/* Add a job to the selections whose predicates accept it. */
static void walk_take(const struct walk_collection *collection,
		      const job_record_t *job, uint32_t entry)
{
	const struct eqt_walk_wanted *wanted = collection->wanted;
	struct eqt_walk *walk = collection->walk;

	/* After a start, the first job is checked here before any job is
	   changed. */
	if (!eqt_guard_ok(walk->guard, job))
		return;
	for (int i = 0; i < EQT_WALK_SELECTIONS; i++) {
		struct walk_list *list = &walk->lists[i];

		if (list->count < list->space && wanted->wants[i] &&
		    wanted->wants[i](job, wanted->arg))
			list->entry[list->count++] = entry;
	}
}

/* ---- Prefetch plans: each function requests the fields of one level of pointers -- */

/* Prefetch the fields of a job that a priority reads. A record may begin
 * anywhere in a cache line, so each field is listed, even if it is next to
 * another one. */
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

/* Prefetch the records to which the job points. */
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

/* The plan for visits that set the priority. */
static const struct eqt_prefetch_plan job_prefetch_ranked = {
	.ahead = 3,
	.touch = { job_touch_job, job_touch_parts, job_touch_usage },
};

/* Prefetch the fields of a job that a charge reads. */
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
	/* whole_node tells whether the job holds whole nodes. */
	if (job->node_bitmap && job->details)
		eqt_prefetch_want(&job->details->whole_node);
	if (job->assoc_ptr)
		eqt_prefetch_want(&job->assoc_ptr->usage);
}

/* Prefetch the association that is charged. A later stage prefetches its
 * account. The accounts above are few and stay in the processor's cache. */
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

/* The plan for visits that charge the job. */
static const struct eqt_prefetch_plan job_prefetch_charged = {
	.ahead = 4,
	.touch = { job_touch_running, job_touch_held, job_touch_owner,
		   job_touch_owner_tres, job_touch_account,
		   job_touch_account_tres },
};

static const struct eqt_prefetch_plan *const plans[EQT_WALK_SELECTIONS] = {
	[EQT_WALK_CHARGED] = &job_prefetch_charged,
	[EQT_WALK_RANKED] = &job_prefetch_ranked,
};

/* ---- Jobs from the cache ------------------------------------------------------- */

static void cached_collect_begin(size_t most, void *arg)
{
	const struct walk_collection *collection = arg;

	walk_begin(collection->walk, most);
}

static void cached_collect_job(job_record_t *job, uint32_t position, void *arg)
{
	walk_take(arg, job, position);
}

/* Visit a job, and record that it was visited. eqt_walk_collect() has made room
 * for the record, so nothing is allocated here. */
static void walk_visit_job(void *item, void *arg)
{
	const struct walk_call *call = arg;
	job_record_t *job = item;

	call->visit(job, call->arg);
	if (call->which == EQT_WALK_CHARGED)
		eqt_job_table_set(&call->walk->visited, job->job_id, 0);
}

/* The job of the next entry, or NULL if it was removed. */
static job_record_t *cached_job_next(struct walk_call *call)
{
	struct eqt_walk *walk = call->walk;
	const struct walk_list *list = &walk->lists[call->which];
	const size_t i = call->next++;
	job_record_t *job;

	/* find_job_record() will compare this id for a later job. */
	if (list->count - i > AHEAD)
		eqt_prefetch_want(
			&walk->jobs.at[list->entry[i + AHEAD]].job->job_id);
	job = find_job_record(walk->jobs.at[list->entry[i]].id);
	return job && eqt_guard_ok(walk->guard, job) ? job : NULL;
}

/* Visit jobs with assoc_mgr's read locks held, until slurmctld's locks must be
 * released. */
static void cached_visit_stream(struct walk_call *call)
{
	const struct walk_list *list = &call->walk->lists[call->which];
	struct eqt_prefetch prefetch = {
		.plan = plans[call->which],
		.visit = walk_visit_job,
		.arg = call,
	};
	struct timespec start = eqt_elapsed_start();

	while (call->next < list->count) {
		job_record_t *job = cached_job_next(call);

		if (job)
			eqt_prefetch_push(&prefetch, job);
		if (call->next % CLOCK_CHECK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_HOLD_NS)
			break;
	}
	eqt_prefetch_finish(&prefetch);
}

/* The next jobs to visit with assoc_mgr's write locks held. Their memory is
 * prefetched before the lock is taken, so that other threads do not wait for
 * our cache misses. */
struct cached_batch {
	job_record_t *job[BATCH];
	size_t count;
};

/* Look up the next jobs and prefetch them. */
static void cached_batch_fill(struct cached_batch *batch,
			      struct walk_call *call)
{
	const struct walk_list *list = &call->walk->lists[call->which];
	const size_t end = list->count - call->next > BATCH ? call->next + BATCH
							    : list->count;
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct eqt_prefetch prefetch = { .plan = plans[call->which] };

	batch->count = 0;
	assoc_mgr_lock(&locks);
	while (call->next < end) {
		job_record_t *job = cached_job_next(call);

		if (!job)
			continue;
		batch->job[batch->count++] = job;
		eqt_prefetch_push(&prefetch, job);
	}
	eqt_prefetch_finish(&prefetch);
	assoc_mgr_unlock(&locks);
}

/* Visit the jobs of a batch from index i on, until assoc_mgr's lock must be
 * released. Returns the index after the last visited job. */
static size_t cached_batch_visit(const struct cached_batch *batch,
				 struct walk_call *call, size_t i)
{
	struct timespec start = eqt_elapsed_start();

	while (i < batch->count) {
		walk_visit_job(batch->job[i++], call);
		if (i % EQT_WALK_CLOCK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_POST_NS)
			break;
	}
	return i;
}

static void cached_visit_batch(struct walk_call *call, assoc_mgr_lock_t *locks)
{
	struct cached_batch batch;
	size_t visited = 0;

	cached_batch_fill(&batch, call);
	while (visited < batch.count) {
		assoc_mgr_lock(locks);
		visited = cached_batch_visit(&batch, call, visited);
		assoc_mgr_unlock(locks);
	}
}

/* Visit jobs until slurmctld's locks, which the caller holds, must be
 * released. */
static void cached_visit_some(struct walk_call *call, assoc_mgr_lock_t *locks)
{
	const struct walk_list *list = &call->walk->lists[call->which];
	struct timespec start = eqt_elapsed_start();

	if (locks->assoc != WRITE_LOCK) {
		assoc_mgr_lock(locks);
		cached_visit_stream(call);
		assoc_mgr_unlock(locks);
		return;
	}
	do
		cached_visit_batch(call, locks);
	while (call->next < list->count &&
	       eqt_elapsed_ns(&start) <= EQT_WALK_HOLD_NS);
}

/* ---- Jobs of Slurm's list (plain_walk) ----------------------------------------- */

/* Collect jobs from the iterator until the lock must be released. Returns false
 * at the end of the list. */
static bool plain_collect_some(const struct walk_collection *collection,
			       list_itr_t *iterator)
{
	struct timespec start = eqt_elapsed_start();
	unsigned int seen = 0;
	job_record_t *job;

	while ((job = list_next(iterator))) {
		walk_take(collection, job, job->job_id);
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

/* Collect jobs, releasing the lock in between. If slurmctld removes a job while
 * the lock is released, Slurm's list moves the iterator to the next job. */
static void plain_collect(const struct walk_collection *collection)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };
	list_itr_t *iterator;
	bool more;

	walk_begin(collection->walk, plain_job_count());
	if (!job_list)
		return;
	iterator = list_iterator_create(job_list);
	do {
		lock_slurmctld(locks);
		more = plain_collect_some(collection, iterator);
		unlock_slurmctld(locks);
	} while (more);
	list_iterator_destroy(iterator);
}

static bool plain_visit_one(void *arg)
{
	struct walk_call *call = arg;
	const struct walk_list *list = &call->walk->lists[call->which];
	job_record_t *job;

	if (call->next == list->count)
		return false;
	job = find_job_record(list->entry[call->next++]);
	if (job && eqt_guard_ok(call->walk->guard, job))
		walk_visit_job(job, call);
	return true;
}

/* ---- Jobs ---------------------------------------------------------------------- */

void eqt_walk_collect(struct eqt_walk *walk,
		      const struct eqt_walk_wanted *wanted)
{
	struct walk_list *list = &walk->lists[EQT_WALK_CHARGED];
	struct walk_collection collection = { walk, wanted };

	if (walk->plain)
		plain_collect(&collection);
	else
		eqt_job_cache_update(&walk->jobs, cached_collect_begin,
				     cached_collect_job, &collection);
	/* A job that ends during the pass is charged by its hook, unless it is
	   recorded as visited. Without that record it would be charged twice.
	   So jobs for which there is no room wait for the next pass. */
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

void eqt_walk_visit(struct eqt_walk *walk, enum eqt_walk_jobs which,
		    assoc_mgr_lock_t locks, eqt_walk_job_visit *visit,
		    void *arg)
{
	struct walk_call call = { walk, which, visit, arg, 0 };
	slurmctld_lock_t job_lock = EQT_WALK_JOB_LOCKS;

	if (walk->plain) {
		eqt_walk_steps(locks, EQT_WALK_CLOCK_EVERY, plain_visit_one,
			       &call);
		return;
	}
	while (call.next < walk->lists[which].count) {
		lock_slurmctld(job_lock);
		cached_visit_some(&call, &locks);
		unlock_slurmctld(job_lock);
	}
}

/* ---- Associations -------------------------------------------------------------- */

void eqt_walk_assocs(struct eqt_walk *walk, enum eqt_assoc_parts parts,
		     eqt_assoc_visit *visit, void *arg)
{
	(void) eqt_walk_assocs_some(walk, parts, NULL, visit, arg);
}

bool eqt_walk_assocs_some(struct eqt_walk *walk, enum eqt_assoc_parts parts,
			  uint32_t *next, eqt_assoc_visit *visit, void *arg)
{
	if (!walk->plain)
		return eqt_assoc_cache_each(&walk->assocs, parts, next, visit,
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

/* A hash like FNV-1a, but of whole words and with a final mix. Two different
 * lists have the same 64-bit hash with negligible probability. */
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

/* The versions of the list, which are hashes of the whole list. */
static struct eqt_assoc_state plain_assoc_state(void)
{
	struct eqt_assoc_state state = { 1, 1 };

	list_for_each_ro(assoc_mgr_assoc_list, plain_hash_assoc, &state);
	plain_hash_add(&state.shape, state.order);
	return state;
}

struct eqt_assoc_state eqt_walk_assocs_state(struct eqt_walk *walk)
{
	return walk->plain ? plain_assoc_state()
			   : eqt_assoc_cache_state(&walk->assocs);
}

void eqt_walk_assocs_keep(struct eqt_walk *walk)
{
	if (!walk->plain)
		eqt_assoc_cache_keep(&walk->assocs);
}

/* ---- Steps ---------------------------------------------------------------------- */

/* Call a step until assoc_mgr's lock must be released. Returns whether more
 * steps are left. */
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
