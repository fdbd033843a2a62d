/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mirrors what the submission plugin does inside slurmctld with node records:
 * partition, features, --nodelist and --exclude decide which nodes, and these
 * decide which bundles can be charged.
 */
#include <string.h>

#include "price/node_class.h"
#include "slurm/hostlist.h"
#include "slurm/candidate_nodes.h"

/* A node's name while a list is searched. */
struct sought {
	const char *name;
	size_t length;
};

static int sought_compare(const char *name, void *with)
{
	const struct sought *sought = with;

	return strlen(name) == sought->length &&
	       strncmp(name, sought->name, sought->length) == 0;
}

static bool node_is_listed(const char *list,
			   const struct eqt_scontrol_node *node)
{
	struct sought sought = { node->name, (size_t) node->name_length };

	return eqt_hostlist_each(list, sought_compare, &sought, NULL) == 1;
}

static int names_count(const char *name, void *with)
{
	uint64_t *count = with;

	(void) name;
	++*count;
	return 0;
}

/* --nodelist excludes other nodes only if no more nodes are requested than it
 * names. NULL: no such list. */
static const char *ask_only_nodes(const struct eqt_job_spec *ask)
{
	uint64_t count = 0;

	if (!ask->nodelist ||
	    eqt_hostlist_each(ask->nodelist, names_count, &count, NULL) < 0 ||
	    ask->min_nodes > count || ask->max_nodes > count)
		return NULL;
	return ask->nodelist;
}

/* Without GPUs, or with one bundle, the price does not depend on nodes. */
static bool price_depends_on_nodes(const struct eqt_bundle_table *prices,
				   const struct eqt_job_spec *ask)
{
	return prices->gpu_count > 1 &&
	       (ask->tres_per_job || ask->tres_per_node || ask->tres_per_task ||
		ask->tres_per_socket || ask->tasks_per_gpu);
}

/* The bundles that name a node, one bit each. */
static uint32_t node_named_by(const struct eqt_bundle_table *prices,
			      const struct eqt_scontrol_node *node)
{
	uint32_t named = 0, i;

	for (i = 0; i < prices->gpu_count; i++) {
		const char *nodes = prices->gpu[i].nodes;

		if (nodes && node_is_listed(nodes, node))
			named |= UINT32_C(1) << i;
	}
	return named;
}

static bool node_is_candidate(const struct eqt_scontrol_node *node,
			      const struct eqt_job_spec *ask, const char *only)
{
	if (ask->exclude && node_is_listed(ask->exclude, node))
		return false;
	return !only || node_is_listed(only, node);
}

/* The bundles of a node's GPUs, if the node matches the request. */
static uint32_t node_bundles(const struct eqt_scontrol_node *node,
			     const struct eqt_bundle_table *prices,
			     const struct eqt_node_requirement *wish)
{
	char gres[512];
	uint32_t named[EQT_MODELS_MAX];
	struct eqt_node_class kind = {
		.gres = eqt_scontrol_node_gres(node, gres, sizeof(gres)),
		.features = node->features.text,
		.features_length = node->features.length,
	};

	if (!eqt_node_class_fits(&kind, wish))
		return 0;
	kind.named = node_named_by(prices, node);
	eqt_node_class_names(named, prices);
	return eqt_node_class_bundles(&kind, prices, named,
				      eqt_node_class_models(&kind, prices));
}

void eqt_scontrol_candidates(struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *ask,
			     const struct eqt_scontrol_nodes *nodes,
			     const char *partition)
{
	const char *only = ask_only_nodes(ask);
	struct eqt_node_requirement wish;
	uint32_t found = 0;
	bool any = false;
	size_t i;

	if (!price_depends_on_nodes(prices, ask))
		return;
	eqt_node_requirement_make(&wish, ask);
	for (i = 0; i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];

		if (!eqt_scontrol_node_in(node, partition))
			continue;
		any = true;
		if (node_is_candidate(node, ask, only))
			found |= node_bundles(node, prices, &wish);
	}
	if (any)
		prices->models_away = ~found;
}
