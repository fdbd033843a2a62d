/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulation: run a workload under other rules.
 *
 * Jobs arrive at given times and run for given times. Prices, usage, decay, ranks,
 * places and priorities come from the functions of the plugins, called in the order
 * of a pass of priority/equitree. A simple scheduler starts jobs by priority, and
 * others before their turn if that delays no reservation. docs/SIMULATE.md lists
 * what is left out.
 *
 * The same input gives the same result. Times are seconds, from any origin.
 */
#ifndef EQT_SIMULATION_H
#define EQT_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/needs.h"
#include "sim/policy.h"
#include "tree/tree.h"

#define EQT_SIMULATION_PARTITIONS_MAX 64
#define EQT_SIMULATION_NEVER INT64_MIN /* start of a job that never starts */
#define EQT_SIMULATION_SLOTS_MAX 1024
#define EQT_SIMULATION_NO_MODEL (-1) /* any GPU, or none */

/* Resources of a node, or of a job on one node; GPUs of one model. */
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
	uint32_t tier; /* PriorityTier: the highest is scheduled first */
	uint32_t job_factor; /* PriorityJobFactor */
	uint64_t threads; /* CPUs of a core; 0 counts as 1 */
};

/* A plain value; all pointers are borrowed. Models are GRES names, "gpu:p100". */
struct eqt_simulation_cluster {
	const struct eqt_simulation_node *nodes;
	uint32_t node_count;
	const struct eqt_simulation_partition *partitions;
	uint32_t partition_count;
	const char *models[EQT_MODELS_MAX];
	int model_count;
};

/* A job. The caller's array is sorted by rising time; of two jobs at one time the
 * first is the older. */
struct eqt_simulation_job {
	int64_t at; /* time when it becomes eligible */
	/* Result, or EQT_SIMULATION_NEVER; input where needs->on is set. */
	int64_t start;
	uint32_t id; /* any number of the caller's */
	uint32_t user; /* the association's node in the tree */
	uint32_t person; /* the same number in all accounts of a user */
	uint32_t run_s;
	uint32_t limit_s; /* at least run_s */
	uint32_t nodes; /* at least 1 */
	struct eqt_simulation_amount all; /* on all nodes; a CPU on each */
	const struct eqt_simulation_qos *qos; /* borrowed; NULL: none */
	const struct eqt_simulation_needs *needs; /* borrowed; NULL: none */
	int32_t nice;
	int16_t model; /* of its GPUs, or EQT_SIMULATION_NO_MODEL */
	uint16_t partition; /* index */
	/* If the job does not fit on `nodes` nodes, it may be spread over more, in any
	 * parts. Jobs with GPUs, with whole nodes or with more than
	 * EQT_SIMULATION_SLOTS_MAX CPUs are never spread. */
	bool spread;
};

struct eqt_stored_jobs; /* stored_jobs.h */

/* Callbacks during the run; each may be NULL. */
struct eqt_simulation_watch {
	void *with;
	/* A job starts on these nodes, which are borrowed for the call. */
	void (*placed)(void *with, const struct eqt_simulation_job *job,
		       const uint32_t *nodes);
	/* A job has started; index is its place in the order of all jobs. */
	void (*started)(void *with, uint32_t index,
			const struct eqt_simulation_job *job);
	/* A job has ended; equivalents as charged. */
	void (*ran)(void *with, const struct eqt_simulation_job *job,
		    int64_t end, double equivalents);
	/* The number of jobs that have ended or can never start. */
	void (*done)(void *with, size_t jobs);
	/* Called after each moment; true ends the run. */
	bool (*stop)(void *with, int64_t now);
};

/* Input of one run. usage: by node, its own and of all below, at the time of the
 * first job. All pointers are borrowed. */
struct eqt_simulation {
	struct eqt_simulation_cluster cluster;
	const struct eqt_tree_input *tree;
	const long double *usage;
	uint32_t tree_count;
	const uint32_t *priorities; /* of associations, by node; NULL: none */
	uint32_t priority_max; /* the highest of all associations */
	uint32_t qos_priority_max; /* of all QOS, with jobs or not */
	struct eqt_simulation_job *jobs; /* start is written */
	/* Used instead of jobs, which is NULL then. Starts are reported through watch
	 * alone. No stored job runs already or waits for another job. */
	const struct eqt_stored_jobs *stored;
	size_t count; /* below 2^32 */
	/* The time at which the simulation begins; 0: at the first job. Jobs from
	 * before that time wait or run. */
	int64_t from;
	bool anchored; /* jobs begin with the priorities of their needs */
	const uint64_t
		*limits; /* what running jobs may take together; NULL: any */
	uint32_t limit_count;
	const struct eqt_simulation_reservation *reservations;
	uint32_t reservation_count;
	struct eqt_simulation_watch watch;
};

/* The result in numbers; a plain value. */
struct eqt_simulation_sum {
	size_t started;
	size_t impossible; /* too large for their partition, or reserved too late */
	size_t backfilled; /* started by backfill; part of started */
	size_t passes;
	size_t live_max; /* most jobs that waited or ran at once */
	int64_t end; /* of the last job */
};

/*
 * Run until all jobs have ended. Returns 0, or -1 with err filled: jobs out of order,
 * an index out of range, a job that takes nothing or runs beyond its limit, a job that
 * cannot be priced, an invalid share tree, out of memory. Memory grows with the jobs
 * that wait and run at once, the nodes and the tree. Time is O(log n) of the queue for
 * each event, O(n) of its groups for each pass, and O(nodes) for each job that is
 * tried.
 */
int eqt_simulation_run(struct eqt_simulation_sum *out,
		       const struct eqt_simulation *in,
		       const struct eqt_simulation_policy *policy,
		       struct eqt_error *err);

/* The index of the partition of a name of length bytes; -1: the cluster has none. */
int eqt_sim_nodes_partition(const struct eqt_simulation_cluster *cluster,
			    const char *name, size_t length);

/* The first partition of a list with commas that the cluster has; -1: none. */
int eqt_sim_nodes_partition_first(const struct eqt_simulation_cluster *cluster,
				  const char *list);

/* The index of the model "gpu:p100", or EQT_SIMULATION_NO_MODEL. */
int16_t eqt_sim_nodes_model(const struct eqt_simulation_cluster *cluster,
			    const char *name);

/* The price of a job before it has nodes. 0, or -1 with err filled as eqt_rules_price(). */
int eqt_sim_usage_job_price(struct eqt_price *out, const struct eqt_conf *conf,
			    const struct eqt_simulation_cluster *cluster,
			    const struct eqt_simulation_job *job,
			    struct eqt_error *err);

#endif
