/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <time.h>

#include "../../common/elapsed.h"
#include "ahead.h"
#include "../books/charging.h"
#include "../guard.h"
#include "slices.h"

/* How many jobs are seen between two looks at the clock. */
#define GLANCE 64

/* A job of this pass. Between two holds of the locks it may go away: where its
 * record was is a place to ask for memory from, never one to read, until it is
 * looked up again. */
struct seen {
	uint32_t id;
	bool visited;
	job_record_t *job;
};

/* The jobs of this pass. */
static struct list {
	struct seen *seen;
	size_t count;
	size_t space;
} lists[EQT_SLICES];

bool eqt_slices_has_priority(const struct eqt_settings *settings,
			     const job_record_t *job)
{
	if (!job->priority || IS_JOB_POWER_UP_NODE(job))
		return false;
	if (IS_JOB_PENDING(job))
		return true;
	if (!(settings->flags & PRIORITY_FLAGS_CALCULATE_RUNNING))
		return false;
	return settings->stock.ended ||
	       (!IS_JOB_FINISHED(job) && !IS_JOB_COMPLETING(job));
}

/* Short of memory, the rest is left for the next pass. */
static void add_job(struct list *list, job_record_t *job)
{
	if (list->count == list->space) {
		size_t space = list->space ? list->space * 2 : 1024;
		struct seen *seen =
			realloc(list->seen, space * sizeof(*list->seen));

		if (!seen)
			return;
		list->seen = seen;
		list->space = space;
	}
	list->seen[list->count++] =
		(struct seen){ .id = job->job_id, .job = job };
}

/* What a collection is for. */
struct purpose {
	const struct eqt_settings *settings;
	bool charge;
};

static void touch_state(void *item)
{
	const job_record_t *job = item;

	eqt_ahead_want(&job->job_state);
	eqt_ahead_want(&job->priority);
	eqt_ahead_want(&job->job_id);
}

static void collect_job(void *item, void *arg)
{
	const struct purpose *purpose = arg;
	job_record_t *job = item;

	if (!eqt_guard_ok(job))
		return;
	if (purpose->charge && eqt_charging_wants(purpose->settings, job))
		add_job(&lists[EQT_SLICES_CHARGED], job);
	if (IS_JOB_RUNNING(job) ||
	    eqt_slices_has_priority(purpose->settings, job))
		add_job(&lists[EQT_SLICES_RANKED], job);
}

/* Go on with the walk until the slice's time is up; false at its end. */
static bool collect_slice(struct purpose *purpose, list_itr_t *iterator)
{
	static const struct eqt_ahead_plan plan = {
		.touch = { touch_state },
		.visit = collect_job,
	};
	struct eqt_ahead walk = { .plan = &plan, .arg = purpose };
	struct timespec start = eqt_elapsed_start();
	job_record_t *job;
	unsigned int i = 0;

	while ((job = list_next(iterator))) {
		eqt_ahead_push(&walk, job);
		if (++i % GLANCE == 0 && eqt_elapsed_ns(&start) > EQT_SLICE_NS)
			break;
	}
	eqt_ahead_finish(&walk);
	return job != NULL;
}

/* The list moves the iterator on when the job goes away at which it stands. */
void eqt_slices_collect(const struct eqt_settings *settings, bool charge)
{
	struct purpose purpose = { settings, charge };
	slurmctld_lock_t locks = { .job = READ_LOCK };
	list_itr_t *iterator;
	bool more;

	for (int i = 0; i < EQT_SLICES; i++)
		lists[i].count = 0;
	if (!job_list)
		return;
	iterator = list_iterator_create(job_list);
	do {
		lock_slurmctld(locks);
		more = collect_slice(&purpose, iterator);
		unlock_slurmctld(locks);
	} while (more);
	list_iterator_destroy(iterator);
}

size_t eqt_slices_count(enum eqt_slices_of of)
{
	return lists[of].count;
}

bool eqt_slices_visited(enum eqt_slices_of of, uint32_t job_id)
{
	const struct list *list = &lists[of];
	size_t i = 0;

	while (i < list->count && list->seen[i].id != job_id)
		i++;
	return i < list->count && list->seen[i].visited;
}

/* The parts of a job's record that a priority is made of. */
static void touch_job(void *item)
{
	const job_record_t *job = ((const struct seen *) item)->job;

	eqt_ahead_want(&job->assoc_ptr);
	eqt_ahead_want(&job->billable_tres);
	eqt_ahead_want(&job->details);
	eqt_ahead_want(&job->direct_set_prio);
	eqt_ahead_want(&job->job_state);
	eqt_ahead_want(&job->part_ptr);
	eqt_ahead_want(&job->prio_factors);
	eqt_ahead_want(&job->qos_ptr);
	eqt_ahead_want(&job->site_factor);
	eqt_ahead_want(&job->time_limit);
	eqt_ahead_want(&job->total_cpus);
	eqt_ahead_want(&job->tres_alloc_cnt);
}

/* What the record leads to. */
static void touch_parts(void *item)
{
	const job_record_t *job = ((const struct seen *) item)->job;
	const job_details_t *details = job->details;

	eqt_ahead_want_all(job->prio_factors, sizeof(*job->prio_factors));
	eqt_ahead_want_all(job->tres_req_cnt,
			   g_tres_count * sizeof(*job->tres_req_cnt));
	if (job->assoc_ptr)
		eqt_ahead_want(&job->assoc_ptr->usage);
	if (!details)
		return;
	eqt_ahead_want(&details->accrue_time);
	eqt_ahead_want(&details->mc_ptr);
	eqt_ahead_want(&details->min_cpus);
	eqt_ahead_want(&details->nice);
	eqt_ahead_want(&details->pn_min_memory);
}

static void touch_usage(void *item)
{
	const job_record_t *job = ((const struct seen *) item)->job;

	if (job->assoc_ptr)
		eqt_ahead_want(&job->assoc_ptr->usage->fs_factor);
}

/* The visit as the caller has it. */
struct call {
	void (*visit)(job_record_t *job, void *arg);
	void *arg;
};

static void visit_job(void *item, void *arg)
{
	const struct call *call = arg;
	struct seen *seen = item;

	call->visit(seen->job, call->arg);
	seen->visited = true;
}

/* Visit the jobs from position i on, until the slice's time is up; returns the
 * position after the last one. */
static size_t visit_slice(struct list *list, size_t i, struct call *call)
{
	static const struct eqt_ahead_plan plan = {
		.touch = { touch_job, touch_parts, touch_usage },
		.visit = visit_job,
	};
	struct eqt_ahead walk = { .plan = &plan, .arg = call };
	struct timespec start = eqt_elapsed_start();

	while (i < list->count) {
		struct seen *seen = &list->seen[i++];

		/* What the look-up compares. */
		if (list->count - i > EQT_AHEAD_STEP)
			eqt_ahead_want(&seen[EQT_AHEAD_STEP].job->job_id);
		seen->job = find_job_record(seen->id);
		if (seen->job && eqt_guard_ok(seen->job))
			eqt_ahead_push(&walk, seen);
		if (i % GLANCE == 0 && eqt_elapsed_ns(&start) > EQT_SLICE_NS)
			break;
	}
	eqt_ahead_finish(&walk);
	return i;
}

void eqt_slices_visit(enum eqt_slices_of of, assoc_mgr_lock_t locks,
		      void (*visit)(job_record_t *job, void *arg), void *arg)
{
	struct list *list = &lists[of];
	struct call call = { visit, arg };
	slurmctld_lock_t job_lock = {
		.job = WRITE_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	size_t i = 0;

	while (i < list->count) {
		lock_slurmctld(job_lock);
		assoc_mgr_lock(&locks);
		i = visit_slice(list, i, &call);
		assoc_mgr_unlock(&locks);
		unlock_slurmctld(job_lock);
	}
}

void eqt_slices_clear(void)
{
	for (int i = 0; i < EQT_SLICES; i++) {
		free(lists[i].seen);
		lists[i] = (struct list){ .seen = NULL };
	}
}
