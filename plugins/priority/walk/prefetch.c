/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pipeline over blocks of items: while one block is visited, later blocks pass through
 * their prefetch stages. */
#include "walk/prefetch.h"

/* Do one stage of the block that begins at this position, or its visits. */
static void prefetch_block(struct eqt_prefetch *walk, uint64_t first, int stage)
{
	const struct eqt_prefetch_plan *plan = walk->plan;
	uint64_t end = first + EQT_PREFETCH_STEP;

	if (end > walk->pushed)
		end = walk->pushed;
	for (uint64_t i = first; i < end; i++) {
		void *item = walk->ring[i % EQT_PREFETCH_RING];

		if (stage == EQT_PREFETCH_STAGES)
			walk->visit(item, walk->arg);
		else
			plan->touch[stage](item);
	}
}

/* A block is full: do its first stage, the second stage of the previous block, and so on
 * up to the visits of the oldest block. */
static void prefetch_advance(struct eqt_prefetch *walk, uint64_t end)
{
	uint64_t first = end - EQT_PREFETCH_STEP;
	int stage = 0;

	while (stage < EQT_PREFETCH_STAGES && walk->plan->touch[stage]) {
		if (first < walk->pushed)
			prefetch_block(walk, first, stage);
		if (first < EQT_PREFETCH_STEP)
			return;
		first -= EQT_PREFETCH_STEP;
		stage++;
	}
	if (walk->visit && first < walk->pushed)
		prefetch_block(walk, first, EQT_PREFETCH_STAGES);
}

void eqt_prefetch_push(struct eqt_prefetch *walk, void *item)
{
	walk->ring[walk->pushed % EQT_PREFETCH_RING] = item;
	walk->pushed++;
	if (walk->pushed % EQT_PREFETCH_STEP == 0)
		prefetch_advance(walk, walk->pushed);
}

void eqt_prefetch_finish(struct eqt_prefetch *walk)
{
	uint64_t end = walk->pushed - walk->pushed % EQT_PREFETCH_STEP;

	/* Push empty blocks until the last real one has been visited. */
	for (int i = 0; i <= EQT_PREFETCH_STAGES; i++)
		prefetch_advance(walk, end += EQT_PREFETCH_STEP);
}
