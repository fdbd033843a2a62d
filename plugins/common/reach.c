/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "node_sets.h"
#include "reach.h"

/* Whatever a user sends is looked at once a node: longer texts are passed
 * over. */
#define LIST_MAX 4096

/* Around the names of features; a comma is a & to Slurm. */
#define FEATURE_ENDS "&,|[]()*"

static bool is_text(const char *text)
{
	return text && text[0] != '\0' &&
	       strnlen(text, LIST_MAX + 1) <= LIST_MAX;
}

static struct hostset *list_read(const char *list)
{
	return is_text(list) ? hostset_create(list) : NULL;
}

/* The nodes that --nodelist names are all there are only if no more than those
 * are asked for. */
static struct hostset *only_read(const struct eqt_ask *ask)
{
	struct hostset *only = list_read(ask->nodelist);
	uint64_t count = only ? (uint64_t) hostset_count(only) : 0;

	if (only && (ask->min_nodes > count || ask->max_nodes > count)) {
		hostset_destroy(only);
		only = NULL;
	}
	return only;
}

/* Add the GPUs of a list. False when that are too many: the nodes are not to be
 * chosen by some of them. */
static bool add_gpus(struct eqt_reach *reach, const char *list)
{
	struct eqt_gres gres;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, "gpu") != 0 || gres.count == 0)
			continue;
		if (reach->gpu_count == EQT_REACH_GPUS)
			return false;
		reach->gpus[reach->gpu_count++] = gres;
	}
	return true;
}

static void take_gpus(struct eqt_reach *reach, const struct eqt_ask *ask)
{
	const char *const lists[] = { ask->tres_per_job, ask->tres_per_node,
				      ask->tres_per_socket,
				      ask->tres_per_task };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (lists[i] && !add_gpus(reach, lists[i])) {
			reach->gpu_count = 0;
			return;
		}
	}
}

void eqt_reach_open(struct eqt_reach *out, const struct eqt_ask *ask,
		    const part_record_t *part)
{
	*out = (struct eqt_reach){ .part = part };
	take_gpus(out, ask);
	if (is_text(ask->constraint)) {
		out->features = ask->constraint;
		out->any_feature = strpbrk(ask->constraint, "|[]()*") != NULL;
	}
	out->only = only_read(ask);
	out->without = list_read(ask->exclude);
}

void eqt_reach_close(struct eqt_reach *reach)
{
	if (reach->only)
		hostset_destroy(reach->only);
	if (reach->without)
		hostset_destroy(reach->without);
	reach->only = reach->without = NULL;
}

/* Numbers of nodes ("a*4") pass for features that no node has. */
static bool has_features(const struct eqt_reach *reach,
			 const node_record_t *node)
{
	const char *at = reach->features;

	if (!at)
		return true;
	while (*(at += strspn(at, FEATURE_ENDS)) != '\0') {
		size_t length = strcspn(at, FEATURE_ENDS);
		bool has = eqt_node_has_feature(node, at, length);

		if (has && reach->any_feature)
			return true;
		if (!has && !reach->any_feature)
			return false;
		at += length;
	}
	return !reach->any_feature;
}

/* Whether a node has any of a GPU's model. */
static bool has_gpu(const node_record_t *node, const struct eqt_gres *wanted)
{
	const char *list = node->gres ? node->gres : "";
	struct eqt_gres has;

	while (eqt_gres_next(&has, &list, NULL) > 0) {
		if (strcmp(has.name, wanted->name) == 0 &&
		    (wanted->type[0] == '\0' || has.type[0] == '\0' ||
		     strcmp(has.type, wanted->type) == 0))
			return true;
	}
	return false;
}

/* Whether a node has any of the GPUs that are asked for: of several models one
 * node may have these and another those. */
static bool has_gpus(const struct eqt_reach *reach, const node_record_t *node)
{
	for (uint32_t i = 0; i < reach->gpu_count; i++) {
		if (has_gpu(node, &reach->gpus[i]))
			return true;
	}
	return reach->gpu_count == 0;
}

const node_record_t *eqt_reach_next(const struct eqt_reach *reach, bitoff_t *i)
{
	bitstr_t *nodes = reach->part->node_bitmap;
	const bitoff_t end = nodes ? bit_size(nodes) : 0;

	while (*i < end) {
		const node_record_t *node = node_record_table_ptr[*i];
		bool in = bit_test(nodes, *i);

		(*i)++;
		if (in && node && has_features(reach, node) &&
		    has_gpus(reach, node) &&
		    (!reach->only || hostset_within(reach->only, node->name)) &&
		    (!reach->without ||
		     !hostset_within(reach->without, node->name)))
			return node;
	}
	return NULL;
}

/* The bundles of the GPUs on a node, a bit each. */
static uint32_t bundles_on(const struct eqt_prices *prices,
			   const struct eqt_node_sets *sets,
			   const node_record_t *node)
{
	const char *list = node->gres ? node->gres : "";
	struct eqt_gres gres;
	uint32_t found = 0;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		int model = eqt_prices_find(prices, gres.name, gres.type);

		if (model >= 0)
			found |= UINT32_C(1) << eqt_node_sets_bundle(
					 sets, prices, (uint32_t) model, node);
	}
	return found;
}

/* Whether the price of the request depends on the nodes: it has GPUs, and
 * these may be of one bundle or another. */
static bool depends(const struct eqt_prices *prices, const struct eqt_ask *ask)
{
	return prices->gpu_count > 1 &&
	       (ask->tres_per_job || ask->tres_per_node || ask->tres_per_task ||
		ask->tres_per_socket || ask->tasks_per_gpu);
}

void eqt_reach_apply(struct eqt_prices *prices, const struct eqt_ask *ask,
		     const part_record_t *part)
{
	const uint32_t all = UINT32_MAX >>
			     (EQT_MODELS_MAX - prices->gpu_count) % 32;
	struct eqt_node_sets sets;
	struct eqt_reach reach;
	const node_record_t *node;
	uint32_t found = 0;
	bitoff_t i = 0;

	if (!depends(prices, ask) ||
	    eqt_node_sets_open(&sets, prices, NULL) < 0)
		return;
	eqt_reach_open(&reach, ask, part);
	while (found != all && (node = eqt_reach_next(&reach, &i)))
		found |= bundles_on(prices, &sets, node);
	eqt_reach_close(&reach);
	eqt_node_sets_close(&sets);
	prices->models_away = ~found;
}
