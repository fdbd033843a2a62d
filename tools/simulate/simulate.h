/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate: the parts of equitree simulate: input (cluster, jobs, policies),
 * results (sum), and output (text, JSON, plot). */
#ifndef EQT_SIMULATE_SIMULATE_H
#define EQT_SIMULATE_SIMULATE_H

#include "sim/simulation.h"
#include "cli/keep.h"
#include "sim/workload.h"
#include "scene/policy.h"
#include "slurm/text/columns.h"
#include "slurm/limits.h"
#include "slurm/sshare.h"
#include "cli/options.h"

#define EQT_SIMULATE_POLICIES_MAX 16
#define EQT_SIMULATE_GROUPS_MAX 64 /* --cluster options */
#define EQT_SIMULATE_BINS 48 /* bins of the window */
#define EQT_SIMULATE_CLASSES 6
#define EQT_SIMULATE_QOS_MAX 128

/* A plain value; strings are borrowed. */
struct eqt_simulate_options {
	struct eqt_output_options common;
	const char *policies[EQT_SIMULATE_POLICIES_MAX];
	int policy_count;
	const char *groups[EQT_SIMULATE_GROUPS_MAX];
	int group_count;
	const char *nodes_path, *partitions_path, *shares_path, *jobs_path;
	const char *swf_path, *swf_out_path; /* Standard Workload Format */
	const char *reservations_path;
	const char *plot_path, *starts_path;
	struct eqt_workload made; /* jobs == 0: jobs are read from a file */
	uint64_t window_s; /* 0: until the last job's submission */
	const char *qos_path, *assocs_path;
	bool fresh; /* start without usage */
	bool skip_unknown, skip_damaged;
	bool history;
};

struct eqt_simulate_limits; /* limits that count running jobs */

/* The jobs and the cluster that are simulated. Owned; {0} is empty. */
struct eqt_simulate_input {
	struct eqt_sshare shares;
	struct eqt_tree_input *tree;
	long double *usage;
	struct eqt_simulation_node *nodes;
	struct eqt_simulation_partition *partitions;
	struct eqt_simulation_cluster cluster;
	struct eqt_simulation_job *jobs;
	size_t count;
	char *names[256]; /* storage for names of partitions, models and QOS */
	int name_count;
	struct eqt_simulation_qos qos[EQT_SIMULATE_QOS_MAX];
	int qos_count;
	uint32_t qos_priority_max, priority_max;
	uint32_t *priorities; /* per association; NULL: not known */
	bool qos_known; /* priorities and usage factors were read */
	struct eqt_simulate_limits *limits; /* NULL: none are known */
	struct eqt_limit_numbers limit_numbers; /* those that a job is under */
	int partition_qos
		[EQT_SIMULATION_PARTITIONS_MAX]; /* 1 + index; 0: none */
	struct eqt_simulation_reservation *reservations;
	uint32_t reservation_count;
	struct eqt_names reservation_names, node_names;
	struct eqt_keep kept; /* what jobs need, and reserved nodes */
	uint64_t away; /* unavailable nodes, left out */
	uint64_t never_ran, unknown, homeless,
		unfinished; /* jobs left out; jobs cut at their end */
	uint64_t damaged; /* lines left out */
	uint64_t beyond; /* jobs larger than a limit, which leaves them alone */
};

/*
 * Read everything a run needs: shares first, as jobs refer to them. weighed: the
 * points of sprio are needed, too. 0, or -1 with err filled.
 */
int eqt_simulate_read(struct eqt_simulate_input *sim,
		      const struct eqt_simulate_options *options, bool weighed,
		      struct eqt_error *err);

/* Free what eqt_simulate_read() made, in part or in full. */
void eqt_simulate_free(struct eqt_simulate_input *sim);

/* Read nodes and partitions, from files or counts. 0, or -1 with err filled. */
int eqt_simulate_read_cluster(struct eqt_simulate_input *sim,
			      const struct eqt_simulate_options *options,
			      struct eqt_error *err);

/* Read jobs from sacct's output or an SWF file, sorted by time. 0, or -1 with err filled. */
int eqt_simulate_read_jobs(struct eqt_simulate_input *sim,
			   const struct eqt_simulate_options *options,
			   struct eqt_error *err);

/* The one copy of a name (of length bytes), which lives as long as sim. NULL:
 * too many, or out of memory. */
const char *eqt_simulate_name(struct eqt_simulate_input *sim, const char *name,
			      size_t length);

/* The QOS of that name, created with priority 0 if needed. NULL: too many, or
 * out of memory. */
struct eqt_simulation_qos *eqt_simulate_qos(struct eqt_simulate_input *sim,
					    const char *name);

/*
 * Read the priorities of QOS and associations from files that sacctmgr printed,
 * or from sacctmgr if neither those nor the shares are files and a policy
 * weighs them. Call after the shares are read and before the jobs. 0, or -1
 * with err filled.
 */
int eqt_simulate_read_priorities(struct eqt_simulate_input *sim,
				 const struct eqt_simulate_options *options,
				 bool weighed, struct eqt_error *err);

/* Note the limits of a row of "sacctmgr show qos", and of "show assoc" for a node of
 * the share tree. 0, or -1 with err filled. */
int eqt_simulate_limits_take_qos(struct eqt_simulate_input *sim, int qos,
				 const struct eqt_columns *table, size_t row,
				 struct eqt_error *err);
int eqt_simulate_limits_take_assoc(struct eqt_simulate_input *sim,
				   uint32_t assoc,
				   const struct eqt_columns *table, size_t row,
				   struct eqt_error *err);

/* NULL is fine. */
void eqt_simulate_limits_free(struct eqt_simulate_limits *limits);

/* Give the next node of the cluster its name. 0, or -1: out of memory. */
int eqt_simulate_note_node(struct eqt_simulate_input *sim, const char *name,
			   int length);

/* Read "scontrol -o show reservation", live or saved. The nodes are known. 0, or -1
 * with err filled. */
int eqt_simulate_read_reservations(struct eqt_simulate_input *sim,
				   const char *path, struct eqt_error *err);

/* Set what a job needs beside its size; "": no reservation. 0, or -1: out of memory. */
int eqt_simulate_take_needs(struct eqt_simulate_input *sim,
			    struct eqt_simulation_job *job, const char *tres,
			    const char *reservation);
/* The same for a job that Slurm printed no TRES for. */
int eqt_simulate_take_made(struct eqt_simulate_input *sim,
			   struct eqt_simulation_job *job);

/* The result of one account with all below it, or of one class. */
struct eqt_simulate_line {
	size_t jobs; /* that started */
	int64_t wait_median_s, wait_p95_s; /* -1: no jobs */
	double share; /* by shares; NAN: it has no shares itself */
	double totals; /* part of the work of all jobs */
	double got; /* part of what was delivered in the window */
};

/* Owned; {0} is empty. */
struct eqt_simulate_result {
	struct eqt_simulation_sum sum;
	struct eqt_simulate_line all;
	struct eqt_simulate_line *accounts; /* per association */
	struct eqt_simulate_line classes[EQT_SIMULATE_CLASSES];
	double *bins; /* EQT_SIMULATE_BINS per association: equivalent-seconds */
	double bin_all[EQT_SIMULATE_BINS]; /* sums at the root */
	double distance; /* between what was delivered and the shares, 0 .. 1 */
	double distance_over_time; /* mean over the bins */
	double cpus_used; /* part of the cluster's CPU time in the window */
	int64_t from;
	uint64_t window_s;
};

/* The name of a class in tables and in JSON. */
const char *eqt_simulate_class_name(int class_);

/* The run of a policy over the first so many jobs, with nobody watching. All is
 * borrowed from sim. */
struct eqt_simulation eqt_simulate_replay(const struct eqt_simulate_input *sim,
					  const struct eqt_scene_policy *policy,
					  size_t count, bool fresh);

/* Simulate a policy and sum up. 0, or -1 with err filled. */
int eqt_simulate_run(struct eqt_simulate_result *out,
		     struct eqt_simulate_input *sim,
		     const struct eqt_simulate_options *options,
		     const struct eqt_scene_policy *policy,
		     struct eqt_error *err);
void eqt_simulate_result_free(struct eqt_simulate_result *result);

/* The options and the results of all policies. */
struct eqt_simulate_report {
	const struct eqt_simulate_input *sim;
	const struct eqt_simulate_options *options;
	const struct eqt_scene_policy *policies;
	const struct eqt_simulate_result *results;
	int count;
};

/* Print the report. 0, or -1: out of memory. */
int eqt_simulate_print(const struct eqt_simulate_report *report);
int eqt_simulate_json(const struct eqt_simulate_report *report);
/* Draw the report into options->plot_path. 0, or -1 with err filled. */
int eqt_simulate_plot(const struct eqt_simulate_report *report,
		      struct eqt_error *err);

/* The label of an association: its account, or "root/ada" for a user. */
const char *eqt_simulate_label(const struct eqt_simulate_input *sim,
			       uint32_t assoc, char *buf, size_t size);

#endif
