/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory is in MiB, as in Slurm. The bill per resource is null where the unit
 * does not bill that resource.
 */
#include "overhead/overhead.h"
#include "cli/json.h"

/* Cores, memory, GPUs and local disk of one node. */
static json_object *amounts_json(const struct eqt_unit_amounts *amounts)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "cores", json_object_new_uint64(amounts->of[0]));
	eqt_json_add(object, "memory_mib",
		     json_object_new_uint64(amounts->of[1]));
	eqt_json_add(object, "gpus", json_object_new_uint64(amounts->of[2]));
	eqt_json_add(object, "disk", json_object_new_uint64(amounts->of[3]));
	return object;
}

/* What a node has free, how many units fit, and what jobs pay for. */
static json_object *node_json(const struct eqt_scontrol_node *node,
			      const struct eqt_unit_amounts *unit)
{
	struct eqt_unit_amounts rest =
		eqt_unit_amounts_free(&node->total, &node->allocated);
	json_object *object = json_object_new_object();
	json_object *rates = json_object_new_object();
	struct eqt_frac rate;
	int i;

	eqt_json_add(object, "node",
		     json_object_new_string_len(node->name, node->name_length));
	eqt_json_add(object, "free", amounts_json(&rest));
	eqt_json_add(object, "units",
		     json_object_new_uint64(eqt_unit_count(unit, &rest)));
	eqt_json_add(
		object, "capacity",
		json_object_new_uint64(eqt_unit_count(unit, &node->total)));
	for (i = 0; i < EQT_UNIT_PARTS; i++) {
		bool billed = eqt_unit_rate(&rate, unit, &node->total,
					    &node->allocated,
					    (enum eqt_unit_part) i) == 0;

		eqt_json_add(rates, eqt_unit_part_name((enum eqt_unit_part) i),
			     billed ? eqt_json_number(eqt_frac_double(rate))
				    : NULL);
	}
	eqt_json_add(object, "bill", rates);
	return object;
}

/* Pending jobs that would fit, by units and by what they ask for. */
static json_object *fit_json(const struct eqt_capacity_fit *fit)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "pending", json_object_new_uint64(fit->pending));
	eqt_json_add(object, "waiting_else",
		     json_object_new_uint64(fit->waiting_else));
	eqt_json_add(object, "units", json_object_new_uint64(fit->units));
	eqt_json_add(object, "fit_by_units",
		     json_object_new_uint64(fit->fit_units));
	eqt_json_add(object, "fit_by_request",
		     json_object_new_uint64(fit->fit_request));
	return object;
}

/* One unit with its nodes and its queue. NULL: out of memory. */
static json_object *unit_json(const struct eqt_capacity_cluster *cluster,
			      const struct eqt_overhead_options *options,
			      int unit)
{
	const struct eqt_scontrol_nodes *nodes = &cluster->nodes;
	json_object *object = json_object_new_object();
	json_object *list = json_object_new_array();
	const char *partition = eqt_capacity_unit_partition(
		&options->units, unit, options->partition);
	struct eqt_capacity_sum sum;
	size_t i;

	if (eqt_capacity_sum(&sum, cluster, &options->units.unit[unit],
			     partition) < 0) {
		json_object_put(list);
		json_object_put(object);
		return NULL;
	}
	eqt_json_add(object, "unit", amounts_json(&options->units.unit[unit]));
	eqt_json_add(object, "partition",
		     partition ? json_object_new_string(partition) : NULL);
	eqt_json_add(object, "true_overhead",
		     json_object_new_uint64(sum.overhead));
	eqt_json_add(object, "capacity", json_object_new_uint64(sum.capacity));
	for (i = 0; i < nodes->count; i++) {
		if (cluster->chosen[i])
			(void) json_object_array_add(
				list, node_json(&nodes->nodes[i],
						&options->units.unit[unit]));
	}
	eqt_json_add(object, "nodes", list);
	eqt_json_add(object, "queue",
		     cluster->has_jobs ? fit_json(&sum.fit) : NULL);
	return object;
}

int eqt_overhead_json(const struct eqt_capacity_cluster *cluster,
		      const struct eqt_overhead_options *options)
{
	json_object *array = json_object_new_array(), *one;
	int unit;

	for (unit = 0; unit < options->units.count; unit++) {
		one = unit_json(cluster, options, unit);
		if (!one) {
			json_object_put(array);
			return -1;
		}
		(void) json_object_array_add(array, one);
	}
	eqt_json_print(array);
	return 0;
}
