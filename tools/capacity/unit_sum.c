/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "overhead/overhead.h"

static bool is_chosen(const struct eqt_node *node,
		      const struct eqt_overhead_options *options)
{
	return node->available && (!options->partition ||
				   eqt_tree_input(node, options->partition));
}

static uint64_t overhead_of(const struct eqt_node *node,
			    const struct eqt_unit_amounts *unit)
{
	struct eqt_unit_amounts rest =
		eqt_unit_amounts_free(&node->total, &node->allocated);

	return eqt_unit_count(unit, &rest);
}

int eqt_overhead_add_unit(struct eqt_overhead_options *options,
			  const char *text, struct eqt_error *err)
{
	if (options->count == EQT_UNITS_MAX)
		return eqt_error_set(err, "more than %d units", EQT_UNITS_MAX);
	if (eqt_unit_parse(&options->units[options->count], text, err) < 0)
		return -1;
	options->texts[options->count++] = text;
	return 0;
}

int eqt_overhead_default_units(struct eqt_overhead_options *options,
			       struct eqt_error *err)
{
	if (options->count > 0)
		return 0;
	return eqt_overhead_add_unit(options, "cores=1,memory=2G", err) < 0
		       ? -1
		       : eqt_overhead_add_unit(options, "gpu=1", err);
}

int eqt_overhead_sum(struct eqt_overhead_sum *sum,
		     const struct eqt_overhead *cluster,
		     const struct eqt_overhead_options *options, int unit)
{
	const struct eqt_nodes *nodes = &cluster->nodes;
	uint64_t overhead, capacity;
	size_t i;

	*sum = (struct eqt_overhead_sum){ .nodes = 0 };
	for (i = 0; i < nodes->count; i++) {
		const struct eqt_node *node = &nodes->nodes[i];

		capacity = eqt_unit_count(&options->units[unit], &node->total);
		cluster->chosen[i] = is_chosen(node, options) && capacity > 0;
		if (!cluster->chosen[i])
			continue;
		overhead = overhead_of(node, &options->units[unit]);
		sum->nodes++;
		sum->overhead += overhead;
		sum->capacity += capacity;
		sum->bins[eqt_bin_of(overhead)]++;
	}
	if (!cluster->has_jobs)
		return 0;
	return eqt_queue_fit(&sum->fit, &cluster->jobs, nodes, cluster->chosen,
			     &options->units[unit]);
}

double eqt_overhead_percent(const struct eqt_overhead_sum *sum)
{
	if (sum->capacity == 0)
		return 0;
	return 100.0 * (double) sum->overhead / (double) sum->capacity;
}
