/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compute the reservation of each job that a backfill has tried and that must wait:
 * when and on which nodes the job will start. As in Slurm's backfill, the job reserves
 * whole nodes for its time limit, so that later jobs start there only if they end
 * before. A reservation follows from the time limits of the running jobs and from the
 * earlier reservations. The nodes of advance reservations (scontrol create reservation)
 * are in the same lists.
 */
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "base/array.h"
#include "sim/backfill_reservations.h"
#include "sim/shape.h"

/* The resources that a running job releases on a node when it reaches its time
 * limit. */
struct eqt_simulation_release_at {
	int64_t at;
	struct eqt_simulation_amount gone;
};

/* The resources that running jobs will release on a node, in the order of time. */
struct eqt_simulation_releases {
	struct eqt_simulation_release_at *all;
	uint32_t count;
};

/* A time in which a node is reserved for a waiting job or by an advance reservation. */
struct eqt_backfill_reservation {
	int64_t from, to;
	/* The next reservation of the node in the order of time, or RESERVED_END. */
	uint32_t next;
	/* Index of the advance reservation, or EQT_SIMULATION_NO_RESERVATION. */
	int advance;
};

#define RESERVED_END UINT32_MAX

struct eqt_backfill_reservations {
	/* For each node its first reservation in the order of time. */
	uint32_t *first;
	struct eqt_backfill_reservation *all;
	uint32_t count;
	size_t space;
	/* The releases of each node. */
	struct eqt_simulation_releases *releases;
	uint32_t nodes;
	/* The times of each node for jobs of one shape: when the node has enough, when
	 * it has enough for the whole time limit, and a copy for selection. */
	int64_t *ready, *open, *scratch;
	struct eqt_simulation_job shape;
	bool shaped;
};

void eqt_backfill_reservations_free(struct eqt_backfill_reservations *reserved)
{
	if (!reserved)
		return;
	free(reserved->first);
	free(reserved->all);
	for (uint32_t i = 0; reserved->releases && i < reserved->nodes; i++)
		free(reserved->releases[i].all);
	free(reserved->releases);
	free(reserved->ready);
	free(reserved->open);
	free(reserved->scratch);
	free(reserved);
}

struct eqt_backfill_reservations *eqt_backfill_reservations_new(uint32_t nodes)
{
	struct eqt_backfill_reservations *reserved =
		calloc(1, sizeof(*reserved));
	const size_t count = (size_t) nodes + 1;

	if (!reserved)
		return NULL;
	reserved->first = calloc(count, sizeof(*reserved->first));
	reserved->releases = calloc(count, sizeof(*reserved->releases));
	reserved->nodes = nodes;
	reserved->ready = calloc(count, sizeof(*reserved->ready));
	reserved->open = calloc(count, sizeof(*reserved->open));
	reserved->scratch = calloc(count, sizeof(*reserved->scratch));
	if (reserved->first && reserved->releases && reserved->ready &&
	    reserved->open && reserved->scratch) {
		memset(reserved->first, 0xff, count * sizeof(*reserved->first));
		return reserved;
	}
	eqt_backfill_reservations_free(reserved);
	return NULL;
}

void eqt_backfill_reservations_started(struct eqt_simulation_state *state)
{
	state->backfill->shaped = false;
}

bool eqt_backfill_reservations_allow(const struct eqt_simulation_state *state,
				     uint32_t node, int64_t until,
				     int reservation)
{
	const struct eqt_backfill_reservations *reserved = state->backfill;
	uint32_t i = reserved->first[node];

	/* No reservation begins in the past, so that the first one decides. */
	while (i != RESERVED_END &&
	       reservation != EQT_SIMULATION_NO_RESERVATION &&
	       reserved->all[i].advance == reservation)
		i = reserved->all[i].next;
	return i == RESERVED_END || reserved->all[i].from >= until;
}

/* ---- When a node has enough ------------------------------------------------- */

static bool release_is(const struct eqt_simulation_release_at *release,
		       int64_t at, const struct eqt_simulation_amount *gone)
{
	return release->at == at && release->gone.cpus == gone->cpus &&
	       release->gone.mem_mib == gone->mem_mib &&
	       release->gone.gpus == gone->gpus;
}

int eqt_backfill_reservations_note_release(
	struct eqt_simulation_state *state, uint32_t node, int64_t at,
	const struct eqt_simulation_amount *gone)
{
	struct eqt_simulation_releases *releases =
		&state->backfill->releases[node];
	uint32_t i;

	if (EQT_ARRAY_ROOM(releases->all, releases->count) < 0)
		return eqt_error_set(state->err, "out of memory");
	/* Jobs that start last mostly end last, so the search begins at the end. */
	for (i = releases->count; i > 0 && releases->all[i - 1].at > at; i--)
		releases->all[i] = releases->all[i - 1];
	releases->all[i] = (struct eqt_simulation_release_at){ at, *gone };
	releases->count++;
	return 0;
}

void eqt_backfill_reservations_drop_release(
	struct eqt_simulation_state *state, uint32_t node, int64_t at,
	const struct eqt_simulation_amount *gone)
{
	struct eqt_simulation_releases *releases =
		&state->backfill->releases[node];
	uint32_t i = 0;

	while (i < releases->count && !release_is(&releases->all[i], at, gone))
		i++;
	if (i == releases->count)
		return;
	releases->count--;
	memmove(&releases->all[i], &releases->all[i + 1],
		(releases->count - i) * sizeof(*releases->all));
}

/* Return the time from which a node has enough, according to the time limits of its
 * running jobs. */
static int64_t node_ready_at(const struct eqt_simulation_state *state,
			     uint32_t node,
			     const struct eqt_simulation_amount *each)
{
	const struct eqt_simulation_releases *releases =
		&state->backfill->releases[node];
	struct eqt_simulation_amount has = state->free[node];
	int64_t at = state->now;

	for (uint32_t i = 0;; i++) {
		if (eqt_shape_holds(&has, each))
			return at;
		if (i == releases->count)
			return EQT_SIMULATION_FAR;
		at = releases->all[i].at;
		eqt_shape_add(&has, &releases->all[i].gone);
	}
}

/* Find the times from which nodes have enough. The result is kept for the next job,
 * because jobs come in bursts of one shape. */
static void reserved_find_ready(struct eqt_simulation_state *state,
				const struct eqt_simulation_job *job)
{
	const struct eqt_simulation_amount asked = eqt_shape_each(job);
	struct eqt_backfill_reservations *reserved = state->backfill;

	if (reserved->shaped && eqt_shape_is_same(&reserved->shape, job))
		return;
	for (uint32_t i = 0; i < state->in->cluster.node_count; i++) {
		const struct eqt_simulation_amount each =
			eqt_shape_each_on(state, job, i);

		/* A whole node can have less than the job asked for. */
		reserved->ready[i] =
			eqt_shape_node_eligible(state, i, job) &&
					eqt_shape_holds(&state->in->cluster
								 .nodes[i]
								 .has,
							&asked)
				? node_ready_at(state, i, &each)
				: EQT_SIMULATION_FAR;
	}
	reserved->shape = *job;
	reserved->shaped = true;
}

/* ---- When enough nodes are open together -------------------------------------- */

/* Return the first time, not before `at`, from which a node has enough for `length`
 * seconds. */
static int64_t node_open_at(const struct eqt_backfill_reservations *reserved,
			    uint32_t node, int64_t at, int64_t length)
{
	if (reserved->ready[node] == EQT_SIMULATION_FAR)
		return EQT_SIMULATION_FAR;
	at = eqt_whole_later(at, reserved->ready[node]);
	for (uint32_t i = reserved->first[node]; i != RESERVED_END;
	     i = reserved->all[i].next) {
		if (reserved->all[i].from >= at + length)
			break;
		at = eqt_whole_later(at, reserved->all[i].to);
	}
	return at;
}

/* Partition times[] so that no time before *low is above the pivot and no time after
 * *high is below the pivot. */
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

/* Return the k-th smallest of count times, where k begins with 0. The order of times[]
 * changes. Only the part that contains the k-th time is partitioned again (Hoare's
 * FIND). */
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

/* Return the time at which k nodes are open, or EQT_SIMULATION_FAR if there is none. */
static int64_t reserved_kth_open(struct eqt_backfill_reservations *reserved,
				 uint32_t nodes, uint32_t k)
{
	int64_t least = EQT_SIMULATION_FAR;

	if (k > nodes)
		return EQT_SIMULATION_FAR;
	if (k > 1) {
		memcpy(reserved->scratch, reserved->open,
		       nodes * sizeof(*reserved->open));
		return times_select(reserved->scratch, nodes, (int64_t) k - 1);
	}
	for (uint32_t i = 0; i < nodes; i++)
		least = eqt_whole_earlier(least, reserved->open[i]);
	return least;
}

/* Return the first time when enough nodes are open together. Each round moves to a
 * later end of a reservation, so that there are only a few rounds. */
static int64_t reserved_find_time(struct eqt_simulation_state *state,
				  const struct eqt_simulation_job *job)
{
	const uint32_t nodes = state->in->cluster.node_count;
	struct eqt_backfill_reservations *reserved = state->backfill;
	int64_t at = state->now, kth;

	for (;;) {
		for (uint32_t i = 0; i < nodes; i++)
			reserved->open[i] =
				node_open_at(reserved, i, at, job->limit_s);
		kth = reserved_kth_open(reserved, nodes, job->nodes);
		if (kth <= at || kth == EQT_SIMULATION_FAR)
			return kth;
		at = kth;
		if (job->nodes == 1)
			return at;
	}
}

/* Make room for more reservations. Return 0, or -1 with the error. */
static int reserved_grow(struct eqt_simulation_state *state, uint32_t more)
{
	struct eqt_backfill_reservations *reserved = state->backfill;

	if (EQT_ARRAY_RESERVE(reserved->all, reserved->space,
			      (size_t) reserved->count + more) < 0)
		return eqt_error_set(state->err, "out of memory");
	return 0;
}

/* Insert a reservation into the list of its node. */
static void reserved_insert(struct eqt_backfill_reservations *reserved,
			    uint32_t node, int64_t from, int64_t to,
			    int advance)
{
	const uint32_t added = reserved->count++;
	uint32_t *link = &reserved->first[node];

	while (*link != RESERVED_END && reserved->all[*link].from < from)
		link = &reserved->all[*link].next;
	reserved->all[added] = (struct eqt_backfill_reservation){
		.from = from,
		.to = to,
		.next = *link,
		.advance = advance,
	};
	*link = added;
}

/* Reserve the nodes of an advance reservation. Return 0, or -1 with the error. */
static int reserved_insert_advance(struct eqt_simulation_state *state,
				   uint32_t index)
{
	const struct eqt_simulation_reservation *one =
		&state->in->reservations[index];
	const uint32_t nodes = state->in->cluster.node_count;

	if (one->to <= state->now)
		return 0;
	if (reserved_grow(state, nodes) < 0)
		return -1;
	for (uint32_t i = 0; i < nodes; i++)
		if (one->nodes[i / 64] >> (i % 64) & 1)
			reserved_insert(state->backfill, i, one->from, one->to,
					(int) index);
	return 0;
}

int eqt_backfill_reservations_clear(struct eqt_simulation_state *state)
{
	struct eqt_backfill_reservations *reserved = state->backfill;

	/* Each member becomes RESERVED_END. */
	if (reserved->count > 0)
		memset(reserved->first, 0xff,
		       state->in->cluster.node_count *
			       sizeof(*reserved->first));
	reserved->count = 0;
	eqt_backfill_reservations_started(state);
	for (uint32_t i = 0; i < state->in->reservation_count; i++)
		if (reserved_insert_advance(state, i) < 0)
			return -1;
	return 0;
}

int eqt_backfill_reservations_add(struct eqt_simulation_state *state,
				  const struct eqt_simulation_job *job)
{
	struct eqt_backfill_reservations *reserved = state->backfill;
	uint32_t left = job->nodes;
	int64_t at;

	reserved_find_ready(state, job);
	at = reserved_find_time(state, job);
	if (at == EQT_SIMULATION_FAR ||
	    at > state->now + state->policy->backfill_window_s)
		return 0;
	if (reserved_grow(state, job->nodes) < 0)
		return -1;
	for (uint32_t i = 0; i < state->in->cluster.node_count && left; i++) {
		if (node_open_at(reserved, i, at, job->limit_s) != at)
			continue;
		reserved_insert(reserved, i, at, at + job->limit_s,
				EQT_SIMULATION_NO_RESERVATION);
		left--;
	}
	return 0;
}
