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
static struct eqt_name_list *only_read(const struct eqt_job_spec *ask)
{
	struct eqt_name_list *only = list_read(ask->nodelist);
	uint64_t count = only ? (uint64_t) eqt_name_list_count(only) : 0;

	if (only && (ask->min_nodes > count || ask->max_nodes > count)) {
		eqt_name_list_free(only);
		only = NULL;
	}
	return only;
}

void eqt_candidate_nodes_open(struct eqt_candidate_nodes *out,
			      const struct eqt_job_spec *ask,
			      const part_record_t *part)
{
	out->part = part;
	out->end = part->node_bitmap ? bit_fls(part->node_bitmap) + 1 : 0;
	eqt_node_requirement_make(&out->wish, ask);
	out->by_features = out->wish.features != NULL;
	out->only = only_read(ask);
	out->without = list_read(ask->exclude);
	out->kinds = 0;
}

void eqt_candidate_nodes_close(struct eqt_candidate_nodes *reach)
{
	eqt_name_list_free(reach->only);
	eqt_name_list_free(reach->without);
	reach->only = reach->without = NULL;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether nodes of that kind fit, which the last node's answer may tell. */
static bool fits(struct eqt_candidate_nodes *reach, const node_record_t *node)
{
	if (reach->kinds > 0 && is_same(reach->kind.gres, node->gres) &&
	    (!reach->by_features ||
	     is_same(reach->kind.features, eqt_node_sets_features(node))))
		return reach->fits;
	reach->kind = eqt_node_sets_class(node);
	reach->fits = eqt_node_class_fits(&reach->kind, &reach->wish);
	reach->kinds++;
	return reach->fits;
}

const node_record_t *eqt_candidate_nodes_next(struct eqt_candidate_nodes *reach,
					      bitoff_t *i)
{
	bitstr_t *nodes = reach->part->node_bitmap;

	for (; *i < reach->end; ++*i) {
		const node_record_t *node;

		if (!bit_test(nodes, *i))
			continue;
		node = node_record_table_ptr[*i];
		if (node && fits(reach, node) &&
		    (!reach->only ||
		     eqt_name_list_has(reach->only, node->name)) &&
		    (!reach->without ||
		     !eqt_name_list_has(reach->without, node->name))) {
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
			   struct eqt_candidate_nodes *reach,
			   const node_record_t *node)
{
	struct eqt_node_class kind = reach->kind;

	if (bundles->kinds != reach->kinds) {
		bundles->kinds = reach->kinds;
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
			   const struct eqt_job_spec *ask,
			   const struct eqt_demand *request)
{
	struct eqt_demand more;

	if (prices->gpu_count < 2 ||
	    !(ask->tres_per_job || ask->tres_per_node || ask->tres_per_task ||
	      ask->tres_per_socket || ask->tasks_per_gpu))
		return 0;
	if (ask->tasks_per_gpu == 0)
		return eqt_price_models(prices, request);
	/* On more nodes there may be tasks, and so GPUs, that it has not yet. */
	more = *request;
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
					  const struct eqt_job_spec *ask,
					  const part_record_t *part)
{
	struct bundles bundles = { .prices = prices };
	struct eqt_candidate_nodes reach;
	const node_record_t *node;
	bitoff_t i = 0;

	*found = 0;
	if (eqt_node_sets_open(&bundles.sets, prices, NULL) < 0)
		return -1;
	eqt_candidate_nodes_open(&reach, ask, part);
	reach.by_features = reach.by_features || have_features(prices);
	while ((*found & wanted) != wanted &&
	       (node = eqt_candidate_nodes_next(&reach, &i)))
		*found |= bundles_on(&bundles, &reach, node);
	eqt_candidate_nodes_close(&reach);
	eqt_node_sets_close(&bundles.sets);
	return 0;
}

void eqt_candidate_nodes_apply(struct eqt_bundle_table *prices,
			       const struct eqt_job_spec *ask,
			       const struct eqt_demand *request,
			       const part_record_t *part)
{
	const uint32_t wanted = looked_for(prices, ask, request);
	uint32_t found;

	if (wanted && look(&found, wanted, prices, ask, part) == 0)
		prices->models_away = ~found;
}
