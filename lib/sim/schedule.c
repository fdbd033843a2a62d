/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts waiting jobs like Slurm's main scheduler (a partition stops at the first job
 * that does not fit) or like its backfill (each job that it looks at reserves nodes, and
 * others may start if they delay none of them). docs/SIMULATE.md lists the differences.
 */
#include "sim/admission.h"
#include "sim/backfill_reservations.h"
#include "sim/nodes.h"
#include "sim/shape.h"

#define WALK_MISFITS 8

/* A walk through all queues in the order of priority. */
struct walk {
	size_t at[EQT_SIMULATION_PARTITIONS_MAX];
	uint64_t over; /* bit i: partition i has stopped */
	/* Number of jobs with a reservation, by partition. */
	uint32_t reserved[EQT_SIMULATION_PARTITIONS_MAX];
	/* The last jobs that did not fit; what is free only shrinks. */
	const struct eqt_simulation_job *misfits[WALK_MISFITS];
	uint32_t misfit_count;
};

/* The queue of the next job: highest tier, then highest priority (keys are negative),
 * then oldest. partition_count when all queues are done. */
static uint32_t walk_next_queue(const struct eqt_simulation_state *state,
				const struct walk *walk)
{
	const struct eqt_simulation_cluster *cluster = &state->in->cluster;
	const struct eqt_event *best = NULL;
	uint32_t found = cluster->partition_count;

	for (uint32_t p = 0; p < cluster->partition_count; p++) {
		const struct eqt_events *list = &state->waiting[p];
		const struct eqt_event *entry;
		uint32_t tier = cluster->partitions[p].tier, best_tier;

		if ((walk->over >> p & 1) || walk->at[p] >= list->count)
			continue;
		entry = &list->entries[walk->at[p]];
		best_tier = best ? cluster->partitions[found].tier : 0;
		if (best && (tier < best_tier ||
			     (tier == best_tier && (entry->key > best->key ||
						    (entry->key == best->key &&
						     entry->job > best->job)))))
			continue;
		best = entry;
		found = p;
	}
	return found;
}

/* Keys are negative times, so that the next event is the last entry, which is cheap to
 * remove. */
static int job_start(struct eqt_simulation_state *state, uint32_t slot)
{
	struct eqt_simulation_live *live = &state->live[slot];
	struct eqt_simulation_job *job = &state->in->jobs[live->job];
	struct eqt_event end = {
		.key = -(state->now + job->run_s),
		.job = live->job,
		.slot = slot,
	};

	live->limit_end = state->now + job->limit_s;
	if (eqt_simulation_take(state, live) < 0)
		return -1;
	if (state->in->watch.placed)
		state->in->watch.placed(state->in->watch.with, job,
					live->nodes);
	live->running = true;
	state->stirred = true;
	eqt_simulation_limits_count(state, job, true);
	eqt_backfill_reservations_started(state);
	live->charged = job->start = state->now;
	state->waiting_count--;
	state->sum->started++;
	if (eqt_events_add(&state->ends, end) < 0)
		return eqt_error_set(state->err, "out of memory");
	return 0;
}

/* Remove started jobs from a queue; only the first `seen` entries were tried. */
static void queue_drop_started(struct eqt_events *list, size_t seen)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (i >= seen && kept == i)
			return;
		if (list->entries[i].slot != EQT_SIMULATION_NO_SLOT)
			list->entries[kept++] = list->entries[i];
	}
	list->count = kept;
}

void eqt_simulation_drop_outlived(struct eqt_simulation_state *state)
{
	state->may_outlive = false;
	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++) {
		struct eqt_events *list = &state->waiting[p];

		for (size_t i = 0; i < list->count; i++) {
			struct eqt_event *entry = &list->entries[i];

			if (!eqt_simulation_outlived(
				    state, &state->in->jobs[entry->job]))
				continue;
			eqt_simulation_leave_slot(state, entry->slot);
			entry->slot = EQT_SIMULATION_NO_SLOT;
			state->waiting_count--;
			state->sum->impossible++;
		}
		queue_drop_started(list, list->count);
	}
}

/* A job cannot start: stop its partition or, in a backfill, reserve nodes for it while the
 * partition has fewer reservations than it may. */
static int walk_pass_over(struct eqt_simulation_state *state, struct walk *walk,
			  const struct eqt_simulation_job *job, bool backfill)
{
	const uint32_t most = state->policy->backfill_reserve
				      ? state->policy->backfill_reserve
				      : 1;
	const uint64_t bit = UINT64_C(1) << job->partition;

	/* As in Slurm, one that waits for its reservation keeps nobody waiting. */
	if (eqt_simulation_reservation_of(job) != EQT_SIMULATION_NO_RESERVATION)
		return 0;
	if (!backfill) {
		walk->over |= bit;
		state->blocked |= bit;
	} else if (walk->reserved[job->partition] < most) {
		walk->reserved[job->partition]++;
		return eqt_backfill_reservations_add(state, job);
	}
	return 0;
}

/* Does the job fit now? One like it that did not tells without a search. */
static bool walk_fits(struct eqt_simulation_state *state, struct walk *walk,
		      const struct eqt_simulation_job *job)
{
	const uint32_t count = walk->misfit_count < WALK_MISFITS
				       ? walk->misfit_count
				       : WALK_MISFITS;

	for (uint32_t i = 0; i < count; i++)
		if (walk->misfits[i]->limit_s <= job->limit_s &&
		    eqt_simulation_same_shape(walk->misfits[i], job))
			return false;
	if (eqt_simulation_fit(state, job, state->now + job->limit_s))
		return true;
	walk->misfits[walk->misfit_count++ % WALK_MISFITS] = job;
	return false;
}

/* Try the next job of a queue. Returns 1 if it has started, 0 if not, -1 with the
 * error. */
static int walk_try_job(struct eqt_simulation_state *state, struct walk *walk,
			uint32_t queue, bool backfill)
{
	struct eqt_event *entry =
		&state->waiting[queue].entries[walk->at[queue]++];
	const struct eqt_simulation_job *job = &state->in->jobs[entry->job];

	/* As in Slurm, a job at a limit keeps nobody waiting. */
	if (!eqt_simulation_within_limits(state, job))
		return 0;
	if (!walk_fits(state, walk, job))
		return walk_pass_over(state, walk, job, backfill);
	if (job_start(state, entry->slot) < 0)
		return -1;
	entry->slot = EQT_SIMULATION_NO_SLOT;
	return 1;
}

/* Try jobs in order of priority over all queues, backfill_depth of them at most. */
static int walk_queues(struct eqt_simulation_state *state, struct walk *walk,
		       bool backfill)
{
	const uint32_t none = state->in->cluster.partition_count;
	uint32_t queue, tried = 0;

	while ((queue = walk_next_queue(state, walk)) != none) {
		int rc = walk_try_job(state, walk, queue, backfill);

		if (rc < 0)
			return -1;
		state->sum->backfilled += rc && walk->reserved[queue] > 0;
		if (backfill && ++tried >= state->policy->backfill_depth)
			break;
	}
	return 0;
}

int eqt_simulation_schedule(struct eqt_simulation_state *state, bool backfill)
{
	struct walk walk = { .over = 0 };
	int rc;

	state->blocked = 0;
	if (eqt_backfill_reservations_clear(state) < 0)
		return -1;
	rc = walk_queues(state, &walk, backfill);
	state->blocked = 0;
	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++)
		queue_drop_started(&state->waiting[p], walk.at[p]);
	return rc;
}

/* Nodes that are looked at for all shapes of jobs; with more, some job may fit. */
#define LOOKS_MAX 20000

bool eqt_simulation_any_fits(const struct eqt_simulation_state *state)
{
	const struct eqt_simulation_job *last = NULL;
	uint64_t looks = 0;

	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++) {
		const struct eqt_events *list = &state->waiting[p];

		for (size_t i = 0; i < list->count; i++) {
			const struct eqt_simulation_job *job =
				&state->in->jobs[list->entries[i].job];

			if (last && eqt_simulation_same_shape(last, job))
				continue;
			looks += state->in->cluster.node_count;
			if (looks > LOOKS_MAX ||
			    eqt_simulation_fits_now(state, job))
				return true;
			last = job;
		}
	}
	return false;
}
