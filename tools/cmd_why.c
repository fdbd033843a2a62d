/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree why: who goes first, and by what. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "options.h"
#include "stock_jobs.h"
#include "why.h"

struct why_options {
	struct eqt_shares_options shares;
	const char *jobs;
	const char *queue;
	const char *weights;
	struct eqt_common common;
	const char *names[2];
	int count;
};

static bool is_job(const char *name)
{
	return name[0] != '\0' && strspn(name, "0123456789_") == strlen(name);
}

static int take_name(void *into, const char *name, struct eqt_error *err)
{
	struct why_options *options = into;

	if (options->count == 2)
		return eqt_error_set(err, "two can be compared, not three");
	options->names[options->count++] = name;
	return 0;
}

static int check_names(void *into, struct eqt_error *err)
{
	const struct why_options *options = into;
	int i, jobs = 0;

	for (i = 0; i < options->count; i++)
		jobs += is_job(options->names[i]);
	if (options->count == 0)
		return eqt_error_set(err, "who? a user, an account or a job is "
					  "needed");
	if (jobs != 0 && jobs != options->count)
		return eqt_error_set(err,
				     "a job cannot be compared with a user");
	return 0;
}

static const struct eqt_option options_table[] = {
	{ "shares", 0, "FILE", "read what \"sshare -alP\" printed (- is stdin)",
	  0, EQT_TEXT_AT(struct why_options, shares.path) },
	{ "jobs", 0, "FILE", "read what \"sprio -l\" printed", 0,
	  EQT_TEXT_AT(struct why_options, jobs) },
	{ "queue", 0, "FILE",
	  "whose jobs they are: what \"scontrol -o show job\" printed; with "
	  "--shares, for two",
	  0, EQT_TEXT_AT(struct why_options, queue) },
	{ "weights", 0, "FILE", "read what \"sprio -wl\" printed", 0,
	  EQT_TEXT_AT(struct why_options, weights) },
	{ "stock", 0, NULL,
	  "rank as Slurm's own plugin does: tied accounts are not merged", 0,
	  EQT_FLAG_AT(struct why_options, shares.stock) },
	{ 0 }
};

static int why_shares(const struct why_options *options,
		      const char *const *names, int count)
{
	struct eqt_shares shares;
	struct eqt_error err;
	int status;

	if (eqt_shares_read(&shares, &options->shares, &err) < 0)
		return eqt_failed("why", &err);
	status = eqt_why_shares(&shares, names, count, options->shares.stock,
				options->common.json);
	eqt_shares_free(&shares);
	return status;
}

/* ---- Jobs ----------------------------------------------------------------- */

#define NAME_SIZE 256

/* "physics/ada" of a job as scontrol has it, or "ada" as sprio does. */
static void name_owner(char out[NAME_SIZE], const char *id,
		       const struct eqt_pending *pending,
		       const struct eqt_jobs *jobs)
{
	size_t i;

	out[0] = '\0';
	for (i = 0; i < pending->count; i++) {
		if (strcmp(pending->jobs[i].id, id) == 0)
			(void) snprintf(out, NAME_SIZE, "%s",
					pending->jobs[i].user);
	}
	for (i = 0; i < jobs->count; i++) {
		const struct eqt_job *job = &jobs->jobs[i];
		size_t user = strcspn(job->user.text, "( ");

		if (eqt_value_is(job->id, id))
			(void) snprintf(out, NAME_SIZE, "%.*s/%.*s",
					(int) job->account.length,
					job->account.text, (int) user,
					job->user.text);
	}
}

/* What shares have to do with who of two jobs goes first. */
static int why_owners(const struct why_options *options,
		      const struct eqt_pending *pending)
{
	char owners[2][NAME_SIZE];
	const char *names[2] = { owners[0], owners[1] };
	struct eqt_jobs jobs = { .count = 0 };
	struct eqt_error err;
	int i;

	if ((options->queue || !options->jobs) &&
	    eqt_jobs_read(&jobs, options->queue, &err) < 0)
		return eqt_failed("why", &err);
	for (i = 0; i < 2; i++)
		name_owner(owners[i], options->names[i], pending, &jobs);
	eqt_jobs_free(&jobs);
	putchar('\n');
	if (strcmp(owners[0], owners[1]) != 0)
		return why_shares(options, names, 2);
	printf("Both are of %s: their shares are the same.\n", owners[0]);
	return EXIT_SUCCESS;
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
	/* Saved jobs and live shares would be of two moments. */
	if (status == EXIT_SUCCESS && options->count == 2 &&
	    !options->common.json && (!options->jobs || options->shares.path))
		status = why_owners(options, &pending);
	eqt_pending_free(&pending);
	return status;
}

int cmd_why(int argc, char **argv)
{
	static const struct eqt_command_line line = {
		.table = options_table,
		.common_at = offsetof(struct why_options, common),
		.words = "USER|ACCOUNT [USER|ACCOUNT]\nJOB [JOB]",
		.doc = "Explain a place in the order: of users and accounts "
		       "from what sshare prints, of pending jobs from what "
		       "sprio prints.\v"
		       "A user with several associations is named "
		       "ACCOUNT/USER where one is meant. A Level FS of 1 has "
		       "used exactly its share, 2 half of it.",
		.word = take_name,
		.check = check_names,
	};
	struct why_options options = { .jobs = NULL };

	if (eqt_options_parse(&line, argc, argv, &options) != 0)
		return EXIT_MISUSE;
	return is_job(options.names[0])
		       ? why_jobs(&options)
		       : why_shares(&options, options.names, options.count);
}
