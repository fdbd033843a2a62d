/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload: an artificial workload from a seed, for trying policies.
 *
 * Users want different amounts and submit jobs of one shape in bursts. Sizes are powers
 * of 2. Run times are distributed evenly over their logarithm. Limits are one to four
 * times the run time, because people choose high limits.
 */
#ifndef EQT_WORKLOAD_H
#define EQT_WORKLOAD_H

#include "sim/simulation.h"

/* The parameters of a workload. A plain value. */
struct eqt_workload {
	uint64_t seed;
	uint64_t jobs;
	uint32_t span_s; /* jobs arrive from second 0 to this one */
	double load; /* requested CPU time divided by available CPU time */
};

/*
 * Fill jobs[] with wanted->jobs jobs for the users of a tree on a cluster. The same
 * seed gives the same jobs. A partition is chosen in proportion to its CPUs, and jobs
 * ask for GPUs if all nodes of the partition have some. Return 0, or -1 with err filled
 * if there are no users, if no partition has nodes, or if the load is not above 0.
 */
int eqt_workload_make(struct eqt_simulation_job *jobs,
		      const struct eqt_workload *wanted,
		      const struct eqt_simulation *on, struct eqt_error *err);

/* Compare two jobs for qsort() by the time of submission, which is the order that
 * eqt_simulation_run() requires. Jobs of the same time are sorted by their ids, so that
 * runs are reproducible. */
int eqt_workload_compare(const void *a, const void *b);

#endif
