/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits, dependencies, begin times, and the times at which reservations begin or end.
 * Also the priorities with which jobs enter a simulation that begins in the middle of a
 * cluster's life. */
#include <stdlib.h>

#include "base/whole.h"
#include "sim/sim_admission.h"
#include "sim/kinds.h"
#include "sim/queue.h"
#include "sim/shape.h"
#include "sim/spending.h"

int eqt_sim_admission_prepare(struct eqt_simulation_state *state)
{
	state->next_edge = INT64_MIN;
	state->used = calloc((size_t) state->in->limit_count + 1,
			     sizeof(*state->used));
	state->kinds = calloc(1, sizeof(*state->kinds));
	if (state->kinds)
		state->kinds->at_limit =
			calloc((size_t) state->in->limit_count + 1,
			       sizeof(*state->kinds->at_limit));
	if (!state->used || !state->kinds || !state->kinds->at_limit)
		return eqt_error_set(state->err, "out of memory");
	return eqt_spending_prepare(state);
}

/* ---- Limits ---------------------------------------------------------------- */

/* Would a job that takes this stay within the limit? */
static bool use_is_within(const struct eqt_simulation_state *state,
			  const struct eqt_simulation_use *use)
{
	const uint64_t most = state->in->limits[use->limit];

	return use->amount <= most &&
	       state->used[use->limit] <= most - use->amount;
}

/* Return the first use of a job that is beyond its limit, or NULL. */
static const struct eqt_simulation_use *job_beyond(
	const struct eqt_simulation_state *state,
	const struct eqt_simulation_job *job)
{
	const struct eqt_simulation_needs *needs =
		state->in->limits ? job->needs : NULL;

	for (uint32_t i = 0; needs && i < needs->use_count; i++)
		if (!needs->uses[i].paid_s &&
		    !use_is_within(state, &needs->uses[i]))
			return &needs->uses[i];
	return NULL;
}

bool eqt_sim_admission_within_limits(const struct eqt_simulation_state *state,
				     const struct eqt_simulation_job *job)
{
	return !job_beyond(state, job);
}

bool eqt_sim_admission_at_limit(struct eqt_simulation_state *state,
				uint32_t kind)
{
	struct eqt_simulation_kinds *kinds = state->kinds;
	struct eqt_simulation_kind *one = &kinds->kind[kind];

	if (one->beyond)
		return true;
	one->beyond = job_beyond(state, &one->example);
	if (!one->beyond)
		return false;
	one->next_beyond = kinds->at_limit[one->beyond->limit];
	kinds->at_limit[one->beyond->limit] = kind + 1;
	return true;
}

/* Note that running jobs take less of a limit, so that kinds at this limit may be
 * within it now. Such a kind may be at another limit, which the next walk finds. */
static void limit_release(struct eqt_simulation_state *state, uint32_t limit)
{
	struct eqt_simulation_kinds *kinds = state->kinds;
	uint32_t *link = &kinds->at_limit[limit];

	while (*link) {
		struct eqt_simulation_kind *one = &kinds->kind[*link - 1];

		if (!use_is_within(state, one->beyond)) {
			link = &one->next_beyond;
			continue;
		}
		*link = one->next_beyond;
		one->beyond = NULL;
	}
}

void eqt_sim_admission_count(struct eqt_simulation_state *state,
			     const struct eqt_simulation_job *job, bool starts)
{
	const struct eqt_simulation_needs *needs = job->needs;

	for (uint32_t i = 0; needs && i < needs->use_count; i++) {
		const struct eqt_simulation_use *use = &needs->uses[i];

		if (use->paid_s)
			continue;
		if (starts) {
			state->used[use->limit] += use->amount;
			continue;
		}
		state->used[use->limit] -= use->amount;
		limit_release(state, use->limit);
	}
}

int eqt_sim_admission_note(struct eqt_simulation_state *state,
			   struct eqt_events *list, struct eqt_event entry)
{
	const int rc = state->bulk ? eqt_events_append(list, entry)
				   : eqt_events_add(list, entry);

	return rc < 0 ? eqt_error_set(state->err, "out of memory") : 0;
}

/* ---- Jobs before their time ------------------------------------------------ */

/* Has a job started or ended, whichever the job that waits for it needs? A job that
 * never starts has neither started nor ended. */
static bool needed_job_is_over(const struct eqt_simulation_state *state,
			       const struct eqt_simulation_needs *needs,
			       uint32_t index)
{
	const struct eqt_simulation_job *job = &state->in->jobs[index];

	if (job->start == EQT_SIMULATION_NEVER)
		return false;
	return needs->after_start || job->start + job->run_s <= state->now;
}

/* Must a job wait for a time or for other jobs? */
static bool admission_is_deferred(const struct eqt_simulation_state *state,
				  const struct eqt_simulation_job *job)
{
	const struct eqt_simulation_needs *needs = job->needs;

	if (!needs)
		return false;
	if (needs->begin > state->now)
		return true;
	for (uint32_t i = 0; i < needs->after_count; i++)
		if (!needed_job_is_over(state, needs, needs->after[i]))
			return true;
	return false;
}

/* ---- Admission ------------------------------------------------------------- */

/* Note that a job was queued. A round of the main scheduler that started no job would
 * start none again, because passing time alone frees nothing. Only a job within its
 * limits can change that, and only if no job ahead of it has stopped its partition. */
static void admission_note_queued(struct eqt_simulation_state *state,
				  uint32_t slot)
{
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, &state->live[slot]);
	const uint32_t stopped_at = state->stopped_at[job->partition];

	if (state->settled &&
	    (stopped_at == EQT_SIMULATION_NO_SLOT ||
	     !eqt_queue_is_before(state, stopped_at, slot)) &&
	    eqt_sim_admission_within_limits(state, job))
		state->settled = false;
}

/* Put a job into the queue of its partition. Return 0, or -1 with the error. */
static int admission_enqueue(struct eqt_simulation_state *state,
			     struct eqt_event entry)
{
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, &state->live[entry.slot]);
	const int64_t kind = eqt_kinds_place(state->kinds, job);

	if (kind < 0)
		return eqt_error_set(state->err, "out of memory");
	state->live[entry.slot].kind = (uint32_t) kind;
	state->kinds->kind[kind].waiting++;
	state->waiting_count++;
	state->stirred = true;
	if (eqt_sim_admission_outlived(state, job))
		state->may_outlive = true;
	if (state->bulk)
		return eqt_sim_admission_note(state, &state->arriving, entry);
	if (eqt_queue_add(state, entry.slot) < 0)
		return -1;
	admission_note_queued(state, entry.slot);
	return 0;
}

int eqt_sim_admission_admit(struct eqt_simulation_state *state,
			    struct eqt_event entry)
{
	struct eqt_simulation_live *live = &state->live[entry.slot];
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, live);

	if (!eqt_spending_pay(state, live))
		return eqt_sim_admission_note(state, &state->spending.unpaid,
					      entry);
	if (!admission_is_deferred(state, job))
		return admission_enqueue(state, entry);
	entry.key = job->needs->begin;
	return eqt_sim_admission_note(state, &state->deferred, entry);
}

int eqt_sim_admission_unpaid_release(struct eqt_simulation_state *state)
{
	struct eqt_spending *spending = &state->spending;
	size_t kept = 0, count = spending->unpaid.count;

	if (!eqt_spending_is_due(state))
		return 0;
	state->work += count;
	for (size_t i = 0; i < count; i++) {
		const struct eqt_event entry = spending->unpaid.entries[i];
		struct eqt_simulation_live *live = &state->live[entry.slot];
		struct eqt_simulation_job *job =
			eqt_simulation_job_of(state, live);

		if (!eqt_spending_pay(state, live)) {
			spending->unpaid.entries[kept++] = entry;
			continue;
		}
		/* The age of the job counts from now on, as for other jobs that
		 * had to wait. */
		job->at = eqt_whole_later(job->at, state->now);
		live->late = true;
		if (eqt_sim_admission_admit(state, entry) < 0)
			return -1;
	}
	spending->unpaid.count = kept;
	return kept < count;
}

bool eqt_sim_admission_outlived(const struct eqt_simulation_state *state,
				const struct eqt_simulation_job *job)
{
	const int i = eqt_shape_reservation_of(job);

	return i != EQT_SIMULATION_NO_RESERVATION &&
	       state->in->reservations[i].to <= state->now;
}

int64_t eqt_sim_admission_needs_next(const struct eqt_simulation_state *state)
{
	int64_t next = eqt_spending_next(state);

	/* The list is sorted by begin times. Entries with an earlier time wait
	 * for other jobs. */
	for (size_t i = 0; i < state->deferred.count; i++)
		if (state->deferred.entries[i].key > state->now) {
			next = eqt_whole_earlier(
				next, state->deferred.entries[i].key);
			break;
		}
	if (state->waiting_count && state->next_edge > state->now)
		next = eqt_whole_earlier(next, state->next_edge);
	return next;
}

/* Find the next time at which a reservation begins or ends. Return true if one has
 * begun or ended. */
static bool edge_pass(struct eqt_simulation_state *state)
{
	const struct eqt_simulation *in = state->in;

	if (state->next_edge > state->now)
		return false;
	state->next_edge = EQT_SIMULATION_FAR;
	for (uint32_t i = 0; i < in->reservation_count; i++) {
		const int64_t edges[] = { in->reservations[i].from,
					  in->reservations[i].to };

		for (int e = 0; e < 2; e++)
			if (edges[e] > state->now &&
			    edges[e] < state->next_edge)
				state->next_edge = edges[e];
	}
	state->stirred = true;
	state->settled = false;
	state->may_outlive = in->reservation_count != 0;
	return in->reservation_count != 0;
}

int eqt_sim_admission_needs_release(struct eqt_simulation_state *state)
{
	const int released = eqt_sim_admission_unpaid_release(state);
	bool changed = edge_pass(state) || released;
	size_t kept = 0;

	if (released < 0)
		return -1;
	for (size_t i = 0; i < state->deferred.count; i++) {
		const struct eqt_event entry = state->deferred.entries[i];
		struct eqt_simulation_job *job =
			eqt_simulation_job_of(state, &state->live[entry.slot]);

		if (admission_is_deferred(state, job)) {
			state->deferred.entries[kept++] = entry;
			continue;
		}
		/* The age of the job counts from this time. */
		job->at = eqt_whole_later(job->at, state->now);
		if (admission_enqueue(state, entry) < 0)
			return -1;
		changed = true;
	}
	state->deferred.count = kept;
	return changed;
}

/* ---- Priorities when it begins ---------------------------------------------- */

/* Set the bias of each job with a priority in its needs. Return the number of these
 * jobs, with their biases in all[]. */
static size_t bias_set(struct eqt_simulation_state *state, double *all)
{
	size_t count = 0;

	for (uint32_t i = 0; i < state->live_space; i++) {
		struct eqt_simulation_live *live = &state->live[i];
		const struct eqt_simulation_job *job;

		if (!live->used || live->running)
			continue;
		job = eqt_simulation_job_of(state, live);
		if (!job->needs || !job->needs->priority)
			continue;
		live->bias = (double) job->needs->priority -
			     (double) eqt_sim_usage_priority(state, live);
		all[count++] = live->bias;
	}
	return count;
}

int eqt_sim_admission_anchor(struct eqt_simulation_state *state)
{
	double *all = calloc((size_t) state->live_count + 1, sizeof(*all));
	size_t count;

	if (!all)
		return eqt_error_set(state->err, "out of memory");
	if (eqt_sim_usage_rank(state) < 0) {
		free(all);
		return -1;
	}
	count = bias_set(state, all);
	qsort(all, count, sizeof(*all), eqt_whole_compare_doubles);
	state->bias = count ? all[count / 2] : 0;
	free(all);
	for (uint32_t i = 0; i < state->live_space; i++) {
		struct eqt_simulation_live *live = &state->live[i];
		const struct eqt_simulation_needs *needs =
			live->used ? eqt_simulation_job_of(state, live)->needs
				   : NULL;

		if (live->used && (!needs || !needs->priority))
			live->bias = state->bias;
	}
	return 0;
}
