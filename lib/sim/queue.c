/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each partition has an array of its groups, sorted by their first jobs, and a walk
 * follows this array. A heap has the next job of each group that the walk has reached.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "sim/kinds.h"
#include "sim/queue.h"

#define NONE EQT_SIMULATION_NO_SLOT
#define ROOM_FIRST 64

/* A list of live jobs, linked by slots, in the order of arrival. */
struct queue_group {
	struct eqt_simulation_likeness like;
	uint32_t first, last;
	/* The first job when the group was put in its place. */
	uint32_t sorted_by;
	/* 1 + index of the next group of the hash, or of the next free group; 0 for the
	 * last. */
	uint32_t next;
	bool alone; /* whether the group has one job, which no other may join */
};

/* The first job of a group with its key, for qsort(). */
struct queue_entry {
	int64_t key;
	uint32_t job, group;
};

/* A group in the order of a partition. A walk reads the kind here, since it leaves out
 * thousands of groups whose limit is reached. */
struct queue_place {
	uint32_t group;
	uint32_t kind; /* 1 + index of the kind; 0 for jobs without limits */
};

/* The groups of a partition, and the walk through them. Each array has room for `count`
 * members. */
struct queue_order {
	struct queue_place *groups;
	uint32_t count;
	bool moved; /* whether the first job of a group was removed */
	uint32_t at; /* number of groups that the walk has reached */
	uint32_t *heap, heap_count; /* a heap of the slots of jobs */
	struct queue_entry *entries; /* memory for sorting the groups */
};

struct eqt_queues {
	struct queue_group *group;
	/* The number of groups, the room of the array, and 1 + index of the first free
	 * group. */
	uint32_t count, space, free;
	/* Hash table of `space` slots with 1 + index of a group. */
	uint32_t *first;
	struct queue_order order[EQT_SIMULATION_PARTITIONS_MAX];
	int64_t ordered_at;
	uint32_t ordering; /* number of the last ordering */
	bool alone; /* whether priorities differ by more than age */
};

static int queue_out_of_memory(struct eqt_simulation_state *state)
{
	return eqt_error_set(state->err, "out of memory");
}

/* With places or access, each job has a priority of its own and is a group of its
 * own. */
int eqt_queue_new(struct eqt_simulation_state *state)
{
	const struct eqt_conf_priority *conf = &state->policy->priority;

	state->queues = calloc(1, sizeof(*state->queues));
	if (!state->queues)
		return queue_out_of_memory(state);
	state->queues->alone = conf->order == EQT_ORDER_JOBS ||
			       conf->access_weight;
	state->queues->ordered_at = state->now;
	return 0;
}

void eqt_queue_free(struct eqt_queues *queues)
{
	for (int p = 0; queues && p < EQT_SIMULATION_PARTITIONS_MAX; p++) {
		free(queues->order[p].groups);
		free(queues->order[p].heap);
		free(queues->order[p].entries);
	}
	if (queues) {
		free(queues->group);
		free(queues->first);
	}
	free(queues);
}

/* Make room for one more group, so that ordering and walking allocate nothing. */
static int order_reserve(struct eqt_simulation_state *state,
			 struct queue_order *order)
{
	if (EQT_ARRAY_ROOM(order->groups, order->count) < 0 ||
	    EQT_ARRAY_ROOM(order->heap, order->count) < 0 ||
	    EQT_ARRAY_ROOM(order->entries, order->count) < 0)
		return queue_out_of_memory(state);
	return 0;
}

/* ---- Keys ------------------------------------------------------------------- */

/* Return minus the priority of a waiting job at the last ordering or, if it arrived
 * later, at its arrival. */
static int64_t queues_key(struct eqt_simulation_state *state, uint32_t slot)
{
	struct eqt_simulation_live *live = &state->live[slot];
	const struct eqt_queues *queues = state->queues;
	const int64_t now = state->now;

	if (live->keyed != queues->ordering) {
		state->now = queues->ordered_at;
		live->key = -(int64_t) eqt_sim_usage_priority(state, live);
		live->keyed = queues->ordering;
		state->now = now;
	}
	return live->key;
}

/* The higher priority comes first, and then the older job. */
bool eqt_queue_is_before(struct eqt_simulation_state *state, uint32_t a,
			 uint32_t b)
{
	const int64_t x = queues_key(state, a), y = queues_key(state, b);

	return x != y ? x < y : state->live[a].job < state->live[b].job;
}

/* ---- Groups ----------------------------------------------------------------- */

static uint32_t *group_bucket(struct eqt_queues *queues,
			      const struct eqt_simulation_likeness *like)
{
	return &queues->first[eqt_hash_bytes(EQT_HASH_START, like,
					     sizeof(*like)) &
			      (queues->space - 1)];
}

/* Put a group into the hash table. */
static void group_hash(struct eqt_queues *queues, uint32_t place)
{
	struct queue_group *group = &queues->group[place];
	uint32_t *bucket = group_bucket(queues, &group->like);

	group->next = *bucket;
	*bucket = place + 1;
}

/* Double the array of groups. The hash table has the same number of slots. */
static int groups_grow(struct eqt_simulation_state *state)
{
	struct eqt_queues *queues = state->queues;
	const uint32_t space = queues->space ? 2 * queues->space : ROOM_FIRST;
	struct queue_group *group =
		realloc(queues->group, space * sizeof(*group));
	uint32_t *first;

	if (!group)
		return queue_out_of_memory(state);
	queues->group = group;
	first = calloc(space, sizeof(*first));
	if (!first)
		return queue_out_of_memory(state);
	free(queues->first);
	queues->first = first;
	queues->space = space;
	for (uint32_t i = 0; i < queues->count; i++)
		if (!group[i].alone && group[i].first != NONE)
			group_hash(queues, i);
	return 0;
}

/* Find the group of a job, or make one and set *added. Return -1 with the error. */
static int64_t group_find(struct eqt_simulation_state *state,
			  const struct eqt_simulation_live *live, bool *added)
{
	struct eqt_queues *queues = state->queues;
	struct eqt_simulation_likeness like;
	uint32_t place;

	*added = false;
	eqt_sim_usage_likeness(&like, state, live);
	for (place = queues->space && !queues->alone
			     ? *group_bucket(queues, &like)
			     : 0;
	     place; place = queues->group[place - 1].next)
		if (memcmp(&queues->group[place - 1].like, &like,
			   sizeof(like)) == 0)
			return place - 1;
	if (!queues->free && queues->count == queues->space &&
	    groups_grow(state) < 0)
		return -1;
	if (queues->free) {
		place = queues->free - 1;
		queues->free = queues->group[place].next;
	} else {
		place = queues->count++;
	}
	queues->group[place] = (struct queue_group){ .like = like,
						     .first = NONE,
						     .last = NONE,
						     .sorted_by = NONE,
						     .alone = queues->alone };
	if (!queues->alone)
		group_hash(queues, place);
	*added = true;
	return place;
}

/* Free a group that has no jobs. */
static void group_drop(struct eqt_queues *queues, uint32_t place)
{
	struct queue_group *group = &queues->group[place];

	if (!group->alone) {
		uint32_t *link = group_bucket(queues, &group->like);

		while (*link != place + 1)
			link = &queues->group[*link - 1].next;
		*link = group->next;
	}
	group->next = queues->free;
	queues->free = place + 1;
}

/* Put a group where its first job belongs. The array must have room. */
static void group_insert(struct eqt_simulation_state *state,
			 struct queue_order *order, uint32_t place)
{
	struct queue_group *group = state->queues->group;
	uint32_t low = 0, high = order->count;

	while (low < high) {
		const uint32_t mid = low + (high - low) / 2;

		if (eqt_queue_is_before(state,
					group[order->groups[mid].group].first,
					group[place].first))
			low = mid + 1;
		else
			high = mid;
	}
	memmove(&order->groups[low + 1], &order->groups[low],
		(order->count - low) * sizeof(*order->groups));
	order->groups[low] =
		(struct queue_place){ place,
				      (uint32_t) group[place].like.kind };
	order->count++;
	group[place].sorted_by = group[place].first;
}

/* Insert a job into its group in the order of arrival. Most jobs are the youngest, so
 * the search begins at the end. */
static void group_link(struct eqt_simulation_state *state,
		       struct queue_group *group, uint32_t slot)
{
	struct eqt_simulation_live *live = state->live;
	uint32_t before = group->last;

	while (before != NONE && live[before].job > live[slot].job)
		before = live[before].previous;
	live[slot].previous = before;
	live[slot].next = before == NONE ? group->first : live[before].next;
	if (before == NONE)
		group->first = slot;
	else
		live[before].next = slot;
	if (live[slot].next == NONE)
		group->last = slot;
	else
		live[live[slot].next].previous = slot;
}

/* Move groups whose first job has changed since they were put in their place. Only the
 * first `seen` groups of the array are checked. */
static void order_settle(struct eqt_simulation_state *state,
			 struct queue_order *order, uint32_t seen)
{
	struct eqt_queues *queues = state->queues;
	uint32_t kept = 0, moved = 0;

	if (!order->moved)
		return;
	order->moved = false;
	/* The heap has room for each group that was visited. */
	for (uint32_t i = 0; i < seen; i++) {
		const uint32_t place = order->groups[i].group;
		const struct queue_group *group = &queues->group[place];

		if (group->first == group->sorted_by)
			order->groups[kept++] = order->groups[i];
		else if (group->first == NONE)
			group_drop(queues, place);
		else
			order->heap[moved++] = place;
	}
	if (kept < seen)
		memmove(&order->groups[kept], &order->groups[seen],
			(order->count - seen) * sizeof(*order->groups));
	order->count -= seen - kept;
	for (uint32_t i = 0; i < moved; i++)
		group_insert(state, order, order->heap[i]);
}

int eqt_queue_add(struct eqt_simulation_state *state, uint32_t slot)
{
	struct eqt_simulation_live *live = &state->live[slot];
	struct queue_order *order =
		&state->queues
			 ->order[eqt_simulation_job_of(state, live)->partition];
	bool added;
	int64_t place;

	if (order_reserve(state, order) < 0)
		return -1;
	place = group_find(state, live, &added);
	if (place < 0)
		return -1;
	live->key = -(int64_t) eqt_sim_usage_priority(state, live);
	live->keyed = state->queues->ordering;
	live->group = (uint32_t) place;
	group_link(state, &state->queues->group[place], slot);
	if (added) {
		group_insert(state, order, (uint32_t) place);
	} else if (state->queues->group[place].first == slot) {
		order->moved = true;
		order_settle(state, order, order->count);
	}
	return 0;
}

void eqt_queue_remove(struct eqt_simulation_state *state, uint32_t slot)
{
	struct eqt_simulation_live *live = &state->live[slot];
	struct queue_group *group = &state->queues->group[live->group];

	if (live->previous == NONE) {
		group->first = live->next;
		state->queues
			->order[eqt_simulation_job_of(state, live)->partition]
			.moved = true;
	} else {
		state->live[live->previous].next = live->next;
	}
	if (live->next == NONE)
		group->last = live->previous;
	else
		state->live[live->next].previous = live->previous;
}

/* ---- Order ------------------------------------------------------------------ */

static int queue_entry_compare(const void *a, const void *b)
{
	const struct queue_entry *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

static void order_sort(struct eqt_simulation_state *state,
		       struct queue_order *order)
{
	struct queue_group *group = state->queues->group;
	struct queue_entry *entries = order->entries;

	for (uint32_t i = 0; i < order->count; i++) {
		const uint32_t place = order->groups[i].group;
		const uint32_t slot = group[place].first;

		entries[i] = (struct queue_entry){ queues_key(state, slot),
						   state->live[slot].job,
						   place };
	}
	if (order->count > 1)
		qsort(entries, order->count, sizeof(*entries),
		      queue_entry_compare);
	for (uint32_t i = 0; i < order->count; i++) {
		struct queue_group *one = &group[entries[i].group];

		order->groups[i] =
			(struct queue_place){ entries[i].group,
					      (uint32_t) one->like.kind };
		one->sorted_by = one->first;
	}
}

bool eqt_queue_order(struct eqt_simulation_state *state)
{
	struct eqt_queues *queues = state->queues;
	uint32_t groups = 0;

	queues->ordering++;
	queues->ordered_at = state->now;
	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++) {
		order_sort(state, &queues->order[p]);
		groups += queues->order[p].count;
	}
	state->work += groups;
	return groups > 1;
}

/* ---- Walks ------------------------------------------------------------------ */

void eqt_queue_walk(struct eqt_simulation_state *state)
{
	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++)
		state->queues->order[p].at =
			state->queues->order[p].heap_count = 0;
}

/* Does the first job of the next group come before all jobs in the heap? */
static bool order_opens_group(struct eqt_simulation_state *state,
			      const struct queue_order *order)
{
	return order->at < order->count &&
	       (order->heap_count == 0 ||
		eqt_queue_is_before(
			state,
			state->queues->group[order->groups[order->at].group]
				.first,
			order->heap[0]));
}

uint32_t eqt_queue_next(struct eqt_simulation_state *state, uint32_t partition)
{
	const struct queue_order *order = &state->queues->order[partition];
	uint32_t slot = order->heap_count ? order->heap[0] : NONE;

	if (order_opens_group(state, order))
		slot = state->queues->group[order->groups[order->at].group]
			       .first;
	if (slot != NONE)
		(void) queues_key(state, slot);
	return slot;
}

/* Move the first entry of the heap down until both entries below it come later. */
static void heap_sink(struct eqt_simulation_state *state,
		      struct queue_order *order)
{
	uint32_t *heap = order->heap, at = 0;

	for (;;) {
		uint32_t least = at;

		for (uint32_t i = 2 * at + 1; i <= 2 * at + 2; i++)
			if (i < order->heap_count &&
			    eqt_queue_is_before(state, heap[i], heap[least]))
				least = i;
		if (least == at)
			return;
		const uint32_t slot = heap[at];

		heap[at] = heap[least];
		heap[least] = slot;
		at = least;
	}
}

static void heap_add(struct eqt_simulation_state *state,
		     struct queue_order *order, uint32_t slot)
{
	uint32_t *heap = order->heap, at = order->heap_count++;

	while (at > 0 && eqt_queue_is_before(state, slot, heap[(at - 1) / 2])) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = slot;
}

/* Has this walk found that the jobs of a kind (1 + its index; 0: no kind) are at a
 * limit? */
static bool kind_is_at_limit(const struct eqt_simulation_state *state,
			     uint64_t kind)
{
	return kind && state->kinds->kind[kind - 1].at_limit == state->walk;
}

/* The next job of its group replaces the visited job in the heap. */
void eqt_queue_visit(struct eqt_simulation_state *state, uint32_t partition,
		     bool drops)
{
	struct queue_order *order = &state->queues->order[partition];
	const bool opens = order_opens_group(state, order);
	const uint32_t slot = eqt_queue_next(state, partition);
	const struct eqt_simulation_live *live = &state->live[slot];
	const uint32_t next =
		drops && kind_is_at_limit(
				 state,
				 state->queues->group[live->group].like.kind)
			? NONE
			: live->next;

	if (opens) {
		do
			order->at++;
		while (drops && order->at < order->count &&
		       kind_is_at_limit(state, order->groups[order->at].kind));
		if (next != NONE)
			heap_add(state, order, next);
		return;
	}
	order->heap[0] = next != NONE ? next : order->heap[--order->heap_count];
	heap_sink(state, order);
}

void eqt_queue_settle(struct eqt_simulation_state *state)
{
	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++) {
		struct queue_order *order = &state->queues->order[p];

		order->heap_count = 0;
		order_settle(state, order, order->at);
		order->at = 0;
	}
}

void eqt_queue_each(struct eqt_simulation_state *state,
		    void (*each)(struct eqt_simulation_state *state,
				 uint32_t slot))
{
	struct eqt_queues *queues = state->queues;

	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++) {
		struct queue_order *order = &queues->order[p];

		for (uint32_t i = 0; i < order->count; i++) {
			uint32_t slot =
				queues->group[order->groups[i].group].first;

			while (slot != NONE) {
				const uint32_t next = state->live[slot].next;

				each(state, slot);
				slot = next;
			}
		}
		order_settle(state, order, order->count);
	}
}
