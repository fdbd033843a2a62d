/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload: a workload made up from a seed, to try policies on.
 *
 * Users want different amounts, and come in bursts: each burst is a few jobs
 * of one shape. Sizes are powers of 2, lengths spread evenly over their
 * logarithm, and limits are one to four times the length, as people guess.
 */
#ifndef EQT_WORKLOAD_H
#define EQT_WORKLOAD_H

#include "sim/simulation.h"

/* What to make; plain. */
struct eqt_workload {
	uint64_t seed;
	uint64_t jobs;
	uint32_t span_s; /* in which they come, from time 0 on */
	double load; /* CPU-time asked for, of what there is in that time */
};

/*
 * Fill jobs[] (its count is wanted->jobs) for the users of a tree on a cluster.
 * The same seed makes the same jobs. Partitions are chosen by their CPUs; jobs
 * want GPUs where all nodes of a partition have some. 0, or -1 with err
 * filled: no users, no partition with nodes, a load that is not above 0.
 */
int eqt_workload_make(struct eqt_simulation_job *jobs,
		      const struct eqt_workload *wanted,
		      const struct eqt_simulation *on, struct eqt_error *err);

#endif
