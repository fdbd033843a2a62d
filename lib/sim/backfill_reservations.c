/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan of a backfill: when and on which nodes each job that it has looked at will
 * start. As in Slurm's backfill, a planned job takes its nodes whole for its time limit,
 * so that jobs behind it start there only if they end before, and it is planned by the
 * time limits of the running jobs and by what is planned already.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/backfill_reservations.h"
#include "sim/shape.h"

/* Resources that a node gets back when a running job reaches its time limit. */
struct eqt_simulation_release_at {
	int64_t at;
	struct eqt_simulation_amount gone;
};

/* What the running jobs of a node will give back, by rising time. */
struct eqt_simulation_releases {
	struct eqt_simulation_release_at *all;
	uint32_t count, space;
};

/* A node that a job will have. */
struct eqt_simulation_planned {
	int64_t from, to;
	uint32_t next; /* on the same node, by rising time; PLAN_END */
	int reservation; /* that it stands for; none: a job */
};

#define PLAN_END UINT32_MAX

struct eqt_simulation_plan {
	/* For each node its planned jobs, by rising time. */
	uint32_t *first;
	struct eqt_simulation_planned *planned;
	uint32_t count, space;
	struct eqt_simulation_releases *releases; /* of each node */
	uint32_t nodes;
	/* When each node has enough for the job of the last search. */
	int64_t *ready, *open, *scratch;
	struct eqt_simulation_job shape;
	bool shaped;
};

void eqt_simulation_plan_free(struct eqt_simulation_plan *plan)
{
	if (!plan)
		return;
	free(plan->first);
	free(plan->planned);
	for (uint32_t i = 0; plan->releases && i < plan->nodes; i++)
		free(plan->releases[i].all);
	free(plan->releases);
	free(plan->ready);
	free(plan->open);
	free(plan->scratch);
	free(plan);
}

struct eqt_simulation_plan *eqt_simulation_plan_new(uint32_t nodes)
{
	struct eqt_simulation_plan *plan = calloc(1, sizeof(*plan));
	const size_t count = (size_t) nodes + 1;

	if (!plan)
		return NULL;
	plan->first = calloc(count, sizeof(*plan->first));
	plan->releases = calloc(count, sizeof(*plan->releases));
	plan->nodes = nodes;
	plan->ready = calloc(count, sizeof(*plan->ready));
	plan->open = calloc(count, sizeof(*plan->open));
	plan->scratch = calloc(count, sizeof(*plan->scratch));
	if (plan->first && plan->releases && plan->ready && plan->open &&
	    plan->scratch) {
		memset(plan->first, 0xff, count * sizeof(*plan->first));
		return plan;
	}
	eqt_simulation_plan_free(plan);
	return NULL;
}

void eqt_simulation_plan_started(struct eqt_simulation_state *state)
{
	state->plan->shaped = false;
}

bool eqt_simulation_plan_allows(const struct eqt_simulation_state *state,
				uint32_t node, int64_t until, int reservation)
{
	const struct eqt_simulation_plan *plan = state->plan;
	uint32_t i = plan->first[node];

	/* Nothing is planned in the past, so the first one decides. */
	while (i != PLAN_END && reservation != EQT_SIMULATION_NO_RESERVATION &&
	       plan->planned[i].reservation == reservation)
		i = plan->planned[i].next;
	return i == PLAN_END || plan->planned[i].from >= until;
}

/* ---- When a node has enough ------------------------------------------------- */

static bool release_is(const struct eqt_simulation_release_at *release,
		       int64_t at, const struct eqt_simulation_amount *gone)
{
	return release->at == at && release->gone.cpus == gone->cpus &&
	       release->gone.mem_mib == gone->mem_mib &&
	       release->gone.gpus == gone->gpus;
}

/* Room for one more. 0, or -1: out of memory. */
static int releases_grow(struct eqt_simulation_releases *releases)
{
	const uint32_t space = releases->space ? 2 * releases->space : 4;
	void *all;

	if (releases->count < releases->space)
		return 0;
	all = realloc(releases->all, space * sizeof(*releases->all));
	if (!all)
		return -1;
	releases->all = all;
	releases->space = space;
	return 0;
}

int eqt_simulation_plan_note_release(struct eqt_simulation_state *state,
				     uint32_t node, int64_t at,
				     const struct eqt_simulation_amount *gone)
{
	struct eqt_simulation_releases *releases = &state->plan->releases[node];
	uint32_t i;

	if (releases_grow(releases) < 0)
		return eqt_error_set(state->err, "out of memory");
	/* Most that start last end last. */
	for (i = releases->count; i > 0 && releases->all[i - 1].at > at; i--)
		releases->all[i] = releases->all[i - 1];
	releases->all[i] = (struct eqt_simulation_release_at){ at, *gone };
	releases->count++;
	return 0;
}

void eqt_simulation_plan_drop_release(struct eqt_simulation_state *state,
				      uint32_t node, int64_t at,
				      const struct eqt_simulation_amount *gone)
{
	struct eqt_simulation_releases *releases = &state->plan->releases[node];
	uint32_t i = 0;

	while (i < releases->count && !release_is(&releases->all[i], at, gone))
		i++;
	if (i == releases->count)
		return;
	releases->count--;
	memmove(&releases->all[i], &releases->all[i + 1],
		(releases->count - i) * sizeof(*releases->all));
}

/* From when on a node has enough, by what runs there. */
static int64_t node_ready_at(const struct eqt_simulation_state *state,
			     uint32_t node,
			     const struct eqt_simulation_amount *each)
{
	const struct eqt_simulation_releases *releases =
		&state->plan->releases[node];
	struct eqt_simulation_amount has = state->free[node];
	int64_t at = state->now;

	for (uint32_t i = 0;; i++) {
		if (eqt_simulation_amount_holds(&has, each))
			return at;
		if (i == releases->count)
			return EQT_SIMULATION_FAR;
		at = releases->all[i].at;
		has.cpus += releases->all[i].gone.cpus;
		has.mem_mib += releases->all[i].gone.mem_mib;
		has.gpus += releases->all[i].gone.gpus;
	}
}

/* Jobs come in bursts of one shape: the nodes are searched once for them. */
static void plan_find_ready(struct eqt_simulation_state *state,
			    const struct eqt_simulation_job *job)
{
	const struct eqt_simulation_amount asked = eqt_simulation_each(job);
	struct eqt_simulation_plan *plan = state->plan;

	if (plan->shaped && eqt_simulation_same_shape(&plan->shape, job))
		return;
	for (uint32_t i = 0; i < state->in->cluster.node_count; i++) {
		const struct eqt_simulation_amount each =
			eqt_simulation_each_on(state, job, i);

		/* A whole node can be less than what the job asked for. */
		plan->ready[i] =
			eqt_simulation_node_eligible(state, i, job) &&
					eqt_simulation_amount_holds(
						&state->in->cluster.nodes[i]
							 .has,
						&asked)
				? node_ready_at(state, i, &each)
				: EQT_SIMULATION_FAR;
	}
	plan->shape = *job;
	plan->shaped = true;
}

/* ---- When enough nodes are open together -------------------------------------- */

/* From when on, but not before at, a node has enough for so long. */
static int64_t node_open_at(const struct eqt_simulation_plan *plan,
			    uint32_t node, int64_t at, int64_t length)
{
	if (plan->ready[node] == EQT_SIMULATION_FAR)
		return EQT_SIMULATION_FAR;
	if (at < plan->ready[node])
		at = plan->ready[node];
	for (uint32_t i = plan->first[node]; i != PLAN_END;
	     i = plan->planned[i].next) {
		if (plan->planned[i].from >= at + length)
			break;
		if (plan->planned[i].to > at)
			at = plan->planned[i].to;
	}
	return at;
}

/* Part times[] so that none before *low is above the pivot and none behind *high is
 * below it. */
static void times_part(int64_t *times, int64_t pivot, int64_t *low,
		       int64_t *high)
{
	while (*low <= *high) {
		while (times[*low] < pivot)
			++*low;
		while (times[*high] > pivot)
			--*high;
		if (*low <= *high) {
			const int64_t other = times[*low];

			times[(*low)++] = times[*high];
			times[(*high)--] = other;
		}
	}
}

/* The k-th smallest (from 0) of count times, whose order changes: only the part that
 * holds it is parted again (Hoare's FIND). */
static int64_t times_select(int64_t *times, int64_t count, int64_t k)
{
	int64_t first = 0, last = count - 1;

	while (first < last) {
		int64_t low = first, high = last;

		times_part(times, times[first + (last - first) / 2], &low,
			   &high);
		if (k <= high)
			last = high;
		else if (k >= low)
			first = low;
		else
			break;
	}
	return times[k];
}

/* The time at which the k-th node opens; EQT_SIMULATION_FAR: never. */
static int64_t plan_kth(struct eqt_simulation_plan *plan, uint32_t nodes,
			uint32_t k)
{
	int64_t least = EQT_SIMULATION_FAR;

	if (k > nodes)
		return EQT_SIMULATION_FAR;
	if (k > 1) {
		memcpy(plan->scratch, plan->open, nodes * sizeof(*plan->open));
		return times_select(plan->scratch, nodes, (int64_t) k - 1);
	}
	for (uint32_t i = 0; i < nodes; i++)
		if (plan->open[i] < least)
			least = plan->open[i];
	return least;
}

/* The first time when enough nodes are open at once. Each round moves to a later end of
 * something planned, so there are not many. */
static int64_t plan_find_time(struct eqt_simulation_state *state,
			      const struct eqt_simulation_job *job)
{
	const uint32_t nodes = state->in->cluster.node_count;
	struct eqt_simulation_plan *plan = state->plan;
	int64_t at = state->now, kth;

	for (;;) {
		for (uint32_t i = 0; i < nodes; i++)
			plan->open[i] = node_open_at(plan, i, at, job->limit_s);
		kth = plan_kth(plan, nodes, job->nodes);
		if (kth <= at || kth == EQT_SIMULATION_FAR)
			return kth;
		at = kth;
		if (job->nodes == 1)
			return at;
	}
}

static int plan_grow(struct eqt_simulation_plan *plan, uint32_t more)
{
	struct eqt_simulation_planned *grown;
	const uint32_t space = 2 * (plan->count + more);

	if (plan->count + more <= plan->space)
		return 0;
	grown = realloc(plan->planned, space * sizeof(*grown));
	if (!grown)
		return -1;
	plan->planned = grown;
	plan->space = space;
	return 0;
}

/* Insert a planned job into the list of its node. */
static void plan_insert(struct eqt_simulation_plan *plan, uint32_t node,
			int64_t from, int64_t to, int reservation)
{
	const uint32_t added = plan->count++;
	uint32_t *link = &plan->first[node];

	while (*link != PLAN_END && plan->planned[*link].from < from)
		link = &plan->planned[*link].next;
	plan->planned[added] = (struct eqt_simulation_planned){
		.from = from,
		.to = to,
		.next = *link,
		.reservation = reservation,
	};
	*link = added;
}

/* A reservation keeps its nodes as a planned job does. */
static int plan_insert_reservation(struct eqt_simulation_state *state,
				   uint32_t index)
{
	const struct eqt_simulation_reservation *one =
		&state->in->reservations[index];
	const uint32_t nodes = state->in->cluster.node_count;

	if (one->to <= state->now)
		return 0;
	if (plan_grow(state->plan, nodes) < 0)
		return eqt_error_set(state->err, "out of memory");
	for (uint32_t i = 0; i < nodes; i++)
		if (one->nodes[i / 64] >> (i % 64) & 1)
			plan_insert(state->plan, i, one->from, one->to,
				    (int) index);
	return 0;
}

int eqt_simulation_plan_clear(struct eqt_simulation_state *state)
{
	struct eqt_simulation_plan *plan = state->plan;

	/* PLAN_END in each byte */
	if (plan->count > 0)
		memset(plan->first, 0xff,
		       state->in->cluster.node_count * sizeof(*plan->first));
	plan->count = 0;
	eqt_simulation_plan_started(state);
	for (uint32_t i = 0; i < state->in->reservation_count; i++)
		if (plan_insert_reservation(state, i) < 0)
			return -1;
	return 0;
}

int eqt_simulation_plan_job(struct eqt_simulation_state *state,
			    const struct eqt_simulation_job *job)
{
	struct eqt_simulation_plan *plan = state->plan;
	uint32_t left = job->nodes;
	int64_t at;

	/* Its reservation keeps the nodes for it. */
	if (eqt_simulation_reservation_of(job) != EQT_SIMULATION_NO_RESERVATION)
		return 0;
	plan_find_ready(state, job);
	at = plan_find_time(state, job);
	if (at == EQT_SIMULATION_FAR ||
	    at > state->now + state->policy->backfill_window_s)
		return 0;
	if (plan_grow(plan, job->nodes) < 0)
		return eqt_error_set(state->err, "out of memory");
	for (uint32_t i = 0; i < state->in->cluster.node_count && left; i++) {
		if (node_open_at(plan, i, at, job->limit_s) != at)
			continue;
		plan_insert(plan, i, at, at + job->limit_s,
			    EQT_SIMULATION_NO_RESERVATION);
		left--;
	}
	return 0;
}
