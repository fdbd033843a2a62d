/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree simulate: what a workload would have got under other policies. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "eqt_amount.h"
#include "picture.h"
#include "simulate.h"

#define JOBS_MAX 100000000

enum {
	KEY_POLICY = 256,
	KEY_JOBS,
	KEY_GENERATE,
	KEY_DAYS,
	KEY_LOAD,
	KEY_SEED,
	KEY_NODES,
	KEY_PARTITIONS,
	KEY_CLUSTER,
	KEY_SHARES,
	KEY_FRESH,
	KEY_SKIP,
	KEY_WINDOW,
	KEY_HISTORY,
	KEY_STARTS,
	KEY_PLOT
};

static const struct argp_option options_table[] = {
	{ "policy", KEY_POLICY, "[NAME=]SLURM.CONF[,EQUITREE.CONF]", 0,
	  "replay under these; without the second file the one beside the "
	  "first. May be given often",
	  1 },
	{ "jobs", KEY_JOBS, "FILE", 0,
	  "the jobs that \"sacct -aXP\" printed (- is stdin)", 2 },
	{ "generate", KEY_GENERATE, "JOBS", 0, "make up so many jobs instead",
	  2 },
	{ "days", KEY_DAYS, "DAYS", 0, "in which they come (30)", 2 },
	{ "load", KEY_LOAD, "LOAD", 0,
	  "CPU-time they ask for, of what there is (1.1)", 2 },
	{ "seed", KEY_SEED, "NUMBER", 0, "the same makes the same jobs (1)",
	  2 },
	{ "skip-unknown", KEY_SKIP, NULL, 0,
	  "leave out jobs of users who are not in the share tree", 2 },
	{ "shares", KEY_SHARES, "FILE", 0,
	  "the share tree that \"sshare -alP\" printed", 3 },
	{ "fresh", KEY_FRESH, NULL, 0, "begin without any usage", 3 },
	{ "nodes", KEY_NODES, "FILE", 0,
	  "the cluster that \"scontrol -o show node\" printed", 4 },
	{ "partitions", KEY_PARTITIONS, "FILE", 0,
	  "and \"scontrol -o show partition\": tiers and factors", 4 },
	{ "cluster", KEY_CLUSTER,
	  "nodes=N,cpus=N[,memory=SIZE][,gpus=[MODEL:]N][,partition=NAME]", 0,
	  "so many equal nodes instead; may be given often", 4 },
	{ "window", KEY_WINDOW, "TIME", 0,
	  "look at so much from the first job on, written like a time limit; "
	  "up "
	  "to the last job's coming unless told otherwise",
	  5 },
	{ "history", KEY_HISTORY, NULL, 0, "print shares over time, too", 5 },
	{ "starts", KEY_STARTS, "FILE", 0,
	  "write each job's start into FILE, as sacct would", 5 },
	{ "plot", KEY_PLOT, "FILE", 0,
	  "draw shares over time into FILE, which ends in .svg or .png", 5 },
	{ 0 }
};

/* ---- Options ---------------------------------------------------------------- */

static void take_number(struct argp_state *state, const char *name,
			const char *arg, uint64_t most, uint64_t *out)
{
	if (eqt_count_parse(out, arg, strlen(arg)) < 0 || *out > most)
		argp_error(state, "--%s=%s: no whole number up to %" PRIu64,
			   name, arg, most);
}

static void take_fraction(struct argp_state *state, const char *name,
			  const char *arg, double *out)
{
	uint64_t millionths;

	if (eqt_micro_parse(&millionths, arg) < 0 || millionths == 0 ||
	    millionths > UINT64_C(36500000000))
		argp_error(state, "--%s=%s: no number above 0", name, arg);
	*out = (double) millionths / 1e6;
}

static error_t parse_workload(int key, char *arg, struct argp_state *state)
{
	struct eqt_sim_options *options = state->input;
	uint64_t number;
	double days;

	switch (key) {
	case KEY_GENERATE:
		take_number(state, "generate", arg, JOBS_MAX, &number);
		if (number == 0)
			argp_error(state, "--generate=0: no jobs");
		options->made.jobs = (size_t) number;
		break;
	case KEY_DAYS:
		take_fraction(state, "days", arg, &days);
		options->made.span_s = (uint32_t) (days * 86400);
		break;
	case KEY_LOAD:
		take_fraction(state, "load", arg, &options->made.load);
		break;
	case KEY_SEED:
		take_number(state, "seed", arg, UINT64_MAX,
			    &options->made.seed);
		break;
	case KEY_WINDOW:
		if (eqt_minutes_parse(&number, arg) < 0 ||
		    number > UINT64_C(100) * 366 * 1440)
			argp_error(state, "--window=%s: no time", arg);
		options->window_s = number * 60;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static void add(struct argp_state *state, const char **list, int *count,
		int most, const char *arg)
{
	if (*count == most)
		argp_error(state, "%s: more than %d", arg, most);
	list[(*count)++] = arg;
}

static void check_options(struct argp_state *state,
			  const struct eqt_sim_options *options)
{
	if (options->policy_count == 0)
		argp_error(state, "which policy? --policy SLURM.CONF");
	if (!options->jobs_path && !options->made.jobs)
		argp_error(state, "which jobs? --jobs FILE or --generate N");
	if (options->jobs_path && options->made.jobs)
		argp_error(state, "--jobs or --generate, not both");
	if (options->group_count &&
	    (options->nodes_path || options->partitions_path))
		argp_error(state, "--cluster or --nodes, not both");
	if (options->starts_path && options->policy_count > 1)
		argp_error(state, "--starts goes with one policy");
}

static error_t parse_flag(int key, char *arg, struct argp_state *state)
{
	struct eqt_sim_options *options = state->input;

	switch (key) {
	case KEY_FRESH:
		options->fresh = true;
		break;
	case KEY_SKIP:
		options->skip_unknown = true;
		break;
	case KEY_HISTORY:
		options->history = true;
		break;
	case KEY_PLOT:
		if (!eqt_picture_is_name(arg))
			argp_error(state, "\"%s\" does not end in .svg or .png",
				   arg);
		options->plot_path = arg;
		break;
	default:
		return parse_workload(key, arg, state);
	}
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct eqt_sim_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		break;
	case KEY_POLICY:
		add(state, options->policies, &options->policy_count,
		    EQT_SIM_POLICIES_MAX, arg);
		break;
	case KEY_CLUSTER:
		add(state, options->groups, &options->group_count,
		    EQT_SIM_GROUPS_MAX, arg);
		break;
	case KEY_JOBS:
		options->jobs_path = arg;
		break;
	case KEY_NODES:
		options->nodes_path = arg;
		break;
	case KEY_PARTITIONS:
		options->partitions_path = arg;
		break;
	case KEY_SHARES:
		options->shares_path = arg;
		break;
	case KEY_STARTS:
		options->starts_path = arg;
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument \"%s\"", arg);
		break;
	case ARGP_KEY_END:
		check_options(state, options);
		break;
	default:
		return parse_flag(key, arg, state);
	}
	return 0;
}

/* ---- Reading ---------------------------------------------------------------- */

static int make_tree(struct eqt_sim *sim, struct eqt_error *err)
{
	const struct eqt_shares *shares = &sim->shares;
	uint32_t i;

	sim->tree = calloc(shares->count, sizeof(*sim->tree));
	sim->usage = calloc(shares->count, sizeof(*sim->usage));
	if (!sim->tree || !sim->usage)
		return eqt_error_set(err, "out of memory");
	for (i = 0; i < shares->count; i++) {
		sim->tree[i] = (struct eqt_node_in){
			.parent = shares->assocs[i].parent,
			.shares = shares->assocs[i].shares,
			.user = shares->assocs[i].user != NULL,
			.parent_shares = shares->assocs[i].parent_shares,
		};
		sim->usage[i] = (long double) shares->assocs[i].usage;
	}
	return 0;
}

static int make_jobs(struct eqt_sim *sim, const struct eqt_workload *made,
		     struct eqt_error *err)
{
	const struct eqt_replay on = {
		.cluster = sim->cluster,
		.tree = sim->tree,
		.tree_count = sim->shares.count,
	};

	sim->jobs = calloc(made->jobs, sizeof(*sim->jobs));
	if (!sim->jobs)
		return eqt_error_set(err, "out of memory");
	sim->count = made->jobs;
	return eqt_workload_make(sim->jobs, made, &on, err);
}

static int read_all(struct eqt_sim *sim, const struct eqt_sim_options *options,
		    struct eqt_error *err)
{
	const struct eqt_shares_options shares = {
		.path = options->shares_path,
	};

	if (eqt_shares_read(&sim->shares, &shares, err) < 0 ||
	    make_tree(sim, err) < 0 ||
	    eqt_sim_read_cluster(sim, options, err) < 0)
		return -1;
	return options->made.jobs ? make_jobs(sim, &options->made, err)
				  : eqt_sim_read_jobs(sim, options, err);
}

static void free_all(struct eqt_sim *sim)
{
	int i;

	for (i = 0; i < sim->name_count; i++)
		free(sim->names[i]);
	free(sim->tree);
	free(sim->usage);
	free(sim->nodes);
	free(sim->partitions);
	free(sim->jobs);
	eqt_shares_free(&sim->shares);
}

/* What was left out, and what the numbers do not know. */
static void warn(const struct eqt_sim_report *report)
{
	const struct eqt_sim *sim = report->sim;
	const struct {
		uint64_t count;
		const char *text;
	} left[] = {
		{ sim->away, "nodes that take no jobs are left out" },
		{ sim->never_ran, "jobs that never got anything are left out" },
		{ sim->unknown, "jobs of unknown users are left out" },
		{ sim->unfinished,
		  "jobs still ran: replayed as if they had ended then" },
		{ report->results[0].sum.impossible,
		  "jobs are larger than their partition and never start" },
	};

	for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++)
		if (left[i].count)
			fprintf(stderr, "equitree simulate: %" PRIu64 " %s\n",
				left[i].count, left[i].text);
	for (int i = 0; i < report->count; i++) {
		char notes[EQT_ERROR_SIZE], *note, *save = NULL;

		memcpy(notes, report->policies[i].notes, sizeof(notes));
		for (note = strtok_r(notes, "\n", &save); note;
		     note = strtok_r(NULL, "\n", &save))
			fprintf(stderr, "equitree simulate: %s\n", note);
	}
}

static int write_starts(const struct eqt_sim_report *report,
			struct eqt_error *err)
{
	const char *path = report->options->starts_path;
	const struct eqt_sim *sim = report->sim;
	FILE *to = fopen(path, "w");
	bool failed;

	if (!to)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	fprintf(to, "JobIDRaw|User|Account|Eligible|Start|End\n");
	for (size_t i = 0; i < sim->count; i++) {
		const struct eqt_replay_job *job = &sim->jobs[i];
		const struct eqt_assoc *assoc = &sim->shares.assocs[job->user];

		if (job->start != EQT_REPLAY_NEVER)
			fprintf(to,
				"%" PRIu32 "|%s|%s|%" PRId64 "|%" PRId64
				"|%" PRId64 "\n",
				job->id, assoc->user, assoc->account, job->at,
				job->start, job->start + job->run_s);
	}
	failed = ferror(to) != 0;
	if (fclose(to) != 0 || failed)
		return eqt_error_set(err, "%s: it cannot be written", path);
	return 0;
}

static int tell(const struct eqt_sim_report *report, struct eqt_error *err)
{
	const struct eqt_sim_options *options = report->options;
	int rc;

	warn(report);
	rc = options->common.json ? eqt_sim_json(report)
				  : eqt_sim_print(report);
	if (rc < 0)
		return eqt_error_set(err, "out of memory");
	if (options->starts_path && write_starts(report, err) < 0)
		return -1;
	return options->plot_path ? eqt_sim_plot(report, err) : 0;
}

static int simulate(struct eqt_sim *sim, const struct eqt_sim_options *options,
		    struct eqt_error *err)
{
	struct eqt_sim_policy policies[EQT_SIM_POLICIES_MAX] = { 0 };
	struct eqt_sim_result results[EQT_SIM_POLICIES_MAX] = { 0 };
	const struct eqt_sim_report report = {
		sim, options, policies, results, options->policy_count,
	};
	int i, rc = 0;

	for (i = 0; i < options->policy_count && rc == 0; i++)
		rc = eqt_sim_read_policy(&policies[i], options->policies[i],
					 err);
	if (rc == 0)
		rc = read_all(sim, options, err);
	for (i = 0; i < options->policy_count && rc == 0; i++)
		rc = eqt_sim_run(&results[i], sim, options, &policies[i], err);
	if (rc == 0)
		rc = tell(&report, err);
	for (i = 0; i < options->policy_count; i++) {
		eqt_sim_policy_free(&policies[i]);
		eqt_sim_result_free(&results[i]);
	}
	return rc;
}

int cmd_simulate(int argc, char **argv)
{
	static const struct argp argp = {
		options_table,
		parse,
		NULL,
		"Replay a workload under one or several policies.\v"
		"Prices, usage, ranks and priorities are worked out by what "
		"runs in slurmctld; jobs are started by a plain scheduler, by "
		"priority and with backfill. equitree-simulate(1) says what is "
		"left out.",
		eqt_common_children,
		NULL,
		NULL
	};
	struct eqt_sim_options options = {
		.made = { .seed = 1, .span_s = 30 * 86400, .load = 1.1 },
	};
	struct eqt_sim sim = { .count = 0 };
	struct eqt_error err;
	int status = EXIT_SUCCESS;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0)
		return EXIT_MISUSE;
	if (simulate(&sim, &options, &err) < 0)
		status = eqt_failed("simulate", &err);
	free_all(&sim);
	return status;
}
