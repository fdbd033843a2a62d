/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes, partitions and reservations. A node that is down or drained stays so in all
 * futures; one in maintenance comes back when its reservation ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene_impl.h"
#include "job/node_class.h"
#include "slurm/text/hostlist.h"
#include "slurm/scontrol/records.h"

/* A set of nodes for all jobs that ask for the same. */
struct eqt_scene_node_set {
	struct eqt_scene_node_set *next;
	const char *features, *nodelist;
	uint64_t wanted;
	int reservation;
	uint64_t *bits;
};

/* ---- Partitions and models ------------------------------------------------------ */

/* All partitions that are up. -1 with err filled: more than the engine can tell apart
 * by bits. */
static int partitions_make(struct eqt_scene *scene, struct eqt_error *err)
{
	const struct eqt_scontrol_records *from = &scene->live->partitions;
	struct eqt_simulation_cluster *cluster = &scene->now.cluster;
	struct eqt_error why;

	for (size_t i = 0; i < from->count; i++) {
		const struct eqt_scontrol_record *one = &from->records[i];
		const struct eqt_scontrol_value name =
			eqt_scontrol_record_get(one, "PartitionName");
		uint64_t tier = 1, factor = 1;

		if (!eqt_scontrol_value_is(
			    eqt_scontrol_record_get(one, "State"), "UP"))
			continue;
		if (cluster->partition_count == EQT_SIMULATION_PARTITIONS_MAX)
			return eqt_error_set(err, "more than %d partitions",
					     EQT_SIMULATION_PARTITIONS_MAX);
		(void) eqt_scontrol_record_number(&tier, one, "PriorityTier",
						  &why);
		(void) eqt_scontrol_record_number(&factor, one,
						  "PriorityJobFactor", &why);
		scene->partitions[cluster->partition_count++] =
			(struct eqt_simulation_partition){
				.name = eqt_scene_text(scene, name.text,
						       name.length),
				.tier = (uint32_t) tier,
				.job_factor = (uint32_t) factor,
			};
	}
	cluster->partitions = scene->partitions;
	return 0;
}

/* ---- Nodes ---------------------------------------------------------------------- */

/* The first model of "gpu:p100:4,gpu:v100:2" stands for all GPUs of the node. */
static void node_take_model(struct eqt_scene *scene,
			    struct eqt_simulation_node *node, const char *gres)
{
	struct eqt_simulation_cluster *cluster = &scene->now.cluster;
	char name[EQT_NAME_SIZE];
	const char *at = strstr(gres, "gpu:");
	size_t length;

	node->model = EQT_SIMULATION_NO_MODEL;
	if (!at || strspn(at + 4, "0123456789") == strcspn(at + 4, ":,("))
		return;
	length = 4 + strcspn(at + 4, ":,(");
	(void) snprintf(name, sizeof(name), "%.*s", (int) length, at);
	node->model = eqt_simulation_model(cluster, name);
	if (node->model >= 0 || cluster->model_count == EQT_MODELS_MAX)
		return;
	cluster->models[cluster->model_count] =
		eqt_scene_text(scene, name, strlen(name));
	node->model = cluster->model_count++;
}

/* Maintenance is a reservation, which ends. */
static bool node_is_up(const struct eqt_scene *scene, size_t i)
{
	static const char *const words[] = { "DOWN",	"DRAIN",       "FAIL",
					     "REBOOT",	"INVAL",       "FUTURE",
					     "UNKNOWN", "POWERED_DOWN" };
	const struct eqt_scontrol_value state = eqt_scontrol_record_get(
		&scene->live->nodes.records.records[i], "State");
	char text[256];

	if (scene->live->nodes.nodes[i].available)
		return true;
	(void) snprintf(text, sizeof(text), "%.*s", (int) state.length,
			state.text ? state.text : "DOWN");
	for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
		if (strstr(text, words[w]))
			return false;
	return strstr(text, "MAINT") != NULL;
}

/* A node keeps its jobs; they are placed on it later. */
static void node_take(struct eqt_scene *scene, size_t i)
{
	const struct eqt_scontrol_node *from = &scene->live->nodes.nodes[i];
	struct eqt_simulation_node *node =
		&scene->nodes[scene->now.cluster.node_count];
	char gres[1024];

	*node = (struct eqt_simulation_node){
		.has = { .cpus = from->total.of[EQT_UNIT_PART_CORES],
			 .mem_mib = from->total.of[EQT_UNIT_PART_MEMORY],
			 .gpus = from->total.of[EQT_UNIT_PART_GPUS] },
	};
	node_take_model(scene, node,
			eqt_scontrol_node_gres(from, gres, sizeof(gres)));
	for (uint32_t p = 0; p < scene->now.cluster.partition_count; p++)
		if (eqt_scontrol_node_in(from, scene->partitions[p].name)) {
			node->partitions |= UINT64_C(1) << p;
			if (from->threads > scene->partitions[p].threads)
				scene->partitions[p].threads = from->threads;
		}
	scene->node_of[i] = scene->now.cluster.node_count++;
}

/* Nodes that a list names, while it is read. */
struct listed_nodes {
	struct eqt_scene *scene;
	uint32_t *to, most, count;
	uint32_t named; /* nodes of the cluster, also those that are down */
};

/* Names come in the order of the nodes nearly always, in one list and from list to list,
 * so a walk in a circle finds each at once. */
static int listed_take(const char *name, void *with)
{
	struct listed_nodes *listed = with;
	struct eqt_scene *scene = listed->scene;
	const struct eqt_scontrol_nodes *nodes = &scene->live->nodes;
	const size_t length = strlen(name);

	for (size_t n = 0; n < nodes->count; n++) {
		const size_t i = (scene->last_listed + n) % nodes->count;

		if ((size_t) nodes->nodes[i].name_length != length ||
		    strncmp(nodes->nodes[i].name, name, length) != 0)
			continue;
		scene->last_listed = i;
		listed->named++;
		if (scene->node_of[i] != EQT_SCENE_NONE &&
		    listed->count < listed->most)
			listed->to[listed->count++] = scene->node_of[i];
		break;
	}
	return 0;
}

uint32_t eqt_scene_nodes_listed(struct eqt_scene *scene, const char *list,
				uint32_t *to, uint32_t most)
{
	struct listed_nodes listed = { scene, to, most, 0, 0 };

	(void) eqt_hostlist_each(list, listed_take, &listed, NULL);
	return listed.count;
}

/* The nodes of a list as bits, without those that are down; *named: how many there are
 * with those. NULL: out of memory. */
static uint64_t *bits_of_list(struct eqt_scene *scene, const char *list,
			      size_t length, uint32_t *named)
{
	const uint32_t nodes = scene->now.cluster.node_count;
	uint64_t *bits = eqt_scene_keep(scene, (nodes / 64 + 1) * 8);
	uint32_t *which = calloc((size_t) nodes + 1, sizeof(*which));
	char *copy = strndup(list, length);

	*named = 0;
	if (bits && which && copy) {
		struct listed_nodes listed = { scene, which, nodes, 0, 0 };

		(void) eqt_hostlist_each(copy, listed_take, &listed, NULL);
		*named = listed.named;
		for (uint32_t i = 0; i < listed.count; i++)
			bits[which[i] / 64] |= UINT64_C(1) << which[i] % 64;
	}
	free(which);
	free(copy);
	return bits;
}

/* ---- Reservations ----------------------------------------------------------------- */

/* A reservation without nodes (of licences) keeps none. */
static int reservations_make(struct eqt_scene *scene, struct eqt_error *err)
{
	const struct eqt_scontrol_records *from = &scene->live->reservations;

	scene->reservations =
		calloc(from->count + 1, sizeof(*scene->reservations));
	if (!scene->reservations)
		return eqt_error_set(err, "out of memory");
	for (size_t i = 0; i < from->count; i++) {
		const struct eqt_scontrol_value list =
			eqt_scontrol_record_get(&from->records[i], "Nodes");
		struct eqt_simulation_reservation *to = &scene->reservations[i];
		uint32_t count;

		*to = (struct eqt_simulation_reservation){
			.nodes = bits_of_list(scene, list.text ? list.text : "",
					      list.length, &count),
		};
		if (!to->nodes)
			return eqt_error_set(err, "out of memory");
		eqt_reservation_times(&to->from, &to->to, &from->records[i]);
	}
	scene->now.reservations = scene->reservations;
	scene->now.reservation_count = (uint32_t) from->count;
	return 0;
}

/* Nodes that are left out have no number in the simulation. */
int eqt_scene_make_nodes(struct eqt_scene *scene, struct eqt_error *err)
{
	const struct eqt_scontrol_nodes *from = &scene->live->nodes;

	scene->nodes = calloc(from->count + 1, sizeof(*scene->nodes));
	scene->node_of = calloc(from->count + 1, sizeof(*scene->node_of));
	if (!scene->nodes || !scene->node_of)
		return eqt_error_set(err, "out of memory");
	if (partitions_make(scene, err) < 0)
		return -1;
	for (size_t i = 0; i < from->count; i++) {
		scene->node_of[i] = EQT_SCENE_NONE;
		if (node_is_up(scene, i))
			node_take(scene, i);
	}
	scene->now.cluster.nodes = scene->nodes;
	return reservations_make(scene, err);
}

/* ---- The nodes of a request --------------------------------------------------------- */

/* Clear the nodes that lack the features. */
static void set_keep_features(struct eqt_scene *scene, uint64_t *bits,
			      const char *features)
{
	const struct eqt_job_spec spec = { .constraint = features };
	struct eqt_node_requirement requirement;

	eqt_node_requirement_make(&requirement, &spec);
	for (size_t i = 0; i < scene->live->nodes.count; i++) {
		const struct eqt_scontrol_node *node =
			&scene->live->nodes.nodes[i];
		const struct eqt_node_class kind = {
			.features = node->features.text,
			.features_length = node->features.length,
		};
		const uint32_t at = scene->node_of[i];

		if (at != EQT_SCENE_NONE &&
		    !eqt_node_class_fits_features(&kind, &requirement))
			bits[at / 64] &= ~(UINT64_C(1) << at % 64);
	}
}

/* Features, then the list, then the reservation. */
static int set_make(struct eqt_scene *scene, struct eqt_scene_node_set *set)
{
	const size_t words = scene->now.cluster.node_count / 64 + 1;
	uint64_t *listed;
	uint32_t count;

	set->bits = eqt_scene_keep(scene, words * sizeof(*set->bits));
	if (!set->bits)
		return -1;
	memset(set->bits, 0xff, words * sizeof(*set->bits));
	if (set->features[0] != '\0')
		set_keep_features(scene, set->bits, set->features);
	if (set->nodelist[0] != '\0') {
		listed = bits_of_list(scene, set->nodelist,
				      strlen(set->nodelist), &count);
		if (!listed)
			return -1;
		/* If it needs more nodes, it gets others beside them. */
		for (size_t i = 0; i < words && count >= set->wanted; i++)
			set->bits[i] &= listed[i];
	}
	for (size_t i = 0; i < words && set->reservation >= 0; i++)
		set->bits[i] &= scene->reservations[set->reservation].nodes[i];
	return 0;
}

/* Jobs of one kind ask for the same nodes, so sets are kept and shared. */
const uint64_t *eqt_scene_nodes_allowed(struct eqt_scene *scene,
					const char *features,
					const char *nodelist, uint64_t wanted,
					int reservation, bool *failed)
{
	struct eqt_scene_node_set *set;

	if (features[0] == '\0' && nodelist[0] == '\0' && reservation < 0)
		return NULL;
	for (set = scene->node_sets; set; set = set->next)
		if (strcmp(set->features, features) == 0 &&
		    strcmp(set->nodelist, nodelist) == 0 &&
		    set->reservation == reservation && set->wanted == wanted)
			return set->bits;
	set = eqt_scene_keep(scene, sizeof(*set));
	if (set) {
		*set = (struct eqt_scene_node_set){
			.next = scene->node_sets,
			.features = features,
			.nodelist = nodelist,
			.wanted = wanted,
			.reservation = reservation,
		};
		if (set_make(scene, set) == 0) {
			scene->node_sets = set;
			return set->bits;
		}
	}
	*failed = true;
	return NULL;
}

bool eqt_scene_nodes_any(const struct eqt_scene *scene, const uint64_t *nodes,
			 uint32_t partition)
{
	for (uint32_t i = 0; i < scene->now.cluster.node_count; i++)
		if ((scene->nodes[i].partitions >> partition & 1) &&
		    (!nodes || (nodes[i / 64] >> i % 64 & 1)))
			return true;
	return false;
}

/* The bits are new ones, since those of needs are shared. */
int eqt_scene_nodes_exclude(struct eqt_scene *scene,
			    struct eqt_simulation_needs *needs,
			    const char *list)
{
	const size_t words = scene->now.cluster.node_count / 64 + 1;
	uint64_t *bits = eqt_scene_keep(scene, words * sizeof(*bits));
	uint32_t count;
	const uint64_t *out = bits_of_list(scene, list, strlen(list), &count);

	if (!bits || !out)
		return -1;
	for (size_t i = 0; i < words; i++)
		bits[i] = (needs->nodes ? needs->nodes[i] : UINT64_MAX) &
			  ~out[i];
	needs->nodes = bits;
	return (int) (count > 0);
}
