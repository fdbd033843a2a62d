/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "eqt_gres.h"
#include "hostlist.h"
#include "stock_reach.h"

/* Around the names of features; a comma is a & to Slurm. */
#define FEATURE_ENDS "&,|[]()*"

/* A node's name that is looked for in a list. */
struct sought {
	const char *name;
	size_t length;
};

static int is_it(const char *name, void *with)
{
	const struct sought *sought = with;

	return strlen(name) == sought->length &&
	       strncmp(name, sought->name, sought->length) == 0;
}

static bool is_listed(const char *list, const struct eqt_node *node)
{
	struct sought sought = { node->name, (size_t) node->name_length };

	return eqt_hostlist_each(list, is_it, &sought, NULL) == 1;
}

static int count_it(const char *name, void *with)
{
	uint64_t *count = with;

	(void) name;
	++*count;
	return 0;
}

/* The nodes that --nodelist names are all there are only if no more than those
 * are asked for. NULL: no such list. */
static const char *only_of(const struct eqt_ask *ask)
{
	uint64_t count = 0;

	if (!ask->nodelist ||
	    eqt_hostlist_each(ask->nodelist, count_it, &count, NULL) < 0 ||
	    ask->min_nodes > count || ask->max_nodes > count)
		return NULL;
	return ask->nodelist;
}

/* Without GPUs, or with one bundle, nothing depends on the nodes. */
static bool depends(const struct eqt_prices *prices, const struct eqt_ask *ask)
{
	return prices->gpu_count > 1 &&
	       (ask->tres_per_job || ask->tres_per_node || ask->tres_per_task ||
		ask->tres_per_socket || ask->tasks_per_gpu);
}

static bool has_feature(const struct eqt_node *node, const char *name,
			size_t length)
{
	const char *at = node->features.text;
	const char *end = at + node->features.length;
	size_t item;

	for (; at < end; at += item + 1) {
		item = strcspn(at, ", \r\n");
		if (item == length && strncmp(at, name, length) == 0)
			return true;
	}
	return false;
}

/* More than a&b counts as a|b|...: rather too many nodes than too few. */
static bool fits_constraint(const struct eqt_node *node, const char *at)
{
	bool any = strpbrk(at, "|[]()*") != NULL;
	size_t length;
	bool has;

	while (*(at += strspn(at, FEATURE_ENDS)) != '\0') {
		length = strcspn(at, FEATURE_ENDS);
		has = has_feature(node, at, length);
		if (has == any)
			return any;
		at += length;
	}
	return !any;
}

static bool is_in_reach(const struct eqt_node *node, const struct eqt_ask *ask,
			const char *only, const char *partition)
{
	if (!eqt_node_in(node, partition))
		return false;
	if (ask->constraint && ask->constraint[0] != '\0' &&
	    !fits_constraint(node, ask->constraint))
		return false;
	if (ask->exclude && is_listed(ask->exclude, node))
		return false;
	return !only || is_listed(only, node);
}

/* The bundle of that model on the node: the first of its name that fits. */
static uint32_t bundle_on(const struct eqt_prices *prices, int model,
			  const struct eqt_node *node)
{
	int i;

	for (i = model; i >= 0; i = eqt_prices_next(prices, (uint32_t) i)) {
		const struct eqt_bundle *bundle = &prices->gpu[i];

		if ((bundle->nodes || bundle->features) &&
		    (!bundle->nodes || is_listed(bundle->nodes, node)) &&
		    (!bundle->features ||
		     fits_constraint(node, bundle->features)))
			return (uint32_t) i;
	}
	for (i = model; i >= 0; i = eqt_prices_next(prices, (uint32_t) i)) {
		if (!prices->gpu[i].nodes && !prices->gpu[i].features)
			return (uint32_t) i;
	}
	return (uint32_t) model;
}

static uint32_t bundles_on(const struct eqt_prices *prices,
			   const struct eqt_node *node)
{
	char text[512];
	const char *list = eqt_node_gres(node, text, sizeof(text));
	struct eqt_gres gres;
	uint32_t found = 0;
	int model;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		model = eqt_prices_find(prices, gres.name, gres.type);
		if (model >= 0)
			found |= UINT32_C(1) << bundle_on(prices, model, node);
	}
	return found;
}

void eqt_stock_reach(struct eqt_prices *prices, const struct eqt_ask *ask,
		     const struct eqt_nodes *nodes, const char *partition)
{
	const char *only = only_of(ask);
	uint32_t found = 0;
	bool any = false;
	size_t i;

	if (!depends(prices, ask))
		return;
	for (i = 0; i < nodes->count; i++) {
		any = any || eqt_node_in(&nodes->nodes[i], partition);
		if (is_in_reach(&nodes->nodes[i], ask, only, partition))
			found |= bundles_on(prices, &nodes->nodes[i]);
	}
	if (any)
		prices->models_away = ~found;
}
