/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "slurm/partitions.h"

#define VALUE_SIZE 128

/* A value as a string; "" without one, and for what Slurm says instead. */
static const char *text_of(struct eqt_value value, char buf[VALUE_SIZE])
{
	if (!value.text || value.length >= VALUE_SIZE ||
	    eqt_value_is(value, "(null)") || eqt_value_is(value, "NONE"))
		return "";
	(void) snprintf(buf, VALUE_SIZE, "%.*s", (int) value.length,
			value.text);
	return buf;
}

/* A memory default; UNLIMITED is none. */
static int take_memory(struct eqt_job_spec *ask,
		       const struct eqt_record *partition, const char *key,
		       enum eqt_job_spec_mem mem, struct eqt_error *err)
{
	struct eqt_value value = eqt_record_get(partition, key);
	uint64_t mib;

	if (!value.text || eqt_value_is(value, "UNLIMITED"))
		return 0;
	if (eqt_record_number(&mib, partition, key, err) < 0)
		return -1;
	if (mib == 0)
		return 0;
	ask->defaults.mem = mem;
	ask->defaults.mem_mib = mib;
	return 0;
}

/* MaxMemPerCPU; that of all partitions scontrol tells elsewhere. */
static int take_limit(struct eqt_job_spec *ask,
		      const struct eqt_record *partition, struct eqt_error *err)
{
	struct eqt_value value = eqt_record_get(partition, "MaxMemPerCPU");

	if (!value.text || eqt_value_is(value, "UNLIMITED"))
		return 0;
	return eqt_record_number(&ask->limit.mem_per_cpu, partition,
				 "MaxMemPerCPU", err);
}

static int take_time(struct eqt_job_spec *ask,
		     const struct eqt_record *partition, struct eqt_error *err)
{
	char buf[VALUE_SIZE];
	const char *text =
		text_of(eqt_record_get(partition, "DefaultTime"), buf);

	if (text[0] == '\0')
		text = text_of(eqt_record_get(partition, "MaxTime"), buf);
	if (text[0] == '\0')
		return 0;
	if (eqt_minutes_parse(&ask->defaults.minutes, text) < 0)
		return eqt_error_set(err, "\"%s\" is no time", text);
	return 0;
}

/* JobDefaults=DefCpuPerGPU=6,DefMemPerGPU=32000 */
static int take_job_defaults(struct eqt_job_spec *ask,
			     const struct eqt_record *partition,
			     struct eqt_error *err)
{
	char buf[VALUE_SIZE];
	const char *at = text_of(eqt_record_get(partition, "JobDefaults"), buf);
	size_t length, name;
	uint64_t value;

	for (; *at != '\0'; at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		name = strcspn(at, "=");
		if (name >= length || eqt_count_parse(&value, at + name + 1,
						      length - name - 1) < 0)
			return eqt_error_set(err, "JobDefaults=%s: %.*s", buf,
					     (int) length, at);
		if (strncmp(at, "DefCpuPerGPU", name) == 0)
			ask->defaults.cpus_per_gpu = value;
		else if (strncmp(at, "DefMemPerGPU", name) == 0)
			ask->defaults.mem_per_gpu = value;
	}
	return 0;
}

/* How many nodes a job can have at most. */
static int take_count(struct eqt_job_spec *ask,
		      const struct eqt_record *partition, struct eqt_error *err)
{
	static const char *const keys[] = { "TotalNodes", "MaxNodes" };
	uint64_t *count = &ask->node.count, number;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct eqt_value value = eqt_record_get(partition, keys[i]);

		if (!value.text || eqt_value_is(value, "UNLIMITED"))
			continue;
		if (eqt_record_number(&number, partition, keys[i], err) < 0)
			return -1;
		if (*count == 0 || number < *count)
			*count = number;
	}
	return 0;
}

/* From 26.05 on scontrol says so in a word of its own: NODE, or TOPO, which is
 * whole nodes and more; from 24.05 to 25.11 ExclusiveTopo=YES. */
static bool gives_whole_nodes(const struct eqt_record *partition)
{
	struct eqt_value exclusive = eqt_record_get(partition, "Exclusive");

	return eqt_value_is(eqt_record_get(partition, "OverSubscribe"),
			    "EXCLUSIVE") ||
	       eqt_value_is(exclusive, "NODE") ||
	       eqt_value_is(exclusive, "TOPO") ||
	       eqt_value_is(eqt_record_get(partition, "ExclusiveTopo"), "YES");
}

int eqt_partition_apply(struct eqt_job_spec *ask,
			const struct eqt_record *partition,
			struct eqt_error *err)
{
	if (take_memory(ask, partition, "DefMemPerCPU", EQT_MEM_PER_CPU, err) <
		    0 ||
	    take_memory(ask, partition, "DefMemPerNode", EQT_MEM_PER_NODE,
			err) < 0 ||
	    take_limit(ask, partition, err) < 0 ||
	    take_time(ask, partition, err) < 0 ||
	    take_job_defaults(ask, partition, err) < 0 ||
	    take_count(ask, partition, err) < 0)
		return -1;
	ask->exclusive |= gives_whole_nodes(partition);
	return 0;
}

const struct eqt_record *eqt_partitions_find(
	const struct eqt_stock_records *partitions, const char *name)
{
	size_t i;

	for (i = 0; i < partitions->count; i++) {
		const struct eqt_record *record = &partitions->records[i];

		if (name ? eqt_value_is(eqt_record_get(record, "PartitionName"),
					name)
			 : eqt_value_is(eqt_record_get(record, "Default"),
					"YES"))
			return record;
	}
	return NULL;
}

/* What is kept of a node's GRES; "" where there is no more room. */
static const char *keep_gres(const struct eqt_node *node, char **buf,
			     size_t *size)
{
	const char *gres;
	size_t length;

	if (*size == 0)
		return "";
	gres = eqt_node_gres(node, *buf, *size);
	length = strlen(gres) + 1;
	if (length > *size)
		length = *size;
	*buf += length;
	*size -= length;
	return gres;
}

void eqt_nodes_apply(struct eqt_job_spec *ask, const struct eqt_nodes *nodes,
		     const char *partition, char *gres, size_t size)
{
	const uint64_t count = ask->node.count;
	size_t i;

	for (i = 0; i < nodes->count; i++) {
		const struct eqt_node *node = &nodes->nodes[i];
		struct eqt_node_offer like = { .count = 1 };
		char *at = gres;
		size_t room = size;

		if (!eqt_tree_input(node, partition))
			continue;
		like.cpus = node->total.of[EQT_UNIT_PART_CORES];
		like.mem_mib = node->total.of[EQT_UNIT_PART_MEMORY];
		like.threads = node->threads;
		like.gres = keep_gres(node, &at, &room);
		if (eqt_node_offer_add(ask, &like)) {
			gres = at;
			size = room;
		}
	}
	if (ask->kinds == 0)
		return;
	ask->limit.node_mem_mib = ask->kind[0].mem_mib;
	ask->node = ask->kind[0];
	ask->node.count = count;
	ask->node.differ = ask->kinds > 1;
}
