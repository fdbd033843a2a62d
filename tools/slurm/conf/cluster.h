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

/* How usage decays. A plain value. */
struct eqt_cluster_decay {
	uint32_t half_life_s; /* 0: no decay */
	char reset[32]; /* PriorityUsageResetPeriod; "": not known */
};

/* Read a file, or run scontrol if path is NULL. Returns 0, or -1 with err filled.
 * Possible errors: an error of eqt_listing_read(), PriorityDecayHalfLife missing or
 * invalid. */
int eqt_cluster_decay_read(struct eqt_cluster_decay *out, const char *path,
			   struct eqt_error *err);

/* Read a half-life in Slurm's form; "7-0" is seven days. Returns 0, or -1 with err
 * filled. */
int eqt_cluster_half_life_parse(uint32_t *half_life_s, const char *text,
				struct eqt_error *err);

/* Read the output of "scontrol show config" from a file, or run scontrol if path is NULL.
 * eqt_slurm_conf_free() frees *out. Returns 0, or -1 with err filled. */
int eqt_cluster_config_read(struct eqt_slurmconf *out, const char *path,
			    struct eqt_error *err);

/* The value of a key, borrowed. "" if the key is missing. */
const char *eqt_cluster_config_get(const struct eqt_slurmconf *conf,
				   const char *key);

#define EQT_CLUSTER_NAME 128 /* bytes of a name, with the NUL */

/* Ask scontrol for the cluster's name. Returns 0, or -1 with err filled if the name is
 * missing or too long. */
int eqt_cluster_name(char *name, size_t size, struct eqt_error *err);

/* ---- Allocation: the keys that change what a job is allocated ------------------ */

/* Options that keep other jobs off a job's nodes. The configuration may disable some of
 * them. */
enum {
	EQT_KEEPS_BY_CORES = 1 << 0, /* --core-spec, --thread-spec */
	EQT_KEEPS_BY_LABEL = 1 << 1, /* --exclusive=mcs */
	EQT_KEEPS_BY_BLOCK = 1 << 2 /* --exclusive=topo */
};

/* A release of Slurm as a number, so that releases can be compared. */
#define EQT_RELEASE(major, minor, micro) \
	((major) *10000U + (minor) *100U + (micro))

/* What the configuration says about allocations. A plain value; in {0} nothing is
 * known. */
struct eqt_cluster_allocation {
	bool known;
	/* EQT_RELEASE(); 0: not known, so the oldest supported release is assumed */
	unsigned int release;
	bool linear; /* SelectType=select/linear: jobs get whole nodes */
	bool no_memory, single_cpus, whole_sockets, task_per_core, least_loaded;
	bool features_stay; /* as in struct eqt_job_spec */
	/* SuspendProgram is set: Slurm starts nodes for jobs */
	bool powers_nodes;
	enum eqt_job_spec_mem mem; /* from DefMemPerCPU and DefMemPerNode */
	uint64_t mem_mib;
	uint64_t max_mem_per_cpu, max_mem_per_node; /* MiB; 0: no limit */
	uint64_t cpus_per_gpu, mem_per_gpu; /* from JobDefaults */
	uint64_t array_size; /* MaxArraySize */
	bool raises_tasks; /* for eqt_node_offer_limit() */
	bool gpu_cpus_stay, nodes_pass_tasks; /* as in struct eqt_job_spec */
	unsigned int
		ignored; /* the EQT_KEEPS_BY_ options that have no effect */
	/* how this release counts tasks */
	enum eqt_job_spec_tasks tasks_counted;
};

/* Read a file, or run scontrol if path is NULL. Returns 0, or -1 with err filled.
 * Possible errors: an error of eqt_listing_read(), no SelectType, a value that is not a
 * number. */
int eqt_cluster_allocation_read(struct eqt_cluster_allocation *out,
				const char *path, struct eqt_error *err);

/* Take the values from a configuration in memory. Returns 0, or -1 with err filled; the
 * error names no file. */
int eqt_cluster_allocation_take(struct eqt_cluster_allocation *out,
				const struct eqt_slurmconf *conf,
				struct eqt_error *err);

/* Does the topology have blocks from which a job can exclude others? True if the
 * configuration is not known. */
bool eqt_cluster_allocation_blocks(
	const struct eqt_cluster_allocation *cluster);

/* Apply the keys to a request. Must be called before the keys of its partition are
 * applied. "keeps" has the EQT_KEEPS_BY_ options of the request. */
void eqt_cluster_allocation_apply(struct eqt_job_spec *spec, unsigned int keeps,
				  const struct eqt_cluster_allocation *cluster);

#endif
