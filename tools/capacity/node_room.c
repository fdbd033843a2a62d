/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A segment tree over the nodes of a list stores upper bounds of the amounts that are
 * left on the nodes, so that a search need not visit every node. Lists may share
 * nodes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/alloc.h"
#include "cli/names.h"
#include "capacity/node_room.h"

#define LIST_END SIZE_MAX

/*
 * bound[] is a binary tree over the nodes, with its root at bound[1]. Each bound is at
 * least what is left on any node below it. A bound may be too high, because another list
 * may have taken from a node. A search then corrects it. A bound is never too low,
 * because nothing is given back.
 */
struct node_list {
	const char *name; /* "MODEL|PARTITION" */
	/* borrowed; amounts only decrease */
	const struct eqt_unit_amounts *left;
	bool any; /* the partition has nodes, of whatever model */
	size_t count;
	size_t *node; /* numbers of the nodes, in ascending order */
	struct eqt_unit_amounts *bound;
};

/* A bound is the maximum of the two bounds below it. */
static void bound_join(struct eqt_unit_amounts *bound, size_t at)
{
	for (int i = 0; i < EQT_UNIT_PARTS; i++)
		bound[at].of[i] = bound[2 * at].of[i] > bound[2 * at + 1].of[i]
					  ? bound[2 * at].of[i]
					  : bound[2 * at + 1].of[i];
}

/* Leaf i of the tree is bound[width + i]. */
static size_t tree_width(size_t count)
{
	size_t width = 1;

	while (width < count)
		width *= 2;
	return width;
}

static void node_list_make_tree(struct node_list *list)
{
	size_t width = tree_width(list->count), i;

	list->bound = eqt_alloc(2 * width, sizeof(*list->bound));
	for (i = 0; i < list->count; i++)
		list->bound[width + i] = list->left[list->node[i]];
	for (i = width; i-- > 1;)
		bound_join(list->bound, i);
}

/* Fill the list with the nodes for which chosen[] is set, in their order. model "" means
 * nodes with any model. */
static void node_list_fill(struct node_list *list,
			   const struct eqt_scontrol_nodes *nodes,
			   const bool *chosen, const char *partition,
			   const char *model)
{
	list->node = eqt_alloc(nodes->count + 1, sizeof(*list->node));
	for (size_t i = 0; i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];

		if (!chosen[i] || !eqt_scontrol_node_in(node, partition))
			continue;
		list->any = true;
		if (eqt_scontrol_node_has_model(node, model))
			list->node[list->count++] = i;
	}
	node_list_make_tree(list);
}

/* A part of the tree: the nodes below bound[at]. The first of them has the number
 * "low". */
struct span {
	size_t at;
	size_t low;
	size_t size;
};

/* Search like node_list_find(), but within a span. On the way back up, correct bounds
 * that are too high because another list took from a node. */
static size_t node_list_find_below(struct node_list *list, struct span span,
				   size_t from,
				   const struct eqt_unit_amounts *wanted)
{
	struct eqt_unit_amounts *bound = list->bound;
	size_t half = span.size / 2, found;

	if (span.low >= list->count || span.low + span.size <= from ||
	    !eqt_canonical_unit_covers(&bound[span.at], wanted))
		return LIST_END;
	if (half == 0) {
		bound[span.at] = list->left[list->node[span.low]];
		return eqt_canonical_unit_covers(&bound[span.at], wanted)
			       ? span.low
			       : LIST_END;
	}
	found = node_list_find_below(
		list, (struct span){ 2 * span.at, span.low, half }, from,
		wanted);
	if (found == LIST_END)
		found = node_list_find_below(
			list,
			(struct span){ 2 * span.at + 1, span.low + half, half },
			from, wanted);
	bound_join(bound, span.at);
	return found;
}

/* The first node, from place "from" on, that has the wanted amounts left. Returns its
 * place in node[], or LIST_END. */
static size_t node_list_find(struct node_list *list, size_t from,
			     const struct eqt_unit_amounts *wanted)
{
	return node_list_find_below(
		list, (struct span){ 1, 0, tree_width(list->count) }, from,
		wanted);
}

/* The position of a job's search in one list. */
struct cursor {
	struct node_list *list;
	size_t at; /* place in the list, or LIST_END */
};

#define REFUSALS 16

/* A request for which there were too few nodes. Nodes only become fuller, so a larger
 * request fails as well. */
struct refusal {
	struct eqt_unit_amounts wanted;
	uint64_t nodes;
};

/* Jobs with the same partitions and GPU model share a search. A kind remembers requests
 * that failed. If the queue is long, most jobs are decided by such a request, without a
 * search. */
struct kind {
	const char *name; /* "MODEL|PARTITIONS" */
	struct cursor *cursors; /* one per partition */
	size_t count;
	struct refusal refusals[REFUSALS]; /* no refusal implies another */
	size_t refusal_count;
};

struct eqt_node_room {
	const struct eqt_scontrol_nodes *nodes;
	const bool *chosen;
	struct eqt_unit_amounts *left; /* amounts left on each node */
	size_t *taken; /* nodes of the current job */
	struct eqt_names lists; /* entries are struct node_list */
	/* entries are struct kind; users can cause thousands of them */
	struct eqt_names kinds;
};

#define PARTITION_NAME 256

/* The list of a partition and a model, which is created on first use. */
static struct node_list *room_list(struct eqt_node_room *room,
				   const char *partition, const char *model)
{
	char name[2 * PARTITION_NAME];
	struct node_list *list;
	int new;

	(void) snprintf(name, sizeof(name), "%s|%s", model, partition);
	list = eqt_names_get(&room->lists, name, sizeof(*list), &new);
	if (!new)
		return list;
	list->left = room->left;
	node_list_fill(list, room->nodes, room->chosen, partition, model);
	return list;
}

/* The kind of a job, which is created on first use. A partition without nodes gets a list
 * as well, so that its jobs are not searched for again. */
static struct kind *room_kind(struct eqt_node_room *room,
			      const struct eqt_live_job *job)
{
	const char *at = job->partition;
	const size_t length = strlen(job->model) + strlen(at) + 2;
	char *name = eqt_alloc(length, 1), partition[PARTITION_NAME];
	struct kind *kind;
	int new;

	(void) snprintf(name, length, "%s|%s", job->model, at);
	kind = eqt_names_get(&room->kinds, name, sizeof(*kind), &new);
	free(name);
	if (!new)
		return kind;
	/* A name has at least one letter and a comma, which bounds the number of
	 * names. */
	kind->cursors = eqt_alloc(strlen(at) / 2 + 1, sizeof(*kind->cursors));
	while (eqt_text_next_name(partition, sizeof(partition), &at))
		kind->cursors[kind->count++].list =
			room_list(room, partition, job->model);
	return kind;
}

static bool kind_is_refused(const struct kind *kind, uint64_t nodes,
			    const struct eqt_unit_amounts *wanted)
{
	for (size_t i = 0; i < kind->refusal_count; i++) {
		if (nodes >= kind->refusals[i].nodes &&
		    eqt_canonical_unit_covers(wanted,
					      &kind->refusals[i].wanted))
			return true;
	}
	return false;
}

/* Remember a failed request, and remove the requests that it implies. If the table is
 * full, the new request is forgotten, which only costs time. */
static void kind_note_refusal(struct kind *kind, uint64_t nodes,
			      const struct eqt_unit_amounts *wanted)
{
	size_t i, kept = 0;

	for (i = 0; i < kind->refusal_count; i++) {
		if (kind->refusals[i].nodes < nodes ||
		    !eqt_canonical_unit_covers(&kind->refusals[i].wanted,
					       wanted))
			kind->refusals[kept++] = kind->refusals[i];
	}
	if (kept < REFUSALS)
		kind->refusals[kept++] = (struct refusal){ *wanted, nodes };
	kind->refusal_count = kept;
}

/* ---- A job ---------------------------------------------------------------- */

/* The next node with enough room in any of the lists, or LIST_END if there is none. */
static size_t kind_next_node(struct kind *kind,
			     const struct eqt_unit_amounts *wanted)
{
	size_t node = LIST_END, i;

	for (i = 0; i < kind->count; i++) {
		const struct cursor *cursor = &kind->cursors[i];

		if (cursor->at != LIST_END &&
		    cursor->list->node[cursor->at] < node)
			node = cursor->list->node[cursor->at];
	}
	for (i = 0; i < kind->count; i++) {
		struct cursor *cursor = &kind->cursors[i];

		if (cursor->at != LIST_END &&
		    cursor->list->node[cursor->at] == node)
			cursor->at = node_list_find(cursor->list,
						    cursor->at + 1, wanted);
	}
	return node;
}

bool eqt_node_room_concerns(struct eqt_node_room *room,
			    const struct eqt_live_job *job)
{
	const struct kind *kind = room_kind(room, job);

	for (size_t i = 0; i < kind->count; i++) {
		if (kind->cursors[i].list->any)
			return true;
	}
	return false;
}

/* Fill room->taken[] with nodes for the job. Returns false if there are too few. */
static bool kind_choose_nodes(struct eqt_node_room *room, struct kind *kind,
			      uint64_t nodes,
			      const struct eqt_unit_amounts *wanted)
{
	if (nodes > room->nodes->count)
		return false;
	for (size_t i = 0; i < kind->count; i++)
		kind->cursors[i].at =
			node_list_find(kind->cursors[i].list, 0, wanted);
	for (uint64_t found = 0; found < nodes; found++) {
		room->taken[found] = kind_next_node(kind, wanted);
		if (room->taken[found] == LIST_END)
			return false;
	}
	return true;
}

bool eqt_node_room_take(struct eqt_node_room *room,
			const struct eqt_live_job *job,
			const struct eqt_unit_amounts *wanted)
{
	struct kind *kind = room_kind(room, job);

	if (kind_is_refused(kind, job->nodes, wanted))
		return false;
	if (!kind_choose_nodes(room, kind, job->nodes, wanted)) {
		kind_note_refusal(kind, job->nodes, wanted);
		return false;
	}
	for (uint64_t i = 0; i < job->nodes; i++) {
		for (int part = 0; part < EQT_UNIT_PARTS; part++)
			room->left[room->taken[i]].of[part] -= wanted->of[part];
	}
	return true;
}

/* ---- The room ------------------------------------------------------------- */

void eqt_node_room_free(struct eqt_node_room *room)
{
	if (!room)
		return;
	for (size_t i = 0; i < room->lists.count; i++) {
		struct node_list *list = room->lists.list[i];

		free(list->node);
		free(list->bound);
	}
	for (size_t i = 0; i < room->kinds.count; i++)
		free(((struct kind *) room->kinds.list[i])->cursors);
	eqt_names_free(&room->lists);
	eqt_names_free(&room->kinds);
	free(room->taken);
	free(room->left);
	free(room);
}

struct eqt_node_room *eqt_node_room_new(const struct eqt_scontrol_nodes *nodes,
					const bool *chosen)
{
	struct eqt_node_room *room = eqt_alloc(1, sizeof(*room));

	room->nodes = nodes;
	room->chosen = chosen;
	room->left = eqt_alloc(nodes->count + 1, sizeof(*room->left));
	room->taken = eqt_alloc(nodes->count + 1, sizeof(*room->taken));
	for (size_t i = 0; i < nodes->count; i++)
		room->left[i] = eqt_canonical_unit_rest(
			&nodes->nodes[i].total, &nodes->nodes[i].allocated);
	return room;
}
