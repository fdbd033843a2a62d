/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "node_sets.h"

void eqt_node_sets_close(struct eqt_node_sets *sets)
{
	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++) {
		if (sets->set[i])
			hostset_destroy(sets->set[i]);
		sets->set[i] = NULL;
	}
}

int eqt_node_sets_open(struct eqt_node_sets *out,
		       const struct eqt_prices *prices, struct eqt_error *err)
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

/* What it has now, where features come and go; else all that it may have. */
static const char *features_of(const node_record_t *node)
{
	if (node->features_act)
		return node->features_act;
	return node->features ? node->features : "";
}

bool eqt_node_has_feature(const node_record_t *node, const char *name,
			  size_t length)
{
	const char *at = features_of(node);

	while (*at != '\0') {
		size_t found = strcspn(at, ",");

		if (found == length && strncmp(at, name, length) == 0)
			return true;
		at += found;
		at += strspn(at, ",");
	}
	return false;
}

/* Whether a node has all features of a list "a,b". */
static bool has_all(const node_record_t *node, const char *list)
{
	while (*list != '\0') {
		size_t length = strcspn(list, ",");

		if (!eqt_node_has_feature(node, list, length))
			return false;
		list += length;
		list += strspn(list, ",");
	}
	return true;
}

uint32_t eqt_node_sets_bundle(const struct eqt_node_sets *sets,
			      const struct eqt_prices *prices, uint32_t model,
			      const node_record_t *node)
{
	uint32_t other = model;

	for (int i = (int) model; i >= 0;
	     i = eqt_prices_next(prices, (uint32_t) i)) {
		const struct eqt_bundle *bundle = &prices->gpu[i];

		if (!sets->set[i] && !bundle->features)
			other = (uint32_t) i;
		else if ((!sets->set[i] ||
			  hostset_within(sets->set[i], node->name)) &&
			 (!bundle->features || has_all(node, bundle->features)))
			return (uint32_t) i;
	}
	return other;
}
