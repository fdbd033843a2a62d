/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the cluster of a simulation from a live cluster, from Slurm's output, or from
 * counts. A node that is down or drained stays so. In a live cluster a node in
 * maintenance comes back when its reservation ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "base/amount.h"
#include "cli/alloc.h"
#include "price/gres.h"
#include "scene/scene_impl.h"
#include "slurm/scontrol/partitions.h"

#define NODES_MAX 1000000
#define ONE_PARTITION "main" /* the partition of counts that name none */

/* The index of a model, which is added if needed. EQT_SIMULATION_NO_MODEL if there are
 * too many. */
static int16_t cluster_add_model(struct eqt_scene *scene, const char *name)
{
	struct eqt_simulation_cluster *cluster = &scene->now.cluster;
	const int16_t known = eqt_sim_nodes_model(cluster, name);
	const char **to = &cluster->models[cluster->model_count];

	if (known >= 0)
		return known;
	if (cluster->model_count == EQT_MODELS_MAX)
		return EQT_SIMULATION_NO_MODEL;
	*to = eqt_arena_copy(&scene->kept, name);
	return (int16_t) cluster->model_count++;
}

/* The bit of the partition with this name, which is added if needed. 0 if there are too
 * many. */
static uint64_t cluster_add_partition(struct eqt_scene *scene, const char *name,
				      size_t length)
{
	int at = eqt_sim_nodes_partition(&scene->now.cluster, name, length);

	if (at >= 0)
		return UINT64_C(1) << at;
	if (scene->now.cluster.partition_count == EQT_SIMULATION_PARTITIONS_MAX)
		return 0;
	at = (int) scene->now.cluster.partition_count;
	scene->partitions[at] = (struct eqt_simulation_partition){
		.name = eqt_arena_text(&scene->kept, name, length),
		.tier = 1,
		.job_factor = 1,
	};
	scene->now.cluster.partition_count++;
	return UINT64_C(1) << at;
}

/* The bits of all names in a list. Returns 0 with err filled on error. */
static uint64_t cluster_add_partitions(struct eqt_scene *scene,
				       const char *list, size_t length,
				       char between, struct eqt_error *err)
{
	const char *end = list + length;
	uint64_t bits = 0, bit;
	size_t item;

	for (; list < end; list += item + 1) {
		const char *stop = memchr(list, between, (size_t) (end - list));

		item = (size_t) ((stop ? stop : end) - list);
		/* A live cluster lists all partitions that are up, so skip other
		 * names. */
		if (scene->live && eqt_sim_nodes_partition(&scene->now.cluster,
							   list, item) < 0)
			continue;
		bit = cluster_add_partition(scene, list, item);
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

/* Set the model of a node's GPUs. In a forecast a request for a model also fits GPUs
 * without a model, so such GPUs stay without one. */
static int node_take_model(struct eqt_scene *scene,
			   struct eqt_simulation_node *node, const char *name,
			   struct eqt_error *err)
{
	const bool second = node->model != EQT_SIMULATION_NO_MODEL;
	int16_t model;

	if (scene->live && (second || !strchr(name, ':')))
		return 0;
	model = cluster_add_model(scene, name);
	if (model < 0 && !scene->live)
		return eqt_error_set(err, "more than %d models of GPUs",
				     EQT_MODELS_MAX);
	if (second && node->model != model)
		return eqt_error_set(
			err,
			"GPUs of two models on one node are not simulated");
	node->model = model;
	return 0;
}

/* Read the GPUs of a list such as "gpu:p100:4,gpu:2". Other resources, such as gres/shard
 * and gres/mps, which are parts of GPUs, are not simulated. Items that Slurm would refuse end
 * the list. */
static int node_read_gres(struct eqt_scene *scene,
			  struct eqt_simulation_node *node, const char *list,
			  struct eqt_error *err)
{
	char name[2 * EQT_NAME_SIZE];
	struct eqt_gres gres;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, "gpu") != 0)
			continue;
		(void) snprintf(name, sizeof(name), "gpu%s%s",
				gres.type[0] ? ":" : "", gres.type);
		node->has.gpus += gres.count;
		if (node_take_model(scene, node, name, err) < 0)
			return -1;
	}
	return 0;
}

/* Set the CPUs per core for all partitions of the node. If a partition has nodes with and
 * without hyper-threads, all of its nodes are treated as if they had them, because its
 * jobs are priced by cores. */
static void partitions_note_threads(struct eqt_scene *scene, uint64_t bits,
				    uint64_t threads)
{
	for (; bits; bits &= bits - 1)
		eqt_whole_raise(
			&scene->partitions[__builtin_ctzll(bits)].threads,
			threads);
}

/* Add a node. A node outside all partitions takes no jobs. What is reserved for the
 * system (CoreSpecCount, MemSpecLimit) is not in these numbers. Returns 1, or 0 if the
 * node is left out. */
static int cluster_take_node(struct eqt_scene *scene,
			     const struct eqt_scontrol_node *from,
			     struct eqt_error *err)
{
	struct eqt_simulation_node *node =
		&scene->nodes[scene->now.cluster.node_count];

	*node = (struct eqt_simulation_node){
		.has.cpus = from->total.of[EQT_UNIT_PART_CORES],
		.has.mem_mib = from->total.of[EQT_UNIT_PART_MEMORY],
		.model = EQT_SIMULATION_NO_MODEL,
	};
	if (node_read_gres(scene, node, from->gres, err) < 0)
		return -1;
	if (from->partitions[0] == '\0')
		return 0;
	node->partitions = cluster_add_partitions(
		scene, from->partitions, strlen(from->partitions), ',', err);
	if (!node->partitions)
		return scene->live ? 0 : -1;
	partitions_note_threads(scene, node->partitions, from->threads);
	return 1;
}

/* Is the node down for good? In a live cluster maintenance is a reservation, which
 * ends. */
static bool node_is_away(const struct eqt_scene *scene,
			 const struct eqt_scontrol_nodes *nodes, size_t i)
{
	static const char *const words[] = { "DOWN",	"DRAIN",       "FAIL",
					     "REBOOT",	"INVAL",       "FUTURE",
					     "UNKNOWN", "POWERED_DOWN" };
	const char *state =
		eqt_record_text(&nodes->records.records[i], "State");

	if (nodes->nodes[i].available || !scene->live)
		return !nodes->nodes[i].available;
	for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
		if (strstr(state, words[w]))
			return true;
	return strstr(state, "MAINT") == NULL;
}

/* Copy the nodes that can run jobs, numbered in the order of their names. Count the
 * others. */
static int cluster_take_nodes(struct eqt_scene *scene,
			      const struct eqt_scontrol_nodes *nodes,
			      struct eqt_error *err)
{
	struct eqt_error why;

	scene->nodes = eqt_alloc(nodes->count + 1, sizeof(*scene->nodes));
	scene->now.cluster.nodes = scene->nodes;
	for (size_t i = 0; i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];
		struct eqt_numbered_name *one;
		int rc = 0;

		if (!node_is_away(scene, nodes, i))
			rc = cluster_take_node(scene, node, &why);
		if (rc < 0)
			return eqt_error_set(err, "%s: line %zu: %s",
					     nodes->records.text.name,
					     node->number, why.text);
		one = eqt_names_get(&scene->node_names, node->name,
				    sizeof(*one), NULL);
		one->number = rc ? scene->now.cluster.node_count
				 : EQT_SCENE_NONE;
		scene->now.cluster.node_count += rc > 0;
		scene->away += rc == 0;
	}
	return 0;
}

/* ---- By counts ------------------------------------------------------------- */

enum { NODES, CPUS, MEMORY, GPUS, PARTITION };

/* Read one NAME=VALUE of --cluster. getsubopt(3) splits NAME from VALUE. Memory takes
 * Slurm's units. Returns 0, or -1 with err filled. */
static int group_take_item(struct eqt_scene *scene,
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
		rc = value ? node_read_gres(scene, node, gres, err) : -1;
		break;
	case PARTITION:
		node->partitions = value ? cluster_add_partitions(scene, value,
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
 * Read one --cluster group, and append its nodes, which are all alike. The default for
 * memory is 4 GiB per CPU.
 */
static int cluster_add_group(struct eqt_scene *scene, const char *text,
			     struct eqt_error *err)
{
	struct eqt_simulation_node node = { .model = EQT_SIMULATION_NO_MODEL },
				   *nodes;
	struct eqt_error why;
	char *copy = eqt_alloc_text(text), *item, *save = NULL;
	uint64_t count = 1, i;
	int rc = 0;

	for (item = strtok_r(copy, ",", &save); item && rc == 0;
	     item = strtok_r(NULL, ",", &save))
		rc = group_take_item(scene, &node, &count, item, &why);
	free(copy);
	if (rc == 0 && (!node.has.cpus || !count ||
			count > NODES_MAX - scene->now.cluster.node_count))
		rc = eqt_error_set(&why,
				   "expected CPUs, and 1 to 1000000 nodes");
	if (rc < 0)
		return eqt_error_set(err, "--cluster %s: %s", text, why.text);
	if (!node.partitions)
		node.partitions = cluster_add_partition(scene, ONE_PARTITION,
							strlen(ONE_PARTITION));
	if (!node.has.mem_mib)
		node.has.mem_mib = node.has.cpus * 4096;
	nodes = eqt_alloc_again(scene->nodes,
				scene->now.cluster.node_count + count,
				sizeof(*nodes));
	scene->nodes = nodes;
	scene->now.cluster.nodes = nodes;
	for (i = 0; i < count; i++)
		nodes[scene->now.cluster.node_count++] = node;
	return 0;
}

/* ---- Partitions ------------------------------------------------------------- */

/* Read a number of a partition. *out is unchanged if the record lacks the key. */
static int partition_read_factor(uint32_t *out,
				 const struct eqt_scontrol_record *record,
				 const char *key, struct eqt_error *err)
{
	uint64_t value;

	if (!eqt_record_get(record, key))
		return 0;
	if (eqt_record_number(&value, record, key, err) < 0)
		return -1;
	*out = value > UINT32_MAX ? UINT32_MAX : (uint32_t) value;
	return 0;
}

/* Read the QOS of a partition. Its limits count for the jobs of the partition. */
static int partition_read_qos(struct eqt_scene *scene, uint32_t i,
			      const struct eqt_scontrol_record *record,
			      struct eqt_error *err)
{
	const char *name = eqt_record_get(record, "QoS");
	const struct eqt_simulation_qos *qos;

	if (!name || strcmp(name, "N/A") == 0)
		return 0;
	qos = eqt_scene_share_tree_qos(scene, name);
	if (!qos)
		return eqt_error_set(err, "more than %d QOS",
				     EQT_SCENE_QOS_MAX);
	scene->partition_qos[i] = 1 + (int) (qos - scene->qos);
	return 0;
}

/* Read priority factor, tier and QOS of a partition. */
static int partition_take(struct eqt_scene *scene, uint32_t i,
			  const struct eqt_scontrol_record *record,
			  struct eqt_error *err)
{
	struct eqt_simulation_partition *partition = &scene->partitions[i];

	return partition_read_factor(&partition->job_factor, record,
				     "PriorityJobFactor", err) < 0 ||
			       partition_read_factor(&partition->tier, record,
						     "PriorityTier", err) < 0 ||
			       partition_read_qos(scene, i, record, err) < 0
		       ? -1
		       : 0;
}

/* Read the partitions that the nodes name. */
static int cluster_read_partitions(struct eqt_scene *scene, const char *path,
				   struct eqt_error *err)
{
	struct eqt_scontrol_records records;
	struct eqt_error why;
	int rc = 0;

	if (eqt_records_read(&records, path, "scontrol -o show partition",
			     "PartitionName", err) < 0)
		return -1;
	for (uint32_t i = 0; i < scene->now.cluster.partition_count && rc == 0;
	     i++) {
		const char *name = scene->partitions[i].name;
		const struct eqt_scontrol_record *record =
			eqt_scontrol_partition_find(&records, name);

		if (!record)
			rc = eqt_error_set(
				err, "%s: no partition \"%s\", which has nodes",
				records.text.name, name);
		else if (partition_take(scene, i, record, &why) < 0)
			rc = eqt_error_set(err, "%s: line %zu: %s",
					   records.text.name, record->number,
					   why.text);
	}
	eqt_records_free(&records);
	return rc;
}

/* Add all partitions that are up. Returns -1 with err filled if there are more than the
 * simulation has bits for. */
static int cluster_take_partitions(struct eqt_scene *scene,
				   const struct eqt_scontrol_records *from,
				   struct eqt_error *err)
{
	struct eqt_error why;

	for (size_t i = 0; i < from->count; i++) {
		const struct eqt_scontrol_record *one = &from->records[i];
		const char *name = eqt_record_text(one, "PartitionName");

		if (!eqt_record_is(one, "State", "UP"))
			continue;
		if (!cluster_add_partition(scene, name, strlen(name)))
			return eqt_error_set(err, "more than %d partitions",
					     EQT_SIMULATION_PARTITIONS_MAX);
		/* Values that cannot be read keep their defaults. */
		(void) partition_take(scene,
				      scene->now.cluster.partition_count - 1,
				      one, &why);
	}
	return 0;
}

/* ---- Reservations ----------------------------------------------------------- */

/* Add a reservation. A reservation of licences has no nodes and holds none. A reservation
 * that ended before the jobs came excludes no job. */
static int reservation_take(struct eqt_scene *scene,
			    const struct eqt_scontrol_record *record,
			    struct eqt_error *err)
{
	const char *name = eqt_record_text(record, "ReservationName");
	struct eqt_simulation_reservation *to =
		&scene->reservations[scene->now.reservation_count];
	struct eqt_numbered_name *one;
	uint32_t named;

	one = eqt_names_get(&scene->reservation_names, name, sizeof(*one),
			    NULL);
	to->nodes = eqt_scene_nodes_bits(
		scene, eqt_record_text(record, "Nodes"), &named, err);
	if (!to->nodes)
		return -1;
	eqt_record_reservation_times(&to->from, &to->to, record);
	one->number = ++scene->now.reservation_count;
	return 0;
}

static int reservations_take(struct eqt_scene *scene,
			     const struct eqt_scontrol_records *from,
			     struct eqt_error *err)
{
	scene->reservations =
		eqt_alloc(from->count + 1, sizeof(*scene->reservations));
	scene->now.reservations = scene->reservations;
	for (size_t i = 0; i < from->count; i++)
		if (reservation_take(scene, &from->records[i], err) < 0)
			return -1;
	return 0;
}

/* scontrol prints reservations that go on or will come. Past ones are gone, unless the
 * file was saved earlier. */
static int reservations_read(struct eqt_scene *scene, const char *path,
			     struct eqt_error *err)
{
	struct eqt_scontrol_records records;
	int rc;

	if (eqt_records_read(&records, path, "scontrol -o show reservation",
			     "ReservationName", err) < 0)
		return -1;
	rc = reservations_take(scene, &records, err);
	eqt_records_free(&records);
	return rc;
}

int eqt_scene_cluster_reservation(const struct eqt_scene *scene,
				  const char *list)
{
	while (*list != '\0') {
		const size_t length = strcspn(list, ",");
		const struct eqt_numbered_name *one;
		char name[256];

		(void) snprintf(name, sizeof(name), "%.*s", (int) length, list);
		one = eqt_names_find(&scene->reservation_names, name);
		if (one)
			return (int) one->number;
		list += length + (list[length] == ',');
	}
	return 0;
}

/* ---- All -------------------------------------------------------------------- */

int eqt_scene_cluster_take(struct eqt_scene *scene, struct eqt_error *err)
{
	const struct eqt_live_cluster *live = scene->live;

	scene->now.cluster.partitions = scene->partitions;
	return cluster_take_partitions(scene, &live->partitions, err) < 0 ||
			       cluster_take_nodes(scene, &live->nodes, err) <
				       0 ||
			       reservations_take(scene, &live->reservations,
						 err) < 0
		       ? -1
		       : 0;
}

/* Read "scontrol -o show node" from scontrol or from a file. Nodes that are down or
 * drained now are left out, even if they were up when the jobs ran. */
static int cluster_read_nodes(struct eqt_scene *scene, const char *path,
			      struct eqt_error *err)
{
	struct eqt_scontrol_nodes nodes;
	int rc;

	if (eqt_scontrol_nodes_read(&nodes, path, err) < 0)
		return -1;
	rc = cluster_take_nodes(scene, &nodes, err);
	eqt_scontrol_nodes_free(&nodes);
	return rc;
}

/* Partitions are read from Slurm only if nodes are, because the partitions of a saved
 * cluster have other names. */
int eqt_scene_cluster_read(struct eqt_scene *scene,
			   const struct eqt_scene_input *input,
			   struct eqt_error *err)
{
	int rc = 0;

	scene->now.cluster.partitions = scene->partitions;
	for (int i = 0; i < input->group_count && rc == 0; i++)
		rc = cluster_add_group(scene, input->groups[i], err);
	if (input->group_count == 0)
		rc = cluster_read_nodes(scene, input->nodes_path, err);
	if (rc == 0 && scene->now.cluster.node_count == 0)
		rc = eqt_error_set(err, "the cluster has no available nodes");
	if (rc == 0 && (input->partitions_path ||
			(!input->group_count && !input->nodes_path)))
		rc = cluster_read_partitions(scene, input->partitions_path,
					     err);
	if (rc == 0 && input->reservations_path)
		rc = reservations_read(scene, input->reservations_path, err);
	return rc;
}
