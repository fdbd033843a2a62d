/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Only whole units on one node count: what is left of a single resource cannot
 * start a job. Unavailable nodes have neither overhead nor capacity.
 */
#include <string.h>

#include "capacity/unit_sum.h"

static bool node_is_counted(const struct eqt_scontrol_node *node,
			    const char *partition)
{
	return node->available &&
	       (!partition || eqt_scontrol_node_in(node, partition));
}

/* Whole units that would still fit on a node. */
static uint64_t node_overhead(const struct eqt_scontrol_node *node,
			      const struct eqt_unit_amounts *unit)
{
	struct eqt_unit_amounts rest =
		eqt_unit_amounts_free(&node->total, &node->allocated);

	return eqt_unit_count(unit, &rest);
}

int eqt_capacity_units_add(struct eqt_capacity_units *units, const char *text,
			   struct eqt_error *err)
{
	const char *colon = strchr(text, ':'), *thresholds;
	size_t length;

	if (units->count == EQT_CAPACITY_UNITS_MAX)
		return eqt_error_set(err, "more than %d units",
				     EQT_CAPACITY_UNITS_MAX);
	thresholds = colon ? colon + 1 : text;
	length = colon ? (size_t) (colon - text) : 0;
	if (colon && (length == 0 || length >= EQT_CAPACITY_PARTITION))
		return eqt_error_set(err, "\"%.64s\": expected PARTITION:UNIT",
				     text);
	if (eqt_unit_parse(&units->unit[units->count], units->disk, thresholds,
			   err) < 0)
		return -1;
	memcpy(units->partition[units->count], text, length);
	units->partition[units->count][length] = '\0';
	units->text[units->count++] = text;
	return 0;
}

const char *eqt_capacity_unit_partition(const struct eqt_capacity_units *units,
					int unit, const char *partition)
{
	return units->partition[unit][0] ? units->partition[unit] : partition;
}

bool eqt_capacity_unit_is_for(const struct eqt_capacity_units *units, int unit,
			      const char *partition)
{
	int i;

	if (units->partition[unit][0])
		return strcmp(units->partition[unit], partition) == 0;
	/* A unit without a partition is for all those that have no unit of their own. */
	for (i = 0; i < units->count; i++) {
		if (strcmp(units->partition[i], partition) == 0)
			return false;
	}
	return true;
}

int eqt_capacity_units_default(struct eqt_capacity_units *units,
			       struct eqt_error *err)
{
	if (units->count > 0)
		return 0;
	return eqt_capacity_units_add(units, "cores=1,memory=2G", err) < 0
		       ? -1
		       : eqt_capacity_units_add(units, "gpu=1", err);
}

int eqt_capacity_sum(struct eqt_capacity_sum *sum,
		     const struct eqt_capacity_cluster *cluster,
		     const struct eqt_unit_amounts *unit, const char *partition)
{
	const struct eqt_scontrol_nodes *nodes = &cluster->nodes;
	uint64_t overhead, capacity;
	size_t i;

	*sum = (struct eqt_capacity_sum){ .nodes = 0 };
	for (i = 0; i < nodes->count; i++) {
		const struct eqt_scontrol_node *node = &nodes->nodes[i];

		capacity = eqt_unit_count(unit, &node->total);
		cluster->chosen[i] = node_is_counted(node, partition) &&
				     capacity > 0;
		if (!cluster->chosen[i])
			continue;
		overhead = node_overhead(node, unit);
		sum->nodes++;
		sum->overhead += overhead;
		sum->capacity += capacity;
		sum->bins[eqt_capacity_bin(overhead)]++;
	}
	/* Without the queue the fit of waiting jobs is left out. */
	if (!cluster->has_jobs)
		return 0;
	return eqt_capacity_fit(&sum->fit, &cluster->jobs, nodes,
				cluster->chosen, unit);
}

double eqt_capacity_percent(const struct eqt_capacity_sum *sum)
{
	if (sum->capacity == 0)
		return 0;
	return 100.0 * (double) sum->overhead / (double) sum->capacity;
}
