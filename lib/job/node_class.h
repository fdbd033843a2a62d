/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_node_class: nodes with equal properties, whether a request could get such a node,
 * and which bundles are in force on it. The plugins use it with Slurm's records and the
 * command with the text of "scontrol show node".
 *
 * All types are plain values, and strings are borrowed. Nothing is allocated.
 */
#ifndef EQT_NODE_CLASS_H
#define EQT_NODE_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/job_spec.h"
#include "price/gres.h"
#include "price/price.h"

/* The largest number of GPU models of one request. */
#define EQT_NODE_REQUIREMENT_GPUS 8
/*
 * The longest feature expression that is read, in bytes. Longer ones are ignored,
 * because slurmctld reads the text of a user for each kind of nodes while it holds its
 * locks.
 */
#define EQT_NODE_REQUIREMENT_FEATURES 512
/* The largest number of names in one expression. */
#define EQT_NODE_REQUIREMENT_NAMES (EQT_NODE_REQUIREMENT_FEATURES / 2)
/* Size of the hash table of names; a power of two. */
#define EQT_NODE_REQUIREMENT_SLOTS 1024
/* The number of slots in which a name may be. */
#define EQT_NODE_REQUIREMENT_PROBES 12

/* The different names of a feature expression in a hash table. Each feature of a node
 * is looked up in constant time, so that a long expression does not make the lookup
 * slower. */
struct eqt_node_requirement_names {
	uint32_t count;
	struct {
		const char *at; /* a place in the expression */
		size_t length;
	} name[EQT_NODE_REQUIREMENT_NAMES];
	/* 1 + an index of name[]; 0 if the slot is empty. */
	uint16_t slot[EQT_NODE_REQUIREMENT_SLOTS];
};

/* The known properties of a node. */
struct eqt_node_class {
	/* A list such as "gpu:p100:4(S:0)"; NULL if there are none. */
	const char *gres;
	/* A list such as "a,b" of features_length bytes. */
	const char *features;
	size_t features_length;
	uint32_t named; /* bit i is set if gpu[i] names this node */
};

/* What a request requires of a node, apart from the node's name. */
struct eqt_node_requirement {
	const char *features; /* the expression; NULL if any node will do */
	bool any_feature; /* whether one of the features is enough */
	/* The number of gpus[]; 0 if the nodes need no GPU. */
	uint32_t gpu_count;
	/* The members below take several kilobytes and are only set if the request has
	 * GPUs or features. They come last so that most requests do not use their
	 * memory. */
	struct eqt_gres gpus[EQT_NODE_REQUIREMENT_GPUS];
	struct eqt_node_requirement_names names;
};

/*
 * Make the requirement of a request. A feature expression other than "a&b" is read as
 * "a|b", because too many candidate nodes are better than too few. For the same reason,
 * an expression that is too long or whose names were chosen to collide in the hash
 * table is ignored, and so are the GPUs of a request with too many models.
 */
void eqt_node_requirement_make(struct eqt_node_requirement *out,
			       const struct eqt_job_spec *spec);

/*
 * Raise the numbers of nodes of a request to those that its features count. "[a*2&b*2]"
 * needs at least four nodes. "a*2&b*2" needs between two and four, because a node may
 * have both features. With --prefer, which may replace --constraint, both expressions
 * raise only the largest number of nodes. An expression that is longer than Slurm
 * accepts counts as all nodes.
 */
void eqt_node_requirement_raise_nodes(struct eqt_job_spec *spec);

/* Does a request's feature expression have this name? The expression must not be
 * NULL. */
bool eqt_node_requirement_has_feature(const struct eqt_node_requirement *wish,
				      const char *name);

/* May the job get nodes of --nodelist together with other nodes that its features
 * count? Neither option alone says then which nodes it gets. */
bool eqt_node_requirement_lists_others(const struct eqt_job_spec *spec);

/* Is --nodelist, of `listed` nodes, a choice? The job then gets as many of these as it
 * wants, and no others (_job_create()). */
bool eqt_node_requirement_chooses(const struct eqt_job_spec *spec,
				  uint64_t listed);

/* Raise the number of nodes of a request to the number of nodes in --nodelist, unless the
 * list is a choice. Features
 * that count nodes may count other nodes than these, so that the largest number is the
 * sum of both. Call this after eqt_node_requirement_raise_nodes(). */
void eqt_node_requirement_add_listed(struct eqt_job_spec *spec,
				     uint64_t listed);

/* Does such a node have the required features and at least one of the required GPU
 * models? Not all models are needed, because other nodes may have the others. */
bool eqt_node_class_fits(const struct eqt_node_class *kind,
			 const struct eqt_node_requirement *wish);

/*
 * Check only the features or only the GPUs, for callers that know the result of the
 * other check.
 */
bool eqt_node_class_fits_features(const struct eqt_node_class *kind,
				  const struct eqt_node_requirement *wish);
bool eqt_node_class_fits_gpus(const struct eqt_node_class *kind,
			      const struct eqt_node_requirement *wish);

/*
 * Return the bundle that is in force for a model on such a node. The model is the index
 * of the first bundle of its name. The result is the first bundle that names the node
 * or features of the node. If there is none, it is the bundle that names nothing or
 * else the first of all.
 */
uint32_t eqt_node_class_bundle(const struct eqt_node_class *kind,
			       const struct eqt_bundle_table *prices,
			       uint32_t model);

/* Return a bit for the model of each of the node's GPUs. A model is the index of the
 * first bundle of its name. */
uint32_t eqt_node_class_models(const struct eqt_node_class *kind,
			       const struct eqt_bundle_table *prices);

/*
 * Store for each model a bit for each bundle of its name. eqt_node_class_bundles()
 * needs them for each node.
 */
void eqt_node_class_names(uint32_t named[EQT_MODELS_MAX],
			  const struct eqt_bundle_table *prices);

/* Return a bit for each bundle that is in force for one of these models on such a
 * node. */
uint32_t eqt_node_class_bundles(const struct eqt_node_class *kind,
				const struct eqt_bundle_table *prices,
				const uint32_t named[EQT_MODELS_MAX],
				uint32_t models);

/* Return a bit for each bundle of these models that names nodes. The bits in
 * eqt_node_class.named matter only for these bundles. */
uint32_t eqt_node_class_by_name(const struct eqt_bundle_table *prices,
				uint32_t models);

#endif
