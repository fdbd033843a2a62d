/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The run of a simulation. Time jumps from event to event, because nothing happens
 * between two events except decay, which is exact over any time.
 */
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "sim/sim_admission.h"
#include "sim/backfill_reservations.h"
#include "sim/kinds.h"
#include "sim/sim_nodes.h"
#include "sim/queue.h"
#include "sim/shape.h"
#include "sim/spending.h"
#include "sim/stored_jobs.h"

/* ---- Check --------------------------------------------------------------------------
 * The errors that a simulation reports before it begins. */

/* Write an error that names the job. Returns -1. */
static int job_refuse(const struct eqt_simulation_job *job, const char *why,
		      struct eqt_error *err)
{
	return eqt_error_set(err, "job %u: %s", job->id, why);
}

/* Check the indices in the needs of a job. */
static int needs_check(const struct eqt_simulation *in,
		       const struct eqt_simulation_job *job,
		       struct eqt_error *err)
{
	const struct eqt_simulation_needs *needs = job->needs;

	for (uint32_t i = 0; i < needs->use_count; i++)
		if (needs->uses[i].limit >= in->limit_count)
			return job_refuse(job, "no such limit", err);
	for (uint32_t i = 0; i < needs->after_count; i++)
		if (needs->after[i] >= in->count)
			return job_refuse(job, "after a job that is not there",
					  err);
	for (uint32_t i = 0; needs->on && i < job->nodes; i++)
		if (needs->on[i] >= in->cluster.node_count)
			return job_refuse(job, "on a node that is not there",
					  err);
	if (needs->on && job->start + job->run_s <= in->from)
		return job_refuse(job, "has ended before the beginning", err);
	if (needs->reservation < 0 ||
	    needs->reservation > (int) in->reservation_count)
		return job_refuse(job, "no such reservation", err);
	return 0;
}

/* Check everything in a job on which the run relies later. */
static int job_check(const struct eqt_simulation *in,
		     const struct eqt_simulation_job *job, int64_t before,
		     struct eqt_error *err)
{
	if (job->at < before)
		return job_refuse(job, "not in the order of time", err);
	if (job->partition >= in->cluster.partition_count)
		return job_refuse(job, "no such partition", err);
	if (job->user >= in->tree_count || !in->tree[job->user].user)
		return job_refuse(job, "no user of the share tree", err);
	if (job->model >= in->cluster.model_count)
		return job_refuse(job, "no such model of GPUs", err);
	if (!job->nodes || job->all.cpus < job->nodes)
		return job_refuse(job, "less than a CPU on a node", err);
	if (job->all.cpus > UINT32_MAX || job->nodes > UINT32_MAX / 2)
		return job_refuse(job, "too large", err);
	if (job->run_s > job->limit_s)
		return job_refuse(job, "runs beyond its time limit", err);
	return job->needs ? needs_check(in, job, err) : 0;
}

/* Check all jobs. They must be in the order of their times, so that reading them once
 * is enough. */
static int jobs_check(const struct eqt_simulation *in, struct eqt_error *err)
{
	int64_t before = in->count ? in->jobs[0].at : INT64_MIN;

	if (in->from && in->from < before)
		return eqt_error_set(err, "begins before the first job");
	for (size_t i = 0; i < in->count; i++) {
		if (job_check(in, &in->jobs[i], before, err) < 0)
			return -1;
		before = in->jobs[i].at;
	}
	return 0;
}

/* Check stored jobs. A stored job cannot run at the beginning or wait for another job,
 * because that needs all jobs in memory. */
static int jobs_check_stored(const struct eqt_simulation *in,
			     struct eqt_error *err)
{
	struct eqt_stored_cursor *cursor = eqt_stored_cursor_new(in->stored);
	const struct eqt_simulation_job *job;
	int rc = 0;

	if (!cursor)
		return eqt_error_set(err, "out of memory");
	while (rc == 0 && (job = eqt_stored_cursor_next(cursor)))
		rc = job->needs && (job->needs->on || job->needs->after_count)
			     ? job_refuse(job, "stored, but not alone", err)
			     : job_check(in, job, INT64_MIN, err);
	eqt_stored_cursor_free(cursor);
	return rc;
}

/* Check the input on which the run relies. Return 0, or -1 with err filled. */
static int simulation_check(const struct eqt_simulation *in,
			    const struct eqt_simulation_policy *policy,
			    struct eqt_error *err)
{
	if (in->count >= EQT_SIMULATION_NO_SLOT)
		return eqt_error_set(err, "too many jobs");
	if (in->cluster.partition_count > EQT_SIMULATION_PARTITIONS_MAX)
		return eqt_error_set(err, "more than %d partitions",
				     EQT_SIMULATION_PARTITIONS_MAX);
	if (!policy->period_s)
		return eqt_error_set(err, "a period of no time");
	for (uint32_t i = 0; i < in->renewal_count; i++)
		if (in->renewals[i].limit >= in->limit_count)
			return eqt_error_set(err, "a renewal of no limit");
	return in->stored ? jobs_check_stored(in, err) : jobs_check(in, err);
}

/* ---- Before ---------------------------------------------------------------- */

/* Find the weight of each GPU model in PriorityWeightTRES, which is 0 if there is
 * none. */
static void weights_map(struct eqt_simulation_state *state)
{
	const struct eqt_simulation_cluster *cluster = &state->in->cluster;
	const struct eqt_simulation_tres *tres = &state->policy->tres;

	for (int i = 0; i < cluster->model_count; i++)
		for (int m = 0; m < tres->model_count; m++)
			if (strcmp(cluster->models[i], tres->model[m].name) ==
			    0)
				state->model_weights[i] = tres->model[m].weight;
}

/* Add a node to the sums of a partition. The node may be in other partitions as
 * well. */
static void sums_add_node(struct eqt_simulation_all *all,
			  const struct eqt_simulation_node *node)
{
	eqt_shape_add(&all->of, &node->has);
	all->nodes++;
	if (node->model != EQT_SIMULATION_NO_MODEL)
		all->model[node->model] += node->has.gpus;
}

/* Allocate the arrays of nodes. All nodes are free at the start. */
static int nodes_make(struct eqt_simulation_state *state)
{
	const struct eqt_simulation_cluster *cluster = &state->in->cluster;
	size_t count = (size_t) cluster->node_count + 1;

	state->free = calloc(count, sizeof(*state->free));
	state->backfill = eqt_backfill_reservations_new(cluster->node_count);
	state->picked = calloc(count + EQT_SIMULATION_SLOTS_MAX,
			       sizeof(*state->picked));
	if (!state->free || !state->backfill || !state->picked)
		return eqt_error_set(state->err, "out of memory");
	for (uint32_t i = 0; i < cluster->node_count; i++) {
		const struct eqt_simulation_node *node = &cluster->nodes[i];

		state->free[i] = node->has;
		eqt_shape_add(&state->total, &node->has);
		for (uint32_t p = 0; p < cluster->partition_count; p++)
			if (node->partitions >> p & 1)
				sums_add_node(&state->all[p], node);
	}
	for (uint32_t p = 0; p < cluster->partition_count; p++)
		state->free_cpus[p] = state->all[p].of.cpus;
	return 0;
}

/* Read the job that arrives next. */
static void coming_read(struct eqt_simulation_state *state)
{
	if (state->cursor)
		state->coming = eqt_stored_cursor_next(state->cursor);
	else
		state->coming = state->arrived < state->in->count
					? &state->in->jobs[state->arrived]
					: NULL;
}

/* Allocate and fill everything except the slots of jobs, which grow as jobs arrive. */
static int state_prepare(struct eqt_simulation_state *state)
{
	const struct eqt_simulation *in = state->in;

	state->free_slot = EQT_SIMULATION_NO_SLOT;
	state->tree = eqt_tree_new(in->tree, in->tree_count, state->err);
	if (!state->tree)
		return -1;
	state->usage = calloc(in->tree_count, sizeof(*state->usage));
	if (!state->usage)
		return eqt_error_set(state->err, "out of memory");
	for (uint32_t i = 0; in->usage && i < in->tree_count; i++)
		state->usage[i] = in->usage[i];
	for (size_t i = 0; in->jobs && i < in->count; i++)
		if (!in->jobs[i].needs || !in->jobs[i].needs->on)
			in->jobs[i].start = EQT_SIMULATION_NEVER;
	if (in->stored) {
		state->cursor = eqt_stored_cursor_new(in->stored);
		if (!state->cursor)
			return eqt_error_set(state->err, "out of memory");
	}
	coming_read(state);
	if (eqt_sim_admission_prepare(state) < 0)
		return -1;
	weights_map(state);
	if (nodes_make(state) < 0)
		return -1;
	eqt_sim_usage_size_cluster(state);
	return 0;
}

static void state_clear(struct eqt_simulation_state *state)
{
	for (uint32_t i = 0; i < state->live_space; i++)
		free(state->live[i].nodes);
	eqt_queue_free(state->queues);
	eqt_events_free(&state->arriving);
	free(state->used);
	eqt_kinds_free(state->kinds);
	eqt_spending_free(&state->spending);
	eqt_events_free(&state->deferred);
	eqt_events_free(&state->ends);
	free(state->live);
	free(state->own);
	eqt_stored_cursor_free(state->cursor);
	free(state->usage);
	free(state->queued);
	eqt_job_order_clear(&state->order);
	free(state->free);
	eqt_backfill_reservations_free(state->backfill);
	free(state->picked);
	eqt_tree_free(state->tree);
}

/* ---- Jobs that come and go -------------------------------------------------- */

/* Double the slots. Slots of ended jobs are used again, so that the memory follows the
 * number of jobs that are live at the same time. */
static int live_grow(struct eqt_simulation_state *state)
{
	uint32_t space = state->live_space ? 2 * state->live_space : 1024;
	struct eqt_simulation_live *live =
		realloc(state->live, space * sizeof(*live));
	struct eqt_simulation_job *own = NULL;

	state->live = live ? live : state->live;
	if (live && state->cursor) {
		own = realloc(state->own, space * sizeof(*own));
		state->own = own ? own : state->own;
	}
	if (!live || (state->cursor && !own))
		return eqt_error_set(state->err, "out of memory");
	for (uint32_t i = space; i-- > state->live_space;) {
		live[i] = (struct eqt_simulation_live){
			.next_free = state->free_slot,
		};
		state->free_slot = i;
	}
	state->live_space = space;
	return 0;
}

/* Take a slot for a job, and compute its price. */
static int live_take_slot(struct eqt_simulation_state *state,
			  struct eqt_event *entry)
{
	struct eqt_simulation_live *live;

	if (state->free_slot == EQT_SIMULATION_NO_SLOT && live_grow(state) < 0)
		return -1;
	entry->slot = state->free_slot;
	live = &state->live[entry->slot];
	state->free_slot = live->next_free;
	*live = (struct eqt_simulation_live){ .job = entry->job, .used = true };
	if (state->own)
		state->own[entry->slot] = *state->coming;
	state->live_count++;
	if (state->live_count > state->sum->live_max)
		state->sum->live_max = state->live_count;
	return eqt_sim_usage_price(state, live);
}

/* Note that a job has taken what it spends before the simulation begins. */
static void live_has_paid(const struct eqt_simulation_state *state,
			  struct eqt_simulation_live *live)
{
	live->paid = true;
	live->paid_at = state->now;
}

/* Add a job that runs when the simulation begins. The usage in the input has its
 * charges up to now. */
static int job_resume(struct eqt_simulation_state *state, uint32_t index)
{
	const struct eqt_simulation_job *job = state->coming;
	struct eqt_event end = { -(job->start + job->run_s), index, 0 };
	struct eqt_simulation_live *live;

	if (live_take_slot(state, &end) < 0)
		return -1;
	live = &state->live[end.slot];
	live->limit_end = job->start + job->limit_s;
	memcpy(state->picked, job->needs->on,
	       job->nodes * sizeof(*state->picked));
	state->picked_slots = 0;
	if (eqt_sim_nodes_take(state, live) < 0)
		return -1;
	live->running = true;
	live->charged = state->now;
	live_has_paid(state, live);
	eqt_sim_admission_count(state, job, true);
	return eqt_sim_admission_note(state, &state->ends, end);
}

/* Submit a job. A job that could never run is only counted, because Slurm would refuse
 * it. */
static int job_arrive(struct eqt_simulation_state *state, uint32_t index)
{
	const struct eqt_simulation_job *job = state->coming;
	struct eqt_event entry = { .job = index };

	state->arrived++;
	if (job->needs && job->needs->on)
		return job_resume(state, index);
	if (!eqt_sim_nodes_possible(state, job)) {
		state->sum->impossible++;
		return 0;
	}
	if (live_take_slot(state, &entry) < 0)
		return -1;
	state->live[entry.slot].bias = state->bias;
	if (job->needs && job->needs->paid)
		live_has_paid(state, &state->live[entry.slot]);
	return eqt_sim_admission_admit(state, entry);
}

/* End a job: charge it, release its nodes, and free its slot. */
static void job_finish(struct eqt_simulation_state *state, uint32_t slot)
{
	const struct eqt_simulation_watch *watch = &state->in->watch;
	struct eqt_simulation_live *live = &state->live[slot];
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, live);

	eqt_sim_usage_charge(state, live, state->now);
	eqt_sim_usage_note_end(state, live);
	eqt_sim_admission_count(state, job, false);
	eqt_spending_return(state, live, job->run_s);
	eqt_sim_nodes_release(state, live);
	if (watch->ran)
		watch->ran(watch->with, job, state->now, live->rate);
	eqt_schedule_leave_slot(state, slot);
	state->stirred = true;
	state->settled = false;
	state->sum->end = state->now;
}

/* ---- Time ------------------------------------------------------------------- */

/* Return the time when the next job ends, or EQT_SIMULATION_FAR if none runs. */
static int64_t next_end_at(const struct eqt_simulation_state *state)
{
	if (!state->ends.count)
		return EQT_SIMULATION_FAR;
	return -state->ends.entries[state->ends.count - 1].key;
}

/* Return the time of the next ranking, which is the next pass or rank_every after the
 * last ranking. */
static int64_t next_rank_at(const struct eqt_simulation_state *state)
{
	uint64_t every_ms = state->policy->priority.rank_every_ms;
	int64_t pass = state->last_pass + state->policy->period_s, rank;

	if (!every_ms)
		return pass;
	rank = state->last_rank + (int64_t) ((every_ms + 999) / 1000);
	return eqt_whole_earlier(rank, pass);
}

/* Return the time of the next event. If no job waits, or none could start in any order,
 * no pass is needed, because it would only decay usage, and decay is exact over any
 * time. A backfill is omitted if nothing has changed since the last one. */
static int64_t next_event_at(const struct eqt_simulation_state *state)
{
	int64_t next = eqt_whole_earlier(next_end_at(state),
					 eqt_sim_admission_needs_next(state));

	if (state->coming)
		next = eqt_whole_earlier(next, state->coming->at);
	if (!state->waiting_count)
		return next;
	if (!state->stuck)
		next = eqt_whole_earlier(next, next_rank_at(state));
	return state->policy->backfill_s && state->stirred
		       ? eqt_whole_earlier(next, state->next_backfill)
		       : next;
}

/* Run a pass, or only a ranking, if it is due. Return 1 if the order of jobs may have
 * changed, 0 if not, or -1 with the error. Passes are at multiples of the period, and a
 * late pass counts as of its own time. */
static int pass_run(struct eqt_simulation_state *state)
{
	const int64_t period_s = state->policy->period_s;
	const int64_t passed_s = state->now - state->last_pass;
	bool whole = passed_s >= period_s || state->sum->passes == 0;
	int64_t now = state->now;

	if (!whole && state->now < next_rank_at(state))
		return 0;
	if (whole) {
		state->now -= passed_s % period_s;
		eqt_sim_usage_charge_all(state);
		state->now = now;
		state->sum->passes++;
	}
	if (eqt_sim_usage_rank(state) < 0)
		return -1;
	if (!eqt_queue_order(state))
		return 0;
	state->stirred = true;
	state->settled = false;
	return 1;
}

/* Passes are omitted while no job can start. Run the last omitted pass, as of its own
 * time, before anything else happens now. Return 0, or -1 with the error. */
static int passes_catch_up(struct eqt_simulation_state *state)
{
	const int64_t period_s = state->policy->period_s, now = state->now;
	const int64_t left_out = (now - 1 - state->last_pass) / period_s;
	int rc;

	if (!state->stuck || now <= state->last_pass || left_out < 1)
		return 0;
	state->sum->passes += (size_t) left_out - 1;
	state->now = state->last_pass + left_out * period_s;
	rc = pass_run(state);
	state->now = now;
	return rc < 0 ? -1 : 0;
}

/* Note whether passes can be omitted until something happens. This is only possible if
 * decay and ranks do not depend on the number of passes. */
static void stuck_note(struct eqt_simulation_state *state)
{
	state->stuck = state->waiting_count &&
		       !state->policy->priority.rank_every_ms &&
		       !state->policy->stock.decay &&
		       !eqt_schedule_any_fits(state);
}

/* Run a backfill if it is due. Its period is Slurm's bf_interval. */
static int backfill_run(struct eqt_simulation_state *state)
{
	if (!state->waiting_count || !state->policy->backfill_s ||
	    state->now < state->next_backfill)
		return 0;
	/* Backfills that could start no job were omitted. */
	state->next_backfill += ((state->now - state->next_backfill) /
					 state->policy->backfill_s +
				 1) *
				state->policy->backfill_s;
	if (!state->stirred)
		return 0;
	state->stirred = false;
	return eqt_schedule_run(state, true);
}

static bool next_job_is_due(const struct eqt_simulation_state *state)
{
	return state->coming && state->coming->at <= state->now;
}

/* Let the jobs of this moment arrive. When the simulation begins, thousands may already
 * wait. */
static int jobs_arrive(struct eqt_simulation_state *state, bool begins)
{
	state->bulk = begins && state->in->from;
	while (next_job_is_due(state)) {
		if (job_arrive(state, (uint32_t) state->arrived) < 0)
			return -1;
		coming_read(state);
	}
	if (!state->bulk)
		return 0;
	state->bulk = false;
	eqt_events_sort(&state->ends);
	eqt_events_sort(&state->deferred);
	eqt_events_sort(&state->spending.unpaid);
	if (state->in->anchored && eqt_sim_admission_anchor(state) < 0)
		return -1;
	for (size_t i = 0; i < state->arriving.count; i++)
		if (eqt_queue_add(state, state->arriving.entries[i].slot) < 0)
			return -1;
	eqt_events_free(&state->arriving);
	(void) eqt_queue_order(state);
	return 0;
}

/* Queue jobs whose time has come, and start jobs, until no start releases another job.
 * *changed is true if the queues have changed since the last scheduling. Return 0, or
 * -1 with the error. */
static int jobs_start(struct eqt_simulation_state *state, bool *changed,
		      bool passed)
{
	int released = eqt_sim_admission_needs_release(state);

	do {
		if (released < 0)
			return -1;
		*changed = *changed || released;
		if (state->may_outlive)
			eqt_schedule_drop_outlived(state);
		if ((*changed || passed) && state->waiting_count &&
		    eqt_schedule_run(state, false) < 0)
			return -1;
		if (backfill_run(state) < 0)
			return -1;
		released = eqt_sim_admission_needs_release(state);
	} while (released);
	return 0;
}

/* Run everything that happens at one moment, in this order: limits are renewed, jobs end, a
 * pass runs, jobs that wait for a limit go on, jobs arrive, jobs start. So jobs that arrive
 * have the new ranks and may use the released nodes. */
static int moment_run(struct eqt_simulation_state *state)
{
	const bool begins = state->arrived == 0;
	bool changed = false;
	int passed, released;

	if (passes_catch_up(state) < 0)
		return -1;
	eqt_spending_renew(state);
	while (next_end_at(state) <= state->now) {
		job_finish(state,
			   state->ends.entries[--state->ends.count].slot);
		changed = true;
	}
	passed = pass_run(state);
	if (passed < 0)
		return -1;
	released = eqt_sim_admission_unpaid_release(state);
	if (released < 0)
		return -1;
	changed = changed || released || next_job_is_due(state);
	if (jobs_arrive(state, begins) < 0 ||
	    jobs_start(state, &changed, passed) < 0)
		return -1;
	if (changed)
		stuck_note(state);
	return 0;
}

/* Run from the first submission until no job waits or runs. */
static int simulation_run_all(struct eqt_simulation_state *state)
{
	const struct eqt_simulation_watch *watch = &state->in->watch;

	if (state_prepare(state) < 0)
		return -1;
	if (!state->in->count)
		return 0;
	state->now = state->in->from ? state->in->from : state->coming->at;
	if (eqt_queue_new(state) < 0)
		return -1;
	state->last_pass = state->last_rank = state->now;
	state->next_backfill = state->now;
	state->sum->end = state->now;
	while (state->now != EQT_SIMULATION_FAR) {
		state->work++;
		if (moment_run(state) < 0)
			return -1;
		if (watch->done)
			watch->done(watch->with,
				    state->arrived - state->live_count);
		if (watch->work)
			*watch->work = state->work + state->arrived;
		if (watch->stop && watch->stop(watch->with, state->now))
			break;
		state->now = next_event_at(state);
	}
	return 0;
}

int eqt_simulation_run(struct eqt_simulation_sum *out,
		       const struct eqt_simulation *in,
		       const struct eqt_simulation_policy *policy,
		       struct eqt_error *err)
{
	struct eqt_simulation_sum sum = { 0 };
	struct eqt_simulation_state *state;
	int rc;

	if (simulation_check(in, policy, err) < 0)
		return -1;
	state = calloc(1, sizeof(*state));
	if (!state)
		return eqt_error_set(err, "out of memory");
	state->in = in;
	state->policy = policy;
	state->sum = &sum;
	state->err = err;
	rc = simulation_run_all(state);
	state_clear(state);
	free(state);
	if (rc == 0)
		*out = sum;
	return rc;
}
