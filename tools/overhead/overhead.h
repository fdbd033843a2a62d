/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overhead: what equitree overhead was asked, what it read, and its sums. */
#ifndef EQT_OVERHEAD_COMMAND_H
#define EQT_OVERHEAD_COMMAND_H

#include "cli/common.h"
#include "capacity/queue_fit.h"

#define EQT_UNITS_MAX 16

struct eqt_overhead_options {
	const char *path;
	const char *jobs_path;
	const char *plot_path;
	const char *partition;
	const char *texts[EQT_UNITS_MAX];
	struct eqt_unit_amounts units[EQT_UNITS_MAX];
	int count;
	bool list;
	bool partitions;
	struct eqt_common common;
};

/* One unit over all nodes that can hold any. */
struct eqt_overhead_sum {
	uint64_t overhead;
	uint64_t capacity;
	uint64_t nodes;
	uint64_t bins[EQT_BINS];
	struct eqt_queue_fit fit;
};

/* A cluster as it is now. */
struct eqt_overhead {
	struct eqt_nodes nodes;
	struct eqt_jobs jobs;
	bool has_jobs;
	bool *chosen; /* of each node */
};

/* One more unit, "cores=1,memory=2G" (borrowed). 0, or -1 with err filled. */
int eqt_overhead_add_unit(struct eqt_overhead_options *options,
			  const char *text, struct eqt_error *err);

/* The two that there are when none was asked for. 0, or -1 with err filled. */
int eqt_overhead_default_units(struct eqt_overhead_options *options,
			       struct eqt_error *err);

/*
 * Add up one unit, by its number, and set cluster->chosen to the nodes that
 * can hold it. 0, or -1: memory.
 */
int eqt_overhead_sum(struct eqt_overhead_sum *sum,
		     const struct eqt_overhead *cluster,
		     const struct eqt_overhead_options *options, int unit);

/* How much of the capacity is true overhead; 0 without a capacity. */
double eqt_overhead_percent(const struct eqt_overhead_sum *sum);

/* A line for each partition and unit, for people or as JSON. 0, or -1: memory. */
int eqt_overhead_partitions(const struct eqt_overhead *cluster,
			    const struct eqt_overhead_options *options);

/* Print all units for people, or as JSON. 0, or -1: memory. */
int eqt_overhead_print(const struct eqt_overhead *cluster,
		       const struct eqt_overhead_options *options);
int eqt_overhead_json(const struct eqt_overhead *cluster,
		      const struct eqt_overhead_options *options);

#endif
