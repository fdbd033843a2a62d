/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A segment tree over the nodes holds upper bounds of what is left. Several
 * lists share the nodes, so a list only learns of another's allocations when a
 * search reaches the leaf; bounds are corrected on the way up.
 */
#include <stdlib.h>
#include <string.h>

#include "capacity/node_list.h"

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

/* A bound is the maximum of its two halves. */
static void bound_join(struct eqt_unit_amounts *bound, size_t at)
{
	int i;

	for (i = 0; i < EQT_UNIT_PARTS; i++)
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

static int node_list_make_tree(struct eqt_capacity_list *list)
{
	size_t width = tree_width(list->count), i;

	list->bound = calloc(2 * width, sizeof(*list->bound));
	if (!list->bound)
		return -1;
	for (i = 0; i < list->count; i++)
		list->bound[width + i] = list->left[list->node[i]];
	for (i = width; i-- > 1;)
		bound_join(list->bound, i);
	return 0;
}

static int node_list_fill(struct eqt_capacity_list *list,
			  const struct eqt_scontrol_nodes *nodes,
			  const bool *chosen)
{
	size_t i;

	list->node = calloc(nodes->count + 1, sizeof(*list->node));
	if (!list->node)
		return -1;
	for (i = 0; i < nodes->count; i++) {
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
	return node_list_make_tree(list);
}

struct eqt_capacity_list *eqt_capacity_list_new(
	const struct eqt_scontrol_nodes *nodes, const bool *chosen,
	const struct eqt_unit_amounts *left,
	struct eqt_scontrol_value partition, struct eqt_scontrol_value model)
{
	struct eqt_capacity_list *list = calloc(1, sizeof(*list));

	if (!list)
		return NULL;
	list->left = left;
	list->partition = partition;
	list->model = model;
	if (node_list_fill(list, nodes, chosen) < 0) {
		eqt_capacity_list_free(list);
		return NULL;
	}
	return list;
}

void eqt_capacity_list_free(struct eqt_capacity_list *list)
{
	if (!list)
		return;
	free(list->node);
	free(list->bound);
	free(list);
}

/* Part of the tree: the nodes below bound[at], from number low on. */
struct span {
	size_t at;
	size_t low;
	size_t size;
};

/* eqt_capacity_list_find() within a span. Bounds that are too high, because
 * another list took from a node, are corrected on the way. */
static size_t node_list_find_below(struct eqt_capacity_list *list,
				   struct span span, size_t from,
				   const struct eqt_unit_amounts *wanted)
{
	struct eqt_unit_amounts *bound = list->bound;
	size_t half = span.size / 2, found;

	if (span.low >= list->count || span.low + span.size <= from ||
	    !eqt_unit_amounts_cover(&bound[span.at], wanted))
		return EQT_CAPACITY_LIST_END;
	if (half == 0) {
		bound[span.at] = list->left[list->node[span.low]];
		return eqt_unit_amounts_cover(&bound[span.at], wanted)
			       ? span.low
			       : EQT_CAPACITY_LIST_END;
	}
	found = node_list_find_below(
		list, (struct span){ 2 * span.at, span.low, half }, from,
		wanted);
	if (found == EQT_CAPACITY_LIST_END)
		found = node_list_find_below(
			list,
			(struct span){ 2 * span.at + 1, span.low + half, half },
			from, wanted);
	bound_join(bound, span.at);
	return found;
}

size_t eqt_capacity_list_find(struct eqt_capacity_list *list, size_t from,
			      const struct eqt_unit_amounts *wanted)
{
	return node_list_find_below(
		list, (struct span){ 1, 0, tree_width(list->count) }, from,
		wanted);
}
