/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pipeline: while one item is visited, later items pass through their
 * prefetch stages. */
#include "walk/prefetch.h"

/* Do the first stage of the item at position `at`, the second stage of an
 * earlier item, and so on up to the visit of the earliest item. */
static void prefetch_advance(struct eqt_prefetch *walk, uint64_t at)
{
	const struct eqt_prefetch_plan *plan = walk->plan;

	for (int i = 0; i < EQT_PREFETCH_STAGES && plan->touch[i]; i++) {
		if (at < walk->pushed)
			plan->touch[i](walk->ring[at % EQT_PREFETCH_RING]);
		if (at < plan->ahead)
			return;
		at -= plan->ahead;
	}
	if (walk->visit && at < walk->pushed)
		walk->visit(walk->ring[at % EQT_PREFETCH_RING], walk->arg);
}

void eqt_prefetch_push(struct eqt_prefetch *walk, void *item)
{
	walk->ring[walk->pushed % EQT_PREFETCH_RING] = item;
	walk->pushed++;
	prefetch_advance(walk, walk->pushed - 1);
}

void eqt_prefetch_finish(struct eqt_prefetch *walk)
{
	const uint64_t end =
		walk->pushed + EQT_PREFETCH_STAGES * walk->plan->ahead;

	/* Continue as if more items were pushed, until the last real item was
	   visited. */
	for (uint64_t at = walk->pushed; at < end; at++)
		prefetch_advance(walk, at);
}
