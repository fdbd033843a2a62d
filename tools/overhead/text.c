/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bars of a histogram are scaled to its largest bin and rounded up, so
 * that a single node is visible.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "overhead/overhead.h"
#include "cli/output_options.h"
#include "cli/table.h"
#include "cli/colour.h"

#define BAR 42

static const struct eqt_table_column columns[] = {
	{ "NODE", SCOLS_FL_WRAP },	  { "FREE CORES", SCOLS_FL_RIGHT },
	{ "MEMORY", SCOLS_FL_RIGHT },	  { "GPUS", SCOLS_FL_RIGHT },
	{ "UNITS", SCOLS_FL_RIGHT },	  { "OF", SCOLS_FL_RIGHT },
	{ "BILL CORES", SCOLS_FL_RIGHT }, { "MEMORY", SCOLS_FL_RIGHT },
	{ "GPUS", SCOLS_FL_RIGHT },	  { "FREE DISK", SCOLS_FL_RIGHT },
	{ "BILL DISK", SCOLS_FL_RIGHT },  { NULL, 0 },
};
#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define DISK_COLUMN 9 /* and the one after it, where units count local disk */

/* A table groups the columns of one kind; a program needs a name for each. */
static const struct eqt_table_column csv_columns[] = {
	{ "NODE", 0 },
	{ "FREE CORES", SCOLS_FL_RIGHT },
	{ "FREE MEMORY", SCOLS_FL_RIGHT },
	{ "FREE GPUS", SCOLS_FL_RIGHT },
	{ "UNITS", SCOLS_FL_RIGHT },
	{ "OF", SCOLS_FL_RIGHT },
	{ "BILL CORES", SCOLS_FL_RIGHT },
	{ "BILL MEMORY", SCOLS_FL_RIGHT },
	{ "BILL GPUS", SCOLS_FL_RIGHT },
	{ "FREE DISK", SCOLS_FL_RIGHT },
	{ "BILL DISK", SCOLS_FL_RIGHT },
	{ NULL, 0 },
};

/* Nodes with room for a unit are green. Others have none to give. */
static enum eqt_colour bar_colour(int bin)
{
	return bin ? EQT_COLOUR_GOOD : EQT_COLOUR_BOLD;
}

/* One line of the histogram, its bar scaled to the fullest bin. Bins double, as in
 * --by=day. */
static void print_bin(const struct eqt_capacity_sum *sum, int bin, bool jobs)
{
	uint64_t low = bin ? UINT64_C(1) << (bin - 1) : 0, most = 0;
	char range[EQT_TABLE_CELL + 8]; /* two numbers and a dash */
	int i;

	for (i = 0; i < EQT_CAPACITY_BINS; i++) {
		if (sum->bins[i] > most)
			most = sum->bins[i];
	}
	(void) snprintf(range, sizeof(range), "%" PRIu64, low);
	if (bin > 1)
		(void) snprintf(range, sizeof(range), "%" PRIu64 "-%" PRIu64,
				low, low + (low - 1));
	printf("%11s %9" PRIu64, range, sum->bins[bin]);
	if (jobs)
		printf(" %8" PRIu64, sum->fit.bins[bin]);
	if (sum->bins[bin])
		printf("  %s%.*s%s", eqt_colour(bar_colour(bin)),
		       (int) ((sum->bins[bin] * BAR + most - 1) / most),
		       "##########################################",
		       eqt_colour(EQT_COLOUR_NONE));
	putchar('\n');
}

/* How much of the queue fits. */
static void print_fit(const struct eqt_capacity_sum *sum)
{
	const struct eqt_capacity_fit *fit = &sum->fit;

	if (fit->pending == 0) {
		printf("No job waits for these units.\n");
		return;
	}
	printf("Jobs that wait for these units: %" PRIu64 ", for %" PRIu64
	       " units in all. By units %" PRIu64
	       " of\nthem fit into the true overhead, by their requests "
	       "%" PRIu64 ".\n",
	       fit->pending, fit->units, fit->fit_units, fit->fit_request);
	if (fit->fit_request > 0)
		printf("%sJobs wait although nodes have room for them,%s "
		       "because "
		       "of a reservation,\na limit, a throttle or a higher "
		       "priority.\n",
		       eqt_colour(EQT_COLOUR_DOUBTFUL),
		       eqt_colour(EQT_COLOUR_NONE));
	else if (fit->fit_units > 0)
		printf("There are enough units, but not in the shape that "
		       "these "
		       "jobs need.\n");
}

/* Empty bins below the largest are printed, so that the scale is continuous. Nodes that
 * could never hold the unit are in none of the numbers. */
static void print_sum(const struct eqt_capacity_sum *sum, const char *text,
		      bool headings, bool jobs)
{
	int bin, last;

	printf("Unit %s%s%s: %" PRIu64 " of %" PRIu64
	       " units are true overhead",
	       eqt_colour(EQT_COLOUR_BOLD), text, eqt_colour(EQT_COLOUR_NONE),
	       sum->overhead, sum->capacity);
	if (sum->capacity)
		printf(" (%.1f %%)", eqt_capacity_percent(sum));
	printf(",\non %" PRIu64 " nodes that can hold this unit.\n",
	       sum->nodes);
	if (sum->nodes == 0)
		return;
	if (headings)
		printf("%11s %9s%s\n", "UNITS FREE", "NODES",
		       jobs ? "  WAITING" : "");
	for (last = EQT_CAPACITY_BINS - 1;
	     sum->bins[last] == 0 && (!jobs || sum->fit.bins[last] == 0);
	     last--)
		;
	for (bin = 0; bin <= last; bin++)
		print_bin(sum, bin, jobs);
	if (jobs)
		print_fit(sum);
}

/* Where a part is in a row of --list; local disk comes last. Memory has an M behind it. */
static size_t free_column(size_t part)
{
	return part == EQT_UNIT_PART_DISK ? DISK_COLUMN : 1 + part;
}

static size_t bill_column(size_t part)
{
	return part == EQT_UNIT_PART_DISK ? DISK_COLUMN + 1 : 6 + part;
}

/* One row of --list: what a node has free, how many units fit. */
static void node_fill_row(struct libscols_line *line,
			  const struct eqt_scontrol_node *node,
			  const struct eqt_unit_amounts *unit, bool counts_disk)
{
	struct eqt_unit_amounts rest =
		eqt_unit_amounts_free(&node->total, &node->allocated);
	char text[256];
	struct eqt_frac rate;
	size_t i;

	(void) snprintf(text, sizeof(text), "%.*s", node->name_length,
			node->name);
	(void) scols_line_set_data(line, 0, text);
	for (i = 0; i < EQT_UNIT_PARTS; i++) {
		if (i == EQT_UNIT_PART_DISK && !counts_disk)
			continue;
		(void) snprintf(text, sizeof(text), "%" PRIu64 "%s", rest.of[i],
				i == EQT_UNIT_PART_MEMORY ? "M" : "");
		(void) scols_line_set_data(line, free_column(i), text);
		if (eqt_unit_rate(&rate, unit, &node->total, &node->allocated,
				  (enum eqt_unit_part) i) < 0)
			continue;
		(void) snprintf(text, sizeof(text), "%" PRIu64 " %%",
				eqt_frac_round(rate, 100, EQT_ROUND_NEAREST));
		(void) scols_line_set_data(line, bill_column(i), text);
	}
	(void) snprintf(text, sizeof(text), "%" PRIu64,
			eqt_unit_count(unit, &rest));
	(void) scols_line_set_data(line, 4, text);
	(void) snprintf(text, sizeof(text), "%" PRIu64,
			eqt_unit_count(unit, &node->total));
	(void) scols_line_set_data(line, 5, text);
}

/* The table of --list, a row for each chosen node. A row for each node that --partition
 * and --node chose. */
static void print_list(const struct eqt_capacity_cluster *cluster,
		       const struct eqt_overhead_options *options, int unit)
{
	struct eqt_table_column used[COLUMNS];
	struct libscols_table *table;
	struct libscols_line *line;
	size_t i;

	memcpy(used, eqt_output_csv() ? csv_columns : columns, sizeof(used));
	if (!cluster->nodes.disk)
		used[DISK_COLUMN].name = NULL;
	table = eqt_table_new(used, !options->common.no_headings);

	for (i = 0; table && i < cluster->nodes.count; i++) {
		const struct eqt_scontrol_node *node = &cluster->nodes.nodes[i];

		if (!cluster->chosen[i])
			continue;
		line = scols_table_new_line(table, NULL);
		if (line)
			node_fill_row(line, node, &options->units.unit[unit],
				      cluster->nodes.disk != NULL);
	}
	if (table)
		(void) eqt_table_print(table);
	scols_unref_table(table);
}

/* CSV has the rows alone. */
int eqt_overhead_print(const struct eqt_capacity_cluster *cluster,
		       const struct eqt_overhead_options *options)
{
	const struct eqt_scontrol_nodes *nodes = &cluster->nodes;
	size_t i, gone = 0;
	struct eqt_capacity_sum sum;
	int unit;

	for (unit = 0; unit < options->units.count; unit++) {
		if (unit > 0 && !eqt_output_csv())
			putchar('\n');
		if (eqt_capacity_sum(&sum, cluster, &options->units.unit[unit],
				     eqt_capacity_unit_partition(
					     &options->units, unit,
					     options->partition)) < 0)
			return -1;
		if (!eqt_output_csv())
			print_sum(&sum, options->units.text[unit],
				  !options->common.no_headings,
				  cluster->has_jobs);
		if (options->list && sum.nodes > 0)
			print_list(cluster, options, unit);
	}
	for (i = 0; i < nodes->count; i++)
		gone += !nodes->nodes[i].available;
	if (gone && !eqt_output_csv())
		printf("\nNot counted: %zu nodes that are unavailable (down, "
		       "drained, ...).\n",
		       gone);
	return 0;
}
