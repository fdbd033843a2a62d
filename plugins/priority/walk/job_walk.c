/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <time.h>

#include "slurm/elapsed.h"
#include "walk/prefetch.h"
#include "usage/pass_charge.h"
#include "guard.h"
#include "walk/id_set.h"
#include "walk/job_prefetch.h"
#include "walk/job_cache.h"
#include "walk/job_walk.h"

/* How many jobs are seen between two looks at the clock. */
#define GLANCE 16

/* How many jobs are asked for before assoc_mgr's lock is taken for writing: their
 * memory is to fit into the cache next to the processor, or nearly. */
#define BATCH 32

/* The jobs of this pass, as positions in the roster. */
static struct list {
	uint32_t *position;
	size_t count;
	size_t space;
} lists[EQT_JOB_WALK_LISTS];

/* Those of EQT_JOB_WALK_CHARGED that have been visited. */
static struct eqt_id_set charged_ids;

bool eqt_job_walk_has_priority(const struct eqt_config *config,
			       const job_record_t *job)
{
	if (!job->priority || IS_JOB_POWER_UP_NODE(job))
		return false;
	if (IS_JOB_PENDING(job))
		return true;
	if (!(config->flags & PRIORITY_FLAGS_CALCULATE_RUNNING))
		return false;
	return config->stock.ended ||
	       (!IS_JOB_FINISHED(job) && !IS_JOB_COMPLETING(job));
}

/* Short of memory, the rest is left for the next pass. */
static void add_job(struct list *list, uint32_t position)
{
	if (list->count < list->space)
		list->position[list->count++] = position;
}

/* What a collection is for. */
struct purpose {
	const struct eqt_config *config;
	bool charge;
};

static void begin_list(struct list *list, size_t most)
{
	uint32_t *position;

	list->count = 0;
	if (most <= list->space)
		return;
	/* Some more, so that it is not for each new job. */
	most += most / 4;
	position = realloc(list->position, most * sizeof(*position));
	if (!position)
		return;
	list->position = position;
	list->space = most;
}

/* Nothing is allocated later, under slurmctld's lock. */
static void begin_lists(size_t most, void *arg)
{
	(void) arg;
	for (int i = 0; i < EQT_JOB_WALK_LISTS; i++)
		begin_list(&lists[i], most);
}

static void collect_job(job_record_t *job, uint32_t position, void *arg)
{
	const struct purpose *purpose = arg;

	if (!eqt_guard_ok(job))
		return;
	if (purpose->charge && eqt_pass_charge_wants(purpose->config, job))
		add_job(&lists[EQT_JOB_WALK_CHARGED], position);
	if (IS_JOB_RUNNING(job) || IS_JOB_PENDING(job) ||
	    eqt_job_walk_has_priority(purpose->config, job))
		add_job(&lists[EQT_JOB_WALK_RANKED], position);
}

void eqt_job_walk_collect(const struct eqt_config *config, bool charge)
{
	struct purpose purpose = { config, charge };
	struct list *list = &lists[EQT_JOB_WALK_CHARGED];

	eqt_job_cache_update(begin_lists, collect_job, &purpose);
	list->count = eqt_id_set_begin(&charged_ids, list->count);
}

size_t eqt_job_walk_count(enum eqt_job_walk_of of)
{
	return lists[of].count;
}

bool eqt_job_walk_charged(uint32_t job_id)
{
	return eqt_id_set_has(&charged_ids, job_id);
}

/* The visit as the caller has it. */
struct call {
	const struct eqt_prefetch_plan *plan;
	void (*visit)(job_record_t *job, void *arg);
	void *arg;
	struct eqt_id_set *visited; /* takes their ids; NULL: nobody asks */
};

static void visit_job(void *item, void *arg)
{
	const struct call *call = arg;

	call->visit(item, call->arg);
}

static const struct eqt_prefetch_plan *const plans[EQT_JOB_WALK_LISTS] = {
	[EQT_JOB_WALK_CHARGED] = &eqt_job_memory_charged,
	[EQT_JOB_WALK_RANKED] = &eqt_job_memory_ranked,
};

/* The job at a position; NULL if it is gone. */
static job_record_t *look_up(const struct list *list, size_t i)
{
	job_record_t *job;

	/* What the look-up of a later one compares. */
	if (list->count - i > EQT_PREFETCH_STEP)
		eqt_prefetch_want(
			&eqt_job_cache_at(list->position[i + EQT_PREFETCH_STEP])
				 ->job->job_id);
	job = find_job_record(eqt_job_cache_at(list->position[i])->id);
	return job && eqt_guard_ok(job) ? job : NULL;
}

/* Visit the jobs from position i on, until the slice's time is up; returns the
 * position after the last one. */
static size_t visit_slice(const struct list *list, size_t i, struct call *call)
{
	struct eqt_prefetch walk = {
		.plan = call->plan,
		.visit = visit_job,
		.arg = call,
	};
	struct timespec start = eqt_elapsed_start();

	while (i < list->count) {
		job_record_t *job = look_up(list, i++);

		if (job)
			eqt_prefetch_push(&walk, job);
		if (i % GLANCE == 0 &&
		    eqt_elapsed_ns(&start) > EQT_JOB_WALK_HOLD_NS)
			break;
	}
	eqt_prefetch_finish(&walk);
	return i;
}

/* Jobs that are visited under assoc_mgr's locks for writing, once their memory is
 * at hand: nobody is to wait for that. */
struct batch {
	job_record_t *job[BATCH];
	size_t count;
};

/* Look up those from position i on, and ask for their memory; returns the position
 * after the last one. */
static size_t gather(struct batch *batch, const struct list *list, size_t i,
		     const struct call *call)
{
	const size_t end = list->count - i > BATCH ? i + BATCH : list->count;
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct eqt_prefetch walk = { .plan = call->plan };

	batch->count = 0;
	assoc_mgr_lock(&locks);
	while (i < end) {
		job_record_t *job = look_up(list, i++);

		if (!job)
			continue;
		batch->job[batch->count++] = job;
		eqt_prefetch_push(&walk, job);
	}
	eqt_prefetch_finish(&walk);
	assoc_mgr_unlock(&locks);
	return i;
}

/* Visit those from position i on, until their time is up; returns the position
 * after the last one. */
static size_t visit_some(const struct batch *batch, size_t i,
			 const struct call *call)
{
	struct timespec start = eqt_elapsed_start();

	while (i < batch->count) {
		job_record_t *job = batch->job[i++];

		call->visit(job, call->arg);
		if (call->visited)
			eqt_id_set_add(call->visited, job->job_id);
		if (i % EQT_JOB_WALK_CLOCK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_JOB_WALK_POST_NS)
			break;
	}
	return i;
}

static size_t visit_batch(const struct list *list, size_t i, struct call *call,
			  assoc_mgr_lock_t *locks)
{
	struct batch batch;
	size_t visited = 0;

	i = gather(&batch, list, i, call);
	while (visited < batch.count) {
		assoc_mgr_lock(locks);
		visited = visit_some(&batch, visited, call);
		assoc_mgr_unlock(locks);
	}
	return i;
}

/* One hold of slurmctld's locks. */
static size_t visit_locked(const struct list *list, size_t i, struct call *call,
			   assoc_mgr_lock_t *locks)
{
	struct timespec start = eqt_elapsed_start();

	if (locks->assoc != WRITE_LOCK) {
		assoc_mgr_lock(locks);
		i = visit_slice(list, i, call);
		assoc_mgr_unlock(locks);
		return i;
	}
	do
		i = visit_batch(list, i, call, locks);
	while (i < list->count &&
	       eqt_elapsed_ns(&start) <= EQT_JOB_WALK_HOLD_NS);
	return i;
}

void eqt_job_walk_visit(enum eqt_job_walk_of of, assoc_mgr_lock_t locks,
			void (*visit)(job_record_t *job, void *arg), void *arg)
{
	const struct list *list = &lists[of];
	struct call call = {
		.plan = plans[of],
		.visit = visit,
		.arg = arg,
		.visited = of == EQT_JOB_WALK_CHARGED ? &charged_ids : NULL,
	};
	slurmctld_lock_t job_lock = {
		.job = WRITE_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	size_t i = 0;

	while (i < list->count) {
		lock_slurmctld(job_lock);
		i = visit_locked(list, i, &call, &locks);
		unlock_slurmctld(job_lock);
	}
}

void eqt_job_walk_clear(void)
{
	for (int i = 0; i < EQT_JOB_WALK_LISTS; i++) {
		free(lists[i].position);
		lists[i] = (struct list){ .position = NULL };
	}
	eqt_id_set_free(&charged_ids);
	eqt_job_cache_clear();
}
