/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree overhead --partitions: one line per partition and unit. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overhead/overhead.h"
#include "cli/table.h"
#include "cli/json.h"
#include "cli/colour.h"

/* Names of partitions, in the order of the nodes. */
struct names {
	char **name; /* owned, as is each name */
	size_t count;
};

/* Free the names that names_collect() copied. */
static void names_free(struct names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
}

/* Add a name unless it is there: clusters have few partitions. 0, or -1: out of
 * memory. */
static int names_add(struct names *names, const char *text, size_t length)
{
	char **more;
	size_t i;

	for (i = 0; i < names->count; i++) {
		if (strlen(names->name[i]) == length &&
		    memcmp(names->name[i], text, length) == 0)
			return 0;
	}
	more = realloc(names->name, (i + 1) * sizeof(*more));
	if (!more)
		return -1;
	names->name = more;
	names->name[i] = strndup(text, length);
	if (!names->name[i])
		return -1;
	names->count++;
	return 0;
}

/* Collect the name of each partition once. 0, or -1: out of memory. */
static int names_collect(struct names *names,
			 const struct eqt_scontrol_nodes *nodes)
{
	size_t i, length;

	for (i = 0; i < nodes->count; i++) {
		const char *at = nodes->nodes[i].partitions;
		const char *end = at + nodes->nodes[i].partitions_length;

		for (; at < end; at += length + 1) {
			const char *comma =
				memchr(at, ',', (size_t) (end - at));

			length = (size_t) ((comma ? comma : end) - at);
			if (names_add(names, at, length) < 0)
				return -1;
		}
	}
	return 0;
}

/* What is printed for each partition and unit. */
struct totals {
	const struct eqt_capacity_cluster *cluster; /* without its queue */
	struct eqt_overhead_options options;
	struct libscols_table *table; /* or array */
	json_object *array;
};

/* The thresholds alone; the partition has a column of its own. */
static const char *unit_text(const struct eqt_capacity_units *units, int unit)
{
	const char *colon = strchr(units->text[unit], ':');

	return colon ? colon + 1 : units->text[unit];
}

/* One row of the table: a partition and a unit. Partitions may share nodes, so the rows
 * have no sum. */
static void totals_add_row(struct totals *totals, int unit,
			   const struct eqt_capacity_sum *sum)
{
	struct libscols_line *line = scols_table_new_line(totals->table, NULL);
	const uint64_t counts[] = { sum->nodes, sum->overhead, sum->capacity };
	char text[EQT_TABLE_CELL];
	size_t i;

	if (!line)
		return;
	(void) scols_line_set_data(line, 0, totals->options.partition);
	(void) scols_line_set_data(line, 1,
				   unit_text(&totals->options.units, unit));
	for (i = 0; i < 3; i++) {
		(void) snprintf(text, sizeof(text), "%" PRIu64, counts[i]);
		(void) scols_line_set_data(line, 2 + i, text);
	}
	(void) snprintf(text, sizeof(text), "%.1f %%",
			eqt_capacity_percent(sum));
	eqt_table_cell_set(line, 5, text,
			   sum->overhead ? EQT_COLOUR_GOOD : EQT_COLOUR_NONE);
}

/* The same as JSON. */
static void totals_add_object(struct totals *totals, int unit,
			      const struct eqt_capacity_sum *sum)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "partition",
		     json_object_new_string(totals->options.partition));
	eqt_json_add(object, "unit",
		     json_object_new_string(
			     unit_text(&totals->options.units, unit)));
	eqt_json_add(object, "nodes", json_object_new_uint64(sum->nodes));
	eqt_json_add(object, "true_overhead",
		     json_object_new_uint64(sum->overhead));
	eqt_json_add(object, "capacity", json_object_new_uint64(sum->capacity));
	(void) json_object_array_add(totals->array, object);
}

/* Units that no node of the partition can hold are left out. */
static int totals_fill(struct totals *totals, const struct names *names)
{
	struct eqt_capacity_sum sum;
	size_t i;
	int unit;

	for (i = 0; i < names->count; i++) {
		totals->options.partition = names->name[i];
		for (unit = 0; unit < totals->options.units.count; unit++) {
			if (!eqt_capacity_unit_is_for(&totals->options.units,
						      unit, names->name[i]))
				continue;
			if (eqt_capacity_sum(&sum, totals->cluster,
					     &totals->options.units.unit[unit],
					     totals->options.partition) < 0)
				return -1;
			if (sum.nodes == 0)
				continue;
			if (totals->array)
				totals_add_object(totals, unit, &sum);
			else
				totals_add_row(totals, unit, &sum);
		}
	}
	return 0;
}

int eqt_overhead_partitions(const struct eqt_capacity_cluster *cluster,
			    const struct eqt_overhead_options *options)
{
	static const struct eqt_table_column columns[] = {
		{ "PARTITION", 0 },
		{ "UNIT", SCOLS_FL_WRAP },
		{ "NODES", SCOLS_FL_RIGHT },
		{ "UNITS FREE", SCOLS_FL_RIGHT },
		{ "OF", SCOLS_FL_RIGHT },
		{ "TRUE OVERHEAD", SCOLS_FL_RIGHT },
		{ NULL, 0 },
	};
	struct eqt_capacity_cluster nodes_alone = *cluster;
	struct totals totals = { &nodes_alone, *options, NULL, NULL };
	struct names names = { .count = 0 };
	int rc;

	nodes_alone.has_jobs = false;
	if (options->common.json)
		totals.array = json_object_new_array();
	else
		totals.table =
			eqt_table_new(columns, !options->common.no_headings);
	rc = names_collect(&names, &cluster->nodes);
	if (rc == 0 && (totals.array || totals.table))
		rc = totals_fill(&totals, &names);
	if (rc == 0 && totals.array)
		eqt_json_print(totals.array);
	else
		json_object_put(totals.array);
	if (rc == 0 && totals.table)
		(void) eqt_table_print(totals.table);
	scols_unref_table(totals.table);
	names_free(&names);
	return rc;
}
