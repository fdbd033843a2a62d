/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slurm/node_sets.h"

void eqt_node_sets_close(struct eqt_node_sets *sets)
{
	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++) {
		if (sets->set[i])
			hostset_destroy(sets->set[i]);
		sets->set[i] = NULL;
	}
}

int eqt_node_sets_open(struct eqt_node_sets *out,
		       const struct eqt_bundle_table *prices,
		       struct eqt_error *err)
{
	*out = (struct eqt_node_sets){ { NULL } };
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		const char *nodes = prices->gpu[i].nodes;

		if (!nodes)
			continue;
		out->set[i] = hostset_create(nodes);
		if (!out->set[i]) {
			eqt_node_sets_close(out);
			return eqt_error_set(err,
					     "equitree.conf: bundle %s: "
					     "nodes = %s is no list of nodes",
					     prices->gpu[i].name, nodes);
		}
	}
	return 0;
}

const char *eqt_node_sets_features(const node_record_t *node)
{
	if (node->features_act)
		return node->features_act;
	return node->features ? node->features : "";
}

struct eqt_node_class eqt_node_sets_class(const node_record_t *node)
{
	const char *features = eqt_node_sets_features(node);

	return (struct eqt_node_class){ .gres = node->gres,
					.features = features,
					.features_length = strlen(features) };
}

uint32_t eqt_node_sets_named(const struct eqt_node_sets *sets, uint32_t bundles,
			     const node_record_t *node)
{
	uint32_t named = 0;

	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++) {
		if ((bundles >> i & 1) && sets->set[i] &&
		    hostset_within(sets->set[i], node->name))
			named |= UINT32_C(1) << i;
	}
	return named;
}

uint32_t eqt_node_sets_bundle(const struct eqt_node_sets *sets,
			      const struct eqt_bundle_table *prices,
			      uint32_t model, const node_record_t *node)
{
	struct eqt_node_class kind = eqt_node_sets_class(node);

	kind.named = eqt_node_sets_named(
		sets, eqt_bundle_table_named(prices, model), node);
	return eqt_node_class_bundle(&kind, prices, model);
}
