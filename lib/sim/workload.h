/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload: an artificial workload from a seed, to try policies on.
 *
 * Users want different amounts and submit in bursts of a few jobs of one shape.
 * Sizes are powers of 2, lengths are spread evenly over their logarithm, and
 * limits are one to four times the length, because people guess high.
 */
#ifndef EQT_WORKLOAD_H
#define EQT_WORKLOAD_H

#include "sim/simulation.h"

/* The kind of workload; a plain value. */
struct eqt_workload {
	uint64_t seed;
	uint64_t jobs;
	uint32_t span_s; /* jobs arrive from time 0 to here */
	double load; /* requested CPU time / available CPU time */
};

/*
 * Fill jobs[] (wanted->jobs of them) for the users of a tree on a cluster. The same
 * seed makes the same jobs. A partition is chosen in proportion to its CPUs; jobs
 * ask for GPUs if all nodes of the partition have some. Returns 0, or -1 with err
 * filled: no users, no partition with nodes, a load that is not above 0.
 */
int eqt_workload_make(struct eqt_simulation_job *jobs,
		      const struct eqt_workload *wanted,
		      const struct eqt_simulation *on, struct eqt_error *err);

/* For qsort(): jobs by the time of submission, which eqt_simulation_run() requires, then by
 * their ids, so that runs repeat. */
int eqt_workload_compare(const void *a, const void *b);

#endif
