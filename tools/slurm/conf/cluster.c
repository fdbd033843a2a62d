/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/amount.h"
#include "slurm/conf/cluster.h"
#include "slurm/text/listing.h"

int eqt_cluster_half_life_parse(uint32_t *half_life_s, const char *text,
				struct eqt_error *err)
{
	uint64_t minutes;

	if (eqt_amount_minutes(&minutes, text) < 0)
		minutes = UINT64_MAX - 1;
	/* For a time limit 0 would mean no limit, but for a half-life it means no
	 * decay. */
	if (minutes == EQT_AMOUNT_UNLIMITED)
		minutes = 0;
	if (minutes > UINT32_MAX / 60)
		return eqt_error_set(
			err,
			"\"%s\": expected a half-life such as 7-0 (seven days)",
			text);
	*half_life_s = (uint32_t) minutes * 60;
	return 0;
}

int eqt_cluster_config_read(struct eqt_slurmconf *out, const char *path,
			    struct eqt_error *err)
{
	struct eqt_listing text;

	if (eqt_listing_read(&text, path, "scontrol show config", err) < 0)
		return -1;
	eqt_slurm_conf_cut(out, text.name, text.text);
	eqt_listing_free(&text);
	return 0;
}

const char *eqt_cluster_config_get(const struct eqt_slurmconf *conf,
				   const char *key)
{
	const char *value = eqt_slurm_conf_get(conf, key, NULL);

	return value ? value : "";
}

int eqt_cluster_decay_read(struct eqt_cluster_decay *out, const char *path,
			   struct eqt_error *err)
{
	struct eqt_slurmconf conf;
	const char *half_life;
	int rc = 0;

	if (eqt_cluster_config_read(&conf, path, err) < 0)
		return -1;
	half_life = eqt_cluster_config_get(&conf, "PriorityDecayHalfLife");
	(void) snprintf(out->reset, sizeof(out->reset), "%s",
			eqt_cluster_config_get(&conf,
					       "PriorityUsageResetPeriod"));
	if (half_life[0] == '\0')
		rc = eqt_error_set(err,
				   "%s: no PriorityDecayHalfLife: expected the "
				   "output of \"scontrol show config\"",
				   path ? path : "scontrol show config");
	else
		rc = eqt_cluster_half_life_parse(&out->half_life_s, half_life,
						 err);
	eqt_slurm_conf_free(&conf);
	return rc;
}

int eqt_cluster_name(char *name, size_t size, struct eqt_error *err)
{
	struct eqt_slurmconf conf;
	const char *value;
	int rc = 0;

	if (eqt_cluster_config_read(&conf, NULL, err) < 0)
		return -1;
	value = eqt_cluster_config_get(&conf, "ClusterName");
	if (value[0] == '\0' || strlen(value) >= size)
		rc = eqt_error_set(err, "scontrol show config: no ClusterName");
	else
		(void) snprintf(name, size, "%s", value);
	eqt_slurm_conf_free(&conf);
	return rc;
}

/* ---- Allocation ---------------------------------------------------------------------
 * The submission plugin takes the same values from slurmctld's own configuration and from
 * the headers of its release. */

/* Read a whole number. A missing key and UNLIMITED count as 0. */
static int allocation_number(uint64_t *out, const struct eqt_slurmconf *conf,
			     const char *key, struct eqt_error *err)
{
	const char *value = eqt_cluster_config_get(conf, key);

	*out = 0;
	if (value[0] == '\0' || strcmp(value, "UNLIMITED") == 0)
		return 0;
	if (eqt_amount_count(out, value, strlen(value)) < 0)
		return eqt_error_set(err, "%s = %s: expected a number", key,
				     value);
	return 0;
}

/* DefMemPerCPU overrides DefMemPerNode if both are printed. With neither, a job gets all
 * memory of its nodes, if Slurm allocates memory at all. */
static int allocation_read_memory(struct eqt_cluster_allocation *out,
				  const struct eqt_slurmconf *conf,
				  struct eqt_error *err)
{
	uint64_t per_cpu, per_node;

	if (allocation_number(&per_cpu, conf, "DefMemPerCPU", err) < 0 ||
	    allocation_number(&per_node, conf, "DefMemPerNode", err) < 0 ||
	    allocation_number(&out->max_mem_per_cpu, conf, "MaxMemPerCPU",
			      err) < 0 ||
	    allocation_number(&out->max_mem_per_node, conf, "MaxMemPerNode",
			      err) < 0 ||
	    allocation_number(&out->array_size, conf, "MaxArraySize", err) < 0)
		return -1;
	out->mem = out->no_memory ? EQT_MEM_NOT_GIVEN : EQT_MEM_ALL;
	if (per_cpu)
		out->mem = EQT_MEM_PER_CPU;
	else if (per_node)
		out->mem = EQT_MEM_PER_NODE;
	out->mem_mib = per_cpu ? per_cpu : per_node;
	return 0;
}

/* scontrol prints the parameters in capitals, however slurm.conf spells them. */
static void allocation_read_select(struct eqt_cluster_allocation *out,
				   const struct eqt_slurmconf *conf)
{
	const char *value =
		eqt_cluster_config_get(conf, "SelectTypeParameters");

	out->no_memory = !strstr(value, "MEMORY");
	out->single_cpus = strstr(value, "CR_CPU") != NULL;
	out->whole_sockets = strstr(value, "CR_SOCKET") != NULL;
	out->least_loaded = strstr(value, "CR_LLN") != NULL;
	out->task_per_core = strstr(value, "CR_ONE_TASK_PER_CORE") != NULL;
	out->features_stay =
		eqt_cluster_config_get(conf, "NodeFeaturesPlugins")[0] == '\0';
}

/* The value of one name in "JobDefaults = DefCpuPerGPU=6,DefMemPerGPU=32000". */
static uint64_t allocation_default(const struct eqt_slurmconf *conf,
				   const char *name)
{
	const char *at =
		strstr(eqt_cluster_config_get(conf, "JobDefaults"), name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* docs/design/0039 lists the releases whose behaviour changed. */
static void allocation_read_release(struct eqt_cluster_allocation *out,
				    const struct eqt_slurmconf *conf)
{
	unsigned int major = 0, minor = 0, micro = 0, release;

	if (sscanf(eqt_cluster_config_get(conf, "SLURM_VERSION"), "%2u.%2u.%2u",
		   &major, &minor, &micro) < 2)
		return;
	release = out->release = EQT_RELEASE(major, minor, micro);
	if (release >= EQT_RELEASE(25, 11, 0))
		out->tasks_counted = EQT_TASKS_OF_NODE;
	else if (release >= EQT_RELEASE(24, 11, 1))
		out->tasks_counted = EQT_TASKS_OF_JOB;
	out->gpu_cpus_stay = release >= EQT_RELEASE(23, 11, 0);
	out->nodes_pass_tasks = release >= EQT_RELEASE(24, 5, 0);
	out->raises_tasks = release >= EQT_RELEASE(24, 11, 4);
}

/* Find the options that have no effect. The submission plugin has the same rules in
 * eqt_spec_field_exclusive() and eqt_spec_field_has_core_spec(). */
static void allocation_read_keepers(struct eqt_cluster_allocation *out,
				    const struct eqt_slurmconf *conf)
{
	const char *value =
		eqt_cluster_config_get(conf, "AllowSpecResourcesUsage");

	out->ignored = 0;
	if (strcasecmp(value, "no") == 0 || strcmp(value, "0") == 0)
		out->ignored |= EQT_KEEPS_BY_CORES;
	value = eqt_cluster_config_get(conf, "MCSPlugin");
	if (value[0] == '\0' || strcmp(value, "mcs/none") == 0 ||
	    strstr(eqt_cluster_config_get(conf, "MCSParameters"), "noselect"))
		out->ignored |= EQT_KEEPS_BY_LABEL;
	value = eqt_cluster_config_get(conf, "TopologyPlugin");
	if (strcmp(value, "topology/block") != 0 &&
	    strcmp(value, "topology/ring") != 0)
		out->ignored |= EQT_KEEPS_BY_BLOCK;
}

int eqt_cluster_allocation_take(struct eqt_cluster_allocation *out,
				const struct eqt_slurmconf *conf,
				struct eqt_error *err)
{
	const char *type = eqt_cluster_config_get(conf, "SelectType");

	*out = (struct eqt_cluster_allocation){ .known = false };
	if (type[0] == '\0')
		return eqt_error_set(err, "no SelectType: expected the output "
					  "of \"scontrol show config\"");
	out->known = true;
	out->linear = strstr(type, "linear") != NULL;
	allocation_read_select(out, conf);
	allocation_read_release(out, conf);
	allocation_read_keepers(out, conf);
	out->powers_nodes = eqt_cluster_config_get(conf, "SuspendProgram")[0] !=
			    '\0';
	out->cpus_per_gpu = allocation_default(conf, "DefCpuPerGPU=");
	out->mem_per_gpu = allocation_default(conf, "DefMemPerGPU=");
	return allocation_read_memory(out, conf, err);
}

int eqt_cluster_allocation_read(struct eqt_cluster_allocation *out,
				const char *path, struct eqt_error *err)
{
	struct eqt_slurmconf conf;
	struct eqt_error why;
	int rc;

	if (eqt_cluster_config_read(&conf, path, err) < 0)
		return -1;
	rc = eqt_cluster_allocation_take(out, &conf, &why);
	if (rc < 0)
		(void) eqt_error_set(err, "%s: %s",
				     path ? path : "scontrol show config",
				     why.text);
	eqt_slurm_conf_free(&conf);
	return rc;
}

bool eqt_cluster_allocation_blocks(const struct eqt_cluster_allocation *cluster)
{
	return !(cluster->ignored & EQT_KEEPS_BY_BLOCK);
}

void eqt_cluster_allocation_apply(struct eqt_job_spec *spec, unsigned int keeps,
				  const struct eqt_cluster_allocation *cluster)
{
	keeps &= ~cluster->ignored;
	if (!(keeps & EQT_KEEPS_BY_CORES))
		spec->spare_cores = spec->spare_threads = 0;
	spec->keeps_rest |= keeps != 0 && !spec->exclusive;
	spec->keeps_rest &= !cluster->linear && !(keeps & EQT_KEEPS_BY_CORES);
	spec->exclusive |= keeps != 0;
	if (!cluster->known)
		return;
	spec->no_memory = cluster->no_memory;
	spec->single_cpus = cluster->single_cpus;
	spec->whole_sockets = cluster->whole_sockets;
	spec->least_loaded = cluster->least_loaded;
	spec->gpus_share_cores = cluster->task_per_core;
	/* The user's own number overrides CR_ONE_TASK_PER_CORE. */
	if (spec->tasks_per_core == 0 && !spec->tasks_share_core)
		spec->task_per_core = cluster->task_per_core;
	spec->exclusive |= cluster->linear;
	spec->linear = cluster->linear;
	spec->features_stay = cluster->features_stay;
	spec->array_size = cluster->array_size;
	spec->defaults.mem = cluster->mem;
	spec->defaults.mem_mib = cluster->mem_mib;
	spec->defaults.cpus_per_gpu = cluster->cpus_per_gpu;
	spec->defaults.mem_per_gpu = cluster->mem_per_gpu;
	spec->limit.mem_per_cpu = cluster->max_mem_per_cpu;
	spec->limit.mem_per_node = cluster->max_mem_per_node;
	spec->limit.raises_tasks = cluster->raises_tasks;
	spec->tasks_counted = cluster->tasks_counted;
	spec->gpu_cpus_stay = cluster->gpu_cpus_stay;
	spec->nodes_pass_tasks = cluster->nodes_pass_tasks;
}
