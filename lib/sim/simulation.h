/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulation: what a workload would have got under other rules.
 *
 * Jobs come at their times and run as long as they are said to; prices, usage,
 * decay, ranks, places and priorities are those of the other eqt_ files, called
 * in the order in which a pass of priority/equitree calls them; a plain
 * scheduler starts jobs by priority, and others before their turn where that
 * delays nobody's reservation. docs/SIMULATE.md says what is left out.
 *
 * The same input gives the same result. Time is seconds, and the input's own.
 */
#ifndef EQT_SIMULATION_H
#define EQT_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/policy.h"
#include "tree/tree.h"

#define EQT_SIMULATION_PARTITIONS_MAX 64
#define EQT_SIMULATION_NEVER INT64_MIN /* a start that there was not */
#define EQT_SIMULATION_NO_MODEL (-1) /* any GPU, or none */

/* What is on a node, or what a job takes on one; GPUs of one model. */
struct eqt_simulation_amount {
	uint64_t cpus;
	uint64_t mem_mib;
	uint64_t gpus;
};

struct eqt_simulation_node {
	struct eqt_simulation_amount has;
	int model; /* of its GPUs: index into models, or EQT_SIMULATION_NO_MODEL */
	uint64_t partitions; /* bit i: it is in partition i */
};

struct eqt_simulation_partition {
	const char *name; /* borrowed */
	uint32_t tier; /* PriorityTier: higher ones are scheduled before */
	uint32_t job_factor; /* PriorityJobFactor */
	uint64_t threads; /* CPUs of a core; 0 counts as 1 */
};

/* A plain value; all is borrowed. Models are GRES names, "gpu:p100". */
struct eqt_simulation_cluster {
	const struct eqt_simulation_node *nodes;
	uint32_t node_count;
	const struct eqt_simulation_partition *partitions;
	uint32_t partition_count;
	const char *models[EQT_MODELS_MAX];
	int model_count;
};

/* A job. By rising time; between equals the first one is the older one. */
struct eqt_simulation_job {
	int64_t at; /* when it may start: eligible */
	int64_t start; /* result: or EQT_SIMULATION_NEVER */
	uint32_t id; /* the caller's */
	uint32_t user; /* its node in the tree */
	uint32_t person; /* whose: the same in all accounts */
	uint32_t run_s;
	uint32_t limit_s; /* at least run_s */
	uint32_t nodes; /* at least 1 */
	struct eqt_simulation_amount all; /* of all its nodes; a CPU at least */
	const struct eqt_simulation_qos *qos; /* borrowed; NULL: none */
	int32_t nice;
	int16_t model; /* of its GPUs, or EQT_SIMULATION_NO_MODEL */
	uint16_t partition; /* index */
};

/* What is told while it runs; both may be NULL. */
struct eqt_simulation_watch {
	void *with;
	/* A job has ended, having had so many equivalents (as charged). */
	void (*ran)(void *with, const struct eqt_simulation_job *job,
		    int64_t end, double equivalents);
	/* So many jobs have ended, or never start. */
	void (*done)(void *with, size_t jobs);
};

/* One run; usage is as of the first job's time, own and below, by node. */
struct eqt_simulation {
	struct eqt_simulation_cluster cluster;
	const struct eqt_tree_input *tree;
	const long double *usage;
	uint32_t tree_count;
	const uint32_t *priorities; /* of associations, by node; NULL: none */
	uint32_t priority_max; /* the highest of any association */
	uint32_t qos_priority_max; /* of any QOS, with jobs or not */
	struct eqt_simulation_job *jobs; /* start is written */
	size_t count; /* below 2^32 */
	struct eqt_simulation_watch watch;
};

/* What came of it, a plain value. */
struct eqt_simulation_sum {
	size_t started;
	size_t impossible; /* too large for their partition */
	size_t backfilled; /* of those started */
	size_t passes;
	size_t live_max; /* most jobs that waited or ran at once */
	int64_t end; /* of the last job */
};

/*
 * Let all jobs come, run and end. 0, or -1 with err filled: jobs out of order,
 * an index out of range, a job that takes nothing or runs beyond its limit, a
 * job that cannot be priced, a share tree that is none, memory. Memory is what
 * waits and runs at once, the nodes and the tree; O(log) to O(n) of the queue
 * for each event, O(nodes) for each job that is tried.
 */
int eqt_simulation_run(struct eqt_simulation_sum *out,
		       const struct eqt_simulation *replay,
		       const struct eqt_simulation_policy *policy,
		       struct eqt_error *err);

#endif
