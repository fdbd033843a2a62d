/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cluster of a simulation: from Slurm's output, or by counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "simulate/simulate.h"
#include "slurm/scontrol/nodes.h"
#include "slurm/scontrol/partitions.h"

#define NODES_MAX 1000000
#define ONE_PARTITION "main" /* for counts without a partition */

/* Names live as long as the input, and each is kept once. NULL: too many, or out of
 * memory. */
const char *eqt_simulate_name(struct eqt_simulate_input *sim, const char *name,
			      size_t length)
{
	int i;

	for (i = 0; i < sim->name_count; i++)
		if (strlen(sim->names[i]) == length &&
		    memcmp(sim->names[i], name, length) == 0)
			return sim->names[i];
	if (i == (int) (sizeof(sim->names) / sizeof(sim->names[0])))
		return NULL;
	sim->names[i] = strndup(name, length);
	if (!sim->names[i])
		return NULL;
	sim->name_count++;
	return sim->names[i];
}

/* The index of a model, created if needed; EQT_SIMULATION_NO_MODEL: too many. */
static int16_t cluster_add_model(struct eqt_simulate_input *sim,
				 const char *name)
{
	struct eqt_simulation_cluster *cluster = &sim->cluster;
	const int16_t known = eqt_simulation_model(cluster, name);
	const char **to = &cluster->models[cluster->model_count];

	if (known >= 0)
		return known;
	if (cluster->model_count == EQT_MODELS_MAX)
		return EQT_SIMULATION_NO_MODEL;
	*to = eqt_simulate_name(sim, name, strlen(name));
	return *to ? (int16_t) cluster->model_count++ : EQT_SIMULATION_NO_MODEL;
}

/* The bit of the partition of that name, created if needed; 0: too many. */
static uint64_t cluster_add_partition(struct eqt_simulate_input *sim,
				      const char *name, size_t length)
{
	int at = eqt_simulation_partition(&sim->cluster, name, length);

	if (at >= 0)
		return UINT64_C(1) << at;
	if (sim->cluster.partition_count == EQT_SIMULATION_PARTITIONS_MAX)
		return 0;
	at = (int) sim->cluster.partition_count;
	sim->partitions[at] = (struct eqt_simulation_partition){
		.name = eqt_simulate_name(sim, name, length),
		.tier = 1,
		.job_factor = 1,
	};
	if (!sim->partitions[at].name)
		return 0;
	sim->cluster.partition_count++;
	return UINT64_C(1) << at;
}

/* The bits of all names in a list; 0 with err filled. */
static uint64_t cluster_add_partitions(struct eqt_simulate_input *sim,
				       const char *list, size_t length,
				       char between, struct eqt_error *err)
{
	const char *end = list + length;
	uint64_t bits = 0, bit;
	size_t item;

	for (; list < end; list += item + 1) {
		const char *stop = memchr(list, between, (size_t) (end - list));

		item = (size_t) ((stop ? stop : end) - list);
		bit = cluster_add_partition(sim, list, item);
		if (!bit) {
			eqt_error_set(err, "more than %d partitions",
				      EQT_SIMULATION_PARTITIONS_MAX);
			return 0;
		}
		bits |= bit;
	}
	if (!bits)
		eqt_error_set(err, "in no partition");
	return bits;
}

/* Read model and count of "gpu:p100:4", "gpu:4" or "gpu". */
static int node_read_gpus(struct eqt_simulate_input *sim,
			  struct eqt_simulation_node *node, const char *item,
			  size_t length, struct eqt_error *err)
{
	char name[EQT_NAME_SIZE];
	const char *colon = NULL;
	uint64_t count = 1;
	int16_t model;

	for (size_t i = 0; i < length; i++)
		if (item[i] == ':')
			colon = item + i;
	if (colon &&
	    eqt_amount_count(&count, colon + 1,
			     (size_t) (item + length - colon) - 1) == 0)
		length = (size_t) (colon - item);
	else
		count = 1;
	(void) snprintf(name, sizeof(name), "%.*s", (int) length, item);
	model = cluster_add_model(sim, name);
	if (model < 0)
		return eqt_error_set(err, "more than %d models of GPUs",
				     EQT_MODELS_MAX);
	if (node->has.gpus && node->model != model)
		return eqt_error_set(
			err,
			"GPUs of two models on one node are not simulated");
	node->model = model;
	node->has.gpus += count;
	return 0;
}

/* Read the GPUs of a Gres= value; other resources are not simulated. gres/shard and
 * gres/mps are parts of GPUs, which are not simulated. */
static int node_read_gres(struct eqt_simulate_input *sim,
			  struct eqt_simulation_node *node, const char *gres,
			  struct eqt_error *err)
{
	size_t length;

	for (; *gres != '\0'; gres += length + (gres[length] == ',')) {
		length = strcspn(gres, ",");
		if (strncmp(gres, "gpu", 3) != 0 ||
		    (length > 3 && gres[3] != ':'))
			continue;
		if (node_read_gpus(sim, node, gres, length, err) < 0)
			return -1;
	}
	return 0;
}

/* Note the CPUs per core for all partitions of the node. Nodes of a partition with and
 * without hyper-threads are taken as if all had them: the price of its jobs is by
 * cores. */
static void partitions_note_threads(struct eqt_simulate_input *sim,
				    uint64_t bits, uint64_t threads)
{
	for (; bits; bits &= bits - 1) {
		struct eqt_simulation_partition *partition =
			&sim->partitions[__builtin_ctzll(bits)];

		if (threads > partition->threads)
			partition->threads = threads;
	}
}

/* A node outside all partitions takes no jobs. What is reserved for the system
 * (CoreSpecCount, MemSpecLimit) is not in these numbers. */
static int cluster_take_node(struct eqt_simulate_input *sim,
			     const struct eqt_scontrol_node *from,
			     struct eqt_error *err)
{
	struct eqt_simulation_node *node = &sim->nodes[sim->cluster.node_count];
	char gres[1024];

	*node = (struct eqt_simulation_node){
		.has.cpus = from->total.of[EQT_UNIT_PART_CORES],
		.has.mem_mib = from->total.of[EQT_UNIT_PART_MEMORY],
		.model = EQT_SIMULATION_NO_MODEL,
	};
	if (node_read_gres(sim, node,
			   eqt_scontrol_node_gres(from, gres, sizeof(gres)),
			   err) < 0)
		return -1;
	if (from->partitions_length == 0) {
		sim->away++;
		return 0;
	}
	node->partitions = cluster_add_partitions(
		sim, from->partitions, (size_t) from->partitions_length, ',',
		err);
	if (!node->partitions)
		return -1;
	partitions_note_threads(sim, node->partitions, from->threads);
	if (eqt_simulate_note_node(sim, from->name, from->name_length) < 0)
		return eqt_error_set(err, "out of memory");
	sim->cluster.node_count++;
	return 0;
}

/* Copy the nodes that can run jobs; count the others in sim->away. */
static int cluster_take_nodes(struct eqt_simulate_input *sim,
			      const struct eqt_scontrol_nodes *nodes,
			      struct eqt_error *err)
{
	struct eqt_error why;

	sim->nodes = calloc(nodes->count + 1, sizeof(*sim->nodes));
	if (!sim->nodes)
		return eqt_error_set(err, "out of memory");
	for (size_t i = 0; i < nodes->count; i++) {
		if (!nodes->nodes[i].available) {
			sim->away++;
			continue;
		}
		if (cluster_take_node(sim, &nodes->nodes[i], &why) < 0)
			return eqt_error_set(err, "%s: line %zu: %s",
					     nodes->records.text.name,
					     nodes->nodes[i].number, why.text);
	}
	return 0;
}

/* ---- By counts ------------------------------------------------------------- */

enum { NODES, CPUS, MEMORY, GPUS, PARTITION };

/* Read one NAME=VALUE of --cluster. 0, or -1 with err filled. getsubopt(3) cuts
 * NAME=VALUE; memory takes Slurm's units. */
static int group_take_item(struct eqt_simulate_input *sim,
			   struct eqt_simulation_node *node, uint64_t *count,
			   char *item, struct eqt_error *err)
{
	char *const tokens[] = { [NODES] = "nodes",	    [CPUS] = "cpus",
				 [MEMORY] = "memory",	    [GPUS] = "gpus",
				 [PARTITION] = "partition", NULL };
	char *value = NULL, *all = item, gres[EQT_NAME_SIZE];
	int rc = -1;

	switch (getsubopt(&item, tokens, &value)) {
	case NODES:
		rc = value ? eqt_amount_count(count, value, strlen(value)) : -1;
		break;
	case CPUS:
		rc = value ? eqt_amount_count(&node->has.cpus, value,
					      strlen(value))
			   : -1;
		break;
	case MEMORY:
		rc = value ? eqt_amount_memory(&node->has.mem_mib, value) : -1;
		break;
	case GPUS:
		(void) snprintf(gres, sizeof(gres), "gpu:%s",
				value ? value : "");
		rc = value ? node_read_gpus(sim, node, gres, strlen(gres), err)
			   : -1;
		break;
	case PARTITION:
		node->partitions = value ? cluster_add_partitions(sim, value,
								  strlen(value),
								  '+', err)
					 : 0;
		rc = node->partitions ? 0 : -1;
		break;
	default:
		break;
	}
	return rc < 0 ? eqt_error_set(err,
				      "\"%s\": expected nodes, cpus, memory, "
				      "gpus or partition",
				      all)
		      : 0;
}

/*
 * Read one --cluster group and append its nodes, which are all alike. Memory
 * defaults to 4 GiB a CPU.
 */
static int cluster_add_group(struct eqt_simulate_input *sim, const char *text,
			     struct eqt_error *err)
{
	struct eqt_simulation_node node = { .model = EQT_SIMULATION_NO_MODEL },
				   *nodes;
	struct eqt_error why = { "out of memory" };
	char *copy = strdup(text), *item, *save = NULL;
	uint64_t count = 1, i;
	int rc = copy ? 0 : -1;

	for (item = copy ? strtok_r(copy, ",", &save) : NULL; item && rc == 0;
	     item = strtok_r(NULL, ",", &save))
		rc = group_take_item(sim, &node, &count, item, &why);
	free(copy);
	if (rc == 0 && (!node.has.cpus || !count ||
			count > NODES_MAX - sim->cluster.node_count))
		rc = eqt_error_set(&why,
				   "expected CPUs, and 1 to 1000000 nodes");
	if (rc < 0)
		return eqt_error_set(err, "--cluster %s: %s", text, why.text);
	if (!node.partitions)
		node.partitions = cluster_add_partition(sim, ONE_PARTITION,
							strlen(ONE_PARTITION));
	if (!node.has.mem_mib)
		node.has.mem_mib = node.has.cpus * 4096;
	nodes = realloc(sim->nodes,
			(sim->cluster.node_count + count) * sizeof(*nodes));
	if (!nodes || !node.partitions)
		return eqt_error_set(err, "out of memory");
	sim->nodes = nodes;
	for (i = 0; i < count; i++)
		nodes[sim->cluster.node_count++] = node;
	return 0;
}

/* ---- Both ------------------------------------------------------------------ */

/* Read a number of a partition; keep *out where the record lacks the key. */
static int partition_read_factor(uint32_t *out,
				 const struct eqt_scontrol_record *record,
				 const char *key, struct eqt_error *err)
{
	uint64_t value;

	if (!eqt_scontrol_record_get(record, key).text)
		return 0;
	if (eqt_scontrol_record_number(&value, record, key, err) < 0)
		return -1;
	*out = value > UINT32_MAX ? UINT32_MAX : (uint32_t) value;
	return 0;
}

/* Note the QOS of a partition, whose limits count for its jobs. */
static int partition_read_qos(struct eqt_simulate_input *sim, uint32_t i,
			      const struct eqt_scontrol_record *record,
			      struct eqt_error *err)
{
	const struct eqt_scontrol_value value =
		eqt_scontrol_record_get(record, "QoS");
	const struct eqt_simulation_qos *qos;
	char name[256];

	if (!value.text || eqt_scontrol_value_is(value, "N/A"))
		return 0;
	(void) snprintf(name, sizeof(name), "%.*s", (int) value.length,
			value.text);
	qos = eqt_simulate_qos(sim, name);
	if (!qos)
		return eqt_error_set(err, "more than %d QOS",
				     EQT_SIMULATE_QOS_MAX);
	sim->partition_qos[i] = 1 + (int) (qos - sim->qos);
	return 0;
}

/* Read priority factors, tiers and QOS of the partitions that the nodes name. */
static int cluster_read_partitions(struct eqt_simulate_input *sim,
				   const char *path, struct eqt_error *err)
{
	struct eqt_scontrol_records records;
	struct eqt_error why;
	int rc = 0;

	if (eqt_scontrol_records_read(&records, path,
				      "scontrol -o show partition",
				      "PartitionName", err) < 0)
		return -1;
	for (uint32_t i = 0; i < sim->cluster.partition_count && rc == 0; i++) {
		struct eqt_simulation_partition *partition =
			&sim->partitions[i];
		const struct eqt_scontrol_record *record =
			eqt_scontrol_partition_find(&records, partition->name);

		if (!record)
			rc = eqt_error_set(
				err, "%s: no partition \"%s\", which has nodes",
				records.text.name, partition->name);
		else if (partition_read_factor(&partition->job_factor, record,
					       "PriorityJobFactor", &why) < 0 ||
			 partition_read_factor(&partition->tier, record,
					       "PriorityTier", &why) < 0)
			rc = eqt_error_set(err, "%s: line %zu: %s",
					   records.text.name, record->number,
					   why.text);
		else
			rc = partition_read_qos(sim, i, record, err);
	}
	eqt_scontrol_records_free(&records);
	return rc;
}

/* Read "scontrol -o show node", live or saved. Nodes that are down or drained now are
 * left out, whatever they were when the jobs ran. */
static int cluster_read_nodes(struct eqt_simulate_input *sim, const char *path,
			      struct eqt_error *err)
{
	struct eqt_scontrol_nodes nodes;
	int rc;

	if (eqt_scontrol_nodes_read(&nodes, path, err) < 0)
		return -1;
	rc = cluster_take_nodes(sim, &nodes, err);
	eqt_scontrol_nodes_free(&nodes);
	return rc;
}

/* Partitions are read live only if nodes are, since those of a saved cluster have other
 * names. */
int eqt_simulate_read_cluster(struct eqt_simulate_input *sim,
			      const struct eqt_simulate_options *options,
			      struct eqt_error *err)
{
	int i, rc = 0;

	sim->partitions =
		calloc(EQT_SIMULATION_PARTITIONS_MAX, sizeof(*sim->partitions));
	if (!sim->partitions)
		return eqt_error_set(err, "out of memory");
	sim->cluster.partitions = sim->partitions;
	for (i = 0; i < options->group_count && rc == 0; i++)
		rc = cluster_add_group(sim, options->groups[i], err);
	if (options->group_count == 0)
		rc = cluster_read_nodes(sim, options->nodes_path, err);
	if (rc == 0 && sim->cluster.node_count == 0)
		rc = eqt_error_set(err, "the cluster has no available nodes");
	if (rc == 0 && (options->partitions_path ||
			(!options->group_count && !options->nodes_path)))
		rc = cluster_read_partitions(sim, options->partitions_path,
					     err);
	sim->cluster.nodes = sim->nodes;
	return rc;
}
