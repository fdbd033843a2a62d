/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of "scontrol show config" is aligned with blanks around '=' and
 * holds free text in some values; a key only counts at the beginning of a
 * line.
 */
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
	/* 0 means no decay here, but no limit in a time limit. */
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

/* Copy the value of a key; "" if it is missing. */
void eqt_cluster_config_get(const char *text, const char *key, char *value,
			    size_t size)
{
	size_t length = strlen(key), blanks;
	const char *end;

	value[0] = '\0';
	for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
		if (strncmp(text, key, length) != 0)
			continue;
		blanks = strspn(text + length, " ");
		if (text[length + blanks] != '=')
			continue;
		text += length + blanks + 1;
		text += strspn(text, " ");
		end = text + strcspn(text, " \r\n");
		(void) snprintf(value, size, "%.*s", (int) (end - text), text);
		return;
	}
}

int eqt_cluster_decay_read(struct eqt_cluster_decay *out, const char *path,
			   struct eqt_error *err)
{
	struct eqt_listing text;
	char half_life[64];
	int rc = 0;

	if (eqt_listing_read(&text, path, "scontrol show config", err) < 0)
		return -1;
	eqt_cluster_config_get(text.text, "PriorityDecayHalfLife", half_life,
			       sizeof(half_life));
	eqt_cluster_config_get(text.text, "PriorityUsageResetPeriod",
			       out->reset, sizeof(out->reset));
	if (half_life[0] == '\0')
		rc = eqt_error_set(err,
				   "%s: no PriorityDecayHalfLife: expected the "
				   "output of \"scontrol show config\"",
				   text.name);
	else
		rc = eqt_cluster_half_life_parse(&out->half_life_s, half_life,
						 err);
	eqt_listing_free(&text);
	return rc;
}

int eqt_cluster_name(char *name, size_t size, struct eqt_error *err)
{
	struct eqt_listing text;
	char value[EQT_ERROR_SIZE];

	if (eqt_listing_read(&text, NULL, "scontrol show config", err) < 0)
		return -1;
	eqt_cluster_config_get(text.text, "ClusterName", value, sizeof(value));
	eqt_listing_free(&text);
	if (value[0] == '\0' || strlen(value) >= size)
		return eqt_error_set(err,
				     "scontrol show config: no ClusterName");
	(void) snprintf(name, size, "%s", value);
	return 0;
}

/* ---- Allocation ---------------------------------------------------------------------
 * What the submission plugin finds in slurmctld's own configuration, and by the headers
 * of its release. */

#define VALUE_SIZE 256

/* A number of MiB; UNLIMITED, and no key, are 0. */
static int allocation_number(uint64_t *out, const char *text, const char *key,
			     struct eqt_error *err)
{
	char value[VALUE_SIZE];

	*out = 0;
	eqt_cluster_config_get(text, key, value, sizeof(value));
	if (value[0] == '\0' || strcmp(value, "UNLIMITED") == 0)
		return 0;
	if (eqt_amount_count(out, value, strlen(value)) < 0)
		return eqt_error_set(err, "%s = %s: expected a number", key,
				     value);
	return 0;
}

/* DefMemPerCPU goes before DefMemPerNode where both are printed. Without either a job
 * gets all memory of its nodes, if memory is given out. */
static int allocation_read_memory(struct eqt_cluster_allocation *out,
				  const char *text, struct eqt_error *err)
{
	uint64_t per_cpu, per_node;

	if (allocation_number(&per_cpu, text, "DefMemPerCPU", err) < 0 ||
	    allocation_number(&per_node, text, "DefMemPerNode", err) < 0 ||
	    allocation_number(&out->max_mem_per_cpu, text, "MaxMemPerCPU",
			      err) < 0 ||
	    allocation_number(&out->max_mem_per_node, text, "MaxMemPerNode",
			      err) < 0 ||
	    allocation_number(&out->array_size, text, "MaxArraySize", err) < 0)
		return -1;
	out->mem = out->no_memory ? EQT_MEM_NOT_GIVEN : EQT_MEM_ALL;
	if (per_cpu)
		out->mem = EQT_MEM_PER_CPU;
	else if (per_node)
		out->mem = EQT_MEM_PER_NODE;
	out->mem_mib = per_cpu ? per_cpu : per_node;
	return 0;
}

/* scontrol prints the parameters in capitals, whatever slurm.conf says. */
static void allocation_read_select(struct eqt_cluster_allocation *out,
				   const char *text)
{
	char value[VALUE_SIZE];

	eqt_cluster_config_get(text, "SelectTypeParameters", value,
			       sizeof(value));
	out->no_memory = !strstr(value, "MEMORY");
	out->single_cpus = strstr(value, "CR_CPU") != NULL;
	out->whole_sockets = strstr(value, "CR_SOCKET") != NULL;
	out->task_per_core = strstr(value, "CR_ONE_TASK_PER_CORE") != NULL;
	eqt_cluster_config_get(text, "NodeFeaturesPlugins", value,
			       sizeof(value));
	out->features_stay = value[0] == '\0' || strcmp(value, "(null)") == 0;
}

/* JobDefaults = DefCpuPerGPU=6,DefMemPerGPU=32000 */
static uint64_t allocation_default(const char *text, const char *name)
{
	char value[VALUE_SIZE];
	const char *at;

	eqt_cluster_config_get(text, "JobDefaults", value, sizeof(value));
	at = strstr(value, name);
	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* The first releases that differ: docs/design/0039. */
static void allocation_read_release(struct eqt_cluster_allocation *out,
				    const char *text)
{
	char value[VALUE_SIZE];
	unsigned int major = 0, minor = 0, micro = 0, release;

	eqt_cluster_config_get(text, "SLURM_VERSION", value, sizeof(value));
	if (sscanf(value, "%2u.%2u.%2u", &major, &minor, &micro) < 2)
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

/* As eqt_spec_field_exclusive() and eqt_spec_field_has_core_spec() of the
 * submission plugin. */
static void allocation_read_keepers(struct eqt_cluster_allocation *out,
				    const char *text)
{
	char value[VALUE_SIZE];

	out->ignored = 0;
	eqt_cluster_config_get(text, "AllowSpecResourcesUsage", value,
			       sizeof(value));
	if (strcasecmp(value, "no") == 0 || strcmp(value, "0") == 0)
		out->ignored |= EQT_KEEPS_BY_CORES;
	eqt_cluster_config_get(text, "MCSPlugin", value, sizeof(value));
	if (value[0] == '\0' || strcmp(value, "(null)") == 0 ||
	    strcmp(value, "mcs/none") == 0)
		out->ignored |= EQT_KEEPS_BY_LABEL;
	eqt_cluster_config_get(text, "MCSParameters", value, sizeof(value));
	if (strstr(value, "noselect"))
		out->ignored |= EQT_KEEPS_BY_LABEL;
	eqt_cluster_config_get(text, "TopologyPlugin", value, sizeof(value));
	if (strcmp(value, "topology/block") != 0 &&
	    strcmp(value, "topology/ring") != 0)
		out->ignored |= EQT_KEEPS_BY_BLOCK;
}

int eqt_cluster_allocation_parse(struct eqt_cluster_allocation *out,
				 const char *text, struct eqt_error *err)
{
	char value[VALUE_SIZE];

	*out = (struct eqt_cluster_allocation){ .known = false };
	eqt_cluster_config_get(text, "SelectType", value, sizeof(value));
	if (value[0] == '\0')
		return eqt_error_set(err, "no SelectType: expected the output "
					  "of \"scontrol show config\"");
	out->known = true;
	out->linear = strstr(value, "linear") != NULL;
	allocation_read_select(out, text);
	allocation_read_release(out, text);
	allocation_read_keepers(out, text);
	eqt_cluster_config_get(text, "SuspendProgram", value, sizeof(value));
	out->powers_nodes = value[0] != '\0' && strcmp(value, "(null)") != 0;
	out->cpus_per_gpu = allocation_default(text, "DefCpuPerGPU=");
	out->mem_per_gpu = allocation_default(text, "DefMemPerGPU=");
	return allocation_read_memory(out, text, err);
}

int eqt_cluster_allocation_read(struct eqt_cluster_allocation *out,
				const char *path, struct eqt_error *err)
{
	struct eqt_listing listing;
	struct eqt_error why;
	int rc;

	if (eqt_listing_read(&listing, path, "scontrol show config", err) < 0)
		return -1;
	rc = eqt_cluster_allocation_parse(out, listing.text, &why);
	if (rc < 0)
		(void) eqt_error_set(err, "%s: %s", listing.name, why.text);
	eqt_listing_free(&listing);
	return rc;
}

bool eqt_cluster_allocation_blocks(const struct eqt_cluster_allocation *cluster)
{
	return !(cluster->ignored & EQT_KEEPS_BY_BLOCK);
}

void eqt_cluster_allocation_apply(struct eqt_job_spec *ask, unsigned int keeps,
				  const struct eqt_cluster_allocation *cluster)
{
	keeps &= ~cluster->ignored;
	ask->keeps_rest |= keeps != 0 && !ask->exclusive;
	ask->keeps_rest &= !cluster->linear && !(keeps & EQT_KEEPS_BY_CORES);
	ask->exclusive |= keeps != 0;
	if (!cluster->known)
		return;
	ask->no_memory = cluster->no_memory;
	ask->single_cpus = cluster->single_cpus;
	ask->whole_sockets = cluster->whole_sockets;
	ask->gpus_share_cores = cluster->task_per_core;
	/* The user's own number goes before CR_ONE_TASK_PER_CORE. */
	if (ask->tasks_per_core == 0 && !ask->tasks_share_core)
		ask->task_per_core = cluster->task_per_core;
	ask->exclusive |= cluster->linear;
	ask->linear = cluster->linear;
	ask->features_stay = cluster->features_stay;
	ask->array_size = cluster->array_size;
	ask->defaults.mem = cluster->mem;
	ask->defaults.mem_mib = cluster->mem_mib;
	ask->defaults.cpus_per_gpu = cluster->cpus_per_gpu;
	ask->defaults.mem_per_gpu = cluster->mem_per_gpu;
	ask->limit.mem_per_cpu = cluster->max_mem_per_cpu;
	ask->limit.mem_per_node = cluster->max_mem_per_node;
	ask->limit.raises_tasks = cluster->raises_tasks;
	ask->tasks_counted = cluster->tasks_counted;
	ask->gpu_cpus_stay = cluster->gpu_cpus_stay;
	ask->nodes_pass_tasks = cluster->nodes_pass_tasks;
}
