/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ahead.h"

static void *item_at(const struct eqt_ahead *walk, uint64_t position)
{
	return walk->ring[position % EQT_AHEAD_RING];
}

/* What is due when the item at a position has come, or would have. */
static void advance(struct eqt_ahead *walk, uint64_t position)
{
	uint64_t at = position;
	int stage;

	for (stage = 0; stage < EQT_AHEAD_STAGES; stage++) {
		if (at < walk->pushed && walk->plan->touch[stage])
			walk->plan->touch[stage](item_at(walk, at));
		if (at < EQT_AHEAD_STEP)
			return;
		at -= EQT_AHEAD_STEP;
	}
	if (at < walk->pushed)
		walk->plan->visit(item_at(walk, at), walk->arg);
}

void eqt_ahead_push(struct eqt_ahead *walk, void *item)
{
	walk->ring[walk->pushed % EQT_AHEAD_RING] = item;
	walk->pushed++;
	advance(walk, walk->pushed - 1);
}

void eqt_ahead_finish(struct eqt_ahead *walk)
{
	uint64_t i;

	for (i = 0; i < EQT_AHEAD_STEP * EQT_AHEAD_STAGES; i++)
		advance(walk, walk->pushed + i);
}
