/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree overhead: the canonical units that nodes have free, and the fair bill for
 * everything else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/whole.h"
#include "cli/alloc.h"
#include "cli/cmd.h"
#include "overhead/overhead.h"
#include "slurm/text/timestamp.h"
#include "cli/plot.h"
#include "cli/print.h"
#include "cli/json.h"
#include "cli/table.h"

/* ---- Days ---------------------------------------------------------------------------
 * A node-hour of true overhead is an hour in which all of a node is free. Two hours in
 * which half of its units are free are the same. Hours in which a node was unavailable
 * are neither overhead nor capacity. */

#define DAYS_MAX 4000
#define BAR 42
#define WIDTH 900
#define HEIGHT 360 /* pixels per unit */

/* Sums of seconds. */
struct day_sum {
	double units, capacity; /* multiplied by units */
	double nodes, nodes_capacity; /* multiplied by nodes */
};

struct day {
	int64_t from_s, until_s;
	char name[EQT_TIMESTAMP_DAY];
	struct day_sum sum[EQT_CAPACITY_UNITS_MAX];
};

struct days {
	const struct eqt_overhead_options *options;
	struct day *day;
	size_t count;
	struct day_sum total[EQT_CAPACITY_UNITS_MAX];
	double bins[EQT_CAPACITY_UNITS_MAX][EQT_CAPACITY_BINS];
	uint64_t elsewhere;
};

/* ---- Sums ----------------------------------------------------------------- */

/* Make one entry per day. The first and the last day are cut to the period. Days are
 * local, and have 23 or 25 hours when clocks change. */
static int days_make(struct days *days,
		     const struct eqt_overhead_options *options,
		     struct eqt_error *err)
{
	int64_t at_s = options->since_s;
	struct day *day;

	days->options = options;
	days->day = eqt_alloc(DAYS_MAX, sizeof(*days->day));
	while (at_s < options->until_s) {
		if (days->count == DAYS_MAX)
			return eqt_error_set(err, "more than %d days",
					     DAYS_MAX);
		day = &days->day[days->count++];
		day->from_s = at_s;
		at_s = eqt_whole_earlier(eqt_timestamp_day(at_s, day->name),
					 options->until_s);
		day->until_s = at_s;
	}
	return 0;
}

/* Add seconds in which a node had this many units free. capacity is at least 1, because
 * nodes that can hold no unit are left out earlier. */
static void day_sum_add(struct day_sum *sum, double seconds, uint64_t units,
			uint64_t capacity)
{
	sum->units += seconds * (double) units;
	sum->capacity += seconds * (double) capacity;
	sum->nodes += seconds * (double) units / (double) capacity;
	sum->nodes_capacity += seconds;
}

/* Add a stretch of time in which nothing changes to each day that it touches. */
static void days_add_unit(struct days *days,
			  const struct eqt_history_span *span, int unit)
{
	const struct eqt_unit_amounts *thresholds =
		&days->options->units.unit[unit];
	const struct eqt_unit_amounts rest =
		eqt_canonical_unit_rest(&span->node->total, &span->allocated);
	const uint64_t units = eqt_canonical_unit_count(thresholds, &rest);
	const uint64_t capacity =
		eqt_canonical_unit_count(thresholds, &span->node->total);
	const double all = (double) (span->until_s - span->from_s);

	for (size_t i = 0; i < days->count; i++) {
		const struct day *day = &days->day[i];
		int64_t from_s = span->from_s, until_s = span->until_s;

		if (eqt_whole_cut_span(&from_s, &until_s, day->from_s,
				       day->until_s))
			day_sum_add(&days->day[i].sum[unit],
				    (double) (until_s - from_s), units,
				    capacity);
	}
	day_sum_add(&days->total[unit], all, units, capacity);
	days->bins[unit][eqt_capacity_bin(units)] += all;
}

/* A callback of eqt_overhead_period(): add a stretch of time in which nothing changes on
 * a node. */
static void days_add(void *with, const struct eqt_history_span *span)
{
	struct days *days = with;

	for (int unit = 0; unit < days->options->units.count; unit++) {
		if (span->available &&
		    eqt_overhead_unit_has(days->options, unit, span->node))
			days_add_unit(days, span, unit);
	}
}

/* True overhead in percent. 0 for a day on which no node was available. */
static double sum_percent(const struct day_sum *sum)
{
	return sum->capacity > 0 ? 100 * sum->units / sum->capacity : 0;
}

/* ---- Text ----------------------------------------------------------------- */

/* Add a row for a unit on a day. */
static void days_add_row(struct libscols_table *table, const struct days *days,
			 const struct day *day, int unit)
{
	const struct day_sum *sum = &day->sum[unit];
	const double hours[] = { sum->units / 3600, sum->capacity / 3600,
				 sum->nodes / 3600,
				 sum->nodes_capacity / 3600 };
	static const size_t columns[] = { 2, 3, 5, 6 };
	struct libscols_line *line = eqt_table_line(table, NULL);
	char text[EQT_TABLE_CELL];

	eqt_table_cell(line, 0, day->name);
	eqt_table_cell(line, 1, days->options->units.text[unit]);
	for (size_t i = 0; i < 4; i++) {
		eqt_table_cell_print(line, columns[i], "%.1f", hours[i]);
	}
	(void) snprintf(text, sizeof(text), "%.1f %%", sum_percent(sum));
	eqt_table_cell_set(line, 4, text,
			   sum->units > 0 ? EQT_COLOUR_GOOD : EQT_COLOUR_NONE);
}

/* Units that no node can hold have no lines. CSV has other headings, because spreadsheets
 * confuse two columns with the same heading. */
static void days_print_table(const struct days *days)
{
	struct libscols_table *table = eqt_table_new(
		eqt_output_csv()
			? "DAY|UNIT|UNIT HOURS|UNIT HOURS OF|TRUE OVERHEAD|"
			  "NODE HOURS|NODE HOURS OF"
			: "DAY|~UNIT|>UNIT HOURS|>OF|>TRUE OVERHEAD|>NODE "
			  "HOURS|>OF",
		!days->options->common.no_headings);

	for (size_t i = 0; i < days->count; i++) {
		for (int unit = 0; unit < days->options->units.count; unit++) {
			if (days->total[unit].capacity > 0)
				days_add_row(table, days, &days->day[i], unit);
		}
	}
	eqt_table_print(table);
}

/* Print node-hours by number of free units. Bars are scaled to the fullest bin. */
static void days_print_histogram(const struct days *days, int unit)
{
	const double *bins = days->bins[unit];
	char name[EQT_CAPACITY_BIN_NAME];
	int bin, last = 0;
	double most = 0;

	for (bin = 0; bin < EQT_CAPACITY_BINS; bin++) {
		last = bins[bin] > 0 ? bin : last;
		most = bins[bin] > most ? bins[bin] : most;
	}
	printf("\nUnit %s: %.1f of %.1f unit-hours are true overhead (%.1f "
	       "%%),\n%.1f of %.1f node-hours.\n",
	       days->options->units.text[unit], days->total[unit].units / 3600,
	       days->total[unit].capacity / 3600,
	       sum_percent(&days->total[unit]), days->total[unit].nodes / 3600,
	       days->total[unit].nodes_capacity / 3600);
	if (!days->options->common.no_headings)
		printf("%11s %12s\n", "UNITS FREE", "NODE HOURS");
	for (bin = 0; bin <= last; bin++) {
		printf("%11s %12.1f%s%.*s\n", eqt_capacity_bin_name(name, bin),
		       bins[bin] / 3600, bins[bin] > 0 ? "  " : "",
		       (int) (bins[bin] * BAR / most + 0.999),
		       "##########################################");
	}
}

/* The number of jobs on nodes that no longer exist is printed below the tables. */
static void days_print(const struct days *days)
{
	days_print_table(days);
	if (eqt_output_csv())
		return;
	for (int unit = 0; unit < days->options->units.count; unit++) {
		if (days->total[unit].capacity > 0)
			days_print_histogram(days, unit);
	}
	if (days->elsewhere > 0)
		putchar('\n');
	eqt_overhead_elsewhere_print(days->elsewhere);
}

/* ---- JSON ----------------------------------------------------------------- */

static json_object *sum_json(const struct day_sum *sum)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "unit_hours", sum->units / 3600);
	eqt_json_add(object, "capacity_unit_hours", sum->capacity / 3600);
	eqt_json_add(object, "node_hours", sum->nodes / 3600);
	eqt_json_add(object, "capacity_node_hours", sum->nodes_capacity / 3600);
	return object;
}

/* A unit as JSON. Its histogram has node-hours by number of free units, in the same bins
 * as the text. */
static json_object *days_unit_json(const struct days *days, int unit)
{
	json_object *object = json_object_new_object();
	json_object *list = json_object_new_array();
	json_object *bins = json_object_new_array(), *one;

	eqt_json_add(object, "unit", days->options->units.text[unit]);
	eqt_json_add(object, "period", sum_json(&days->total[unit]));
	for (size_t i = 0; i < days->count; i++) {
		one = sum_json(&days->day[i].sum[unit]);
		eqt_json_add(one, "day", days->day[i].name);
		eqt_json_append(list, one);
	}
	for (int bin = 0; bin < EQT_CAPACITY_BINS; bin++) {
		if (!(days->bins[unit][bin] > 0))
			continue;
		one = json_object_new_object();
		eqt_json_add(one, "units_from",
			     bin ? UINT64_C(1) << (bin - 1) : 0);
		eqt_json_add(one, "node_hours", days->bins[unit][bin] / 3600);
		eqt_json_append(bins, one);
	}
	eqt_json_add(object, "days", list);
	eqt_json_add(object, "histogram", bins);
	return object;
}

/* Print all units with their days and histograms as JSON. */
static void days_json(const struct days *days)
{
	json_object *object =
		eqt_overhead_period_json(days->options, days->elsewhere);
	json_object *units = json_object_new_array();

	for (int unit = 0; unit < days->options->units.count; unit++)
		eqt_json_append(units, days_unit_json(days, unit));
	eqt_json_add(object, "units", units);
	eqt_json_print(object);
}

/* ---- A drawing ------------------------------------------------------------ */

/* The data are part of gnuplot's script, as a block of its own. */
static void days_plot_unit(FILE *to, const struct days *days, int unit)
{
	char title[256];

	fprintf(to, "$u%d << EOD\n", unit);
	for (size_t i = 0; i < days->count; i++)
		fprintf(to, "%s %.9g\n", days->day[i].name,
			days->day[i].sum[unit].nodes / 3600);
	(void) snprintf(title, sizeof(title),
			"Unit %.150s: %.1f %% is true overhead",
			days->options->units.text[unit],
			sum_percent(&days->total[unit]));
	fprintf(to, "EOD\nset title ");
	eqt_plot_quoted(to, title);
	fprintf(to,
		"\nset ylabel 'node-hours of true overhead'\n"
		"plot $u%d using 1:2 with boxes notitle lc rgb '#2b6cb0'\n",
		unit);
}

/* Draw one panel per unit that some node can hold. */
static int days_plot(const struct days *days, const char *path,
		     struct eqt_error *err)
{
	struct eqt_plot_panels panels = { 0, 1, WIDTH, HEIGHT };
	FILE *to;
	int unit;

	for (unit = 0; unit < days->options->units.count; unit++)
		panels.rows += days->total[unit].capacity > 0;
	if (panels.rows == 0)
		return eqt_error_set(err, "%s: no node can hold a unit", path);
	to = eqt_plot_open(path, &panels, err);
	if (!to)
		return -1;
	eqt_plot_dates(to, "%d %b");
	for (unit = 0; unit < days->options->units.count; unit++) {
		if (days->total[unit].capacity > 0)
			days_plot_unit(to, days, unit);
	}
	return eqt_plot_close(to, path, err);
}

/* Print the true overhead of each day of the period and its histogram, and draw the days
 * if requested. The struct is too large for the stack. Returns 0, or -1 with err
 * filled. */
static int days_run(const struct eqt_scontrol_nodes *nodes,
		    const struct eqt_overhead_options *options,
		    struct eqt_error *err)
{
	struct days *days = eqt_alloc(1, sizeof(*days));
	int rc;

	rc = days_make(days, options, err);
	if (rc == 0)
		rc = eqt_overhead_period(nodes, options, days_add, days,
					 &days->elsewhere, err);
	if (rc == 0 && options->plot_path)
		rc = days_plot(days, options->plot_path, err);
	if (rc == 0 && options->common.json)
		days_json(days);
	else if (rc == 0)
		days_print(days);
	free(days->day);
	free(days);
	return rc;
}

/* ---- The subcommand ------------------------------------------------------- */

/* Read --by. Its words are in the order of enum eqt_overhead_key. */
static int overhead_take_key(void *into, const char *arg, struct eqt_error *err)
{
	static const char *const keys[] = { "day", "job", "user", "account" };
	struct eqt_overhead_options *options = into;

	for (int i = 0; i < 4; i++) {
		if (strcmp(arg, keys[i]) == 0) {
			options->by = (enum eqt_overhead_key)(
				EQT_OVERHEAD_BY_DAY + i);
			return 0;
		}
	}
	return eqt_error_set(
		err, "\"%.64s\": expected day, job, user or account", arg);
}

/* Check the options of a period, and set their defaults: the seven days before now. Saved
 * events need saved jobs, because both must belong to the same cluster. */
static int overhead_check_period(struct eqt_overhead_options *options,
				 struct eqt_error *err)
{
	char text[EQT_TIMESTAMP_DAY];

	if (options->list || options->partitions || options->jobs_path)
		return eqt_error_set(
			err, "--by excludes --list, --partitions and --jobs");
	if (options->plot_path && options->by != EQT_OVERHEAD_BY_DAY)
		return eqt_error_set(err, "--plot needs --by=day");
	if (!options->path != !options->source.jobs)
		return eqt_error_set(err, "--history needs --nodes, and --by "
					  "with --nodes needs --history");
	if (options->source.events && !options->source.jobs)
		return eqt_error_set(err, "--events needs --history");
	if (!options->until_s)
		options->until_s = (int64_t) time(NULL);
	if (!options->since_s)
		options->since_s = eqt_timestamp_day(
			options->until_s - 7 * 86400 - 1, text);
	return options->since_s < options->until_s
		       ? 0
		       : eqt_error_set(err, "the period has no time");
}

/* Without --by, options of a period are refused. */
static int overhead_check_moment(const struct eqt_overhead_options *options,
				 struct eqt_error *err)
{
	if (options->charges)
		return eqt_error_set(err, "--charges needs --by");
	if (options->source.jobs || options->source.events ||
	    options->since_s || options->until_s)
		return eqt_error_set(
			err,
			"--history, --events, --since and --until need --by");
	if (options->common.csv && !options->list && !options->partitions)
		return eqt_error_set(
			err, "--csv needs --by, --list or --partitions");
	return 0;
}

/* Refuse options that contradict each other, and add the default units. */
static int overhead_check_units(void *into, struct eqt_error *err)
{
	struct eqt_overhead_options *options = into;

	if (options->partitions &&
	    (options->list || options->partition || options->jobs_path))
		return eqt_error_set(
			err, "--partitions excludes --list, -p and --jobs");
	if ((options->by ? overhead_check_period(options, err)
			 : overhead_check_moment(options, err)) < 0)
		return -1;
	if (eqt_capacity_units_default(&options->units, err) < 0)
		return -1;
	for (int i = 0; i < options->units.count; i++) {
		if (options->partition && options->units.partition[i][0])
			return eqt_error_set(
				err, "-p excludes the unit of a partition");
	}
	return options->common.csv && options->list && options->units.count > 1
		       ? eqt_error_set(err, "--csv --list needs one --unit")
		       : 0;
}

static const struct eqt_option options_table[] = {
	{ "unit", 0, "LIST",
	  "the thresholds of a canonical unit, such as cores=1,memory=2G or "
	  "gpu:gpu=1, which is of the partition gpu alone; may be repeated. "
	  "Default: the bundle of cores of equitree.conf, else "
	  "cores=1,memory=2G, and gpu=1",
	  0,
	  EQT_PUT_AT(struct eqt_overhead_options, units,
		     struct eqt_capacity_units, eqt_capacity_units_add) },
	{ "nodes", 0, "FILE",
	  "read what \"scontrol -o show node\" printed (-: stdin)", 0,
	  EQT_TEXT_AT(struct eqt_overhead_options, path) },
	{ "jobs", 0, "FILE",
	  "compare with the queue: what squeue printed in the format of "
	  "equitree-overhead(1); run by default, unless nodes are read from a "
	  "file",
	  0, EQT_TEXT_AT(struct eqt_overhead_options, jobs_path) },
	{ "plot", 0, "FILE",
	  "draw the histograms into FILE, with the suffix .svg or .png", 0,
	  EQT_PLOT_AT(struct eqt_overhead_options, plot_path) },
	{ "by", 0, "KEY",
	  "a period: true overhead of each day, or the fair bill of each job, "
	  "user or account",
	  0, EQT_TAKEN_BY(overhead_take_key) },
	{ "since", 0, "TIME", "the period; the last seven days by default", 0,
	  EQT_TIME_AT(struct eqt_overhead_options, since_s) },
	{ "until", 0, "TIME", "its end; now by default", 0,
	  EQT_TIME_AT(struct eqt_overhead_options, until_s) },
	{ "history", 0, "FILE",
	  "the jobs of the period: what \"sacct -aXDP --noconvert -s R,S\" "
	  "printed; run by default",
	  0, EQT_TEXT_AT(struct eqt_overhead_options, source.jobs) },
	{ "events", 0, "FILE",
	  "when nodes were unavailable: what \"sacctmgr -P show event\" "
	  "printed; run with sacct by default",
	  0, EQT_TEXT_AT(struct eqt_overhead_options, source.events) },
	{ "charges", 0, "DIR",
	  "for bills: the folder of the record of charges; that of the cluster "
	  "by default, unless jobs are read from a file",
	  0, EQT_TEXT_AT(struct eqt_overhead_options, charges) },
	{ "partition", 'p', "NAME", "only nodes of this partition", 0,
	  EQT_TEXT_AT(struct eqt_overhead_options, partition) },
	{ "partitions", 0, NULL, "print one line per partition and unit", 0,
	  EQT_FLAG_AT(struct eqt_overhead_options, partitions) },
	{ "list", 0, NULL, "list the nodes, with their fair bill", 0,
	  EQT_FLAG_AT(struct eqt_overhead_options, list) },
	{ 0 }
};

/* ---- Reading -------------------------------------------------------------- */

/* Read the nodes and, if it belongs to the same moment, the queue. */
static int overhead_read_cluster(struct eqt_capacity_cluster *cluster,
				 const struct eqt_overhead_options *options,
				 struct eqt_error *err)
{
	if (eqt_scontrol_nodes_read(&cluster->nodes, options->path, err) < 0 ||
	    eqt_scontrol_nodes_check_gpus(&cluster->nodes, err) < 0 ||
	    eqt_scontrol_nodes_count_disk(&cluster->nodes, options->units.disk,
					  err) < 0)
		return -1;
	/* Saved nodes and a live queue would be of different moments. */
	cluster->has_jobs = !options->partitions && !options->by &&
			    (options->jobs_path || !options->path);
	if (cluster->has_jobs &&
	    eqt_live_jobs_read_few(&cluster->jobs, options->jobs_path, err) < 0)
		return -1;
	cluster->chosen =
		eqt_alloc(cluster->nodes.count + 1, sizeof(*cluster->chosen));
	return 0;
}

/* Read, print, and draw if requested. Returns the exit status, or -1 with err filled. */
static int overhead_run(struct eqt_capacity_cluster *cluster,
			const struct eqt_overhead_options *options,
			struct eqt_error *err)
{
	int rc = overhead_read_cluster(cluster, options, err);

	if (rc < 0)
		return rc;
	if (options->by)
		return options->by == EQT_OVERHEAD_BY_DAY
			       ? days_run(&cluster->nodes, options, err)
			       : eqt_bills_print(&cluster->nodes, options, err);
	if (options->partitions)
		eqt_overhead_partitions(cluster, options);
	else if (options->common.json)
		eqt_overhead_json(cluster, options);
	else
		eqt_overhead_print(cluster, options);
	return options->plot_path ? eqt_overhead_plot(cluster, options, err)
				  : 0;
}

int cmd_overhead(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct eqt_overhead_options, common),
		.csv = true,
		.doc = "Count the canonical units that nodes have free.\vWhat "
		       "is free of a single resource is not true overhead: no "
		       "job could use it. The fair bill charges it to the jobs "
		       "of the node, in proportion; true overhead is never "
		       "charged.",
		.check = overhead_check_units,
	};
	struct eqt_overhead_options options = { .path = NULL };
	struct eqt_capacity_cluster cluster = { .chosen = NULL };
	struct eqt_error err;
	int status;

	eqt_options_parse(&line, argc, argv, &options);
	status = eqt_print_status("overhead",
				  overhead_run(&cluster, &options, &err), &err);
	free(cluster.chosen);
	eqt_live_jobs_free(&cluster.jobs);
	eqt_scontrol_nodes_free(&cluster.nodes);
	return status;
}
