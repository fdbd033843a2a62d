/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate: the parts of equitree simulate: what is read (cluster, jobs,
 * policies), what comes of a run (sum), and how it is told (text, JSON, plot).
 */
#ifndef EQT_SIMULATE_SIMULATE_H
#define EQT_SIMULATE_SIMULATE_H

#include "sim/simulation.h"
#include "sim/workload.h"
#include "slurm/sshare.h"
#include "cli/output_options.h"

#define EQT_SIMULATE_POLICIES_MAX 16
#define EQT_SIMULATE_GROUPS_MAX 64 /* --cluster options */
#define EQT_SIMULATE_BINS 48 /* of the time that is looked at */
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
	const char *plot_path, *starts_path;
	struct eqt_workload made; /* jobs == 0: jobs are read */
	uint64_t window_s; /* 0: up to the last job's coming */
	const char *qos_path, *assocs_path;
	bool fresh; /* no usage to begin with */
	bool skip_unknown;
	bool history;
};

/* Jobs and the cluster as replayed. Owned; {0} is empty. */
struct eqt_simulate_input {
	struct eqt_sshare shares;
	struct eqt_tree_input *tree;
	long double *usage;
	struct eqt_simulation_node *nodes;
	struct eqt_simulation_partition *partitions;
	struct eqt_simulation_cluster cluster;
	struct eqt_simulation_job *jobs;
	size_t count;
	char *names[256]; /* what partitions, models and QOS point to */
	int name_count;
	struct eqt_simulation_qos qos[EQT_SIMULATE_QOS_MAX];
	int qos_count;
	uint32_t qos_priority_max, priority_max;
	uint32_t *priorities; /* of associations; NULL: not known */
	bool qos_known; /* their priorities and factors */
	uint64_t away; /* nodes that take no jobs, left out */
	uint64_t never_ran, unknown, unfinished; /* jobs left out; cut */
};

/* Nodes and partitions, from files or counts. 0, or -1 with err. */
int eqt_simulate_read_cluster(struct eqt_simulate_input *sim,
			      const struct eqt_simulate_options *options,
			      struct eqt_error *err);

/* The jobs of what sacct -P printed, in order of time. 0, or -1 with err. */
int eqt_simulate_read_jobs(struct eqt_simulate_input *sim,
			   const struct eqt_simulate_options *options,
			   struct eqt_error *err);

/* A copy of a name (of length bytes) that lives as long as sim, the same for
 * the same name; NULL: too many, or memory. */
const char *eqt_simulate_name(struct eqt_simulate_input *sim, const char *name,
			      size_t length);

/* The partition of that name, or -1. */
int eqt_simulate_partition(const struct eqt_simulate_input *sim,
			   const char *name, size_t length);

/* The QOS of that name, made with priority 0 if there is none; NULL: too
 * many, or memory. */
struct eqt_simulation_qos *eqt_simulate_qos(struct eqt_simulate_input *sim,
					    const char *name);

/*
 * The priorities of QOS and associations that sacctmgr printed into files, or
 * prints now where neither those nor shares are files and a policy weighs
 * them; after the shares, before the jobs. 0, or -1 with err.
 */
int eqt_simulate_read_priorities(struct eqt_simulate_input *sim,
				 const struct eqt_simulate_options *options,
				 bool weighed, struct eqt_error *err);

/* The model of that name ("gpu:p100"), made if add is set; -1: none. */
int eqt_simulate_model(struct eqt_simulate_input *sim, const char *name,
		       bool add);

/* A policy as given by --policy. Owned; {0} is empty. */
struct eqt_simulate_policy {
	char name[64];
	struct eqt_simulation_policy policy;
	bool tres_left; /* PriorityWeightTRES has some that are not modelled */
	char notes[EQT_ERROR_SIZE]; /* keys that are not modelled, or "" */
};

/*
 * PriorityWeightTRES, "CPU=1000,Mem=500,GRES/gpu:p100=100". 0; 1: there are
 * also TRES that a replay knows nothing about (licences, burst buffers,
 * billing), and which have no weight; -1: it is no such list.
 */
int eqt_simulate_read_tres(struct eqt_simulation_tres *out, const char *text);

/* [NAME=]SLURM.CONF[,EQUITREE.CONF]. 0, or -1 with err. */
int eqt_simulate_read_policy(struct eqt_simulate_policy *out, const char *text,
			     struct eqt_error *err);
void eqt_simulate_policy_free(struct eqt_simulate_policy *policy);

/* What came of one account, its sub-accounts included, or of one class. */
struct eqt_simulate_line {
	size_t jobs; /* that started */
	int64_t wait_median_s, wait_p95_s; /* -1: no jobs */
	double share; /* its part by shares; NAN: none of its own */
	double totals; /* part of all work of all jobs */
	double got; /* part of what was delivered in the time looked at */
};

/* Owned; {0} is empty. */
struct eqt_simulate_result {
	struct eqt_simulation_sum sum;
	struct eqt_simulate_line all;
	struct eqt_simulate_line *accounts; /* by association */
	struct eqt_simulate_line classes[EQT_SIMULATE_CLASSES];
	double *bins; /* EQT_SIMULATE_BINS of each association: equivalent-s */
	double bin_all[EQT_SIMULATE_BINS]; /* their sums at the root */
	double distance; /* of what was delivered from the shares, 0 .. 1 */
	double distance_over_time; /* the mean of that of each bin */
	double cpus_used; /* part of the cluster's, in the time looked at */
	int64_t from;
	uint64_t window_s;
};

/* The class of a job, and what it is called. */
int eqt_simulate_class(const struct eqt_simulation_job *job);
const char *eqt_simulate_class_name(int class_);

/* Replay under a policy and sum up. 0, or -1 with err. */
int eqt_simulate_run(struct eqt_simulate_result *out,
		     struct eqt_simulate_input *sim,
		     const struct eqt_simulate_options *options,
		     const struct eqt_simulate_policy *policy,
		     struct eqt_error *err);
void eqt_simulate_result_free(struct eqt_simulate_result *result);

/* All that was asked for and got. */
struct eqt_simulate_report {
	const struct eqt_simulate_input *sim;
	const struct eqt_simulate_options *options;
	const struct eqt_simulate_policy *policies;
	const struct eqt_simulate_result *results;
	int count;
};

/* Print; 0, or -1 when memory is short. */
int eqt_simulate_print(const struct eqt_simulate_report *report);
int eqt_simulate_json(const struct eqt_simulate_report *report);
/* Draw into options->plot_path. 0, or -1 with err. */
int eqt_simulate_plot(const struct eqt_simulate_report *report,
		      struct eqt_error *err);

/* What an association is called among accounts: "root/ada" for a user. */
const char *eqt_simulate_label(const struct eqt_simulate_input *sim,
			       uint32_t assoc, char *buf, size_t size);

/* The part that an association's shares give it of all; NAN when it takes no
 * part at its level. */
double eqt_simulate_share(const struct eqt_simulate_input *sim, uint32_t assoc);

#endif
