/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scene_impl: the steps that make a scene. Private to this folder. */
#ifndef EQT_SCENE_IMPL_H
#define EQT_SCENE_IMPL_H

#include "scene/scene.h"

/* The partitions, the nodes and the reservations, of files or counts or of a live
 * cluster. Returns 0, or -1 with err filled. */
int eqt_scene_cluster_read(struct eqt_scene *scene,
			   const struct eqt_scene_input *input,
			   struct eqt_error *err);
int eqt_scene_cluster_take(struct eqt_scene *scene, struct eqt_error *err);

/*
 * Read the priorities and limits of QOS and associations from saved output of sacctmgr.
 * Without it ask sacctmgr, but only if the shares come from the live cluster, too, and a
 * policy has a weight for these priorities. Call after the shares are read and before the
 * jobs. Returns 0, or -1 with err filled.
 */
int eqt_scene_priorities_read(struct eqt_scene *scene,
			      const struct eqt_scene_input *input, bool weighed,
			      struct eqt_error *err);

/* Read or make jobs of the past, sorted by time. Returns 0, or -1 with err filled. */
int eqt_scene_trace_read(struct eqt_scene *scene,
			 const struct eqt_scene_input *input,
			 struct eqt_error *err);
int eqt_scene_trace_make(struct eqt_scene *scene,
			 const struct eqt_scene_input *input,
			 struct eqt_error *err);

/* The jobs that a forecast draws from, from a file or a command; none without
 * accounting. */
void eqt_scene_trace_past(struct eqt_scene *scene, const char *path,
			  const char *command, struct eqt_error *err);

/* The live jobs, with room for those that may arrive. */
void eqt_scene_queue_make(struct eqt_scene *scene);

/* The QOS of that name, made with Slurm's defaults if need be. NULL: too many. */
struct eqt_simulation_qos *eqt_scene_share_tree_qos(struct eqt_scene *scene,
						    const char *name);

/* The nodes of a list as bits, without those that are left out; *named: how many there
 * are with those. On error, returns NULL with err filled. Possible errors: no list,
 * unless of a live cluster. */
uint64_t *eqt_scene_nodes_bits(struct eqt_scene *scene, const char *list,
			       uint32_t *named, struct eqt_error *err);

/* The first reservation of a list that is there, from 1 on; 0: none. */
int eqt_scene_cluster_reservation(const struct eqt_scene *scene,
				  const char *list);

/* The bits of the nodes that have the features, are in --nodelist, if it names
 * enough, and are in the reservation. Of a live cluster. NULL: all nodes. */
const uint64_t *eqt_scene_nodes_allowed(struct eqt_scene *scene,
					const char *features,
					const char *nodelist, uint64_t wanted,
					int reservation);

/* Take the nodes of a list from those that will do for a job. False: none of them is
 * there. */
bool eqt_scene_nodes_exclude(struct eqt_scene *scene,
			     struct eqt_simulation_needs *needs,
			     const char *list);

/* Why a job is left out. */
#define EQT_SCENE_NO_NODE_UP "no node with what it asks for is up"

/* Is one of these nodes (NULL: all) in the partition? Nodes that are down are not in the
 * scene. */
bool eqt_scene_nodes_any(const struct eqt_scene *scene, const uint64_t *nodes,
			 uint32_t partition);

/* The simulation's nodes of a list; the number found. */
uint32_t eqt_scene_nodes_listed(const struct eqt_scene *scene, const char *list,
				uint32_t *to, uint32_t most);

/* Read the share tree from a file (NULL: sshare). If a live cluster shows no shares, the
 * tree is the root alone. 0, or -1 with err filled. */
int eqt_scene_share_tree_read(struct eqt_scene *scene, const char *path,
			      struct eqt_error *err);

/* A user's node in the tree, made for a live cluster if need be; EQT_SCENE_NONE: none. */
uint32_t eqt_scene_share_tree_user(struct eqt_scene *scene, const char *user,
				   const char *account);

/* Whose limits count for a job, and what it takes. */
struct eqt_scene_claim {
	const char *user, *account, *qos;
	uint32_t
		assoc; /* its node in the tree, where there is no live cluster */
	uint32_t partition;
	const char *tres; /* "cpu=4,mem=8000M,..." */
	const char *licenses; /* "" for none */
	const char *array; /* the id of an array with a most of tasks, or "" */
	uint64_t array_most;
};

/* Note the limits of a row of "sacctmgr show qos", and of "show assoc" for a node of the
 * share tree. Returns 0, or -1 with err filled. */
int eqt_scene_limits_take_qos(struct eqt_scene *scene, size_t qos,
			      const struct eqt_columns *table, size_t row,
			      struct eqt_error *err);
int eqt_scene_limits_take_assoc(struct eqt_scene *scene, uint32_t assoc,
				const struct eqt_columns *table, size_t row,
				struct eqt_error *err);

#define EQT_SCENE_TRES 512

/* The TRES of a size as Slurm writes them, since limits are read from such texts. model:
 * "gpu:p100", "" for any. */
void eqt_scene_limits_text(char text[EQT_SCENE_TRES], uint64_t nodes,
			   const struct eqt_simulation_amount *all,
			   const char *model);

/* Fill uses. */
void eqt_scene_limits(struct eqt_simulation_needs *needs,
		      struct eqt_scene *scene,
		      const struct eqt_scene_claim *claim);

#endif
