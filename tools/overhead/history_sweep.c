/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "overhead/history.h"

/* A node as the sweep sees it. */
struct sweep {
	struct eqt_history_span span;
	uint32_t *active;
	size_t room;
	size_t unavailable; /* events that go on */
	eqt_history_each *each;
	void *with;
};

/* By node and time; what ends at a moment comes before what begins. */
static int edge_compare(const void *a, const void *b)
{
	const struct eqt_history_edge *left = a, *right = b;

	if (left->node != right->node)
		return left->node < right->node ? -1 : 1;
	if (left->at_s != right->at_s)
		return left->at_s < right->at_s ? -1 : 1;
	if (left->end != right->end)
		return left->end ? -1 : 1;
	if (left->part != right->part)
		return left->part < right->part ? -1 : 1;
	return 0;
}

/* Report the time until a moment, in which nothing changed. */
static int sweep_until(struct sweep *sweep, int64_t at_s)
{
	struct eqt_history_span *span = &sweep->span;
	int rc = 0;

	span->until_s = at_s;
	span->active = sweep->active;
	/* A node that is unavailable now without an event in accounting counts as it
	 * did: it is not known since when. */
	span->available = sweep->unavailable == 0;
	if (span->from_s < span->until_s)
		rc = sweep->each(sweep->with, span);
	span->from_s = at_s;
	return rc;
}

static int sweep_add_part(struct sweep *sweep, uint32_t part)
{
	const size_t more = sweep->room ? sweep->room * 2 : 64;
	uint32_t *made;

	if (sweep->span.count == sweep->room) {
		made = realloc(sweep->active, more * sizeof(*made));
		if (!made)
			return -1;
		sweep->active = made;
		sweep->room = more;
	}
	sweep->active[sweep->span.count++] = part;
	return 0;
}

/* The last part takes the place of the one that ends: order does not matter. */
static void sweep_remove_part(struct sweep *sweep, uint32_t part)
{
	size_t i = 0;

	while (i < sweep->span.count && sweep->active[i] != part)
		i++;
	if (i < sweep->span.count)
		sweep->active[i] = sweep->active[--sweep->span.count];
}

/* Change what is allocated, or whether the node is available. */
static int sweep_take_edge(struct sweep *sweep,
			   const struct eqt_history_edge *edge)
{
	struct eqt_unit_amounts *sum = &sweep->span.allocated;
	const struct eqt_unit_amounts *has;
	size_t r;

	if (edge->part == EQT_HISTORY_NONE) {
		sweep->unavailable += edge->end ? (size_t) -1 : 1;
		return 0;
	}
	has = &sweep->span.history->part[edge->part].has;
	for (r = 0; r < EQT_UNIT_PARTS; r++)
		sum->of[r] += edge->end ? -has->of[r] : has->of[r];
	if (!edge->end)
		return sweep_add_part(sweep, edge->part);
	sweep_remove_part(sweep, edge->part);
	return 0;
}

/* One node, whose edges begin at *at. */
static int sweep_node(struct sweep *sweep, uint32_t node, size_t *at)
{
	const struct eqt_history *history = sweep->span.history;

	sweep->span.node = &history->nodes->nodes[node];
	sweep->span.from_s = history->from_s;
	sweep->span.count = 0;
	sweep->span.allocated = (struct eqt_unit_amounts){ { 0 } };
	sweep->unavailable = 0;
	for (; *at < history->edges && history->edge[*at].node == node; ++*at) {
		if (sweep_until(sweep, history->edge[*at].at_s) < 0 ||
		    sweep_take_edge(sweep, &history->edge[*at]) < 0)
			return -1;
	}
	return sweep_until(sweep, history->until_s);
}

int eqt_history_sweep(struct eqt_history *history, eqt_history_each *each,
		      void *with)
{
	struct sweep sweep = { .span.history = history,
			       .each = each,
			       .with = with };
	size_t at = 0;
	uint32_t node;
	int rc = 0;

	if (history->edges > 0)
		qsort(history->edge, history->edges, sizeof(*history->edge),
		      edge_compare);
	for (node = 0; node < history->nodes->count && rc == 0; node++)
		rc = sweep_node(&sweep, node, &at);
	free(sweep.active);
	return rc;
}
