/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "slurm/node_sets.h"

/* The most names of all bundles together that are put into the hash table. The
 * lists beyond are left to Slurm's sets. */
#define NAMES_MAX 131072

/* The slot that holds the name, or the empty slot where it belongs. */
static struct eqt_node_name *slot_of(const struct eqt_node_sets *sets,
				     const char *name)
{
	for (uint32_t hash = eqt_hash_name(name);; hash++) {
		struct eqt_node_name *slot =
			&sets->slot[hash & (sets->slots - 1)];

		if (slot->name[0] == '\0' || strcmp(slot->name, name) == 0)
			return slot;
	}
}

/* Count the names in the bundles' lists. A list that would exceed NAMES_MAX is
 * left to Slurm's sets. */
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

/* Add the names of one bundle's list to the hash table. If one name is too long
 * for a slot, the whole bundle is left to Slurm's set, because half a list
 * would give wrong answers. */
static void names_add(struct eqt_node_sets *sets,
		      const struct eqt_bundle_table *prices, uint32_t bundle)
{
	struct hostlist *names =
		slurm_hostlist_create(prices->gpu[bundle].nodes);
	char *name;

	while (names && (name = slurm_hostlist_shift(names))) {
		const size_t size = strlen(name) + 1;

		if (size > 1 && size <= EQT_NODE_NAME_SIZE) {
			struct eqt_node_name *slot = slot_of(sets, name);

			slot->bundles |= UINT32_C(1) << bundle;
			memcpy(slot->name, name, size);
		} else {
			sets->by_set |= UINT32_C(1) << bundle;
		}
		free(name);
	}
	if (names)
		slurm_hostlist_destroy(names);
}

/* Fill the hash table. If memory is short, Slurm's sets are used instead. */
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

/* A node of the table, or NULL behind its end. */
static const node_record_t *node_at(bitoff_t i)
{
	return i < eqt_slurm_node_slots() ? node_record_table_ptr[i] : NULL;
}

void eqt_node_sets_prefetch(const struct eqt_node_sets *sets, bitoff_t i)
{
	/* The pointers have three levels: the record, the texts that it points
	   to, and the slot of its name. Each level is prefetched some nodes
	   before it is read. */
	const node_record_t *node = node_at(i + 8);

	if (node) {
		__builtin_prefetch(&node->features);
		__builtin_prefetch(&node->features_act);
		__builtin_prefetch(&node->gres);
		__builtin_prefetch(&node->name);
		__builtin_prefetch(&node->cpus_efctv);
		__builtin_prefetch(&node->real_memory);
		__builtin_prefetch(&node->mem_spec_limit);
		__builtin_prefetch(&node->config_ptr);
		__builtin_prefetch(&node->tot_sockets);
		__builtin_prefetch(&node->tpc);
	}
	node = node_at(i + 4);
	if (node) {
		__builtin_prefetch(node->features);
		__builtin_prefetch(node->gres);
		__builtin_prefetch(node->name);
	}
	node = node_at(i + 2);
	if (sets && sets->slots && node && node->name)
		__builtin_prefetch(&sets->slot[eqt_hash_name(node->name) &
					       (sets->slots - 1)]);
}

uint32_t eqt_node_sets_named(const struct eqt_node_sets *sets, uint32_t bundles,
			     const node_record_t *node)
{
	uint32_t named = 0;

	if (!node->name)
		return 0;
	/* One lookup in the hash table tells which bundles list the node. Only
	   the bundles in `by_set` are searched with Slurm's hostset. */
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

/* RealMemory without MemSpecLimit, which is reserved for the system. */
uint64_t eqt_node_sets_memory(const node_record_t *node)
{
	return node->real_memory > node->mem_spec_limit
		       ? node->real_memory - node->mem_spec_limit
		       : 0;
}
