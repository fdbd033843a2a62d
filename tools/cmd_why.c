/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree why: who goes first, and by what. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "common.h"
#include "why.h"

enum { KEY_SHARES = 256, KEY_JOBS, KEY_WEIGHTS, KEY_STOCK };

struct why_options {
	struct eqt_shares_options shares;
	const char *jobs;
	const char *weights;
	struct eqt_common common;
	char *names[2];
	int count;
};

static const struct argp_option options_table[] = {
	{ "shares", KEY_SHARES, "FILE", 0,
	  "read what \"sshare -alP\" printed (- is stdin)", 0 },
	{ "jobs", KEY_JOBS, "FILE", 0, "read what \"sprio -l\" printed", 0 },
	{ "weights", KEY_WEIGHTS, "FILE", 0, "read what \"sprio -wl\" printed",
	  0 },
	{ "stock", KEY_STOCK, NULL, 0,
	  "rank as Slurm's own plugin does: tied accounts are not merged", 0 },
	{ 0 }
};

static bool is_job(const char *name)
{
	return name[0] != '\0' && strspn(name, "0123456789_") == strlen(name);
}

static void check_names(struct argp_state *state)
{
	const struct why_options *options = state->input;
	int i, jobs = 0;

	for (i = 0; i < options->count; i++)
		jobs += is_job(options->names[i]);
	if (options->count == 0)
		argp_error(state, "who? a user, an account or a job is needed");
	else if (jobs != 0 && jobs != options->count)
		argp_error(state, "a job cannot be compared with a user");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct why_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		break;
	case KEY_SHARES:
		options->shares.path = arg;
		break;
	case KEY_JOBS:
		options->jobs = arg;
		break;
	case KEY_WEIGHTS:
		options->weights = arg;
		break;
	case KEY_STOCK:
		options->shares.stock = true;
		break;
	case ARGP_KEY_ARG:
		if (options->count == 2)
			argp_error(state, "two can be compared, not three");
		else
			options->names[options->count++] = arg;
		break;
	case ARGP_KEY_END:
		check_names(state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int why_jobs(const struct why_options *options)
{
	struct eqt_pending pending;
	struct eqt_error err;
	int status;

	if (eqt_pending_read(&pending, options->jobs, options->weights, &err) <
	    0)
		return eqt_failed("why", &err);
	status = eqt_why_jobs(&pending, options->names, options->count,
			      options->common.json);
	eqt_pending_free(&pending);
	return status;
}

static int why_shares(const struct why_options *options)
{
	struct eqt_shares shares;
	struct eqt_error err;
	int status;

	if (eqt_shares_read(&shares, &options->shares, &err) < 0)
		return eqt_failed("why", &err);
	status = eqt_why_shares(&shares, options->names, options->count,
				options->shares.stock, options->common.json);
	eqt_shares_free(&shares);
	return status;
}

int cmd_why(int argc, char **argv)
{
	static const struct argp argp = {
		options_table,
		parse,
		"USER|ACCOUNT [USER|ACCOUNT]\nJOB [JOB]",
		"Explain a place in the order: of users and accounts from "
		"what sshare prints, of pending jobs from what sprio prints.\v"
		"A user with several associations is named ACCOUNT/USER where "
		"one is meant. A Level FS of 1 has used exactly its share, 2 "
		"half of it.",
		eqt_common_children,
		NULL,
		NULL
	};
	struct why_options options = { .jobs = NULL };

	if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0)
		return EXIT_MISUSE;
	return is_job(options.names[0]) ? why_jobs(&options)
					: why_shares(&options);
}
