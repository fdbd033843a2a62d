/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster: Slurm's configuration as printed by "scontrol show config". */
#ifndef EQT_SLURM_CLUSTER_H
#define EQT_SLURM_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "job/job_spec.h"
#include "slurm/conf/slurm_conf.h"

/* How usage decays; a plain value. */
struct eqt_cluster_decay {
	uint32_t half_life_s; /* 0: no decay */
	char reset[32]; /* PriorityUsageResetPeriod; "" if not known */
};

/* Read a file (NULL: run scontrol). 0, or -1 with err filled: an error of
 * eqt_listing_read(), PriorityDecayHalfLife missing or invalid. */
int eqt_cluster_decay_read(struct eqt_cluster_decay *out, const char *path,
			   struct eqt_error *err);

/* Read a half-life in Slurm's form ("7-0": seven days). 0, or -1 with err
 * filled. */
int eqt_cluster_half_life_parse(uint32_t *half_life_s, const char *text,
				struct eqt_error *err);

/* Read the output of "scontrol show config" from a file, or run scontrol (NULL). 0, or -1
 * with err filled. eqt_slurm_conf_free() frees it. */
int eqt_cluster_config_read(struct eqt_slurmconf *out, const char *path,
			    struct eqt_error *err);

/* The value of a key, borrowed; "" if it is missing. */
const char *eqt_cluster_config_get(const struct eqt_slurmconf *conf,
				   const char *key);

#define EQT_CLUSTER_NAME 128 /* bytes of a name */

/* Ask scontrol for the cluster's name. 0, or -1 with err filled: it is missing
 * or too long. */
int eqt_cluster_name(char *name, size_t size, struct eqt_error *err);

/* ---- Allocation: the keys that change what a job is allocated ------------------ */

/* Options that keep other jobs off a job's nodes, unless the configuration disables them. */
enum {
	EQT_KEEPS_BY_CORES = 1 << 0, /* --core-spec, --thread-spec */
	EQT_KEEPS_BY_LABEL = 1 << 1, /* --exclusive=mcs */
	EQT_KEEPS_BY_BLOCK = 1 << 2 /* --exclusive=topo */
};

/* A release of Slurm as a number that can be compared. */
#define EQT_RELEASE(major, minor, micro) \
	((major) *10000U + (minor) *100U + (micro))

/* A plain value; {0}: nothing is known. */
struct eqt_cluster_allocation {
	bool known;
	unsigned int release; /* EQT_RELEASE; 0: not known, taken as the first
				 that is supported */
	bool linear; /* SelectType=select/linear: whole nodes */
	bool no_memory, single_cpus, whole_sockets, task_per_core, least_loaded;
	bool features_stay; /* as eqt_job_spec has it */
	bool powers_nodes; /* SuspendProgram: Slurm starts nodes for jobs */
	enum eqt_job_spec_mem mem; /* DefMemPerCPU, DefMemPerNode */
	uint64_t mem_mib;
	uint64_t max_mem_per_cpu, max_mem_per_node; /* MiB; 0: no limit */
	uint64_t cpus_per_gpu, mem_per_gpu; /* JobDefaults */
	uint64_t array_size; /* MaxArraySize */
	bool raises_tasks; /* as eqt_node_offer_limit has it */
	bool gpu_cpus_stay, nodes_pass_tasks; /* as eqt_job_spec has it */
	unsigned int
		ignored; /* bits of the options above that have no effect */
	enum eqt_job_spec_tasks tasks_counted; /* by this release */
};

/* Read a file (NULL: run scontrol). 0, or -1 with err filled: an error of
 * eqt_listing_read(), no SelectType, a value that is not a number. */
int eqt_cluster_allocation_read(struct eqt_cluster_allocation *out,
				const char *path, struct eqt_error *err);

/* The same from a configuration in memory. Errors name no file. */
int eqt_cluster_allocation_take(struct eqt_cluster_allocation *out,
				const struct eqt_slurmconf *conf,
				struct eqt_error *err);

/* Has the topology blocks that a job can keep others off? True if the configuration is not
 * known. */
bool eqt_cluster_allocation_blocks(
	const struct eqt_cluster_allocation *cluster);

/* Apply the keys to a request, before the keys of its partition; keeps: the bits of the
 * options above that the request has. */
void eqt_cluster_allocation_apply(struct eqt_job_spec *ask, unsigned int keeps,
				  const struct eqt_cluster_allocation *cluster);

#endif
