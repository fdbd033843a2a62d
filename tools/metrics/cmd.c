/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree metrics: OpenMetrics text for a textfile collector. A run prints all samples
 * or none, because missing samples would look like metrics that have ended. */
#include <stddef.h>
#include <stdlib.h>

#include "cli/alloc.h"
#include "cli/cmd.h"
#include "slurm/conf/site_conf.h"
#include "cli/options.h"
#include "cli/print.h"
#include "metrics/metrics.h"

/* ---- The subcommand ------------------------------------------------------- */

#define LIMIT 10000
#define LIMIT_MAX 999999999

struct metrics_options {
	struct eqt_sshare_options shares;
	const char *nodes_path;
	struct eqt_capacity_units units;
	struct eqt_metrics_limits limits;
	const char *conf;
	const char *log;
	const char *output;
	struct eqt_output_options common;
};

/* Without --unit the default units of equitree overhead are counted. */
static int metrics_check_units(void *into, struct eqt_error *err)
{
	struct metrics_options *options = into;

	return eqt_capacity_units_default(&options->units, err);
}

static const struct eqt_option options_table[] = {
	{ "output", 0, "FILE", "replace FILE atomically", 0,
	  EQT_TEXT_AT(struct metrics_options, output) },
	{ "accounts", 0, "N",
	  "the largest number of accounts, those with the most usage; default "
	  "10000",
	  0,
	  EQT_NUMBER_AT(struct metrics_options, limits.accounts, LIMIT_MAX) },
	{ "users", 0, "N", "the same for users in accounts", 0,
	  EQT_NUMBER_AT(struct metrics_options, limits.users, LIMIT_MAX) },
	{ "shares", 0, "FILE", "read what \"sshare -alP\" printed (-: stdin)",
	  0, EQT_TEXT_AT(struct metrics_options, shares.path) },
	{ "nodes", 0, "FILE", "read what \"scontrol -o show node\" printed", 0,
	  EQT_TEXT_AT(struct metrics_options, nodes_path) },
	{ "unit", 0, "UNIT",
	  "a canonical unit, as in equitree overhead; may be repeated", 0,
	  EQT_PUT_AT(struct metrics_options, units, struct eqt_capacity_units,
		     eqt_capacity_units_add) },
	{ "log", 0, "FILE",
	  "slurmctld's log, which has the duration of passes at debug", 0,
	  EQT_TEXT_AT(struct metrics_options, log) },
	{ "file", 'f', "FILE",
	  "the equitree.conf with the pools, instead of the one beside "
	  "slurm.conf",
	  0, EQT_TEXT_AT(struct metrics_options, conf) },
	{ 0 }
};

/* Add shares, usage and Level FS, and by pool if equitree.conf is known. The number of
 * users is limited, because each user is a series of its own in the database. */
static int metrics_add_shares(struct eqt_openmetrics *out,
			      const struct metrics_options *options,
			      struct eqt_error *err)
{
	const struct eqt_conf *conf = NULL;
	struct eqt_sshare shares;
	int rc;

	/* Saved shares and a live configuration may belong to different sites. */
	if (options->conf || !options->shares.path) {
		conf = eqt_site_conf_open(options->conf);
		if (!conf)
			return eqt_error_set(
				err,
				"the pools are unknown without equitree.conf");
	}
	rc = eqt_sshare_read(&shares, &options->shares, err);
	if (rc == 0) {
		eqt_metrics_shares(out, &shares, &options->limits);
		if (conf && eqt_pools_any(&conf->pools))
			eqt_metrics_pools(out, &shares, &conf->pools);
		eqt_sshare_free(&shares);
	}
	eqt_conf_free(conf);
	return rc;
}

/* Add the free canonical units of nodes. Slurm must count allocated GPUs, because
 * otherwise they would look free. */
static int metrics_add_overhead(struct eqt_openmetrics *out,
				const struct metrics_options *options,
				struct eqt_error *err)
{
	struct eqt_capacity_cluster cluster = { .chosen = NULL };
	int rc;

	/* Saved shares and live nodes are of different moments. */
	if (options->shares.path && !options->nodes_path)
		return 0;
	if (eqt_scontrol_nodes_read(&cluster.nodes, options->nodes_path, err) <
	    0)
		return -1;
	rc = eqt_scontrol_nodes_check_gpus(&cluster.nodes, err);
	cluster.chosen =
		eqt_alloc(cluster.nodes.count + 1, sizeof(*cluster.chosen));
	if (rc == 0)
		eqt_metrics_overhead(out, &cluster, &options->units);
	free(cluster.chosen);
	eqt_scontrol_nodes_free(&cluster.nodes);
	return rc;
}

/* All samples are collected before anything is written. */
static int metrics_run(const struct metrics_options *options,
		       struct eqt_error *err)
{
	struct eqt_openmetrics out;
	int rc;

	eqt_openmetrics_begin(&out, options->common.json,
			      !options->common.no_headings);
	rc = metrics_add_shares(&out, options, err);
	if (rc == 0)
		rc = metrics_add_overhead(&out, options, err);
	if (rc == 0 && options->log)
		rc = eqt_metrics_log(&out, options->log, err);
	if (rc == 0)
		return eqt_openmetrics_end(&out, options->output, err);
	eqt_openmetrics_free(&out);
	return rc;
}

int cmd_metrics(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct metrics_options, common),
		.doc = "Print shares, usage, pools, overhead and durations of "
		       "passes as OpenMetrics text, for the textfile collector "
		       "of Prometheus' node exporter.",
		.check = metrics_check_units,
	};
	struct metrics_options options = { .limits = { LIMIT, LIMIT } };
	struct eqt_error err;

	eqt_options_parse(&line, argc, argv, &options);
	return eqt_print_status("metrics", metrics_run(&options, &err), &err);
}
