/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree metrics: OpenMetrics text for a textfile collector. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "conf_path.h"
#include "metrics.h"

#define LIMIT 10000

enum {
	KEY_SHARES = 256,
	KEY_NODES,
	KEY_UNIT,
	KEY_LOG,
	KEY_OUTPUT,
	KEY_ACCOUNTS,
	KEY_USERS
};

struct metrics_options {
	struct eqt_shares_options shares;
	struct eqt_overhead_options overhead;
	struct eqt_metrics_limits limits;
	const char *conf;
	const char *log;
	const char *output;
	struct eqt_common common;
};

static const struct argp_option options_table[] = {
	{ "output", KEY_OUTPUT, "FILE", 0,
	  "replace the file, which is whole at any moment", 0 },
	{ "accounts", KEY_ACCOUNTS, "N", 0,
	  "at most so many accounts, those with the most usage; 10000 unless "
	  "told otherwise",
	  0 },
	{ "users", KEY_USERS, "N", 0, "the same for users in accounts", 0 },
	{ "shares", KEY_SHARES, "FILE", 0,
	  "read what \"sshare -alP\" printed (- is stdin)", 0 },
	{ "nodes", KEY_NODES, "FILE", 0,
	  "read what \"scontrol -o show node\" printed", 0 },
	{ "unit", KEY_UNIT, "UNIT", 0,
	  "a canonical unit of overhead, as equitree overhead has it; may be "
	  "given often",
	  0 },
	{ "log", KEY_LOG, "FILE", 0,
	  "slurmctld's log, which at debug tells how long passes take", 0 },
	{ "file", 'f', "FILE", 0,
	  "the equitree.conf, for its pools, instead of the one beside "
	  "slurm.conf",
	  0 },
	{ 0 }
};

static void add_unit(struct argp_state *state, const char *text)
{
	struct eqt_overhead_options *options =
		&((struct metrics_options *) state->input)->overhead;
	struct eqt_error err;

	if (options->count == EQT_UNITS_MAX)
		argp_error(state, "too many units");
	if (eqt_unit_parse(&options->units[options->count], text, &err) < 0)
		argp_error(state, "%s", err.text);
	options->texts[options->count++] = text;
}

static uint32_t take_limit(struct argp_state *state, const char *arg)
{
	size_t length = strlen(arg);

	if (length == 0 || length > 9 || strspn(arg, "0123456789") != length)
		argp_error(state, "\"%s\" is no number", arg);
	return (uint32_t) strtoul(arg, NULL, 10);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct metrics_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		break;
	case KEY_OUTPUT:
		options->output = arg;
		break;
	case KEY_ACCOUNTS:
		options->limits.accounts = take_limit(state, arg);
		break;
	case KEY_USERS:
		options->limits.users = take_limit(state, arg);
		break;
	case KEY_SHARES:
		options->shares.path = arg;
		break;
	case KEY_NODES:
		options->overhead.path = arg;
		break;
	case KEY_UNIT:
		add_unit(state, arg);
		break;
	case KEY_LOG:
		options->log = arg;
		break;
	case 'f':
		options->conf = arg;
		break;
	case ARGP_KEY_END:
		if (options->overhead.count == 0) {
			add_unit(state, "cores=1,memory=2G");
			add_unit(state, "gpu=1");
		}
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int add_shares(struct eqt_exposition *out,
		      const struct metrics_options *options,
		      struct eqt_error *err)
{
	const struct eqt_conf *conf = NULL;
	struct eqt_shares shares;
	int rc;

	/* Saved shares and a live configuration would be of two sites. */
	if (options->conf || !options->shares.path) {
		conf = eqt_conf_open(options->conf);
		if (!conf)
			return eqt_error_set(err, "without equitree.conf it "
						  "is not known what pools "
						  "there are");
	}
	rc = eqt_shares_read(&shares, &options->shares, err);
	if (rc == 0) {
		rc = eqt_metrics_shares(out, &shares, &options->limits, err);
		if (rc == 0 && conf && eqt_pools_any(&conf->pools))
			eqt_metrics_pools(out, &shares, &conf->pools);
		eqt_shares_free(&shares);
	}
	eqt_conf_free(conf);
	return rc;
}

static int add_overhead(struct eqt_exposition *out,
			const struct metrics_options *options,
			struct eqt_error *err)
{
	struct eqt_overhead cluster = { .chosen = NULL };
	int rc;

	/* Saved shares and live nodes would be of two moments. */
	if (options->shares.path && !options->overhead.path)
		return 0;
	if (eqt_nodes_read(&cluster.nodes, options->overhead.path, err) < 0)
		return -1;
	rc = eqt_nodes_told(&cluster.nodes, err);
	cluster.chosen =
		calloc(cluster.nodes.count + 1, sizeof(*cluster.chosen));
	if (rc == 0 &&
	    (!cluster.chosen ||
	     eqt_metrics_overhead(out, &cluster, &options->overhead) < 0))
		rc = eqt_error_set(err, "out of memory");
	free(cluster.chosen);
	eqt_nodes_free(&cluster.nodes);
	return rc;
}

static int metrics(const struct metrics_options *options, struct eqt_error *err)
{
	struct eqt_exposition out;
	struct eqt_pass_line pass;
	int rc;

	if (eqt_exposition_begin(&out, options->common.json,
				 !options->common.no_headings, err) < 0)
		return -1;
	rc = add_shares(&out, options, err);
	if (rc == 0)
		rc = add_overhead(&out, options, err);
	if (rc == 0 && options->log) {
		rc = eqt_pass_log_read(&pass, options->log, err);
		if (rc == 0)
			eqt_metrics_pass(&out, &pass);
	}
	if (rc == 0)
		return eqt_exposition_end(&out, options->output, err);
	eqt_exposition_free(&out);
	return rc;
}

int cmd_metrics(int argc, char **argv)
{
	static const struct argp argp = {
		options_table,
		parse,
		NULL,
		"Tell shares, usage, pools, overhead and pass times as "
		"OpenMetrics text, for the textfile collector of Prometheus' "
		"node exporter.",
		eqt_common_children,
		NULL,
		NULL
	};
	struct metrics_options options = { .limits = { LIMIT, LIMIT } };
	struct eqt_error err;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0)
		return EXIT_MISUSE;
	if (metrics(&options, &err) == 0)
		return EXIT_SUCCESS;
	return eqt_failed("metrics", &err);
}
