/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of nodes in which a job finds room without a look at each, and what is left on
 * nodes while jobs are placed.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alloc.h"
#include "capacity/room.h"

/*
 * A segment tree over the nodes holds upper bounds of what is left. Several
 * lists share the nodes, so a list only learns of another's allocations when a
 * search reaches the leaf; bounds are corrected on the way up.
 */

#define LIST_END SIZE_MAX

/*
 * bound[] is a binary tree over the nodes with its root at bound[1]: an upper
 * bound of what is left on any node below. A bound may be too high, since
 * another list may have taken from a node; a search corrects it. It is never
 * too low, since nothing is given back.
 */
struct node_list {
	struct eqt_scontrol_value partition; /* borrowed, like model and left */
	struct eqt_scontrol_value model; /* no text: any node */
	const struct eqt_unit_amounts *left; /* of all nodes; only decreases */
	bool any; /* the partition has nodes, of any model */
	size_t count;
	size_t *node; /* their numbers, ascending */
	struct eqt_unit_amounts *bound;
};

/* Is the word in a list with commas? */
static bool list_has_word(const char *at, size_t length,
			  struct eqt_scontrol_value word)
{
	const char *end = at + length, *comma;

	for (; at < end; at = comma + 1) {
		comma = memchr(at, ',', (size_t) (end - at));
		if (!comma)
			comma = end;
		if ((size_t) (comma - at) == word.length &&
		    memcmp(at, word.text, word.length) == 0)
			return true;
	}
	return false;
}

/* Does the node have the model that a job asks for? */
static bool node_has_model(const struct eqt_scontrol_node *node,
			   struct eqt_scontrol_value model)
{
	if (!model.text)
		return true;
	for (size_t at = 4; at + model.length <= node->gres.length; at++) {
		if (node->gres.text[at - 1] == ':' &&
		    memcmp(node->gres.text + at, model.text, model.length) == 0)
			return true;
	}
	return false;
}

/* A bound is the maximum of its two halves. */
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

static void node_list_fill(struct node_list *list,
			   const struct eqt_scontrol_nodes *nodes,
			   const bool *chosen)
{
	list->node = eqt_alloc(nodes->count + 1, sizeof(*list->node));
	for (size_t i = 0; i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];

		if (!chosen[i] ||
		    !list_has_word(node->partitions,
				   (size_t) node->partitions_length,
				   list->partition))
			continue;
		list->any = true;
		if (node_has_model(node, list->model))
			list->node[list->count++] = i;
	}
	node_list_make_tree(list);
}

/* NULL is allowed. */
static void list_free(struct node_list *list)
{
	if (!list)
		return;
	free(list->node);
	free(list->bound);
	free(list);
}

/* A list of the nodes for which chosen[] is set, in their order. */
static struct node_list *list_new(const struct eqt_scontrol_nodes *nodes,
				  const bool *chosen,
				  const struct eqt_unit_amounts *left,
				  struct eqt_scontrol_value partition,
				  struct eqt_scontrol_value model)
{
	struct node_list *list = eqt_alloc(1, sizeof(*list));

	list->left = left;
	list->partition = partition;
	list->model = model;
	node_list_fill(list, nodes, chosen);
	return list;
}

/* Part of the tree: the nodes below bound[at], from number low on. */
struct span {
	size_t at;
	size_t low;
	size_t size;
};

/* list_find() within a span. Bounds that are too high, because
 * another list took from a node, are corrected on the way. */
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

/* The first node at or behind place from that has the wanted amounts left: its
 * place in node[], or LIST_END. */
static size_t list_find(struct node_list *list, size_t from,
			const struct eqt_unit_amounts *wanted)
{
	return node_list_find_below(
		list, (struct span){ 1, 0, tree_width(list->count) }, from,
		wanted);
}

/*
 * Jobs with the same partitions and model form a kind, which remembers
 * requests that failed. On a full cluster with a long queue most jobs are
 * answered from there, without a search.
 */

/* The position of a job's search in one list. */
struct cursor {
	struct node_list *list;
	size_t at; /* place in the list, or LIST_END */
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
	struct node_list **lists;
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

/* The list of a partition and a model, created at its first use. */
static struct node_list *room_list(struct eqt_room *room,
				   struct eqt_scontrol_value partition,
				   struct eqt_scontrol_value model)
{
	struct node_list *list;
	size_t i;

	for (i = 0; i < room->list_count; i++) {
		if (value_compare(room->lists[i]->partition, partition) == 0 &&
		    value_compare(room->lists[i]->model, model) == 0)
			return room->lists[i];
	}
	EQT_ALLOC_ROOM(room->lists, i);
	list = list_new(room->nodes, room->chosen, room->left, partition,
			model);
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
static void kind_fill(struct kind *kind, struct eqt_room *room)
{
	const char *at = kind->partitions.text;
	const char *end = at + kind->partitions.length, *comma;

	/*
	 * A name has at least one letter and a comma: this bounds their number.
	 */
	kind->cursors = eqt_alloc(kind->partitions.length / 2 + 1,
				  sizeof(*kind->cursors));
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
		kind->count++;
	}
}

/* The kind of a job, created at its first use. */
static struct kind *room_kind(struct eqt_room *room,
			      const struct eqt_live_job *job)
{
	const struct kind wanted = {
		.partitions = eqt_record_value_of(job->partition),
		.model = job->model[0] ? eqt_record_value_of(job->model)
				       : (struct eqt_scontrol_value){ NULL, 0 }
	};
	struct kind *kind;
	void *found = tfind(&wanted, &room->kinds, kind_compare);

	if (found)
		return *(struct kind **) found;
	kind = eqt_alloc(1, sizeof(*kind));
	*kind = wanted;
	kind_fill(kind, room);
	if (!tsearch(kind, &room->kinds, kind_compare))
		eqt_alloc_failed();
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

/* Note a failed request, and drop those that it implies. A full table forgets
 * new ones, which only costs time. */
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

static void cursor_advance(struct cursor *cursor, size_t from,
			   const struct eqt_unit_amounts *wanted)
{
	cursor->at = list_find(cursor->list, from, wanted);
}

/* The next node with room in any of the lists; LIST_END after the
 * last. */
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
			cursor_advance(cursor, cursor->at + 1, wanted);
	}
	return node;
}

bool eqt_room_concerns(struct eqt_room *room, const struct eqt_live_job *job)
{
	const struct kind *kind = room_kind(room, job);

	for (size_t i = 0; i < kind->count; i++) {
		if (kind->cursors[i].list->any)
			return true;
	}
	return false;
}

/* Fill room->taken[] with nodes for the job; false if there are too few. */
static bool kind_choose_nodes(struct eqt_room *room, struct kind *kind,
			      uint64_t nodes,
			      const struct eqt_unit_amounts *wanted)
{
	if (nodes > room->nodes->count)
		return false;
	for (size_t i = 0; i < kind->count; i++)
		cursor_advance(&kind->cursors[i], 0, wanted);
	for (uint64_t found = 0; found < nodes; found++) {
		room->taken[found] = kind_next_node(kind, wanted);
		if (room->taken[found] == LIST_END)
			return false;
	}
	return true;
}

bool eqt_room_take(struct eqt_room *room, const struct eqt_live_job *job,
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

void eqt_room_free(struct eqt_room *room)
{
	struct kind *kind;

	if (!room)
		return;
	for (size_t i = 0; i < room->list_count; i++)
		list_free(room->lists[i]);
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

struct eqt_room *eqt_room_new(const struct eqt_scontrol_nodes *nodes,
			      const bool *chosen)
{
	struct eqt_room *room = eqt_alloc(1, sizeof(*room));

	room->nodes = nodes;
	room->chosen = chosen;
	room->left = eqt_alloc(nodes->count + 1, sizeof(*room->left));
	room->taken = eqt_alloc(nodes->count + 1, sizeof(*room->taken));
	if (!room->taken) {
		eqt_room_free(room);
		return NULL;
	}
	for (size_t i = 0; i < nodes->count; i++)
		room->left[i] = eqt_canonical_unit_rest(
			&nodes->nodes[i].total, &nodes->nodes[i].allocated);
	return room;
}
