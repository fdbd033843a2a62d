/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree why: which job goes first, and why. */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/options.h"
#include "scene/scene.h"
#include "why/page.h"
#include "why/why.h"
#include "cli/json.h"
#include "cli/print.h"

struct why_options {
	struct eqt_sshare_options shares;
	const char *jobs;
	const char *queue;
	const char *weights;
	const char *from, *save; /* folders of saved answers of Slurm */
	struct eqt_output_options common;
	const char *names[2];
	int count;
};

/* Take an argument: one name, or two names to compare. A name of digits is a job,
 * although Slurm allows such users in principle. The order of two jobs matters, because
 * the explanation is about the first. */
static int why_take_name(void *into, const char *name, struct eqt_error *err)
{
	struct why_options *options = into;

	if (options->count == 2)
		return eqt_error_set(err, "at most two can be compared");
	options->names[options->count++] = name;
	return 0;
}

/* Without a name, explain the caller's own associations. */
static int why_check_self(struct why_options *options, struct eqt_error *err)
{
	const struct passwd *user = getpwuid(getuid());

	if (!user)
		return eqt_error_set(err,
				     "expected a user, an account or a job");
	options->names[options->count++] = user->pw_name;
	return 0;
}

/* Refuse a job together with a user or an account. --save takes no name, because it saves
 * the answers for all explanations. */
static int why_check_names(void *into, struct eqt_error *err)
{
	struct why_options *options = into;
	int i, jobs = 0;

	for (i = 0; i < options->count; i++)
		jobs += eqt_live_jobs_name_is(options->names[i]);
	if (options->save)
		return options->count == 0
			       ? 0
			       : eqt_error_set(err, "--save takes no name");
	if (options->count == 0 && !options->from)
		return why_check_self(options, err);
	if (options->from && (options->jobs || options->count != 1 || !jobs))
		return eqt_error_set(err,
				     "--from is for one job, without --jobs");
	if (jobs != 0 && jobs != options->count)
		return eqt_error_set(err,
				     "a job cannot be compared with a user");
	return 0;
}

static const struct eqt_option options_table[] = {
	{ "shares", 0, "FILE", "read what \"sshare -alP\" printed (-: stdin)",
	  0, EQT_TEXT_AT(struct why_options, shares.path) },
	{ "jobs", 0, "FILE", "read what \"sprio -l\" printed", 0,
	  EQT_TEXT_AT(struct why_options, jobs) },
	{ "queue", 0, "FILE",
	  "the owners of the jobs: what squeue printed in the format of "
	  "equitree-why(1); with --shares, for two jobs",
	  0, EQT_TEXT_AT(struct why_options, queue) },
	{ "weights", 0, "FILE", "read what \"sprio -wl\" printed", 0,
	  EQT_TEXT_AT(struct why_options, weights) },
	{ "from", 0, "DIR",
	  "explain one job from a folder that --save has written", 0,
	  EQT_TEXT_AT(struct why_options, from) },
	{ "save", 0, "DIR",
	  "write what Slurm answers now into a folder, and explain nothing", 0,
	  EQT_TEXT_AT(struct why_options, save) },
	{ "stock", 0, NULL,
	  "rank like Slurm's own plugin, which does not merge tied accounts", 0,
	  EQT_FLAG_AT(struct why_options, shares.stock) },
	{ 0 }
};

/* Explain users or accounts. Returns the exit status. */
static int why_shares(const struct why_options *options,
		      const char *const *names, int count, const int *fairer)
{
	struct eqt_sshare shares;
	struct eqt_error err;
	int status;

	if (eqt_sshare_read(&shares, &options->shares, &err) < 0)
		return eqt_print_failure("why", &err);
	status = eqt_why_shares(&shares, names, count, options->shares.stock,
				options->common.json, fairer);
	eqt_sshare_free(&shares);
	return status;
}

/* ---- Jobs ----------------------------------------------------------------- */

#define NAME_SIZE 256

/* The owner of a job: "physics/ada" from squeue, or "ada" from sprio. "" if neither lists
 * the job. */
static void owner_name(char out[NAME_SIZE], const char *id,
		       const struct eqt_sprio *pending,
		       const struct eqt_live_jobs *jobs)
{
	const struct eqt_live_job *job = eqt_live_jobs_find(jobs, id);

	out[0] = '\0';
	for (size_t i = 0; i < pending->count; i++) {
		if (strcmp(pending->jobs[i].id, id) == 0)
			(void) snprintf(out, NAME_SIZE, "%s",
					pending->jobs[i].user);
	}
	if (job)
		(void) snprintf(out, NAME_SIZE, "%s/%s", job->account,
				job->user);
}

/* The owners of two jobs, and whether they differ. */
struct owners {
	char of[2][NAME_SIZE];
	const char *names[2];
	bool differ;
};

/* squeue prints accounts, and sprio only users. Saved jobs may lack the output of
 * squeue. */
static int owners_find(struct owners *owners, const struct why_options *options,
		       const struct eqt_sprio *pending, struct eqt_error *err)
{
	struct eqt_live_jobs jobs = { .count = 0 };

	if ((options->queue || !options->jobs) &&
	    eqt_live_jobs_read_few(&jobs, options->queue, err) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		owner_name(owners->of[i], options->names[i], pending, &jobs);
		owners->names[i] = owners->of[i];
	}
	eqt_live_jobs_free(&jobs);
	owners->differ = strcmp(owners->of[0], owners->of[1]) != 0;
	return 0;
}

/* Explain how the shares of the owners decide the order of two jobs. */
static int why_owners(const struct why_options *options,
		      const struct eqt_sprio *pending)
{
	const int fairer = eqt_why_jobs_fairer(pending, options->names);
	struct owners owners;
	struct eqt_error err;

	if (owners_find(&owners, options, pending, &err) < 0)
		return eqt_print_failure("why", &err);
	putchar('\n');
	if (owners.differ)
		return why_shares(options, owners.names, 2, &fairer);
	printf("Both belong to %s: their shares are the same.\n", owners.of[0]);
	if (fairer >= 0)
		puts("Each waiting job has a place of its own all the same: "
		     "order = jobs.");
	return EXIT_SUCCESS;
}

/* The explanation of why_owners() as a JSON object. If both jobs have the same owner, the
 * object has no explanation. Returns NULL with err filled on error. */
static json_object *owners_json(const struct why_options *options,
				const struct eqt_sprio *pending,
				struct eqt_error *err)
{
	const int fairer = eqt_why_jobs_fairer(pending, options->names);
	json_object *object, *names;
	struct eqt_sshare shares;
	struct owners owners;

	if (owners_find(&owners, options, pending, err) < 0)
		return NULL;
	if (owners.differ) {
		if (eqt_sshare_read(&shares, &options->shares, err) < 0)
			return NULL;
		object = eqt_why_pair_json(&shares, owners.names,
					   options->shares.stock, &fairer, err);
		eqt_sshare_free(&shares);
	} else {
		object = json_object_new_object();
	}
	if (!object)
		return NULL;
	names = json_object_new_array();
	eqt_json_append(names, owners.of[0]);
	eqt_json_append(names, owners.of[1]);
	eqt_json_add(object, "owners", names);
	return object;
}

/* Are the owners' shares explained? They are not if jobs come from a file and shares do
 * not, because the two are of different moments. */
static bool owners_wanted(const struct why_options *options)
{
	return options->count == 2 && (!options->jobs || options->shares.path);
}

/* One job gives an array, because it may be in several partitions. Two jobs give an
 * object with their difference. */
static int jobs_print_json(const struct why_options *options,
			   const struct eqt_sprio *pending,
			   struct eqt_error *err)
{
	json_object *object, *shares = NULL, *jobs;

	if (owners_wanted(options)) {
		shares = owners_json(options, pending, err);
		if (!shares)
			return -1;
	}
	jobs = eqt_why_jobs_json(pending, options->names, options->count);
	if (options->count == 1) {
		eqt_json_print(jobs);
		return 0;
	}
	object = json_object_new_object();
	eqt_json_add(object, "jobs", jobs);
	eqt_json_add(object, "difference",
		     eqt_why_difference_json(pending, options->names));
	eqt_json_add(object, "shares", shares);
	eqt_json_print(object);
	return 0;
}

/* Returns the exit status, or -1 with err filled if sprio does not list one of the
 * jobs. */
static int jobs_explain(const struct why_options *options,
			const struct eqt_sprio *pending, struct eqt_error *err)
{
	if (eqt_why_jobs_known(pending, options->names, options->count, err) <
	    0)
		return -1;
	if (options->common.json)
		return jobs_print_json(options, pending, err);
	eqt_why_jobs(pending, options->names, options->count);
	return owners_wanted(options) ? why_owners(options, pending)
				      : EXIT_SUCCESS;
}

/* Explain pending jobs: print the page of one job, or compare two. sprio does not list a
 * job that a budget holds, so such jobs are explained first. Returns the exit status. */
static int why_jobs(const struct why_options *options)
{
	struct eqt_sprio pending;
	struct eqt_error err;
	int status, held;

	if (options->count == 1 && !options->jobs)
		return eqt_print_status(
			"why",
			eqt_why_job_page(options->names[0], options->from,
					 options->common.json, &err),
			&err);
	if (!options->jobs) {
		held = eqt_why_budgets(options->names, options->count,
				       options->common.json, &err);
		if (held != 0)
			return held < 0 ? eqt_print_failure("why", &err)
					: EXIT_SUCCESS;
	}
	if (eqt_sprio_read(&pending, options->jobs, options->weights, &err) < 0)
		return eqt_print_failure("why", &err);
	status = jobs_explain(options, &pending, &err);
	eqt_sprio_free(&pending);
	return eqt_print_status("why", status, &err);
}

int cmd_why(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct why_options, common),
		.words = "[USER|ACCOUNT [USER|ACCOUNT]]\nJOB [JOB]",
		.doc = "Explain a rank: of users and accounts from the output "
		       "of sshare, of pending jobs from the output of "
		       "sprio.\vWithout a name it is your own. ACCOUNT/USER "
		       "names one association of a user with several. A Level "
		       "FS of 1 has used exactly its share, 2 half of it.",
		.word = why_take_name,
		.check = why_check_names,
	};
	struct why_options options = { .jobs = NULL };
	struct eqt_error err;

	eqt_options_parse(&line, argc, argv, &options);
	if (options.save)
		return eqt_print_status(
			"why", eqt_scene_budgets_save(options.save, &err),
			&err);
	return eqt_live_jobs_name_is(options.names[0])
		       ? why_jobs(&options)
		       : why_shares(&options, options.names, options.count,
				    NULL);
}
