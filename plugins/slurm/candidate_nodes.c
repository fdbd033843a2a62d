/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slurm/name_list.h"
#include "slurm/node_sets.h"
#include "slurm/candidate_nodes.h"

static struct eqt_name_list *list_read(const char *list)
{
	return eqt_name_list_read(list, eqt_slurm_node_count());
}

/* The nodes that --nodelist names are all there are only if no more than those
 * are asked for. */
static struct eqt_name_list *only_read(const struct eqt_job_spec *spec)
{
	struct eqt_name_list *only = list_read(spec->nodelist);
	uint64_t count = only ? (uint64_t) eqt_name_list_count(only) : 0;

	if (only && (spec->min_nodes > count || spec->max_nodes > count)) {
		eqt_name_list_free(only);
		only = NULL;
	}
	return only;
}

void eqt_candidate_nodes_open(struct eqt_candidate_nodes *out,
			      const struct eqt_job_spec *spec,
			      const part_record_t *part)
{
	out->part = part;
	out->end = part->node_bitmap ? bit_fls(part->node_bitmap) + 1 : 0;
	eqt_node_requirement_make(&out->wish, spec);
	out->by_features = out->wish.features != NULL;
	out->only = only_read(spec);
	out->without = list_read(spec->exclude);
	out->kinds = 0;
}

void eqt_candidate_nodes_close(struct eqt_candidate_nodes *candidates)
{
	eqt_name_list_free(candidates->only);
	eqt_name_list_free(candidates->without);
	candidates->only = candidates->without = NULL;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether nodes of that kind fit, which the last node's answer may tell. */
static bool fits(struct eqt_candidate_nodes *candidates,
		 const node_record_t *node)
{
	if (candidates->kinds > 0 &&
	    is_same(candidates->kind.gres, node->gres) &&
	    (!candidates->by_features ||
	     is_same(candidates->kind.features, eqt_node_sets_features(node))))
		return candidates->fits;
	candidates->kind = eqt_node_sets_class(node);
	candidates->fits =
		eqt_node_class_fits(&candidates->kind, &candidates->wish);
	candidates->kinds++;
	return candidates->fits;
}

const node_record_t *eqt_candidate_nodes_next(
	struct eqt_candidate_nodes *candidates, bitoff_t *i)
{
	bitstr_t *nodes = candidates->part->node_bitmap;

	for (; *i < candidates->end; ++*i) {
		const node_record_t *node;

		if (!bit_test(nodes, *i))
			continue;
		node = node_record_table_ptr[*i];
		if (node && fits(candidates, node) &&
		    (!candidates->only ||
		     eqt_name_list_has(candidates->only, node->name)) &&
		    (!candidates->without ||
		     !eqt_name_list_has(candidates->without, node->name))) {
			++*i;
			return node;
		}
	}
	return NULL;
}

/* Which bundles the nodes of one kind have. */
struct bundles {
	const struct eqt_bundle_table *prices;
	struct eqt_node_sets sets;
	uint32_t kinds; /* as that of the reach whose last kind this is */
	uint32_t any; /* on all of its nodes, where by_name is 0 */
	uint32_t by_name; /* of these it is the node's name that tells */
};

static uint32_t bundles_on(struct bundles *bundles,
			   struct eqt_candidate_nodes *candidates,
			   const node_record_t *node)
{
	struct eqt_node_class kind = candidates->kind;

	if (bundles->kinds != candidates->kinds) {
		bundles->kinds = candidates->kinds;
		bundles->any = eqt_node_class_bundles(&kind, bundles->prices);
		bundles->by_name =
			eqt_node_class_by_name(&kind, bundles->prices);
	}
	if (!bundles->by_name)
		return bundles->any;
	kind.named =
		eqt_node_sets_named(&bundles->sets, bundles->by_name, node);
	return eqt_node_class_bundles(&kind, bundles->prices);
}

/* The bundles of which some node of the request must be known to have them:
 * without GPUs, or with one bundle, nothing depends on the nodes. */
static uint32_t looked_for(const struct eqt_bundle_table *prices,
			   const struct eqt_job_spec *spec,
			   const struct eqt_demand *demand)
{
	struct eqt_demand more;

	if (prices->gpu_count < 2 ||
	    !(spec->tres_per_job || spec->tres_per_node ||
	      spec->tres_per_task || spec->tres_per_socket ||
	      spec->tasks_per_gpu))
		return 0;
	if (spec->tasks_per_gpu == 0)
		return eqt_price_models(prices, demand);
	/* On more nodes there may be tasks, and so GPUs, that it has not yet. */
	more = *demand;
	more.gpus_untyped++;
	return eqt_price_models(prices, &more);
}

static bool have_features(const struct eqt_bundle_table *prices)
{
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		if (prices->gpu[i].features)
			return true;
	}
	return false;
}

/* Which of some bundles are on nodes of the request. Kilobytes of stack that
 * most requests do not need: not a part of its caller. */
static __attribute__((noinline)) int look(uint32_t *found, uint32_t wanted,
					  const struct eqt_bundle_table *prices,
					  const struct eqt_job_spec *spec,
					  const part_record_t *part)
{
	struct bundles bundles = { .prices = prices };
	struct eqt_candidate_nodes candidates;
	const node_record_t *node;
	bitoff_t i = 0;

	*found = 0;
	if (eqt_node_sets_open(&bundles.sets, prices, NULL) < 0)
		return -1;
	eqt_candidate_nodes_open(&candidates, spec, part);
	candidates.by_features = candidates.by_features ||
				 have_features(prices);
	while ((*found & wanted) != wanted &&
	       (node = eqt_candidate_nodes_next(&candidates, &i)))
		*found |= bundles_on(&bundles, &candidates, node);
	eqt_candidate_nodes_close(&candidates);
	eqt_node_sets_close(&bundles.sets);
	return 0;
}

void eqt_candidate_nodes_apply(struct eqt_bundle_table *prices,
			       const struct eqt_job_spec *spec,
			       const struct eqt_demand *demand,
			       const part_record_t *part)
{
	const uint32_t wanted = looked_for(prices, spec, demand);
	uint32_t found;

	if (wanted && look(&found, wanted, prices, spec, part) == 0)
		prices->models_away = ~found;
}
