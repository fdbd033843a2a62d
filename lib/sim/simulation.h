/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulation: run a workload under other rules.
 *
 * Jobs arrive at given times and run for given times. Prices, usage, decay, ranks,
 * places and priorities are computed by the functions of the plugins, in the order of a
 * pass of priority/equitree. A simple scheduler starts jobs by priority, and starts
 * others before their turn if that delays no reservation. docs/SIMULATE.md lists what
 * is not simulated.
 *
 * The same input gives the same result. Times are in seconds from any origin.
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
#define EQT_SIMULATION_NO_MODEL (-1) /* GPUs of any model, or no GPUs */

/* The resources of a node, or of a job on one node. The GPUs are of one model. */
struct eqt_simulation_amount {
	uint64_t cpus;
	uint64_t mem_mib;
	uint64_t gpus;
};

struct eqt_simulation_node {
	struct eqt_simulation_amount has;
	/* Index into models of the node's GPUs, or EQT_SIMULATION_NO_MODEL. */
	int model;
	uint64_t partitions; /* bit i is set if the node is in partition i */
};

struct eqt_simulation_partition {
	const char *name; /* name of the partition, borrowed */
	uint32_t tier; /* PriorityTier; the highest tier is scheduled first */
	uint32_t job_factor; /* the partition's PriorityJobFactor */
	uint64_t threads; /* CPUs of a core; 0 counts as 1 */
};

/* The nodes and partitions of a cluster. A plain value; all pointers are borrowed.
 * Models are GRES names such as "gpu:p100". */
struct eqt_simulation_cluster {
	const struct eqt_simulation_node *nodes;
	uint32_t node_count;
	const struct eqt_simulation_partition *partitions;
	uint32_t partition_count;
	const char *models[EQT_MODELS_MAX];
	int model_count;
};

/* A job. The caller's array is sorted by rising time. If two jobs have the same time,
 * the first is the older. */
struct eqt_simulation_job {
	int64_t at; /* time when the job becomes eligible */
	/* The result, or EQT_SIMULATION_NEVER. It is an input if needs->on is set. */
	int64_t start;
	uint32_t id; /* any number that the caller chooses */
	uint32_t user; /* the association's node in the tree */
	uint32_t person; /* a number that all associations of a user share */
	uint32_t run_s;
	uint32_t limit_s; /* the time limit in seconds, at least run_s */
	uint32_t nodes; /* number of nodes, at least 1 */
	/* Resources on all nodes together, with at least a CPU on each node. */
	struct eqt_simulation_amount all;
	/* QOS of the job, borrowed; NULL if it has none */
	const struct eqt_simulation_qos *qos;
	/* What else the job needs, borrowed; NULL if that is nothing. */
	const struct eqt_simulation_needs *needs;
	int32_t nice;
	int16_t model; /* model of the job's GPUs, or EQT_SIMULATION_NO_MODEL */
	uint16_t partition; /* index of the partition */
	/* If the job does not fit on `nodes` nodes, it may be spread over more nodes in
	 * parts of any size. Jobs with GPUs, with whole nodes or with more than
	 * EQT_SIMULATION_SLOTS_MAX CPUs are never spread. */
	bool spread;
};

struct eqt_stored_jobs; /* defined in stored_jobs.h */

/* Functions that are called during the run. Each may be NULL. */
struct eqt_simulation_watch {
	void *with;
	/* Called when a job starts on these nodes, which are borrowed for the call. */
	void (*placed)(void *with, const struct eqt_simulation_job *job,
		       const uint32_t *nodes);
	/* Called when a job has started. `index` is its place in the order of all
	 * jobs. */
	void (*started)(void *with, uint32_t index,
			const struct eqt_simulation_job *job);
	/* Called when a job has ended, with the equivalents that were charged. */
	void (*ran)(void *with, const struct eqt_simulation_job *job,
		    int64_t end, double equivalents);
	/* Called with the number of jobs that have ended or can never start. */
	void (*done)(void *with, size_t jobs);
	/* Called after each moment. If it returns true, the run ends. */
	bool (*stop)(void *with, int64_t now);
	/* The work of the run so far, updated before each call of stop(). It counts
	 * moments, jobs that arrived or that a scheduler looked at, and priorities that a
	 * pass has put in order. It does not depend on the machine. */
	uint64_t *work;
};

/* The input of one run. All pointers are borrowed. `usage` has the usage of each node
 * of the tree, including that of all nodes below it, at the time of the first job. */
struct eqt_simulation {
	struct eqt_simulation_cluster cluster;
	const struct eqt_tree_input *tree;
	const long double *usage;
	uint32_t tree_count;
	/* Priorities of associations, by node of the tree; NULL if there are none. */
	const uint32_t *priorities;
	uint32_t priority_max; /* the highest priority of all associations */
	/* The highest priority of all QOS, with or without jobs. */
	uint32_t qos_priority_max;
	/* All jobs, in which the run sets the member start. */
	struct eqt_simulation_job *jobs;
	/* Jobs that are used instead of `jobs`, which must be NULL. Their starts are
	 * only reported through watch. No stored job may run at the beginning or wait
	 * for another job. */
	const struct eqt_stored_jobs *stored;
	size_t count; /* number of jobs, which must be below 2^32 */
	/* The time at which the simulation begins. 0 means the time of the first job.
	 * Jobs from before this time wait or run. */
	int64_t from;
	/* Whether jobs begin with the priorities in their needs. */
	bool anchored;
	/* For each limit, the most that running jobs together may take or, if
	 * jobs spend the limit, the amount that is left at the beginning. NULL
	 * if there are no limits. */
	const uint64_t *limits;
	uint32_t limit_count;
	/* The changes of limits that jobs spend, sorted by time. */
	const struct eqt_simulation_renewal *renewals;
	uint32_t renewal_count;
	const struct eqt_simulation_reservation *reservations;
	uint32_t reservation_count;
	struct eqt_simulation_watch watch;
};

/* The result of a run in numbers. A plain value. */
struct eqt_simulation_sum {
	size_t started;
	/* Number of jobs that are too large for their partition or reserved too
	 * late. */
	size_t impossible;
	/* Number of jobs that a backfill started, which are part of started. */
	size_t backfilled;
	size_t passes;
	/* The largest number of jobs that waited or ran at the same time. */
	size_t live_max;
	int64_t end; /* time when the last job ended */
};

/*
 * Run until all jobs have ended. Return 0, or -1 with err filled if jobs are out of
 * order, an index is out of range, a job takes nothing or runs beyond its limit, a job
 * cannot be priced, the share tree is invalid, or there is no memory. Memory grows with
 * the jobs that wait and run at the same time, the nodes and the tree. The time is
 * O(log n) of the queue for each event, O(n) of its groups for each pass, and O(nodes)
 * for each job that is tried.
 */
int eqt_simulation_run(struct eqt_simulation_sum *out,
		       const struct eqt_simulation *in,
		       const struct eqt_simulation_policy *policy,
		       struct eqt_error *err);

/* Return the index of the partition whose name has `length` bytes, or -1 if the cluster
 * has no such partition. */
int eqt_sim_nodes_partition(const struct eqt_simulation_cluster *cluster,
			    const char *name, size_t length);

/* Return the index of the first partition of a comma-separated list that the cluster
 * has, or -1 if it has none. */
int eqt_sim_nodes_partition_first(const struct eqt_simulation_cluster *cluster,
				  const char *list);

/* Return the index of a model such as "gpu:p100", or EQT_SIMULATION_NO_MODEL. */
int16_t eqt_sim_nodes_model(const struct eqt_simulation_cluster *cluster,
			    const char *name);

/* Compute the price of a job before it has nodes. Return 0, or -1 with err filled as
 * eqt_rules_price() does. */
int eqt_sim_usage_job_price(struct eqt_price *out, const struct eqt_conf *conf,
			    const struct eqt_simulation_cluster *cluster,
			    const struct eqt_simulation_job *job,
			    struct eqt_error *err);

#endif
