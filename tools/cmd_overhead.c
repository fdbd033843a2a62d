/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree overhead: canonical units that nodes have free, and the fair bill
 * of the rest. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "overhead.h"
#include "overhead_plot.h"
#include "picture.h"

enum { KEY_NODES = 256, KEY_UNIT, KEY_LIST, KEY_JOBS, KEY_PLOT };

static const struct argp_option options_table[] = {
	{ "unit", KEY_UNIT, "cores=N,memory=SIZE,gpu=N", 0,
	  "the thresholds of a canonical unit, one resource or several; may be "
	  "given often. Unless told otherwise: cores=1,memory=2G and gpu=1",
	  0 },
	{ "nodes", KEY_NODES, "FILE", 0,
	  "read what \"scontrol -o show node\" printed (- is stdin)", 0 },
	{ "jobs", KEY_JOBS, "FILE", 0,
	  "compare with the queue: what \"scontrol -o show job\" printed; it "
	  "is asked if nodes are, too",
	  0 },
	{ "plot", KEY_PLOT, "FILE", 0,
	  "draw the histograms into FILE, which ends in .svg or .png", 0 },
	{ "partition", 'p', "NAME", 0, "only nodes of this partition", 0 },
	{ "list", KEY_LIST, NULL, 0, "list the nodes, with their fair bill",
	  0 },
	{ 0 }
};

static void add_unit(struct argp_state *state, const char *text)
{
	struct eqt_overhead_options *options = state->input;
	struct eqt_error err;

	if (options->count == EQT_UNITS_MAX)
		argp_error(state, "more than %d units", EQT_UNITS_MAX);
	if (eqt_unit_parse(&options->units[options->count], text, &err) < 0)
		argp_error(state, "%s", err.text);
	options->texts[options->count++] = text;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct eqt_overhead_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		break;
	case KEY_UNIT:
		add_unit(state, arg);
		break;
	case KEY_NODES:
		options->path = arg;
		break;
	case KEY_JOBS:
		options->jobs_path = arg;
		break;
	case KEY_PLOT:
		if (!eqt_picture_is_name(arg))
			argp_error(state, "\"%s\" does not end in .svg or .png",
				   arg);
		options->plot_path = arg;
		break;
	case 'p':
		options->partition = arg;
		break;
	case KEY_LIST:
		options->list = true;
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument \"%s\"", arg);
		break;
	case ARGP_KEY_END:
		if (options->count == 0) {
			add_unit(state, "cores=1,memory=2G");
			add_unit(state, "gpu=1");
		}
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* ---- The picture ---------------------------------------------------------- */

static int draw(const struct eqt_overhead *cluster,
		const struct eqt_overhead_options *options,
		struct eqt_error *err)
{
	struct eqt_plot plots[EQT_UNITS_MAX];
	struct eqt_overhead_sum *sums =
		calloc((size_t) options->count, sizeof(*sums));
	int unit, rc = 0;

	for (unit = 0; sums && unit < options->count && rc == 0; unit++) {
		rc = eqt_overhead_sum(&sums[unit], cluster, options, unit);
		plots[unit] = (struct eqt_plot){
			.unit = options->texts[unit],
			.nodes = sums[unit].bins,
			.jobs = sums[unit].fit.bins,
			.has_jobs = cluster->has_jobs,
			.percent = eqt_overhead_percent(&sums[unit]),
		};
	}
	if (!sums || rc < 0)
		rc = eqt_error_set(err, "out of memory");
	else
		rc = eqt_plot_write(options->plot_path, plots, options->count,
				    err);
	free(sums);
	return rc;
}

/* ---- Reading -------------------------------------------------------------- */

static int read_cluster(struct eqt_overhead *cluster,
			const struct eqt_overhead_options *options,
			struct eqt_error *err)
{
	if (eqt_nodes_read(&cluster->nodes, options->path, err) < 0 ||
	    eqt_nodes_told(&cluster->nodes, err) < 0)
		return -1;
	/* Saved nodes and a live queue would be of two moments. */
	cluster->has_jobs = options->jobs_path || !options->path;
	if (cluster->has_jobs &&
	    eqt_jobs_read(&cluster->jobs, options->jobs_path, err) < 0)
		return -1;
	cluster->chosen =
		calloc(cluster->nodes.count + 1, sizeof(*cluster->chosen));
	return cluster->chosen ? 0 : eqt_error_set(err, "out of memory");
}

static int overhead(struct eqt_overhead *cluster,
		    const struct eqt_overhead_options *options,
		    struct eqt_error *err)
{
	int rc = read_cluster(cluster, options, err);

	if (rc < 0)
		return rc;
	rc = options->common.json ? eqt_overhead_json(cluster, options)
				  : eqt_overhead_print(cluster, options);
	if (rc < 0)
		return eqt_error_set(err, "out of memory");
	return options->plot_path ? draw(cluster, options, err) : 0;
}

int cmd_overhead(int argc, char **argv)
{
	static const struct argp argp = {
		options_table,
		parse,
		NULL,
		"Count the canonical units that nodes have free.\v"
		"What is free of one resource only is no true overhead: no job "
		"could use it. The fair bill charges such leftovers to the "
		"jobs of the node, in proportion, and never the true overhead.",
		eqt_common_children,
		NULL,
		NULL
	};
	struct eqt_overhead_options options = { .path = NULL };
	struct eqt_overhead cluster = { .chosen = NULL };
	struct eqt_error err;
	int status = EXIT_SUCCESS;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0)
		return EXIT_MISUSE;
	if (overhead(&cluster, &options, &err) < 0)
		status = eqt_failed("overhead", &err);
	free(cluster.chosen);
	eqt_jobs_free(&cluster.jobs);
	eqt_nodes_free(&cluster.nodes);
	return status;
}
