/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree overhead: canonical units that nodes have free, and the fair bill
 * of the rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cmd.h"
#include "cli/options.h"
#include "overhead/overhead.h"
#include "slurm/text/timestamp.h"
#include "cli/plot.h"
#include "cli/print.h"

/* Errors name the unit. */
static int overhead_add_unit(void *into, const char *text,
			     struct eqt_error *err)
{
	struct eqt_overhead_options *options = into;

	return eqt_capacity_units_add(&options->units, text, err);
}

/* gnuplot writes the format that the suffix names. */
static int overhead_take_plot(void *into, const char *path,
			      struct eqt_error *err)
{
	struct eqt_overhead_options *options = into;

	options->plot_path = path;
	return eqt_plot_check_name(path, err);
}

/* The keys are in the order of enum eqt_overhead_key. What a line of the result is
 * about. */
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

/* Local time, as Slurm's commands take it. */
static int overhead_take_since(void *into, const char *arg,
			       struct eqt_error *err)
{
	struct eqt_overhead_options *options = into;

	return eqt_timestamp_option(&options->since_s, arg, err);
}

/* The first second that does not belong to the period. */
static int overhead_take_until(void *into, const char *arg,
			       struct eqt_error *err)
{
	struct eqt_overhead_options *options = into;

	return eqt_timestamp_option(&options->until_s, arg, err);
}

/* The options of a period, and their defaults: the last seven days. Without --until the
 * period ends now. Events are read with the jobs, or not at all: a node that was down
 * counted as free otherwise. */
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

/* Without a period there is nothing to read for one. */
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

/* Refuse options that contradict each other; add the default unit. */
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
	  0, EQT_TAKEN_BY(overhead_add_unit) },
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
	  EQT_TAKEN_BY(overhead_take_plot) },
	{ "by", 0, "KEY",
	  "a period: true overhead of each day, or the fair bill of each job, "
	  "user or account",
	  0, EQT_TAKEN_BY(overhead_take_key) },
	{ "since", 0, "TIME", "the period; the last seven days by default", 0,
	  EQT_TAKEN_BY(overhead_take_since) },
	{ "until", 0, "TIME", "its end; now by default", 0,
	  EQT_TAKEN_BY(overhead_take_until) },
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

/* ---- The picture ---------------------------------------------------------- */

/* The sums are kept until gnuplot has read them: histograms point into them. */
static int overhead_draw(const struct eqt_capacity_cluster *cluster,
			 const struct eqt_overhead_options *options,
			 struct eqt_error *err)
{
	struct eqt_overhead_histogram plots[EQT_CAPACITY_UNITS_MAX];
	struct eqt_capacity_sum *sums =
		calloc((size_t) options->units.count, sizeof(*sums));
	int unit, rc = 0;

	for (unit = 0; sums && unit < options->units.count && rc == 0; unit++) {
		rc = eqt_capacity_sum(
			&sums[unit], cluster, &options->units.unit[unit],
			eqt_capacity_unit_partition(&options->units, unit,
						    options->partition));
		plots[unit] = (struct eqt_overhead_histogram){
			.unit = options->units.text[unit],
			.nodes = sums[unit].bins,
			.jobs = sums[unit].fit.bins,
			.has_jobs = cluster->has_jobs,
			.percent = eqt_capacity_percent(&sums[unit]),
		};
	}
	if (!sums || rc < 0)
		rc = eqt_error_set(err, "out of memory");
	else
		rc = eqt_overhead_plot_write(options->plot_path, plots,
					     options->units.count, err);
	free(sums);
	return rc;
}

/* ---- Reading -------------------------------------------------------------- */

/* Read nodes and, where they belong to the same moment, the queue. */
static int overhead_read_cluster(struct eqt_capacity_cluster *cluster,
				 const struct eqt_overhead_options *options,
				 struct eqt_error *err)
{
	if (eqt_scontrol_nodes_read(&cluster->nodes, options->path, err) < 0 ||
	    eqt_scontrol_nodes_check_gpus(&cluster->nodes, err) < 0 ||
	    eqt_scontrol_nodes_count_disk(&cluster->nodes, options->units.disk,
					  err) < 0)
		return -1;
	/* Saved nodes and a live queue would show two moments. */
	cluster->has_jobs = !options->partitions && !options->by &&
			    (options->jobs_path || !options->path);
	if (cluster->has_jobs &&
	    eqt_squeue_read(&cluster->jobs, options->jobs_path,
			    cluster->nodes.disk, err) < 0)
		return -1;
	cluster->chosen =
		calloc(cluster->nodes.count + 1, sizeof(*cluster->chosen));
	return cluster->chosen ? 0 : eqt_error_set(err, "out of memory");
}

/* Read, print, and draw if asked to. The exit status, or -1 with err filled. */
static int overhead_run(struct eqt_capacity_cluster *cluster,
			const struct eqt_overhead_options *options,
			struct eqt_error *err)
{
	int rc = overhead_read_cluster(cluster, options, err);

	if (rc < 0)
		return rc;
	if (options->by)
		return options->by == EQT_OVERHEAD_BY_DAY
			       ? eqt_days_print(&cluster->nodes, options, err)
			       : eqt_bills_print(&cluster->nodes, options, err);
	if (options->partitions)
		rc = eqt_overhead_partitions(cluster, options);
	else
		rc = options->common.json
			     ? eqt_overhead_json(cluster, options)
			     : eqt_overhead_print(cluster, options);
	if (rc < 0)
		return eqt_error_set(err, "out of memory");
	return options->plot_path ? overhead_draw(cluster, options, err) : 0;
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
	eqt_squeue_free(&cluster.jobs);
	eqt_scontrol_nodes_free(&cluster.nodes);
	return status;
}
