/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scene_impl: the steps that make a scene. Private to this folder. */
#ifndef EQT_SCENE_IMPL_H
#define EQT_SCENE_IMPL_H

#include "scene/scene.h"
#include "slurm/conf/slurm_conf.h"

/* Read the partitions, nodes and reservations, from files, from counts or from a live
 * cluster. Returns 0, or -1 with err filled. */
int eqt_scene_cluster_read(struct eqt_scene *scene,
			   const struct eqt_scene_input *input,
			   struct eqt_error *err);
int eqt_scene_cluster_take(struct eqt_scene *scene, struct eqt_error *err);

/*
 * Read the priorities and limits of QOS and associations from saved output of sacctmgr.
 * If there is none, ask sacctmgr, but only if the shares come from the live cluster as
 * well and if a policy has a weight for these priorities. Must be called after the shares
 * are read and before the jobs are. Returns 0, or -1 with err filled.
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

/* Read the jobs from which a forecast draws, from a file or from sacct. Without accounting
 * there are none. */
void eqt_scene_trace_past(struct eqt_scene *scene, const char *path,
			  struct eqt_error *err);

/* Make the live jobs, with room for jobs that may arrive. */
void eqt_scene_queue_make(struct eqt_scene *scene);

/* The QOS with this name, which is added with Slurm's defaults if needed. NULL if there
 * are too many. */
struct eqt_simulation_qos *eqt_scene_share_tree_qos(struct eqt_scene *scene,
						    const char *name);

/* The nodes of a list as bits, without nodes that are not simulated. *named is set to the
 * number of nodes including those. Returns NULL with err filled if the text is not a list
 * of nodes; for a live cluster that is no error. */
uint64_t *eqt_scene_nodes_bits(struct eqt_scene *scene, const char *list,
			       uint32_t *named, struct eqt_error *err);

/* The number, from 1, of the first reservation in the list that exists. 0 if there is
 * none. */
int eqt_scene_cluster_reservation(const struct eqt_scene *scene,
				  const char *list);

/* The bits of the nodes of a live cluster that have the features, are in --nodelist (if
 * that names enough nodes), and are in the reservation. NULL means all nodes. */
const uint64_t *eqt_scene_nodes_allowed(struct eqt_scene *scene,
					const char *features,
					const char *nodelist, uint64_t wanted,
					int reservation);

/* Remove the nodes of a list from the nodes that a job may use. Returns false if no node
 * is left. */
bool eqt_scene_nodes_exclude(struct eqt_scene *scene,
			     struct eqt_simulation_needs *needs,
			     const char *list);

/* Why a job is left out. */
#define EQT_SCENE_NO_NODE_UP "no node with what it asks for is up"

/* Is one of these nodes (NULL: any node) in the partition? Nodes that are down are not in
 * the scene. */
bool eqt_scene_nodes_any(const struct eqt_scene *scene, const uint64_t *nodes,
			 uint32_t partition);

/* Write to "to" the simulation's numbers of the nodes in a list. Returns how many there
 * are. */
uint32_t eqt_scene_nodes_listed(const struct eqt_scene *scene, const char *list,
				uint32_t *to, uint32_t most);

/* Read the share tree from a file, or from sshare if path is NULL. If a live cluster
 * shows no shares, the tree is only the root. Returns 0, or -1 with err filled. */
int eqt_scene_share_tree_read(struct eqt_scene *scene, const char *path,
			      struct eqt_error *err);

/* The node of a user in the tree. For a live cluster it is added if needed.
 * EQT_SCENE_NONE if there is none. */
uint32_t eqt_scene_share_tree_user(struct eqt_scene *scene, const char *user,
				   const char *account);

/* Whose limits count for a job, and how much the job takes. */
struct eqt_scene_claim {
	const char *user, *account, *qos;
	/* node of the association in the tree, used without a live cluster */
	uint32_t assoc;
	uint32_t partition;
	const char *tres; /* such as "cpu=4,mem=8000M,..." */
	const char *licenses; /* "": none */
	/* id of an array with a limit of running tasks, or "" */
	const char *array;
	uint64_t array_most;
	/* the job, for its price; its user is the node of the tree whose budgets count */
	const struct eqt_simulation_job *job;
	uint64_t held_by; /* the budget that holds it; 0: none */
};

/* Note from slurmctld's configuration what budgets need. */
void eqt_scene_budgets_config(struct eqt_scene *scene,
			      const struct eqt_slurmconf *conf);
/* Read the budgets, from a folder or from slurmctld. Without an answer there are none. */
void eqt_scene_budgets_read(struct eqt_scene *scene, const char *folder);
/* The limit that the budgets of a node of the tree put on jobs with or without GPUs in a
 * QOS. Returns false if there is none. */
bool eqt_scene_budgets_level(uint32_t *limit, struct eqt_scene *scene,
			     uint32_t node, bool gpus, const char *qos);
/* Fill in what a job takes of such a limit. */
void eqt_scene_budgets_use(struct eqt_simulation_use *use,
			   const struct eqt_scene *scene,
			   const struct eqt_scene_claim *claim);
/* Call this when all jobs, including those of the past, are known. It makes sure that
 * jobs that run, or may start, give back no more of a budget than is committed. */
void eqt_scene_budgets_settle(struct eqt_scene *scene);

/* Read the limits in a row of "sacctmgr show qos", or in a row of "show assoc" for a node
 * of the share tree. Both return 0, or -1 with err filled. */
int eqt_scene_limits_take_qos(struct eqt_scene *scene, size_t qos,
			      const struct eqt_columns *table, size_t row,
			      struct eqt_error *err);
int eqt_scene_limits_take_assoc(struct eqt_scene *scene, uint32_t assoc,
				const struct eqt_columns *table, size_t row,
				struct eqt_error *err);

#define EQT_SCENE_TRES 512

/* Write the TRES of a size as Slurm does, because limits are looked up in such texts.
 * "model" is a text such as "gpu:p100", or "" for any model. */
void eqt_scene_limits_text(char text[EQT_SCENE_TRES], uint64_t nodes,
			   const struct eqt_simulation_amount *all,
			   const char *model);

/* Fill the uses of needs: the limits against which the job counts. */
void eqt_scene_limits(struct eqt_simulation_needs *needs,
		      struct eqt_scene *scene,
		      const struct eqt_scene_claim *claim);

#endif
