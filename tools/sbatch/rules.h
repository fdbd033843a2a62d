/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules: how sbatch combines options that depend on each other before it submits a job,
 * and which combinations it refuses.
 */
#ifndef EQT_SBATCH_RULES_H
#define EQT_SBATCH_RULES_H

#include "base/error.h"
#include "job/job_spec.h"

/* Texts that the component owns, by option. */
enum {
	EQT_SBATCH_LIST_JOB, /* the text of --gpus */
	EQT_SBATCH_LIST_GRES, /* the text of --gres */
	EQT_SBATCH_LIST_NODE, /* the text of --gpus-per-node */
	EQT_SBATCH_LIST_NODE_ALL, /* --gres and --gpus-per-node together */
	EQT_SBATCH_LIST_SOCKET,
	EQT_SBATCH_LIST_TASK,
	EQT_SBATCH_LIST_CPUS,
	EQT_SBATCH_LIST_GPU_MEMORY, /* the text of --mem-per-gpu */
	EQT_SBATCH_LIST_NAMES, /* --nodelist, cut to the number of nodes */
	EQT_SBATCH_LISTS
};

/* Options that exclude others, as one bit each. */
enum {
	EQT_SBATCH_MEM = 1 << 0,
	EQT_SBATCH_MEM_PER_CPU = 1 << 1,
	EQT_SBATCH_MEM_PER_GPU = 1 << 2,
	EQT_SBATCH_MEMORY = EQT_SBATCH_MEM | EQT_SBATCH_MEM_PER_CPU |
			    EQT_SBATCH_MEM_PER_GPU,
	EQT_SBATCH_GPUS_PER_TASK = 1 << 3
};

/* A component of a request. Most jobs have one component. */
struct eqt_sbatch_component {
	unsigned int given; /* bits of the options above */
	unsigned int keeps; /* bits of EQT_KEEPS_BY_CORES and the like */
	uint64_t threads_per_core, tasks_per_core, cores_per_socket;
	const char *hint; /* NULL: not given */
	bool extra; /* -B was given */
	bool spread; /* --spread-job was given */
	/* The result of eqt_sbatch_rules_apply(). */
	uint64_t tasks; /* number of tasks, with sbatch's default */
	uint64_t listed; /* number of names in --nodelist */
	const char *partition, *qos, *account; /* -p, -q, -A; NULL: not given */
	/* decides about nodes, and about the partition */
	const char *reservation;
	const char *begin, *licenses; /* these change no price */
	struct eqt_job_spec
		spec; /* strings belong to argv, the script, or lists */
	char *lists[EQT_SBATCH_LISTS]; /* owned */
};

/*
 * Turn the options of a component into the request that sbatch of a release would send.
 * "release" is that of struct eqt_cluster_allocation. Returns 0, or -1 with err filled if
 * sbatch refuses the options.
 */
int eqt_sbatch_rules_apply(struct eqt_sbatch_component *component,
			   unsigned int release, struct eqt_error *err);

#endif
