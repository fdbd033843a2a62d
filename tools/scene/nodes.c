/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of nodes, and the nodes that a request in a live cluster may use. */
#include <string.h>

#include "job/node_class.h"
#include "scene/scene_impl.h"
#include "slurm/text/hostlist.h"

/* ---- Lists of nodes --------------------------------------------------------- */

/* The nodes of a list while it is read. They go into "to" as numbers, or become bits. */
struct listed_nodes {
	const struct eqt_scene *scene;
	uint32_t *to, most, count;
	uint64_t *bits;
	/* nodes of the cluster in the list, including those that are not simulated */
	uint32_t named;
};

/* A callback of eqt_hostlist_each(). Nodes that are not simulated are skipped. */
static int listed_take(const char *name, void *with)
{
	struct listed_nodes *listed = with;
	const struct eqt_numbered_name *one =
		eqt_names_find(&listed->scene->node_names, name);

	if (!one)
		return 0;
	listed->named++;
	if (one->number == EQT_SCENE_NONE)
		return 0;
	if (listed->bits)
		listed->bits[one->number / 64] |= UINT64_C(1)
						  << one->number % 64;
	else if (listed->count < listed->most)
		listed->to[listed->count++] = one->number;
	return 0;
}

uint32_t eqt_scene_nodes_listed(const struct eqt_scene *scene, const char *list,
				uint32_t *to, uint32_t most)
{
	struct listed_nodes listed = { .scene = scene, .to = to, .most = most };

	(void) eqt_hostlist_each(list, listed_take, &listed, NULL);
	return listed.count;
}

uint64_t *eqt_scene_nodes_bits(struct eqt_scene *scene, const char *list,
			       uint32_t *named, struct eqt_error *err)
{
	struct listed_nodes listed = {
		.scene = scene,
		.bits = eqt_arena_new(&scene->kept,
				      (scene->now.cluster.node_count / 64 + 1) *
					      sizeof(*listed.bits)),
	};
	int rc = 0;

	if (strcmp(list, "(null)") != 0 &&
	    eqt_hostlist_each(list, listed_take, &listed, err) < 0)
		rc = scene->live ? 0 : -1;
	*named = listed.named;
	return rc < 0 ? NULL : listed.bits;
}

/* ---- The nodes of a request ------------------------------------------------- */

/* A set of nodes, shared by all jobs that request the same nodes. */
struct eqt_scene_node_set {
	struct eqt_scene_node_set *next;
	const char *features, *nodelist;
	uint64_t wanted;
	int reservation;
	uint64_t *bits;
};

/* Clear the bits of nodes that lack the features. */
static void set_keep_features(const struct eqt_scene *scene, uint64_t *bits,
			      const char *features)
{
	const struct eqt_job_spec spec = { .constraint = features };
	struct eqt_node_requirement requirement;

	eqt_node_requirement_make(&requirement, &spec);
	for (size_t i = 0; i < scene->live->nodes.count; i++) {
		const struct eqt_scontrol_node *node =
			&scene->live->nodes.nodes[i];
		const struct eqt_node_class kind = {
			.features = node->features,
			.features_length = strlen(node->features),
		};
		const struct eqt_numbered_name *one =
			eqt_names_find(&scene->node_names, node->name);

		if (one && one->number != EQT_SCENE_NONE &&
		    !eqt_node_class_fits_features(&kind, &requirement))
			bits[one->number / 64] &=
				~(UINT64_C(1) << one->number % 64);
	}
}

/* Apply the features, then the list of nodes, then the reservation. */
static void set_make(struct eqt_scene *scene, struct eqt_scene_node_set *set)
{
	const size_t words = scene->now.cluster.node_count / 64 + 1;
	uint64_t *listed;
	uint32_t count;

	set->bits = eqt_arena_new(&scene->kept, words * sizeof(*set->bits));
	memset(set->bits, 0xff, words * sizeof(*set->bits));
	if (set->features[0] != '\0')
		set_keep_features(scene, set->bits, set->features);
	if (set->nodelist[0] != '\0') {
		listed = eqt_scene_nodes_bits(scene, set->nodelist, &count,
					      NULL);
		/* A job that needs more nodes than the list has gets other nodes as
		 * well. */
		for (size_t i = 0; i < words && count >= set->wanted; i++)
			set->bits[i] &= listed[i];
	}
	for (size_t i = 0; i < words && set->reservation; i++)
		set->bits[i] &=
			scene->reservations[set->reservation - 1].nodes[i];
}

/* Many jobs request the same nodes, so sets are kept and shared. */
const uint64_t *eqt_scene_nodes_allowed(struct eqt_scene *scene,
					const char *features,
					const char *nodelist, uint64_t wanted,
					int reservation)
{
	struct eqt_scene_node_set *set;

	if (features[0] == '\0' && nodelist[0] == '\0' && !reservation)
		return NULL;
	for (set = scene->node_sets; set; set = set->next)
		if (strcmp(set->features, features) == 0 &&
		    strcmp(set->nodelist, nodelist) == 0 &&
		    set->reservation == reservation && set->wanted == wanted)
			return set->bits;
	set = eqt_arena_new(&scene->kept, sizeof(*set));
	*set = (struct eqt_scene_node_set){
		.next = scene->node_sets,
		.features = features,
		.nodelist = nodelist,
		.wanted = wanted,
		.reservation = reservation,
	};
	set_make(scene, set);
	scene->node_sets = set;
	return set->bits;
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

/* The bits of needs are shared, so make new ones. */
bool eqt_scene_nodes_exclude(struct eqt_scene *scene,
			     struct eqt_simulation_needs *needs,
			     const char *list)
{
	const size_t words = scene->now.cluster.node_count / 64 + 1;
	uint64_t *bits = eqt_arena_new(&scene->kept, words * sizeof(*bits));
	uint32_t count;
	const uint64_t *out = eqt_scene_nodes_bits(scene, list, &count, NULL);

	for (size_t i = 0; i < words; i++)
		bits[i] = (needs->nodes ? needs->nodes[i] : UINT64_MAX) &
			  ~out[i];
	needs->nodes = bits;
	return count > 0;
}
