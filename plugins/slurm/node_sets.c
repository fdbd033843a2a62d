/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "slurm/node_sets.h"

#define NAMES_MAX 131072 /* of all bundles; beyond it Slurm's sets are asked */

/* The slot of a name, or the empty one where it would be. */
static struct eqt_node_name *slot_of(const struct eqt_node_sets *sets,
				     const char *name)
{
	uint32_t hash = 2166136261U, i; /* FNV-1a */

	for (i = 0; name[i]; i++)
		hash = (hash ^ (unsigned char) name[i]) * 16777619U;
	for (hash ^= hash >> 15;; hash++) {
		struct eqt_node_name *slot =
			&sets->slot[hash & (sets->slots - 1)];

		if (!slot->name || strcmp(slot->name, name) == 0)
			return slot;
	}
}

/* How many names the bundles' lists have; those that make too many are left to
 * their sets. */
static uint32_t names_count(struct eqt_node_sets *sets,
			    const struct eqt_bundle_table *prices)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		int more = sets->set[i] ? hostset_count(sets->set[i]) : 0;

		if (more > NAMES_MAX || count + (uint32_t) more > NAMES_MAX)
			sets->by_set |= UINT32_C(1) << i;
		else
			count += (uint32_t) more;
	}
	return count;
}

static void names_add(struct eqt_node_sets *sets,
		      const struct eqt_bundle_table *prices, uint32_t bundle)
{
	struct hostlist *names =
		slurm_hostlist_create(prices->gpu[bundle].nodes);
	char *name;

	while (names && (name = slurm_hostlist_shift(names))) {
		struct eqt_node_name *slot = slot_of(sets, name);

		slot->bundles |= UINT32_C(1) << bundle;
		if (slot->name)
			free(name);
		else
			slot->name = name;
	}
	if (names)
		slurm_hostlist_destroy(names);
}

/* Fill the table; without memory for it the sets are asked. */
static void names_open(struct eqt_node_sets *sets,
		       const struct eqt_bundle_table *prices)
{
	const uint32_t count = names_count(sets, prices);
	uint32_t slots = 16;

	if (count == 0)
		return;
	while (slots < 2 * count)
		slots *= 2;
	sets->slot = calloc(slots, sizeof(*sets->slot));
	if (!sets->slot) {
		sets->by_set = ~UINT32_C(0);
		return;
	}
	sets->slots = slots;
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		if (sets->set[i] && !(sets->by_set >> i & 1))
			names_add(sets, prices, i);
	}
}

static void names_close(struct eqt_node_sets *sets)
{
	for (uint32_t i = 0; i < sets->slots; i++)
		free(sets->slot[i].name);
	free(sets->slot);
	sets->slot = NULL;
	sets->slots = 0;
	sets->by_set = 0;
}

void eqt_node_sets_close(struct eqt_node_sets *sets)
{
	names_close(sets);
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
	*out = (struct eqt_node_sets){ .slot = NULL };
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
	names_open(out, prices);
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

	if (!node->name)
		return 0;
	if (sets->slots)
		named = slot_of(sets, node->name)->bundles & bundles;
	bundles &= sets->by_set;
	for (uint32_t i = 0; bundles && i < EQT_MODELS_MAX; i++) {
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
