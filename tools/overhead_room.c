/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "overhead_room.h"

#define NONE SIZE_MAX

/*
 * The nodes of one partition that have one model, in their order. bound[] is a
 * binary tree over them, bound[1] its root: at least what is left of any node
 * below. It may be more than that, since a node that another list took from is
 * looked at here when its turn comes; never less, since nothing is given back.
 */
struct list {
	struct eqt_value partition;
	struct eqt_value model; /* no text: any node will do */
	bool any; /* nodes of the partition, whatever they have */
	size_t count;
	size_t *node; /* their numbers; bound[] is allocated with it */
	struct eqt_amounts *bound;
};

/* Where a job's search has come to in one list. */
struct cursor {
	struct list *list;
	size_t at; /* of the list, or NONE: at its end */
};

#define REFUSALS 16

/* What a job wanted that there were too few nodes for; nor will there be. */
struct refusal {
	struct eqt_amounts wanted;
	uint64_t nodes;
};

/* Jobs that name the same partitions and model. */
struct kind {
	struct eqt_value partitions; /* "a,b" */
	struct eqt_value model;
	struct cursor *cursors; /* one for each partition */
	size_t count;
	struct refusal refusals[REFUSALS]; /* none is more than another */
	size_t refusal_count;
};

struct eqt_room {
	const struct eqt_nodes *nodes;
	const bool *chosen;
	struct eqt_amounts *left; /* of each node */
	size_t *taken; /* nodes of the job that is tried */
	struct list **lists;
	size_t list_count;
	void *kinds; /* of tsearch(): users may make up thousands of lists */
};

static bool same(struct eqt_value a, struct eqt_value b)
{
	if (!a.text || !b.text)
		return !a.text && !b.text;
	return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* Is a word among those between commas? */
static bool has_word(const char *at, size_t length, struct eqt_value word)
{
	const char *end = at + length, *comma;

	for (; at < end; at = comma + 1) {
		comma = memchr(at, ',', (size_t) (end - at));
		if (!comma)
			comma = end;
		if (same((struct eqt_value){ at, (size_t) (comma - at) }, word))
			return true;
	}
	return false;
}

/* Has the node the model that a job wants? */
static bool has_model(const struct eqt_node *node, struct eqt_value model)
{
	size_t at;

	if (!model.text)
		return true;
	for (at = 4; at + model.length <= node->gres.length; at++) {
		if (node->gres.text[at - 1] == ':' &&
		    memcmp(node->gres.text + at, model.text, model.length) == 0)
			return true;
	}
	return false;
}

static bool has_room(const struct eqt_amounts *left,
		     const struct eqt_amounts *wanted)
{
	int i;

	for (i = 0; i < EQT_PARTS; i++) {
		if (left->of[i] < wanted->of[i])
			return false;
	}
	return true;
}

/* ---- A list -------------------------------------------------------------- */

static void free_list(struct list *list)
{
	if (!list)
		return;
	free(list->node);
	free(list->bound);
	free(list);
}

/* The most that two halves have. */
static void join(struct eqt_amounts *bound, size_t at)
{
	int i;

	for (i = 0; i < EQT_PARTS; i++)
		bound[at].of[i] = bound[2 * at].of[i] > bound[2 * at + 1].of[i]
					  ? bound[2 * at].of[i]
					  : bound[2 * at + 1].of[i];
}

/* Leaf i of the tree is bound[width + i]. */
static size_t width_of(size_t count)
{
	size_t width = 1;

	while (width < count)
		width *= 2;
	return width;
}

static int make_tree(struct list *list, const struct eqt_room *room)
{
	size_t width = width_of(list->count), i;

	list->bound = calloc(2 * width, sizeof(*list->bound));
	if (!list->bound)
		return -1;
	for (i = 0; i < list->count; i++)
		list->bound[width + i] = room->left[list->node[i]];
	for (i = width; i-- > 1;)
		join(list->bound, i);
	return 0;
}

static int fill_list(struct list *list, const struct eqt_room *room)
{
	size_t i;

	list->node = calloc(room->nodes->count + 1, sizeof(*list->node));
	if (!list->node)
		return -1;
	for (i = 0; i < room->nodes->count; i++) {
		const struct eqt_node *node = &room->nodes->nodes[i];

		if (!room->chosen[i] ||
		    !has_word(node->partitions,
			      (size_t) node->partitions_length,
			      list->partition))
			continue;
		list->any = true;
		if (has_model(node, list->model))
			list->node[list->count++] = i;
	}
	return make_tree(list, room);
}

/* The list of a partition and a model, made when it is asked for first. NULL:
 * memory. */
static struct list *list_of(struct eqt_room *room, struct eqt_value partition,
			    struct eqt_value model)
{
	struct list **more, *list;
	size_t i;

	for (i = 0; i < room->list_count; i++) {
		if (same(room->lists[i]->partition, partition) &&
		    same(room->lists[i]->model, model))
			return room->lists[i];
	}
	more = realloc(room->lists, (i + 1) * sizeof(struct list *));
	if (!more)
		return NULL;
	room->lists = more;
	list = calloc(1, sizeof(*list));
	if (!list)
		return NULL;
	list->partition = partition;
	list->model = model;
	if (fill_list(list, room) < 0) {
		free_list(list);
		return NULL;
	}
	room->lists[room->list_count++] = list;
	return list;
}

/* Part of a list's tree: the nodes below bound[at], from the lowest on. */
struct span {
	size_t at;
	size_t low;
	size_t size;
};

/* The first node of a span, not before the from-th of the list, that has room;
 * its number in the list, or NONE. */
static size_t find(const struct eqt_room *room, struct list *list,
		   struct span span, size_t from,
		   const struct eqt_amounts *wanted)
{
	struct eqt_amounts *bound = list->bound;
	size_t half = span.size / 2, found;

	if (span.low >= list->count || span.low + span.size <= from ||
	    !has_room(&bound[span.at], wanted))
		return NONE;
	if (half == 0) {
		bound[span.at] = room->left[list->node[span.low]];
		return has_room(&bound[span.at], wanted) ? span.low : NONE;
	}
	found = find(room, list, (struct span){ 2 * span.at, span.low, half },
		     from, wanted);
	if (found == NONE)
		found = find(room, list,
			     (struct span){ 2 * span.at + 1, span.low + half,
					    half },
			     from, wanted);
	join(bound, span.at);
	return found;
}

static void advance(const struct eqt_room *room, struct cursor *cursor,
		    size_t from, const struct eqt_amounts *wanted)
{
	const struct span all = { 1, 0, width_of(cursor->list->count) };

	cursor->at = find(room, cursor->list, all, from, wanted);
}

/* ---- Kinds of jobs -------------------------------------------------------- */

static void free_kind(struct kind *kind)
{
	free(kind->cursors);
	free(kind);
}

static int compare(struct eqt_value a, struct eqt_value b)
{
	if (!a.text || !b.text)
		return (a.text != NULL) - (b.text != NULL);
	if (a.length != b.length)
		return a.length < b.length ? -1 : 1;
	return memcmp(a.text, b.text, a.length);
}

static int compare_kinds(const void *a, const void *b)
{
	const struct kind *left = a, *right = b;
	int order = compare(left->partitions, right->partitions);

	return order ? order : compare(left->model, right->model);
}

static int fill_kind(struct kind *kind, struct eqt_room *room)
{
	const char *at = kind->partitions.text;
	const char *end = at + kind->partitions.length, *comma;

	/* One letter a name and a comma behind it: no more names than that. */
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
		cursor->list = list_of(
			room, (struct eqt_value){ at, (size_t) (comma - at) },
			kind->model);
		if (!cursor->list)
			return -1;
		kind->count++;
	}
	return 0;
}

/* The kind of a job, made when there is a job of it first. NULL: memory. */
static struct kind *kind_of(struct eqt_room *room, const struct eqt_job *job)
{
	const struct kind wanted = { .partitions = job->partition,
				     .model = job->model };
	struct kind *kind;
	void *found = tfind(&wanted, &room->kinds, compare_kinds);

	if (found)
		return *(struct kind **) found;
	kind = malloc(sizeof(*kind));
	if (!kind)
		return NULL;
	*kind = wanted;
	if (fill_kind(kind, room) < 0 ||
	    !tsearch(kind, &room->kinds, compare_kinds)) {
		free_kind(kind);
		return NULL;
	}
	return kind;
}

static bool is_refused(const struct kind *kind, uint64_t nodes,
		       const struct eqt_amounts *wanted)
{
	size_t i;

	for (i = 0; i < kind->refusal_count; i++) {
		if (nodes >= kind->refusals[i].nodes &&
		    has_room(wanted, &kind->refusals[i].wanted))
			return true;
	}
	return false;
}

/* Note it instead of those that say less; when there are many, of no more. */
static void refuse(struct kind *kind, uint64_t nodes,
		   const struct eqt_amounts *wanted)
{
	size_t i, kept = 0;

	for (i = 0; i < kind->refusal_count; i++) {
		if (kind->refusals[i].nodes < nodes ||
		    !has_room(&kind->refusals[i].wanted, wanted))
			kind->refusals[kept++] = kind->refusals[i];
	}
	if (kept < REFUSALS)
		kind->refusals[kept++] = (struct refusal){ *wanted, nodes };
	kind->refusal_count = kept;
}

/* ---- A job ---------------------------------------------------------------- */

/* The next node that has room, whichever list it is of; NONE after the last. */
static size_t next_node(const struct eqt_room *room, struct kind *kind,
			const struct eqt_amounts *wanted)
{
	size_t node = NONE, i;

	for (i = 0; i < kind->count; i++) {
		const struct cursor *cursor = &kind->cursors[i];

		if (cursor->at != NONE && cursor->list->node[cursor->at] < node)
			node = cursor->list->node[cursor->at];
	}
	for (i = 0; i < kind->count; i++) {
		struct cursor *cursor = &kind->cursors[i];

		if (cursor->at != NONE &&
		    cursor->list->node[cursor->at] == node)
			advance(room, cursor, cursor->at + 1, wanted);
	}
	return node;
}

int eqt_room_concerns(struct eqt_room *room, const struct eqt_job *job)
{
	const struct kind *kind = kind_of(room, job);
	size_t i;

	for (i = 0; kind && i < kind->count; i++) {
		if (kind->cursors[i].list->any)
			return 1;
	}
	return kind ? 0 : -1;
}

/* room->taken[] has nodes for the job; false when there are too few. */
static bool choose(struct eqt_room *room, struct kind *kind, uint64_t nodes,
		   const struct eqt_amounts *wanted)
{
	size_t i;
	uint64_t found;

	if (nodes > room->nodes->count)
		return false;
	for (i = 0; i < kind->count; i++)
		advance(room, &kind->cursors[i], 0, wanted);
	for (found = 0; found < nodes; found++) {
		room->taken[found] = next_node(room, kind, wanted);
		if (room->taken[found] == NONE)
			return false;
	}
	return true;
}

int eqt_room_take(struct eqt_room *room, const struct eqt_job *job,
		  const struct eqt_amounts *wanted)
{
	struct kind *kind = kind_of(room, job);
	uint64_t i;
	int part;

	if (!kind)
		return -1;
	if (is_refused(kind, job->nodes, wanted))
		return 0;
	if (!choose(room, kind, job->nodes, wanted)) {
		refuse(kind, job->nodes, wanted);
		return 0;
	}
	for (i = 0; i < job->nodes; i++) {
		for (part = 0; part < EQT_PARTS; part++)
			room->left[room->taken[i]].of[part] -= wanted->of[part];
	}
	return 1;
}

/* ---- The room ------------------------------------------------------------- */

struct eqt_room *eqt_room_new(const struct eqt_nodes *nodes, const bool *chosen)
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
		room->left[i] = eqt_amounts_free(&nodes->nodes[i].total,
						 &nodes->nodes[i].allocated);
	return room;
}

void eqt_room_free(struct eqt_room *room)
{
	struct kind *kind;
	size_t i;

	if (!room)
		return;
	for (i = 0; i < room->list_count; i++)
		free_list(room->lists[i]);
	free(room->lists);
	while (room->kinds) {
		kind = *(struct kind **) room->kinds;
		(void) tdelete(kind, &room->kinds, compare_kinds);
		free_kind(kind);
	}
	free(room->taken);
	free(room->left);
	free(room);
}
