/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For a key that a partition does not set, scontrol prints the cluster's default. */
#include <string.h>

#include "job/job_totals.h"
#include "slurm/scontrol/partitions.h"

/* The value of a key, or "" if there is none. */
static const char *value_text(const struct eqt_scontrol_record *partition,
			      const char *key)
{
	const char *value = eqt_record_known(partition, key);

	return value && strcmp(value, "NONE") != 0 ? value : "";
}

/* Is the value of the key a number, so that it limits something? */
static bool value_limits(const struct eqt_scontrol_record *partition,
			 const char *key)
{
	return eqt_record_get(partition, key) &&
	       !eqt_record_is(partition, key, "UNLIMITED");
}

/* Read a memory default. UNLIMITED means that there is none. */
static int partition_take_memory(struct eqt_job_spec *spec,
				 const struct eqt_scontrol_record *partition,
				 const char *key, enum eqt_job_spec_mem mem,
				 struct eqt_error *err)
{
	uint64_t mib;

	if (!value_limits(partition, key))
		return 0;
	if (eqt_record_number(&mib, partition, key, err) < 0)
		return -1;
	if (mib == 0)
		return 0;
	spec->defaults.mem = mem;
	spec->defaults.mem_mib = mib;
	return 0;
}

/* Read a limit. UNLIMITED and a missing key leave *out unchanged. */
static int partition_take_most(uint64_t *out,
			       const struct eqt_scontrol_record *partition,
			       const char *key, struct eqt_error *err)
{
	return value_limits(partition, key)
		       ? eqt_record_number(out, partition, key, err)
		       : 0;
}

/* MaxMemPerCPU or MaxMemPerNode of the partition replaces the cluster's limit. */
static int partition_take_limit(struct eqt_job_spec *spec,
				const struct eqt_scontrol_record *partition,
				struct eqt_error *err)
{
	struct eqt_node_offer_limit *limit = &spec->limit;
	uint64_t node = 0, cpu = 0;

	if (partition_take_most(&node, partition, "MaxMemPerNode", err) < 0 ||
	    partition_take_most(&cpu, partition, "MaxMemPerCPU", err) < 0)
		return -1;
	if (node > 0 || cpu > 0) {
		limit->mem_per_node = cpu > 0 ? 0 : node;
		limit->mem_per_cpu = cpu;
	}
	if (partition_take_most(&limit->cpus_per_node, partition,
				"MaxCPUsPerNode", err) < 0)
		return -1;
	return partition_take_most(&limit->cpus_per_socket, partition,
				   "MaxCPUsPerSocket", err);
}

/* A job without a time limit gets DefaultTime, or MaxTime if there is no DefaultTime.
 * UNLIMITED and INFINITE mean no limit. */
static int partition_take_time(struct eqt_job_spec *spec,
			       const struct eqt_scontrol_record *partition,
			       struct eqt_error *err)
{
	const char *text = value_text(partition, "DefaultTime");

	if (text[0] == '\0')
		text = value_text(partition, "MaxTime");
	if (text[0] == '\0')
		return 0;
	if (eqt_amount_minutes(&spec->defaults.minutes, text) < 0)
		return eqt_error_set(err, "\"%s\": expected a time", text);
	return 0;
}

/* Read JobDefaults=DefCpuPerGPU=6,DefMemPerGPU=32000. */
static int partition_take_job_defaults(
	struct eqt_job_spec *spec, const struct eqt_scontrol_record *partition,
	struct eqt_error *err)
{
	const char *const all = value_text(partition, "JobDefaults");
	const char *at = all;
	size_t length, name;
	uint64_t value;

	for (; *at != '\0'; at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		name = strcspn(at, "=");
		if (name >= length || eqt_amount_count(&value, at + name + 1,
						       length - name - 1) < 0)
			return eqt_error_set(err, "JobDefaults=%s: %.*s", all,
					     (int) length, at);
		if (strncmp(at, "DefCpuPerGPU", name) == 0)
			spec->defaults.cpus_per_gpu = value;
		else if (strncmp(at, "DefMemPerGPU", name) == 0)
			spec->defaults.mem_per_gpu = value;
	}
	return 0;
}

/* Set the largest number of nodes that a job can get. All nodes of the partition count,
 * even those that are down, because Slurm accepts a job that fits once nodes return. */
static int partition_take_count(struct eqt_job_spec *spec,
				const struct eqt_scontrol_record *partition,
				struct eqt_error *err)
{
	static const char *const keys[] = { "TotalNodes", "MaxNodes" };
	uint64_t *count = &spec->node.count, number;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!value_limits(partition, keys[i]))
			continue;
		if (eqt_record_number(&number, partition, keys[i], err) < 0)
			return -1;
		if (*count == 0 || number < *count)
			*count = number;
	}
	return 0;
}

/* Raise the request to the smallest number of nodes that the partition allows. */
static int partition_take_least(struct eqt_job_spec *spec,
				const struct eqt_scontrol_record *partition,
				struct eqt_error *err)
{
	uint64_t nodes;

	if (!eqt_record_get(partition, "MinNodes"))
		return 0;
	if (eqt_record_number(&nodes, partition, "MinNodes", err) < 0)
		return -1;
	eqt_job_spec_take_least_nodes(spec, nodes);
	return 0;
}

/* Since 26.05 Exclusive=NODE and Exclusive=TOPO mean whole nodes under any topology. From
 * 24.05 to 25.11 scontrol prints ExclusiveTopo=YES, which means whole nodes only under a
 * topology with blocks. */
bool eqt_scontrol_partition_whole(const struct eqt_scontrol_record *partition,
				  bool blocks)
{
	return eqt_record_is(partition, "OverSubscribe", "EXCLUSIVE") ||
	       eqt_record_is(partition, "Exclusive", "NODE") ||
	       eqt_record_is(partition, "Exclusive", "TOPO") ||
	       (blocks && eqt_record_is(partition, "ExclusiveTopo", "YES"));
}

int eqt_scontrol_partition_apply(struct eqt_job_spec *spec,
				 const struct eqt_scontrol_record *partition,
				 bool blocks, struct eqt_error *err)
{
	if (partition_take_memory(spec, partition, "DefMemPerCPU",
				  EQT_MEM_PER_CPU, err) < 0 ||
	    partition_take_memory(spec, partition, "DefMemPerNode",
				  EQT_MEM_PER_NODE, err) < 0 ||
	    partition_take_limit(spec, partition, err) < 0 ||
	    partition_take_time(spec, partition, err) < 0 ||
	    partition_take_job_defaults(spec, partition, err) < 0 ||
	    partition_take_count(spec, partition, err) < 0 ||
	    partition_take_least(spec, partition, err) < 0)
		return -1;
	if (eqt_scontrol_partition_whole(partition, blocks)) {
		spec->exclusive = true;
		spec->keeps_rest = false;
	}
	spec->least_loaded |= eqt_record_is(partition, "LLN", "YES");
	return 0;
}

uint64_t eqt_scontrol_partition_gpu_cpus(
	const struct eqt_scontrol_record *partition, uint64_t otherwise)
{
	struct eqt_job_spec spec = { .defaults.cpus_per_gpu = otherwise };

	return partition_take_job_defaults(&spec, partition, NULL) < 0
		       ? otherwise
		       : spec.defaults.cpus_per_gpu;
}

uint64_t eqt_scontrol_partition_tier(
	const struct eqt_scontrol_record *partition)
{
	uint64_t tier;

	return eqt_record_get(partition, "PriorityTier") &&
			       eqt_record_number(&tier, partition,
						 "PriorityTier", NULL) == 0
		       ? tier
		       : 1;
}

const struct eqt_scontrol_record *eqt_scontrol_partition_find(
	const struct eqt_scontrol_records *partitions, const char *name)
{
	for (size_t i = 0; i < partitions->count; i++) {
		const struct eqt_scontrol_record *record =
			&partitions->records[i];

		if (name ? eqt_record_is(record, "PartitionName", name)
			 : eqt_record_is(record, "Default", "YES"))
			return record;
	}
	return NULL;
}
