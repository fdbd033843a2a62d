/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Start waiting jobs like Slurm's main scheduler or like its backfill scheduler. The
 * main scheduler stops a partition at the first job that does not fit. In a backfill,
 * each job that is tried reserves nodes, and other jobs may start if they delay none of
 * these. docs/SIMULATE.md lists the differences.
 */
#include "sim/sim_admission.h"
#include "sim/backfill_reservations.h"
#include "sim/kinds.h"
#include "sim/sim_nodes.h"
#include "sim/queue.h"
#include "sim/shape.h"
#include "sim/spending.h"

/* A walk through all queues in the order of priority. */
struct walk {
	/* Slot of the next job of each queue. */
	uint32_t next[EQT_SIMULATION_PARTITIONS_MAX];
	uint64_t over; /* bit i is set if partition i has stopped */
	/* Number of jobs with a reservation in each partition. */
	uint32_t reserved[EQT_SIMULATION_PARTITIONS_MAX];
};

static void walk_begin(struct eqt_simulation_state *state, struct walk *walk,
		       bool backfill)
{
	/* A backfill counts each job that it looks at. */
	eqt_queue_walk(state, !backfill);
	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++)
		walk->next[p] = eqt_queue_next(state, p);
}

/* Return the queue of the next job: that with the highest tier, then the highest
 * priority (keys are negative), then the oldest job. Return partition_count if all
 * queues are done. */
static uint32_t walk_next_queue(const struct eqt_simulation_state *state,
				const struct walk *walk)
{
	const struct eqt_simulation_cluster *cluster = &state->in->cluster;
	const struct eqt_simulation_live *best = NULL;
	uint32_t found = cluster->partition_count;

	for (uint32_t p = 0; p < cluster->partition_count; p++) {
		const struct eqt_simulation_live *live;
		uint32_t tier = cluster->partitions[p].tier, best_tier;

		if ((walk->over >> p & 1) ||
		    walk->next[p] == EQT_SIMULATION_NO_SLOT)
			continue;
		live = &state->live[walk->next[p]];
		best_tier = best ? cluster->partitions[found].tier : 0;
		if (best && (tier < best_tier ||
			     (tier == best_tier && (live->key > best->key ||
						    (live->key == best->key &&
						     live->job > best->job)))))
			continue;
		best = live;
		found = p;
	}
	return found;
}

static void job_unqueue(struct eqt_simulation_state *state, uint32_t slot)
{
	state->kinds->kind[state->live[slot].kind].waiting--;
	state->waiting_count--;
	eqt_queue_remove(state, slot);
}

/* Keys are negative times, so that the next event is the last entry, which can be
 * removed quickly. */
static int job_start(struct eqt_simulation_state *state, uint32_t slot)
{
	struct eqt_simulation_live *live = &state->live[slot];
	struct eqt_simulation_job *job = eqt_simulation_job_of(state, live);
	struct eqt_event end = {
		.key = -(state->now + job->run_s),
		.job = live->job,
		.slot = slot,
	};

	live->limit_end = state->now + job->limit_s;
	if (eqt_sim_nodes_take(state, live) < 0)
		return -1;
	if (state->in->watch.placed)
		state->in->watch.placed(state->in->watch.with, job,
					live->nodes);
	live->running = true;
	state->stirred = true;
	state->settled = false;
	eqt_sim_admission_count(state, job, true);
	eqt_backfill_reservations_started(state);
	live->charged = job->start = state->now;
	if (state->in->watch.started)
		state->in->watch.started(state->in->watch.with, live->job, job);
	job_unqueue(state, slot);
	state->sum->started++;
	if (eqt_events_add(&state->ends, end) < 0)
		return eqt_error_set(state->err, "out of memory");
	return 0;
}

void eqt_schedule_leave_slot(struct eqt_simulation_state *state, uint32_t slot)
{
	state->live[slot] = (struct eqt_simulation_live){
		.next_free = state->free_slot,
	};
	state->free_slot = slot;
	state->live_count--;
}

/* Remove a waiting job if its reservation has ended. */
static void job_drop_outlived(struct eqt_simulation_state *state, uint32_t slot)
{
	if (!eqt_sim_admission_outlived(
		    state, eqt_simulation_job_of(state, &state->live[slot])))
		return;
	job_unqueue(state, slot);
	state->settled = false;
	eqt_spending_return(state, &state->live[slot], 0);
	eqt_schedule_leave_slot(state, slot);
	state->sum->impossible++;
}

void eqt_schedule_drop_outlived(struct eqt_simulation_state *state)
{
	state->may_outlive = false;
	eqt_queue_each(state, job_drop_outlived);
}

/* Handle a job that cannot start. The main scheduler stops its partition. A backfill
 * reserves nodes for it if the partition may have more reservations. */
static int walk_pass_over(struct eqt_simulation_state *state, struct walk *walk,
			  uint32_t slot, bool backfill)
{
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, &state->live[slot]);
	const uint32_t most = state->policy->backfill_reserve
				      ? state->policy->backfill_reserve
				      : 1;
	const uint64_t bit = UINT64_C(1) << job->partition;

	/* As in Slurm, a job that waits for its reservation does not block others. */
	if (eqt_shape_reservation_of(job) != EQT_SIMULATION_NO_RESERVATION)
		return 0;
	if (!backfill) {
		walk->over |= bit;
		state->blocked |= bit;
		state->stopped_at[job->partition] = slot;
	} else if (walk->reserved[job->partition] < most) {
		walk->reserved[job->partition]++;
		return eqt_backfill_reservations_add(state, job);
	}
	return 0;
}

/* Does a job fit now? Free resources only shrink during a walk. So if a job of a kind
 * did not fit, other jobs of the kind are not tried unless their time limits are
 * shorter. */
static bool walk_fits(struct eqt_simulation_state *state,
		      struct eqt_simulation_kind *kind,
		      const struct eqt_simulation_job *job)
{
	if (kind->misfit == state->walk && kind->misfit_s <= job->limit_s)
		return false;
	if (eqt_sim_nodes_fit(state, job, state->now + job->limit_s))
		return true;
	kind->misfit = state->walk;
	kind->misfit_s = job->limit_s;
	return false;
}

/* Try the next job of a queue. Return 1 if it has started, 0 if not, or -1 with the
 * error. */
static int walk_try_job(struct eqt_simulation_state *state, struct walk *walk,
			uint32_t queue, bool backfill)
{
	const uint32_t slot = walk->next[queue];
	const struct eqt_simulation_live *live = &state->live[slot];
	const struct eqt_simulation_job *job =
		eqt_simulation_job_of(state, live);
	struct eqt_simulation_kind *kind = &state->kinds->kind[live->kind];

	state->work++;
	eqt_queue_visit(state, queue);
	walk->next[queue] = eqt_queue_next(state, queue);
	/* As in Slurm, a job at a limit does not block others. */
	if (eqt_sim_admission_at_limit(state, live->kind))
		return 0;
	if (!walk_fits(state, kind, job))
		return walk_pass_over(state, walk, slot, backfill);
	return job_start(state, slot) < 0 ? -1 : 1;
}

/* Try jobs in the order of priority over all queues, and in a backfill at most
 * backfill_depth of them. */
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

/* Prepare a round of the main scheduler. */
static void round_begin(struct eqt_simulation_state *state)
{
	/* A start unsets it. */
	state->settled = true;
	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++)
		state->stopped_at[p] = EQT_SIMULATION_NO_SLOT;
}

int eqt_schedule_run(struct eqt_simulation_state *state, bool backfill)
{
	struct walk walk = { .over = 0 };
	int rc;

	if (!backfill && state->settled)
		return 0;
	if (!backfill)
		round_begin(state);
	state->blocked = 0;
	state->walk++;
	if (eqt_backfill_reservations_clear(state) < 0)
		return -1;
	walk_begin(state, &walk, backfill);
	rc = walk_queues(state, &walk, backfill);
	state->blocked = 0;
	eqt_queue_settle(state);
	return rc;
}

/* The largest number of nodes that eqt_schedule_any_fits() checks. If there are more,
 * its result is true. */
#define LOOKS_MAX 20000

bool eqt_schedule_any_fits(const struct eqt_simulation_state *state)
{
	uint64_t looks = 0;

	for (uint32_t i = 0; i < state->kinds->count; i++) {
		const struct eqt_simulation_kind *kind = &state->kinds->kind[i];

		if (!kind->waiting || kind->beyond ||
		    !eqt_sim_admission_within_limits(state, &kind->example))
			continue;
		looks += state->in->cluster.node_count;
		if (looks > LOOKS_MAX ||
		    eqt_sim_nodes_fit_now(state, &kind->example))
			return true;
	}
	return false;
}
