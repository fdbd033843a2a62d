/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the sums of equitree overhead as text, as JSON, per partition, and as a drawing.
 * Also reads a period. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/whole.h"
#include "overhead/overhead.h"
#include "cli/plot.h"
#include "slurm/text/timestamp.h"
#include "cli/names.h"
#include "cli/rows.h"

/* Sum a unit over the nodes of its partition. */
static void unit_sum(struct eqt_capacity_sum *sum,
		     const struct eqt_capacity_cluster *cluster,
		     const struct eqt_overhead_options *options, int unit)
{
	eqt_capacity_sum(sum, cluster, &options->units.unit[unit],
			 eqt_capacity_unit_partition(&options->units, unit,
						     options->partition));
}

/* ---- Text ----------------------------------------------------------------------------
 * The bars of a histogram are scaled to its largest bin and rounded up, so that a single
 * node is visible. */

#define BAR 42

/* The table groups columns of the same kind. CSV has a name of its own for each
 * column. */
static const char node_columns[] =
	"~NODE|>FREE CORES|>MEMORY|>GPUS|>UNITS|>OF|>BILL CORES|>MEMORY|>GPUS";
static const char csv_columns[] =
	"NODE|FREE CORES|FREE MEMORY|FREE GPUS|UNITS|OF|BILL CORES|BILL MEMORY|"
	"BILL GPUS";

/* The columns of each part. Those of local disk come last, if units count it. */
static const struct {
	size_t free, bill;
} part_columns[EQT_UNIT_PARTS] = {
	[EQT_UNIT_PART_CORES] = { 1, 6 },
	[EQT_UNIT_PART_MEMORY] = { 2, 7 },
	[EQT_UNIT_PART_GPUS] = { 3, 8 },
	[EQT_UNIT_PART_DISK] = { 9, 10 },
};

/* Print one line of the histogram, with its bar scaled to the fullest bin. The bars of
 * nodes with room for a unit are green. */
static void print_bin(const struct eqt_capacity_sum *sum, int bin, bool jobs)
{
	char range[EQT_CAPACITY_BIN_NAME];
	uint64_t most = 0;

	for (int i = 0; i < EQT_CAPACITY_BINS; i++)
		eqt_whole_raise(&most, sum->bins[i]);
	printf("%11s %9" PRIu64, eqt_capacity_bin_name(range, bin),
	       sum->bins[bin]);
	if (jobs)
		printf(" %8" PRIu64, sum->fit.bins[bin]);
	if (sum->bins[bin])
		printf("  %s%.*s%s",
		       eqt_colour(bin ? EQT_COLOUR_GOOD : EQT_COLOUR_BOLD),
		       (int) ((sum->bins[bin] * BAR + most - 1) / most),
		       "##########################################",
		       eqt_colour(EQT_COLOUR_NONE));
	putchar('\n');
}

/* Print how much of the queue fits. */
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
		       "because of a reservation,\na limit, a throttle or a "
		       "higher priority.\n",
		       eqt_colour(EQT_COLOUR_DOUBTFUL),
		       eqt_colour(EQT_COLOUR_NONE));
	else if (fit->fit_units > 0)
		printf("There are enough units, but not in the shape that "
		       "these jobs need.\n");
}

/* Empty bins below the largest one are printed, so that the scale has no gaps. Nodes that
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

/* Fill one row of --list: the free amounts of a node, the units that fit, and the fair
 * bill. Memory ends in M. */
static void node_fill_row(struct libscols_line *line,
			  const struct eqt_scontrol_node *node,
			  const struct eqt_unit_amounts *unit, bool counts_disk)
{
	struct eqt_unit_amounts rest =
		eqt_canonical_unit_rest(&node->total, &node->allocated);
	struct eqt_frac rate;

	eqt_table_cell(line, 0, node->name);
	for (size_t i = 0; i < EQT_UNIT_PARTS; i++) {
		if (i == EQT_UNIT_PART_DISK && !counts_disk)
			continue;
		eqt_table_cell_print(line, part_columns[i].free,
				     "%" PRIu64 "%s", rest.of[i],
				     i == EQT_UNIT_PART_MEMORY ? "M" : "");
		if (eqt_canonical_unit_rate(&rate, unit, &node->total,
					    &node->allocated,
					    (enum eqt_unit_part) i) < 0)
			continue;
		eqt_table_cell_print(
			line, part_columns[i].bill, "%" PRIu64 " %%",
			eqt_frac_round(rate, 100, EQT_ROUND_NEAREST));
	}
	eqt_table_cell_print(line, 4, "%" PRIu64,
			     eqt_canonical_unit_count(unit, &rest));
	eqt_table_cell_print(line, 5, "%" PRIu64,
			     eqt_canonical_unit_count(unit, &node->total));
}

/* Print the table of --list, with a row per chosen node. */
static void print_list(const struct eqt_capacity_cluster *cluster,
		       const struct eqt_overhead_options *options, int unit)
{
	struct libscols_table *table =
		eqt_table_new(eqt_output_csv() ? csv_columns : node_columns,
			      !options->common.no_headings);

	if (cluster->nodes.disk) {
		eqt_table_column(table, "FREE DISK", SCOLS_FL_RIGHT);
		eqt_table_column(table, "BILL DISK", SCOLS_FL_RIGHT);
	}

	for (size_t i = 0; i < cluster->nodes.count; i++) {
		const struct eqt_scontrol_node *node = &cluster->nodes.nodes[i];

		if (cluster->chosen[i])
			node_fill_row(eqt_table_line(table, NULL), node,
				      &options->units.unit[unit],
				      cluster->nodes.disk != NULL);
	}
	eqt_table_print(table);
}

/* CSV has only the rows of --list. */
void eqt_overhead_print(const struct eqt_capacity_cluster *cluster,
			const struct eqt_overhead_options *options)
{
	const struct eqt_scontrol_nodes *nodes = &cluster->nodes;
	size_t i, gone = 0;
	struct eqt_capacity_sum sum;

	for (int unit = 0; unit < options->units.count; unit++) {
		if (unit > 0 && !eqt_output_csv())
			putchar('\n');
		unit_sum(&sum, cluster, options, unit);
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
}

/* ---- JSON ----------------------------------------------------------------------------
 * Memory is in MiB, as in Slurm. The bill for a resource is null if the unit does not
 * bill that resource. */

/* Cores, memory, GPUs and local disk of one node as JSON. */
static json_object *amounts_json(const struct eqt_unit_amounts *amounts)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "cores", amounts->of[0]);
	eqt_json_add(object, "memory_mib", amounts->of[1]);
	eqt_json_add(object, "gpus", amounts->of[2]);
	eqt_json_add(object, "disk", amounts->of[3]);
	return object;
}

/* The free amounts of a node, the units that fit, and the fair bill as JSON. */
static json_object *node_json(const struct eqt_scontrol_node *node,
			      const struct eqt_unit_amounts *unit)
{
	struct eqt_unit_amounts rest =
		eqt_canonical_unit_rest(&node->total, &node->allocated);
	json_object *object = json_object_new_object();
	json_object *rates = json_object_new_object();
	struct eqt_frac rate;

	eqt_json_add(object, "node", node->name);
	eqt_json_add(object, "free", amounts_json(&rest));
	eqt_json_add(object, "units", eqt_canonical_unit_count(unit, &rest));
	eqt_json_add(object, "capacity",
		     eqt_canonical_unit_count(unit, &node->total));
	for (int i = 0; i < EQT_UNIT_PARTS; i++) {
		bool billed = eqt_canonical_unit_rate(&rate, unit, &node->total,
						      &node->allocated,
						      (enum eqt_unit_part) i) ==
			      0;

		eqt_json_add(
			rates,
			eqt_canonical_unit_part_name((enum eqt_unit_part) i),
			billed ? eqt_frac_double(rate) : NAN);
	}
	eqt_json_add(object, "bill", rates);
	return object;
}

/* The pending jobs that would fit, by units and by requests, as JSON. */
static json_object *fit_json(const struct eqt_capacity_fit *fit)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "pending", fit->pending);
	eqt_json_add(object, "waiting_else", fit->waiting_else);
	eqt_json_add(object, "units", fit->units);
	eqt_json_add(object, "fit_by_units", fit->fit_units);
	eqt_json_add(object, "fit_by_request", fit->fit_request);
	return object;
}

/* One unit as JSON, with its nodes and its queue. */
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

	unit_sum(&sum, cluster, options, unit);
	eqt_json_add(object, "unit", amounts_json(&options->units.unit[unit]));
	eqt_json_add(object, "partition", partition);
	eqt_json_add(object, "true_overhead", sum.overhead);
	eqt_json_add(object, "capacity", sum.capacity);
	for (size_t i = 0; i < nodes->count; i++) {
		if (cluster->chosen[i])
			eqt_json_append(list,
					node_json(&nodes->nodes[i],
						  &options->units.unit[unit]));
	}
	eqt_json_add(object, "nodes", list);
	eqt_json_add(object, "queue",
		     cluster->has_jobs ? fit_json(&sum.fit) : NULL);
	return object;
}

void eqt_overhead_json(const struct eqt_capacity_cluster *cluster,
		       const struct eqt_overhead_options *options)
{
	json_object *array = json_object_new_array();

	for (int unit = 0; unit < options->units.count; unit++) {
		eqt_json_append(array, unit_json(cluster, options, unit));
	}
	eqt_json_print(array);
}

/* ---- Partitions ----------------------------------------------------------------------
 * equitree overhead --partitions prints one line per partition and unit. */

/* Collect the name of each partition once, in the order of the nodes. */
static void partitions_collect(struct eqt_names *names,
			       const struct eqt_scontrol_nodes *nodes)
{
	for (size_t i = 0; i < nodes->count; i++) {
		const char *list = nodes->nodes[i].partitions;
		char name[256];

		while (eqt_text_next_name(name, sizeof(name), &list))
			(void) eqt_names_text(names, name);
	}
}

/* A row of --partitions. Partitions may share nodes, so the rows have no sum. */
struct partition_row {
	const char *partition, *unit;
	struct eqt_capacity_sum sum;
	double part;
};

/* Rows with free units are green. */
static enum eqt_colour overhead_colour(const void *row)
{
	const struct partition_row *one = row;

	return one->sum.overhead ? EQT_COLOUR_GOOD : EQT_COLOUR_NONE;
}

#define ROW(column, key, type, member, flags, colour)                         \
	{                                                                     \
		column, key, &eqt_row_##type,                                 \
			offsetof(struct partition_row, member), flags, colour \
	}

static const struct eqt_row_field partition_fields[] = {
	ROW("PARTITION", "partition", text, partition, 0, NULL),
	ROW("UNIT", "unit", text, unit, SCOLS_FL_WRAP, NULL),
	ROW("NODES", "nodes", count, sum.nodes, SCOLS_FL_RIGHT, NULL),
	ROW("UNITS FREE", "true_overhead", count, sum.overhead, SCOLS_FL_RIGHT,
	    NULL),
	ROW("OF", "capacity", count, sum.capacity, SCOLS_FL_RIGHT, NULL),
	ROW("TRUE OVERHEAD", NULL, part, part, SCOLS_FL_RIGHT, overhead_colour),
	{ 0 },
};

/* The text of a unit without the partition before its colon, which has a column of its
 * own. */
static const char *unit_text(const struct eqt_capacity_units *units, int unit)
{
	const char *colon = strchr(units->text[unit], ':');

	return colon ? colon + 1 : units->text[unit];
}

/* Units that no node of the partition can hold are left out. */
static void partition_print(struct eqt_rows_out *out, const char *name,
			    const struct eqt_capacity_cluster *cluster,
			    const struct eqt_capacity_units *units)
{
	for (int unit = 0; unit < units->count; unit++) {
		struct partition_row row = { .partition = name,
					     .unit = unit_text(units, unit) };

		if (!eqt_capacity_unit_is_for(units, unit, name))
			continue;
		eqt_capacity_sum(&row.sum, cluster, &units->unit[unit], name);
		row.part = eqt_capacity_percent(&row.sum) / 100;
		if (row.sum.nodes)
			eqt_rows_add(out, &row);
	}
}

void eqt_overhead_partitions(const struct eqt_capacity_cluster *cluster,
			     const struct eqt_overhead_options *options)
{
	struct eqt_capacity_cluster nodes_alone = *cluster;
	struct eqt_names names = { .count = 0 };
	struct eqt_rows_out out;

	partitions_collect(&names, &cluster->nodes);
	nodes_alone.has_jobs = false;
	eqt_rows_begin(&out, partition_fields, &options->common);
	for (size_t i = 0; i < names.count; i++)
		partition_print(&out, *(const char *const *) names.list[i],
				&nodes_alone, &options->units);
	eqt_rows_end(&out);
	eqt_names_free(&names);
}

/* ---- A period ------------------------------------------------------------------------
 * A period is read from sacct day by day, so that memory holds only the jobs of one day.
 * A saved list is read once. */

/* A unit with a partition counts only on nodes of that partition. */
bool eqt_overhead_unit_has(const struct eqt_overhead_options *options, int unit,
			   const struct eqt_scontrol_node *node)
{
	const char *partition = eqt_capacity_unit_partition(
		&options->units, unit, options->partition);

	return (!partition || eqt_scontrol_node_in(node, partition)) &&
	       eqt_canonical_unit_count(&options->units.unit[unit],
					&node->total) > 0;
}

/* Read one day, or all of a saved list. If a job runs over midnight, sacct lists it on
 * both days, cut to each day. */
static int period_add_part(const struct eqt_scontrol_nodes *nodes,
			   const struct eqt_overhead_options *options,
			   int64_t from_s, int64_t until_s,
			   eqt_history_each *each, void *with,
			   uint64_t *elsewhere, struct eqt_error *err)
{
	struct eqt_history history;
	int rc = eqt_history_read(&history, nodes, from_s, until_s,
				  &options->source, err);

	if (rc == 0)
		eqt_history_sweep(&history, each, with);
	*elsewhere += history.elsewhere;
	eqt_history_free(&history);
	return rc;
}

/* A job on nodes that no longer exist counts once per day. */
int eqt_overhead_period(const struct eqt_scontrol_nodes *nodes,
			const struct eqt_overhead_options *options,
			eqt_history_each *each, void *with, uint64_t *elsewhere,
			struct eqt_error *err)
{
	int64_t from_s = options->since_s, next_s;
	char text[EQT_TIMESTAMP_DAY];
	int rc = 0;

	*elsewhere = 0;
	for (; rc == 0 && from_s < options->until_s; from_s = next_s) {
		next_s = eqt_timestamp_day(from_s, text);
		if (next_s > options->until_s || options->source.jobs)
			next_s = options->until_s;
		rc = period_add_part(nodes, options, from_s, next_s, each, with,
				     elsewhere, err);
	}
	return rc;
}

void eqt_overhead_elsewhere_print(uint64_t elsewhere)
{
	if (elsewhere > 0)
		printf("NOT COUNTED: %" PRIu64
		       " jobs on nodes that are no more.\n",
		       elsewhere);
}

json_object *eqt_overhead_period_json(
	const struct eqt_overhead_options *options, uint64_t elsewhere)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "since_s", options->since_s);
	eqt_json_add(object, "until_s", options->until_s);
	eqt_json_add(object, "jobs_elsewhere", elsewhere);
	return object;
}

/* ---- A drawing -----------------------------------------------------------------------
 * Draws one histogram per unit, with nodes beside pending jobs. Counts are whole numbers,
 * so the marks of the scale are whole numbers as well. */

#define WIDTH 800
#define HEIGHT 400 /* pixels per histogram */

/* The last bin that is not empty. */
static int plot_last_bin(const struct eqt_capacity_sum *sum)
{
	int bin = EQT_CAPACITY_BINS - 1;

	while (bin > 0 && sum->bins[bin] == 0 && sum->fit.bins[bin] == 0)
		bin--;
	return bin;
}

/* The scale begins at 0 and has about five marks, all at whole numbers. */
static void plot_write_scale(FILE *to, const struct eqt_capacity_sum *sum)
{
	uint64_t most = 1;

	for (int bin = 0; bin < EQT_CAPACITY_BINS; bin++) {
		eqt_whole_raise(&most, sum->bins[bin]);
		eqt_whole_raise(&most, sum->fit.bins[bin]);
	}
	fprintf(to, "\nset ytics %" PRIu64 "\nset yrange [0:%.1f]",
		most / 5 + (most % 5 != 0), 1.1 * (double) most);
}

/* Draw one panel of a unit: bars for nodes and, if known, for pending jobs. */
static void plot_write_histogram(FILE *to, const char *unit,
				 const struct eqt_capacity_sum *sum, int number,
				 bool jobs)
{
	char title[256], range[EQT_CAPACITY_BIN_NAME];

	fprintf(to, "$d%d << EOD\n", number);
	for (int bin = 0; bin <= plot_last_bin(sum); bin++)
		fprintf(to, "\"%s\" %" PRIu64 " %" PRIu64 "\n",
			eqt_capacity_bin_name(range, bin), sum->bins[bin],
			sum->fit.bins[bin]);
	(void) snprintf(title, sizeof(title),
			"Unit %.150s: %.1f %% is true overhead", unit,
			eqt_capacity_percent(sum));
	fprintf(to, "EOD\nset title ");
	eqt_plot_quoted(to, title);
	plot_write_scale(to, sum);
	fprintf(to,
		"\nplot $d%d using 2:xtic(1) title 'nodes' lc rgb '#2b6cb0'",
		number);
	if (jobs)
		fprintf(to, ", '' using 3 title 'pending jobs, by units for "
			    "each node' lc rgb '#dd6b20'");
	fputc('\n', to);
}

int eqt_overhead_plot(const struct eqt_capacity_cluster *cluster,
		      const struct eqt_overhead_options *options,
		      struct eqt_error *err)
{
	const struct eqt_plot_panels panels = { options->units.count, 1, WIDTH,
						HEIGHT };
	FILE *to = eqt_plot_open(options->plot_path, &panels, err);
	struct eqt_capacity_sum sum;

	if (!to)
		return -1;
	fprintf(to, "set style data histograms\n"
		    "set style fill solid 0.9 noborder\n"
		    "set boxwidth 0.9\n"
		    "set xlabel 'units free on a node'\nset grid y\n"
		    "set ylabel 'nodes, jobs'\n"
		    "set key below horizontal\nset offsets 0,0,1,0\n");
	for (int i = 0; i < options->units.count; i++) {
		unit_sum(&sum, cluster, options, i);
		plot_write_histogram(to, options->units.text[i], &sum, i,
				     cluster->has_jobs);
	}
	return eqt_plot_close(to, options->plot_path, err);
}
