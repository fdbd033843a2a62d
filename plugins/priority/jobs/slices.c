/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <time.h>

#include "../../common/elapsed.h"
#include "ahead.h"
#include "../books/charging.h"
#include "../guard.h"
#include "id_set.h"
#include "roster.h"
#include "slices.h"

/* How many jobs are seen between two looks at the clock. */
#define GLANCE 16

/* The jobs of this pass, as positions in the roster. */
static struct list {
	uint32_t *position;
	size_t count;
	size_t space;
} lists[EQT_SLICES];

/* Those of EQT_SLICES_CHARGED that have been visited. */
static struct eqt_id_set charged_ids;

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
static void add_job(struct list *list, uint32_t position)
{
	if (list->count < list->space)
		list->position[list->count++] = position;
}

/* What a collection is for. */
struct purpose {
	const struct eqt_settings *settings;
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
	for (int i = 0; i < EQT_SLICES; i++)
		begin_list(&lists[i], most);
}

static void collect_job(job_record_t *job, uint32_t position, void *arg)
{
	const struct purpose *purpose = arg;

	if (!eqt_guard_ok(job))
		return;
	if (purpose->charge && eqt_charging_wants(purpose->settings, job))
		add_job(&lists[EQT_SLICES_CHARGED], position);
	if (IS_JOB_RUNNING(job) || IS_JOB_PENDING(job) ||
	    eqt_slices_has_priority(purpose->settings, job))
		add_job(&lists[EQT_SLICES_RANKED], position);
}

void eqt_slices_collect(const struct eqt_settings *settings, bool charge)
{
	struct purpose purpose = { settings, charge };
	struct list *list = &lists[EQT_SLICES_CHARGED];

	eqt_roster_update(begin_lists, collect_job, &purpose);
	list->count = eqt_id_set_begin(&charged_ids, list->count);
}

size_t eqt_slices_count(enum eqt_slices_of of)
{
	return lists[of].count;
}

bool eqt_slices_charged(uint32_t job_id)
{
	return eqt_id_set_has(&charged_ids, job_id);
}

/* The visit as the caller has it. */
struct call {
	const struct eqt_ahead_plan *plan;
	void (*visit)(job_record_t *job, void *arg);
	void *arg;
};

static void visit_job(void *item, void *arg)
{
	const struct call *call = arg;

	call->visit(item, call->arg);
}

/* The parts of a job's record that a priority is made of. Records begin anywhere
 * in a line: what stands side by side here may be on two. */
static void touch_job(void *item)
{
	const job_record_t *job = item;

	eqt_ahead_want(&job->assoc_ptr);
	eqt_ahead_want(&job->billable_tres);
	eqt_ahead_want(&job->details);
	eqt_ahead_want(&job->direct_set_prio);
	eqt_ahead_want(&job->job_state);
	eqt_ahead_want(&job->part_ptr);
	eqt_ahead_want(&job->part_ptr_list);
	eqt_ahead_want(&job->prio_factors);
	eqt_ahead_want(&job->priority);
	eqt_ahead_want(&job->qos_ptr);
	eqt_ahead_want(&job->site_factor);
	eqt_ahead_want(&job->time_limit);
	eqt_ahead_want(&job->total_cpus);
	eqt_ahead_want(&job->tres_req_cnt);
	eqt_ahead_want(&job->tres_alloc_cnt);
}

/* What the record leads to. */
static void touch_parts(void *item)
{
	const job_record_t *job = item;
	const job_details_t *details = job->details;

	eqt_ahead_own_all(job->prio_factors, sizeof(*job->prio_factors));
	eqt_ahead_want_all(job->tres_req_cnt,
			   g_tres_count * sizeof(*job->tres_req_cnt));
	if (job->assoc_ptr)
		eqt_ahead_want(&job->assoc_ptr->usage);
	if (!details)
		return;
	eqt_ahead_want(&details->accrue_time);
	eqt_ahead_want(&details->max_cpus);
	eqt_ahead_want(&details->mc_ptr);
	eqt_ahead_want(&details->min_cpus);
	eqt_ahead_want(&details->nice);
	eqt_ahead_want(&details->pn_min_memory);
}

static void touch_usage(void *item)
{
	const job_record_t *job = item;

	if (job->assoc_ptr)
		eqt_ahead_want(&job->assoc_ptr->usage->fs_factor);
}

static const struct eqt_ahead_plan ranked = {
	.touch = { touch_job, touch_parts, touch_usage },
	.visit = visit_job,
};

/* The parts of a job's record that a charge is made of. */
static void touch_running(void *item)
{
	const job_record_t *job = item;

	eqt_ahead_want(&job->assoc_ptr);
	eqt_ahead_want(&job->details);
	eqt_ahead_want(&job->end_time_exp);
	eqt_ahead_want(&job->job_resrcs);
	eqt_ahead_want(&job->job_state);
	eqt_ahead_want(&job->node_bitmap);
	eqt_ahead_want(&job->part_ptr);
	eqt_ahead_want(&job->qos_ptr);
	eqt_ahead_want(&job->start_time);
	eqt_ahead_want(&job->suspend_time);
	eqt_ahead_want(&job->time_limit);
	eqt_ahead_want(&job->tres_alloc_cnt);
}

static void touch_held(void *item)
{
	const job_record_t *job = item;

	eqt_ahead_want_all(job->tres_alloc_cnt,
			   g_tres_count * sizeof(*job->tres_alloc_cnt));
	eqt_ahead_want(job->job_resrcs);
	/* Whether they are whole nodes. */
	if (job->node_bitmap && job->details)
		eqt_ahead_want(&job->details->whole_node);
	if (job->assoc_ptr)
		eqt_ahead_want(&job->assoc_ptr->usage);
}

/* Whom it is charged to, and the account of that; those above are few and at
 * hand. */
static void touch_owner(void *item)
{
	const job_record_t *job = item;

	if (job->assoc_ptr)
		eqt_ahead_own_all(job->assoc_ptr->usage,
				  sizeof(*job->assoc_ptr->usage));
}

static const slurmdb_assoc_rec_t *account_of(const job_record_t *job)
{
	return job->assoc_ptr ? job->assoc_ptr->usage->parent_assoc_ptr : NULL;
}

static void touch_usage_tres(const slurmdb_assoc_usage_t *usage)
{
	eqt_ahead_own_all(usage->usage_tres_raw,
			  g_tres_count * sizeof(*usage->usage_tres_raw));
	eqt_ahead_own_all(usage->grp_used_tres_run_secs,
			  g_tres_count *
				  sizeof(*usage->grp_used_tres_run_secs));
}

static void touch_owner_tres(void *item)
{
	const job_record_t *job = item;
	const slurmdb_assoc_rec_t *account = account_of(job);

	if (job->assoc_ptr)
		touch_usage_tres(job->assoc_ptr->usage);
	if (account)
		eqt_ahead_want(&account->usage);
}

static void touch_account(void *item)
{
	const slurmdb_assoc_rec_t *account = account_of(item);

	if (account)
		eqt_ahead_own_all(account->usage, sizeof(*account->usage));
}

static void touch_account_tres(void *item)
{
	const slurmdb_assoc_rec_t *account = account_of(item);

	if (account)
		touch_usage_tres(account->usage);
}

static const struct eqt_ahead_plan charged = {
	.touch = { touch_running, touch_held, touch_owner, touch_owner_tres,
		   touch_account, touch_account_tres },
	.visit = visit_job,
};

static const struct eqt_ahead_plan *const plans[EQT_SLICES] = {
	[EQT_SLICES_CHARGED] = &charged,
	[EQT_SLICES_RANKED] = &ranked,
};

/* Visit the jobs from position i on, until this time is up; returns the position
 * after the last one. */
static size_t visit_slice(struct list *list, size_t i, struct call *call,
			  long most_ns)
{
	struct eqt_ahead walk = { .plan = call->plan, .arg = call };
	struct timespec start = eqt_elapsed_start();

	while (i < list->count) {
		const struct eqt_job_at *at =
			eqt_roster_at(list->position[i++]);
		job_record_t *job;

		/* What the look-up compares. */
		if (list->count - i > EQT_AHEAD_STEP)
			eqt_ahead_want(
				&eqt_roster_at(
					 list->position[i + EQT_AHEAD_STEP])
					 ->job->job_id);
		job = find_job_record(at->id);
		if (job && eqt_guard_ok(job))
			eqt_ahead_push(&walk, job);
		/* By the end of this slice. */
		if (list == &lists[EQT_SLICES_CHARGED])
			eqt_id_set_add(&charged_ids, at->id);
		if (i % GLANCE == 0 && eqt_elapsed_ns(&start) > most_ns)
			break;
	}
	eqt_ahead_finish(&walk);
	return i;
}

void eqt_slices_visit(enum eqt_slices_of of, assoc_mgr_lock_t locks,
		      void (*visit)(job_record_t *job, void *arg), void *arg)
{
	struct list *list = &lists[of];
	struct call call = { plans[of], visit, arg };
	slurmctld_lock_t job_lock = {
		.job = WRITE_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	long books_ns = locks.assoc == WRITE_LOCK ? EQT_SLICE_BOOKS_NS
						  : EQT_SLICE_NS;
	struct timespec start;
	size_t i = 0;

	while (i < list->count) {
		lock_slurmctld(job_lock);
		start = eqt_elapsed_start();
		do {
			assoc_mgr_lock(&locks);
			i = visit_slice(list, i, &call, books_ns);
			assoc_mgr_unlock(&locks);
		} while (i < list->count &&
			 eqt_elapsed_ns(&start) <= EQT_SLICE_NS);
		unlock_slurmctld(job_lock);
	}
}

void eqt_slices_clear(void)
{
	for (int i = 0; i < EQT_SLICES; i++) {
		free(lists[i].position);
		lists[i] = (struct list){ .position = NULL };
	}
	eqt_id_set_free(&charged_ids);
	eqt_roster_clear();
}
