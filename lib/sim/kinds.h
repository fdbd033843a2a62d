/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kinds: waiting jobs that are alike for the scheduler, counted. Jobs of one kind have the
 * same shape and take equal amounts of the same limits, so if one of them does not fit,
 * neither do the others. A check of a kind stands for checks of all its jobs. Private to
 * lib/sim.
 */
#ifndef EQT_SIMULATION_KINDS_H
#define EQT_SIMULATION_KINDS_H

#include <stdint.h>

#include "sim/simulation.h"

struct eqt_simulation_kind {
	struct eqt_simulation_job example; /* one of its jobs */
	uint32_t waiting; /* number of its jobs that wait */
	uint32_t next; /* the next kind of its hash: 1 + place; 0: none */
	uint32_t
		walk; /* number of the last walk that came to one of its jobs */
	uint32_t passed; /* how many of its jobs that walk passed over */
	uint32_t at_limit; /* the last walk that found a limit reached */
	uint32_t
		misfit; /* the last walk in which one of its jobs did not fit */
	uint32_t misfit_s; /* the shortest time limit that did not fit then */
};

/* {0} is empty. */
struct eqt_simulation_kinds {
	struct eqt_simulation_kind *kind;
	uint32_t count, space; /* space: a power of two */
	uint32_t *first; /* hash table of space slots: 1 + a place; 0: none */
};

/* Return the index of the kind that a job is of, or -1 if memory is short. The first job of a
 * kind adds it. An index never changes. The texts of the job are borrowed. */
int64_t eqt_kinds_place(struct eqt_simulation_kinds *kinds,
			const struct eqt_simulation_job *job);

/* Free all kinds, and *kinds itself, which calloc() gave; NULL is fine. */
void eqt_kinds_free(struct eqt_simulation_kinds *kinds);

#endif
