/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scene_impl: the steps that make a scene. Private to this folder. */
#ifndef EQT_SCENE_IMPL_H
#define EQT_SCENE_IMPL_H

#include "scene/scene.h"

/* The partitions, the nodes that are up, and the reservations. */
int eqt_scene_make_nodes(struct eqt_scene *scene, struct eqt_error *err);

/* The live jobs, with room for those that may arrive. */
int eqt_scene_make_jobs(struct eqt_scene *scene, struct eqt_error *err);

/* The bits of the nodes that have the features, are in --nodelist, if it names
 * enough, and are in the reservation. NULL with *failed unset: all nodes. */
const uint64_t *eqt_scene_nodes_allowed(struct eqt_scene *scene,
					const char *features,
					const char *nodelist, uint64_t wanted,
					int reservation, bool *failed);

/* Take the nodes of a list from those that will do for a job. 1; 0 if none of them is
 * there; -1: out of memory. */
int eqt_scene_nodes_exclude(struct eqt_scene *scene,
			    struct eqt_simulation_needs *needs,
			    const char *list);

/* Why a job is left out. */
#define EQT_SCENE_NO_NODE_UP "no node that it may use is up"

/* Is one of these nodes (NULL: all) in the partition? Nodes that are down are not in the
 * scene. */
bool eqt_scene_nodes_any(const struct eqt_scene *scene, const uint64_t *nodes,
			 uint32_t partition);

/* The simulation's nodes of a list; the number found. */
uint32_t eqt_scene_nodes_listed(struct eqt_scene *scene, const char *list,
				uint32_t *to, uint32_t most);

/* A user's node in the tree, made if need be; EQT_SCENE_NONE: out of memory. */
uint32_t eqt_scene_user(struct eqt_scene *scene, const char *user,
			const char *account);

/* Whose limits count for a job, and what it takes. */
struct eqt_scene_claim {
	const char *user, *account, *partition, *qos;
	const char *tres; /* "cpu=4,mem=8000M,..." */
	const char *licenses; /* "" for none */
	const char *array; /* the id of an array with a most of tasks, or "" */
	uint64_t array_most;
};

/* Fill uses. 0, or -1: out of memory. */
int eqt_scene_limits(struct eqt_simulation_needs *needs,
		     struct eqt_scene *scene,
		     const struct eqt_scene_claim *claim);

#endif
