/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs with the same partitions and model form a kind, which remembers
 * requests that failed. On a full cluster with a long queue most jobs are
 * answered from there, without a search.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "capacity/node_list.h"
#include "capacity/room.h"

/* The position of a job's search in one list. */
struct cursor {
	struct eqt_capacity_list *list;
	size_t at; /* place in the list, or EQT_CAPACITY_LIST_END */
};

#define REFUSALS 16

/* A request for which there were too few nodes. Since nodes only fill up, a
 * larger one fails, too. */
struct refusal {
	struct eqt_unit_amounts wanted;
	uint64_t nodes;
};

/* Jobs with the same partitions and model share their search. */
struct kind {
	struct eqt_scontrol_value partitions; /* "a,b" */
	struct eqt_scontrol_value model;
	struct cursor *cursors; /* one for each partition */
	size_t count;
	struct refusal refusals[REFUSALS]; /* none implies another */
	size_t refusal_count;
};

struct eqt_room {
	const struct eqt_scontrol_nodes *nodes;
	const bool *chosen;
	struct eqt_unit_amounts *left; /* of each node */
	size_t *taken; /* nodes of the current job */
	struct eqt_capacity_list **lists;
	size_t list_count;
	void *kinds; /* for tsearch(): users can invent thousands of lists */
};

static int value_compare(struct eqt_scontrol_value a,
			 struct eqt_scontrol_value b)
{
	if (!a.text || !b.text)
		return (a.text != NULL) - (b.text != NULL);
	if (a.length != b.length)
		return a.length < b.length ? -1 : 1;
	return memcmp(a.text, b.text, a.length);
}

/* The list of a partition and a model, created at its first use. NULL: out of
 * memory. */
static struct eqt_capacity_list *room_list(struct eqt_room *room,
					   struct eqt_scontrol_value partition,
					   struct eqt_scontrol_value model)
{
	struct eqt_capacity_list **more, *list;
	size_t i;

	for (i = 0; i < room->list_count; i++) {
		if (value_compare(room->lists[i]->partition, partition) == 0 &&
		    value_compare(room->lists[i]->model, model) == 0)
			return room->lists[i];
	}
	more = realloc(room->lists,
		       (i + 1) * sizeof(struct eqt_capacity_list *));
	if (!more)
		return NULL;
	room->lists = more;
	list = eqt_capacity_list_new(room->nodes, room->chosen, room->left,
				     partition, model);
	if (list)
		room->lists[room->list_count++] = list;
	return list;
}

/* ---- Kinds of jobs -------------------------------------------------------- */

static void kind_free(struct kind *kind)
{
	free(kind->cursors);
	free(kind);
}

static int kind_compare(const void *a, const void *b)
{
	const struct kind *left = a, *right = b;
	int order = value_compare(left->partitions, right->partitions);

	return order ? order : value_compare(left->model, right->model);
}

/* A partition without nodes still gets a list, so that its jobs are not
 * searched for again. */
static int kind_fill(struct kind *kind, struct eqt_room *room)
{
	const char *at = kind->partitions.text;
	const char *end = at + kind->partitions.length, *comma;

	/*
	 * A name has at least one letter and a comma: this bounds their number.
	 */
	kind->cursors =
		calloc(kind->partitions.length / 2 + 1, sizeof(*kind->cursors));
	if (!kind->cursors)
		return -1;
	for (; at < end; at = comma + 1) {
		struct cursor *cursor = &kind->cursors[kind->count];

		comma = memchr(at, ',', (size_t) (end - at));
		if (!comma)
			comma = end;
		if (comma == at)
			continue;
		cursor->list = room_list(room,
					 (struct eqt_scontrol_value){
						 at, (size_t) (comma - at) },
					 kind->model);
		if (!cursor->list)
			return -1;
		kind->count++;
	}
	return 0;
}

/* The kind of a job, created at its first use. NULL: out of memory. */
static struct kind *room_kind(struct eqt_room *room,
			      const struct eqt_squeue_job *job)
{
	const struct kind wanted = { .partitions = job->partition,
				     .model = job->model };
	struct kind *kind;
	void *found = tfind(&wanted, &room->kinds, kind_compare);

	if (found)
		return *(struct kind **) found;
	kind = malloc(sizeof(*kind));
	if (!kind)
		return NULL;
	*kind = wanted;
	if (kind_fill(kind, room) < 0 ||
	    !tsearch(kind, &room->kinds, kind_compare)) {
		kind_free(kind);
		return NULL;
	}
	return kind;
}

static bool kind_is_refused(const struct kind *kind, uint64_t nodes,
			    const struct eqt_unit_amounts *wanted)
{
	size_t i;

	for (i = 0; i < kind->refusal_count; i++) {
		if (nodes >= kind->refusals[i].nodes &&
		    eqt_unit_amounts_cover(wanted, &kind->refusals[i].wanted))
			return true;
	}
	return false;
}

/* Note a failed request, and drop those that it implies. A full table forgets
 * new ones, which only costs time. */
static void kind_note_refusal(struct kind *kind, uint64_t nodes,
			      const struct eqt_unit_amounts *wanted)
{
	size_t i, kept = 0;

	for (i = 0; i < kind->refusal_count; i++) {
		if (kind->refusals[i].nodes < nodes ||
		    !eqt_unit_amounts_cover(&kind->refusals[i].wanted, wanted))
			kind->refusals[kept++] = kind->refusals[i];
	}
	if (kept < REFUSALS)
		kind->refusals[kept++] = (struct refusal){ *wanted, nodes };
	kind->refusal_count = kept;
}

/* ---- A job ---------------------------------------------------------------- */

static void cursor_advance(struct cursor *cursor, size_t from,
			   const struct eqt_unit_amounts *wanted)
{
	cursor->at = eqt_capacity_list_find(cursor->list, from, wanted);
}

/* The next node with room in any of the lists; EQT_CAPACITY_LIST_END after the
 * last. */
static size_t kind_next_node(struct kind *kind,
			     const struct eqt_unit_amounts *wanted)
{
	size_t node = EQT_CAPACITY_LIST_END, i;

	for (i = 0; i < kind->count; i++) {
		const struct cursor *cursor = &kind->cursors[i];

		if (cursor->at != EQT_CAPACITY_LIST_END &&
		    cursor->list->node[cursor->at] < node)
			node = cursor->list->node[cursor->at];
	}
	for (i = 0; i < kind->count; i++) {
		struct cursor *cursor = &kind->cursors[i];

		if (cursor->at != EQT_CAPACITY_LIST_END &&
		    cursor->list->node[cursor->at] == node)
			cursor_advance(cursor, cursor->at + 1, wanted);
	}
	return node;
}

int eqt_room_concerns(struct eqt_room *room, const struct eqt_squeue_job *job)
{
	const struct kind *kind = room_kind(room, job);
	size_t i;

	for (i = 0; kind && i < kind->count; i++) {
		if (kind->cursors[i].list->any)
			return 1;
	}
	return kind ? 0 : -1;
}

/* Fill room->taken[] with nodes for the job; false if there are too few. */
static bool kind_choose_nodes(struct eqt_room *room, struct kind *kind,
			      uint64_t nodes,
			      const struct eqt_unit_amounts *wanted)
{
	size_t i;
	uint64_t found;

	if (nodes > room->nodes->count)
		return false;
	for (i = 0; i < kind->count; i++)
		cursor_advance(&kind->cursors[i], 0, wanted);
	for (found = 0; found < nodes; found++) {
		room->taken[found] = kind_next_node(kind, wanted);
		if (room->taken[found] == EQT_CAPACITY_LIST_END)
			return false;
	}
	return true;
}

int eqt_room_take(struct eqt_room *room, const struct eqt_squeue_job *job,
		  const struct eqt_unit_amounts *wanted)
{
	struct kind *kind = room_kind(room, job);
	uint64_t i;
	int part;

	if (!kind)
		return -1;
	if (kind_is_refused(kind, job->nodes, wanted))
		return 0;
	if (!kind_choose_nodes(room, kind, job->nodes, wanted)) {
		kind_note_refusal(kind, job->nodes, wanted);
		return 0;
	}
	for (i = 0; i < job->nodes; i++) {
		for (part = 0; part < EQT_UNIT_PARTS; part++)
			room->left[room->taken[i]].of[part] -= wanted->of[part];
	}
	return 1;
}

/* ---- The room ------------------------------------------------------------- */

struct eqt_room *eqt_room_new(const struct eqt_scontrol_nodes *nodes,
			      const bool *chosen)
{
	struct eqt_room *room = calloc(1, sizeof(*room));
	size_t i;

	if (!room)
		return NULL;
	room->nodes = nodes;
	room->chosen = chosen;
	room->left = calloc(nodes->count + 1, sizeof(*room->left));
	room->taken = calloc(nodes->count + 1, sizeof(*room->taken));
	if (!room->left || !room->taken) {
		eqt_room_free(room);
		return NULL;
	}
	for (i = 0; i < nodes->count; i++)
		room->left[i] = eqt_unit_amounts_free(
			&nodes->nodes[i].total, &nodes->nodes[i].allocated);
	return room;
}

void eqt_room_free(struct eqt_room *room)
{
	struct kind *kind;
	size_t i;

	if (!room)
		return;
	for (i = 0; i < room->list_count; i++)
		eqt_capacity_list_free(room->lists[i]);
	free(room->lists);
	while (room->kinds) {
		kind = *(struct kind **) room->kinds;
		(void) tdelete(kind, &room->kinds, kind_compare);
		kind_free(kind);
	}
	free(room->taken);
	free(room->left);
	free(room);
}
