/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kinds: waiting jobs that are alike for the scheduler, counted. Jobs of one kind have the
 * same shape and take the same of the same limits, so if one of them does not fit,
 * neither do the others. What is asked for each kind need not be asked for each job.
 * Private to lib/sim.
 */
#ifndef EQT_SIMULATION_KINDS_H
#define EQT_SIMULATION_KINDS_H

#include <stdint.h>

#include "sim/simulation.h"

struct eqt_simulation_kind {
	struct eqt_simulation_job example; /* any of them */
	uint32_t waiting; /* jobs */
	uint32_t next; /* of the same hash: 1 + its place; 0: none */
	uint32_t walk; /* the last one that met such a job, */
	uint32_t passed; /* and how many of those it has passed over */
	uint32_t at_limit; /* the last walk that found a limit reached */
	uint32_t misfit; /* the last walk in which a job did not fit, */
	uint32_t misfit_s; /* and the shortest time limit of those */
};

/* {0} is empty. */
struct eqt_simulation_kinds {
	struct eqt_simulation_kind *kind;
	uint32_t count, space;
	uint32_t *first; /* hash table: 1 + a place; 0: none */
	uint32_t slots; /* of it; a power of two */
};

/* The place of the job's kind, which is added if it is new; it never changes. The
 * simulation keeps the job. -1: out of memory. */
int64_t eqt_kinds_place(struct eqt_simulation_kinds *kinds,
			const struct eqt_simulation_job *job);

/* Free all kinds, and *kinds itself, which calloc() gave; NULL is fine. */
void eqt_kinds_free(struct eqt_simulation_kinds *kinds);

#endif
