/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups are sorted by their first jobs, and a walk follows this order. A heap has the
 * next job of each group that the walk has reached. The groups of one kind with limits
 * are an order of their own, and so are the groups of a partition without limits. Each
 * partition sorts and walks these orders by their first jobs in the same way, so that a
 * walk leaves out all groups of a kind at a limit in one step.
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
	/* 1 + index of the next group of the hash, or of the next free group; 0 for the
	 * last. */
	uint32_t next;
	bool alone; /* whether the group has one job, which no other may join */
};

/* A member of an order with the key of its first job, for qsort(). */
struct queue_entry {
	int64_t key;
	uint32_t job, member;
};

/* A member of an order: a group, or in the order of a partition the order of a kind. */
struct queue_place {
	uint32_t member;
	/* The first job of the member when it was put in its place or, in the heap of a
	 * walk, its next job. */
	uint32_t job;
};

/* Members that are sorted by their first jobs, and the walk through them. */
struct queue_order {
	/* The first `gap` places are free, because their members have left.
	 * `count` used places follow. */
	struct queue_place *places;
	uint32_t gap, count;
	size_t space; /* room of the array, with the gap */
	bool of_kinds; /* whether the members are the orders of kinds */
	bool moved; /* whether the first job of a member was removed */
	uint32_t at; /* number of places that the walk has reached */
	/* A heap with room for `count` members. */
	struct queue_place *heap;
	uint32_t heap_count;
};

struct eqt_queues {
	struct queue_group *group;
	/* The number of groups, the room of the array, and 1 + index of the first free
	 * group. */
	uint32_t count, space, free;
	/* Hash table of `space` slots with 1 + index of a group. */
	uint32_t *first;
	struct queue_order partition[EQT_SIMULATION_PARTITIONS_MAX];
	/* The orders of the jobs without limits by partition, and after them those of
	 * the kinds. */
	struct queue_order *kind;
	size_t kind_space;
	struct queue_entry
		*entries; /* memory for sorting the places of an order */
	size_t entry_space;
	int64_t ordered_at;
	uint32_t ordering; /* number of the last ordering */
	bool alone; /* whether priorities differ by more than age */
	bool drops; /* whether the walk leaves out kinds at a limit */
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
	for (int p = 0; p < EQT_SIMULATION_PARTITIONS_MAX; p++)
		state->queues->partition[p].of_kinds = true;
	return 0;
}

static void order_free(struct queue_order *order)
{
	free(order->places);
	free(order->heap);
}

void eqt_queue_free(struct eqt_queues *queues)
{
	for (int p = 0; queues && p < EQT_SIMULATION_PARTITIONS_MAX; p++)
		order_free(&queues->partition[p]);
	for (size_t i = 0; queues && i < queues->kind_space; i++)
		order_free(&queues->kind[i]);
	if (queues) {
		free(queues->kind);
		free(queues->entries);
		free(queues->group);
		free(queues->first);
	}
	free(queues);
}

/* Make room for one more member, so that ordering and walking allocate nothing. */
static int order_reserve(struct eqt_simulation_state *state,
			 struct queue_order *order)
{
	struct eqt_queues *queues = state->queues;

	if (EQT_ARRAY_RESERVE(order->places, order->space,
			      (size_t) order->gap + order->count + 1) < 0 ||
	    EQT_ARRAY_ROOM(order->heap, order->count) < 0 ||
	    EQT_ARRAY_RESERVE(queues->entries, queues->entry_space,
			      (size_t) order->count + 1) < 0)
		return queue_out_of_memory(state);
	return 0;
}

/* Return the index of the order to which the jobs of a group belong. */
static uint32_t group_kind(const struct queue_group *group)
{
	return group->like.kind ? EQT_SIMULATION_PARTITIONS_MAX +
					  (uint32_t) group->like.kind - 1
				: group->like.partition;
}

/* Make room for the order of a group, and for one more member of it and of its
 * partition. */
static int kind_reserve(struct eqt_simulation_state *state,
			const struct queue_group *group)
{
	struct eqt_queues *queues = state->queues;
	const size_t before = queues->kind_space, at = group_kind(group);

	if (EQT_ARRAY_RESERVE(queues->kind, queues->kind_space, at + 1) < 0)
		return queue_out_of_memory(state);
	if (queues->kind_space > before)
		memset(&queues->kind[before], 0,
		       (queues->kind_space - before) * sizeof(*queues->kind));
	if (order_reserve(state, &queues->partition[group->like.partition]) < 0)
		return -1;
	return order_reserve(state, &queues->kind[at]);
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

static struct queue_place *order_place(const struct queue_order *order,
				       uint32_t i)
{
	return &order->places[order->gap + i];
}

/* Return the order of a kind at a place of a partition. */
static struct queue_order *order_kind(struct eqt_simulation_state *state,
				      const struct queue_order *order,
				      uint32_t i)
{
	return &state->queues->kind[order_place(order, i)->member];
}

/* Return the first job of an order, or NONE. */
static uint32_t order_first(const struct queue_order *order)
{
	return order->count ? order_place(order, 0)->job : NONE;
}

/* Return the first job of a member of an order, or NONE. */
static uint32_t member_first(const struct eqt_queues *queues,
			     const struct queue_order *order, uint32_t member)
{
	return order->of_kinds ? order_first(&queues->kind[member])
			       : queues->group[member].first;
}

/* Put a member where its first job belongs. The array must have room. */
static void order_insert(struct eqt_simulation_state *state,
			 struct queue_order *order, uint32_t member)
{
	const uint32_t job = member_first(state->queues, order, member);
	struct queue_place *places = order_place(order, 0);
	uint32_t low = 0, high = order->count;

	while (low < high) {
		const uint32_t mid = low + (high - low) / 2;

		if (eqt_queue_is_before(state, places[mid].job, job))
			low = mid + 1;
		else
			high = mid;
	}
	if (order->gap && (low < order->count - low ||
			   order->gap + order->count == order->space)) {
		order->gap--;
		places--;
		memmove(places, places + 1, low * sizeof(*places));
	} else {
		memmove(&places[low + 1], &places[low],
			(order->count - low) * sizeof(*places));
	}
	places[low] = (struct queue_place){ member, job };
	order->count++;
}

/* Move members whose first job has changed since they were put in their place. Only the
 * first `seen` places are checked. Those that stay close up behind the gap, since there are
 * far more places after them. */
static void order_settle(struct eqt_simulation_state *state,
			 struct queue_order *order, uint32_t seen)
{
	struct queue_place *places;
	uint32_t gone = seen, moved = 0;

	if (!order->moved)
		return;
	order->moved = false;
	places = order_place(order, 0);
	/* The heap has room for each member that was visited. */
	for (uint32_t i = seen; i-- > 0;) {
		const uint32_t member = places[i].member;
		const uint32_t job = member_first(state->queues, order, member);

		if (job == places[i].job)
			places[--gone] = places[i];
		else if (job != NONE)
			order->heap[moved++].member = member;
		else if (!order->of_kinds)
			group_drop(state->queues, member);
	}
	order->gap += gone;
	order->count -= gone;
	for (uint32_t i = 0; i < moved; i++)
		order_insert(state, order, order->heap[i].member);
}

/* Put a member that was added, or whose first job has changed, where it belongs. */
static void order_update(struct eqt_simulation_state *state,
			 struct queue_order *order, uint32_t member, bool added,
			 bool changed)
{
	if (added) {
		order_insert(state, order, member);
	} else if (changed) {
		order->moved = true;
		order_settle(state, order, order->count);
	}
}

int eqt_queue_add(struct eqt_simulation_state *state, uint32_t slot)
{
	struct eqt_simulation_live *live = &state->live[slot];
	struct eqt_queues *queues = state->queues;
	struct queue_group *group;
	struct queue_order *kind;
	bool added;
	int64_t place = group_find(state, live, &added);
	uint32_t before;

	if (place < 0)
		return -1;
	group = &queues->group[place];
	if (kind_reserve(state, group) < 0)
		return -1;
	live->key = -(int64_t) eqt_sim_usage_priority(state, live);
	live->keyed = queues->ordering;
	live->group = (uint32_t) place;
	group_link(state, group, slot);
	kind = &queues->kind[group_kind(group)];
	before = order_first(kind);
	order_update(state, kind, (uint32_t) place, added,
		     group->first == slot);
	order_update(state, &queues->partition[group->like.partition],
		     group_kind(group), before == NONE,
		     before != order_first(kind));
	return 0;
}

void eqt_queue_remove(struct eqt_simulation_state *state, uint32_t slot)
{
	struct eqt_simulation_live *live = &state->live[slot];
	struct eqt_queues *queues = state->queues;
	struct queue_group *group = &queues->group[live->group];

	if (live->previous == NONE) {
		group->first = live->next;
		queues->kind[group_kind(group)].moved = true;
		queues->partition[group->like.partition].moved = true;
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
	struct eqt_queues *queues = state->queues;
	struct queue_entry *entries = queues->entries;

	for (uint32_t i = 0; i < order->count; i++) {
		const uint32_t member = order_place(order, i)->member;
		const uint32_t slot = member_first(queues, order, member);

		entries[i] = (struct queue_entry){ queues_key(state, slot),
						   state->live[slot].job,
						   member };
	}
	if (order->count > 1)
		qsort(entries, order->count, sizeof(*entries),
		      queue_entry_compare);
	order->gap = 0;
	for (uint32_t i = 0; i < order->count; i++)
		order->places[i] = (struct queue_place){
			entries[i].member,
			member_first(queues, order, entries[i].member)
		};
}

bool eqt_queue_order(struct eqt_simulation_state *state)
{
	struct eqt_queues *queues = state->queues;
	uint32_t groups = 0;

	queues->ordering++;
	queues->ordered_at = state->now;
	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++) {
		struct queue_order *order = &queues->partition[p];

		for (uint32_t i = 0; i < order->count; i++) {
			order_sort(state, order_kind(state, order, i));
			groups += order_kind(state, order, i)->count;
		}
		order_sort(state, order);
	}
	state->work += groups;
	return groups > 1;
}

/* ---- Walks ------------------------------------------------------------------ */

/* Does the walk leave out the jobs of an order, because they are at a limit? */
static bool kind_is_dropped(const struct eqt_simulation_state *state,
			    uint32_t kind)
{
	return state->queues->drops && kind >= EQT_SIMULATION_PARTITIONS_MAX &&
	       state->kinds->kind[kind - EQT_SIMULATION_PARTITIONS_MAX].beyond;
}

/* Leave out kinds of which the walk starts no job. */
static void order_drop(const struct eqt_simulation_state *state,
		       struct queue_order *order)
{
	while (order->at < order->count &&
	       kind_is_dropped(state, order_place(order, order->at)->member))
		order->at++;
}

void eqt_queue_walk(struct eqt_simulation_state *state, bool drops)
{
	state->queues->drops = drops;
	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++) {
		struct queue_order *order = &state->queues->partition[p];

		order->at = order->heap_count = 0;
		order_drop(state, order);
	}
}

/* Does the next place of an order come before all members in the heap? */
static bool order_opens(struct eqt_simulation_state *state,
			const struct queue_order *order)
{
	return order->at < order->count &&
	       (order->heap_count == 0 ||
		eqt_queue_is_before(state, order_place(order, order->at)->job,
				    order->heap[0].job));
}

/* Return the next job of an order, or NONE. */
static uint32_t order_next(struct eqt_simulation_state *state,
			   const struct queue_order *order)
{
	if (order_opens(state, order))
		return order_place(order, order->at)->job;
	return order->heap_count ? order->heap[0].job : NONE;
}

uint32_t eqt_queue_next(struct eqt_simulation_state *state, uint32_t partition)
{
	const uint32_t slot =
		order_next(state, &state->queues->partition[partition]);

	if (slot != NONE)
		(void) queues_key(state, slot);
	return slot;
}

/* Move the first entry of the heap down until both entries below it come later. */
static void heap_sink(struct eqt_simulation_state *state,
		      struct queue_order *order)
{
	struct queue_place *heap = order->heap;
	uint32_t at = 0;

	for (;;) {
		uint32_t least = at;

		for (uint32_t i = 2 * at + 1; i <= 2 * at + 2; i++)
			if (i < order->heap_count &&
			    eqt_queue_is_before(state, heap[i].job,
						heap[least].job))
				least = i;
		if (least == at)
			return;
		const struct queue_place place = heap[at];

		heap[at] = heap[least];
		heap[least] = place;
		at = least;
	}
}

/* Add a member to the heap, unless it has no next job. */
static void heap_add(struct eqt_simulation_state *state,
		     struct queue_order *order, struct queue_place place)
{
	struct queue_place *heap = order->heap;
	uint32_t at = order->heap_count;

	if (place.job == NONE)
		return;
	order->heap_count++;
	while (at > 0 &&
	       eqt_queue_is_before(state, place.job, heap[(at - 1) / 2].job)) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = place;
}

/* Take the member with the first job out of the walk: that of the next place, or the first
 * one of the heap. */
static struct queue_place order_take(struct eqt_simulation_state *state,
				     struct queue_order *order)
{
	struct queue_place place;

	if (order_opens(state, order))
		return *order_place(order, order->at++);
	place = order->heap[0];
	order->heap[0] = order->heap[--order->heap_count];
	heap_sink(state, order);
	return place;
}

/* The next job of its group replaces the visited job, in its kind and in the partition. */
void eqt_queue_visit(struct eqt_simulation_state *state, uint32_t partition)
{
	struct queue_order *order = &state->queues->partition[partition];
	const uint32_t at = order->at;
	struct queue_place of = order_take(state, order), place;
	struct queue_order *kind = &state->queues->kind[of.member];

	if (order->at > at) {
		kind->at = kind->heap_count = 0;
		order_drop(state, order);
	}
	place = order_take(state, kind);
	place.job = state->live[place.job].next;
	heap_add(state, kind, place);
	of.job = kind_is_dropped(state, of.member) ? NONE
						   : order_next(state, kind);
	heap_add(state, order, of);
}

/* Settle all orders, or only what the walk has reached of them. */
static void queues_settle(struct eqt_simulation_state *state, bool all)
{
	for (uint32_t p = 0; p < state->in->cluster.partition_count; p++) {
		struct queue_order *order = &state->queues->partition[p];
		const uint32_t seen = all ? order->count : order->at;

		for (uint32_t i = 0; order->moved && i < seen; i++) {
			struct queue_order *kind = order_kind(state, order, i);

			order_settle(state, kind, all ? kind->count : kind->at);
		}
		order_settle(state, order, seen);
	}
}

void eqt_queue_settle(struct eqt_simulation_state *state)
{
	queues_settle(state, false);
}

void eqt_queue_each(struct eqt_simulation_state *state,
		    void (*each)(struct eqt_simulation_state *state,
				 uint32_t slot))
{
	const struct eqt_queues *queues = state->queues;
	uint32_t next;

	for (uint32_t i = 0; i < queues->count; i++)
		for (uint32_t slot = queues->group[i].first; slot != NONE;
		     slot = next) {
			next = state->live[slot].next;
			each(state, slot);
		}
	queues_settle(state, true);
}
