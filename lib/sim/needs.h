/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs: what a simulated job needs beside its size: room under limits, certain nodes,
 * other jobs that have ended. simulation.h includes it. */
#ifndef EQT_SIMULATION_NEEDS_H
#define EQT_SIMULATION_NEEDS_H

#include <stdbool.h>
#include <stdint.h>

/* An amount that a job takes of a limit while it runs: a job, CPUs, licences. */
struct eqt_simulation_use {
	uint32_t limit; /* index into limits of the simulation */
	uint64_t amount;
};

/* Nodes that only jobs of the reservation may use for a time. */
struct eqt_simulation_reservation {
	int64_t from, to;
	const uint64_t *nodes; /* bit i % 64 of word i / 64 */
};

/* Plain values, which many jobs may share; all pointers are borrowed. */
struct eqt_simulation_needs {
	const struct eqt_simulation_use *uses;
	uint32_t use_count;
	/* Nodes that it can use, a bit each; NULL: all */
	const uint64_t *nodes;
	int reservation; /* 1 + the index of the reservation that it runs in; 0:
			    none */
	bool exclusive; /* whole nodes */
	bool after_start; /* the jobs of after need only have started */
	const uint32_t *after; /* indices of jobs that must have ended */
	uint32_t after_count;
	int64_t begin; /* not before this time */
	/* The nodes of a job that has run since job->start when the simulation begins,
	 * one for each of job->nodes. NULL: the job waits. */
	const uint32_t *on;
	/* The priority that the job begins with; later it changes as the computed one
	 * does. 0: the computed priority, shifted by the median shift of the other
	 * jobs. */
	uint32_t priority;
};

#endif
