/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_node_class: what nodes that are alike have, whether a request could get such a
 * node, and which bundles hold on it. One rule for who has Slurm's records and
 * who has the text of "scontrol show node".
 *
 * Plain values all, strings are borrowed; nothing here allocates.
 */
#ifndef EQT_NODE_CLASS_H
#define EQT_NODE_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/job_spec.h"
#include "price/gres.h"
#include "price/price.h"

#define EQT_NODE_REQUIREMENT_GPUS \
	8 /* models in one request that are looked for */
/*
 * Longer expressions of features are ignored: a user's text is gone through for
 * each kind of nodes, while slurmctld's locks are held.
 */
#define EQT_NODE_REQUIREMENT_FEATURES 512
#define EQT_NODE_REQUIREMENT_NAMES \
	(EQT_NODE_REQUIREMENT_FEATURES / 2) /* in one expression */
#define EQT_NODE_REQUIREMENT_SLOTS 1024 /* a power of two */
#define EQT_NODE_REQUIREMENT_PROBES 12 /* slots that a name may be in */

/* The names of an expression that differ, found in constant time: each node's
 * features are looked for among them, so that padding the expression costs
 * nothing. */
struct eqt_node_requirement_names {
	uint32_t count;
	struct {
		const char *at; /* in the expression */
		size_t length;
	} name[EQT_NODE_REQUIREMENT_NAMES];
	uint16_t slot
		[EQT_NODE_REQUIREMENT_SLOTS]; /* of name[], from 1 on; 0: none */
};

/* What is known of a node. */
struct eqt_node_class {
	const char *gres; /* "gpu:p100:4(S:0)"; NULL: it has none */
	const char *features; /* "a,b", which end after features_length */
	size_t features_length;
	uint32_t named; /* bit i: it is one of those that gpu[i] names */
};

/* What a request requires of a node, apart from its name. */
struct eqt_node_requirement {
	const char *features; /* NULL: whatever they have */
	bool any_feature; /* one of them is enough */
	uint32_t gpu_count; /* 0: nodes need no GPU */
	/* Only where GPUs are asked for, a kilobyte, and where there are features,
	   several: last, since most requests need no memory for them */
	struct eqt_gres gpus[EQT_NODE_REQUIREMENT_GPUS];
	struct eqt_node_requirement_names names;
};

/*
 * Take what ask says of nodes. An expression of features that is more than a&b
 * counts as a|b|...: rather too many nodes than too few. So does what is longer
 * or has more models than anybody means, or names that are chosen to be found
 * slowly: it is passed over.
 */
void eqt_node_requirement_make(struct eqt_node_requirement *out,
			       const struct eqt_job_spec *spec);

/*
 * Raise the nodes of a request to those that its features count: "[a*2&b*2]" gives it
 * four nodes at least, "a*2&b*2" between two and four, since nodes may have both. Counts
 * of --prefer, which may replace the others, and beside it those of the others, raise only
 * the most. An expression that is longer than Slurm takes
 * at a submission counts as all nodes at the most.
 */
void eqt_node_requirement_raise_nodes(struct eqt_job_spec *spec);

/* Is the name one of its expression of features, which is not NULL? */
bool eqt_node_requirement_has_feature(const struct eqt_node_requirement *wish,
				      const char *name);

/* Are nodes of --nodelist beside those that its features count? Then neither says which
 * nodes it gets. */
bool eqt_node_requirement_lists_others(const struct eqt_job_spec *spec);

/* Raise them to those of --nodelist. Beside features that count nodes these may be other
 * nodes: the most are both. After eqt_node_requirement_raise_nodes(). */
void eqt_node_requirement_add_listed(struct eqt_job_spec *spec,
				     uint64_t listed);

/* Whether a node of this kind has all, or any, of the features, and any of the
 * GPUs: of several models one node may have these and another those. */
bool eqt_node_class_fits(const struct eqt_node_class *kind,
			 const struct eqt_node_requirement *wish);

/*
 * The same in two steps, for callers that know one of them already: by the
 * features and by the GPUs alone.
 */
bool eqt_node_class_fits_features(const struct eqt_node_class *kind,
				  const struct eqt_node_requirement *wish);
bool eqt_node_class_fits_gpus(const struct eqt_node_class *kind,
			      const struct eqt_node_requirement *wish);

/*
 * Which of a model's bundles, by the index of their first, holds: the first
 * that names the node or features that it has, else the one that names nothing,
 * else the first of all.
 */
uint32_t eqt_node_class_bundle(const struct eqt_node_class *kind,
			       const struct eqt_bundle_table *prices,
			       uint32_t model);

/* The models of all its GPUs, each by the index of its first bundle, a bit
 * each. */
uint32_t eqt_node_class_models(const struct eqt_node_class *kind,
			       const struct eqt_bundle_table *prices);

/*
 * For each model the bundles of its name, a bit each: what
 * eqt_node_class_bundles() would find again for each node.
 */
void eqt_node_class_names(uint32_t named[EQT_MODELS_MAX],
			  const struct eqt_bundle_table *prices);

/* The bundles of these models on such nodes, a bit each. */
uint32_t eqt_node_class_bundles(const struct eqt_node_class *kind,
				const struct eqt_bundle_table *prices,
				const uint32_t named[EQT_MODELS_MAX],
				uint32_t models);

/* Those of the bundles that these could be which name nodes, a bit each: what
 * must be known of a node's name. */
uint32_t eqt_node_class_by_name(const struct eqt_bundle_table *prices,
				uint32_t models);

#endif
