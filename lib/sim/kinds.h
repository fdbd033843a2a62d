/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kinds: groups of waiting jobs that are equal for the scheduler. Jobs of one kind have
 * the same shape and take equal amounts of the same limits, so that if one of them does
 * not fit, all others do not fit either. Checking one job of a kind replaces checking
 * all of them. Only lib/sim uses it.
 */
#ifndef EQT_SIMULATION_KINDS_H
#define EQT_SIMULATION_KINDS_H

#include <stdint.h>

#include "sim/simulation.h"

struct eqt_simulation_kind {
	struct eqt_simulation_job example; /* one job of the kind */
	uint32_t waiting; /* number of waiting jobs of the kind */
	/* 1 + index of the next kind with the same hash; 0 for the last. */
	uint32_t next;
	/* The use by which a job of the kind would exceed a limit; NULL if the
	 * kind is at no limit. Only the end of a running job clears it. */
	const struct eqt_simulation_use *beyond;
	/* 1 + index of the next kind at the same limit; 0 for the last. */
	uint32_t next_beyond;
	/* Number of the last walk in which a job of the kind did not fit. */
	uint32_t misfit;
	/* The shortest time limit in seconds that did not fit in that walk. */
	uint32_t misfit_s;
};

/* All kinds. {0} is empty. */
struct eqt_simulation_kinds {
	struct eqt_simulation_kind *kind;
	/* The number of kinds, and the room of the arrays, which is a power of two. */
	uint32_t count, space;
	/* Hash table of `space` slots with 1 + index of a kind; 0 is a free slot. */
	uint32_t *first;
	/* For each limit 1 + index of the first kind that is at it; 0 if none is. */
	uint32_t *at_limit;
};

/* Return the index of the kind of a job, or -1 if there is no memory. The first job of
 * a kind adds the kind. An index never changes. The pointers in the job are
 * borrowed. */
int64_t eqt_kinds_place(struct eqt_simulation_kinds *kinds,
			const struct eqt_simulation_job *job);

/* Free all kinds and *kinds itself, which must come from calloc(). NULL is allowed. */
void eqt_kinds_free(struct eqt_simulation_kinds *kinds);

#endif
