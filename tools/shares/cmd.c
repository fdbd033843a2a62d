/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree shares apply: make the share tree what a file says. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cmd.h"
#include "cli/failure.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/table.h"
#include "shares/apply.h"
#include "slurm/conf/config.h"

#define FOLDER "/var/lib/equitree/shares"

struct shares_options {
	const char *verb;
	const char *file;
	const char *cluster;
	const char *folder;
	const char *assocs; /* NULL: ask sacctmgr */
	bool dry_run;
	struct eqt_output_options common;
};

/* The first word is the verb, the second the file. */
static int shares_take_word(void *into, const char *word, struct eqt_error *err)
{
	struct shares_options *options = into;

	if (!options->verb && strcmp(word, "apply") != 0)
		return eqt_error_set(err, "\"%.64s\": expected apply", word);
	if (options->file)
		return eqt_error_set(err, "unexpected argument \"%.64s\"",
				     word);
	if (!options->verb)
		options->verb = word;
	else
		options->file = word;
	return 0;
}

/* Saved associations may be old, so nothing is changed by them. */
static int shares_check_options(void *into, struct eqt_error *err)
{
	const struct shares_options *options = into;

	if (!options->file)
		return eqt_error_set(err, "expected apply and a file");
	if (options->assocs && !options->dry_run)
		return eqt_error_set(err, "--assocs needs --dry-run");
	return 0;
}

static const struct eqt_option options_table[] = {
	{ "dry-run", 'n', NULL, "print the steps, and do none", 0,
	  EQT_FLAG_AT(struct shares_options, dry_run) },
	{ "assocs", 0, "FILE",
	  "with --dry-run: compare with what \"sacctmgr -P show assoc\" "
	  "printed in the format of equitree-shares(1)",
	  0, EQT_TEXT_AT(struct shares_options, assocs) },
	{ "log", 0, "FOLDER",
	  "keep the log and the ways back there; default " FOLDER, 0,
	  EQT_TEXT_AT(struct shares_options, folder) },
	{ "cluster", 0, "NAME", "the cluster, instead of scontrol's", 0,
	  EQT_TEXT_AT(struct shares_options, cluster) },
	{ 0 }
};

/* ---- Printing ------------------------------------------------------------- */

/* What a step replaces: a parent, or shares. */
static const char *step_before(const struct eqt_shares_step *step)
{
	if (!step->now)
		return "-";
	return step->kind == EQT_SHARES_MOVE_ACCOUNT ? step->now->parent
						     : step->now->shares;
}

/* What a step sets. */
static const char *step_after(const struct eqt_shares_step *step)
{
	return step->kind == EQT_SHARES_MOVE_ACCOUNT ? step->wanted->parent
						     : step->wanted->shares;
}

/* In the order in which they are done: accounts before their users, parents before what
 * is moved below them. */
static void steps_print_json(const struct eqt_shares_steps *steps)
{
	json_object *array = json_object_new_array(), *object;
	size_t i;

	for (i = 0; i < steps->count; i++) {
		const struct eqt_shares_step *step = &steps->step[i];

		object = json_object_new_object();
		eqt_json_add(object, "step",
			     json_object_new_string(
				     eqt_shares_step_name(step->kind)));
		eqt_json_add(object, "account",
			     json_object_new_string(step->wanted->account));
		eqt_json_add(object, "user",
			     step->wanted->user[0] ? json_object_new_string(
							     step->wanted->user)
						   : NULL);
		eqt_json_add(object, "before",
			     step->now
				     ? json_object_new_string(step_before(step))
				     : NULL);
		eqt_json_add(object, "after",
			     json_object_new_string(step_after(step)));
		(void) json_object_array_add(array, object);
	}
	eqt_json_print(array);
}

/* 0, or -1: out of memory. */
static int steps_print_table(const struct eqt_shares_steps *steps,
			     bool headings)
{
	static const struct eqt_table_column columns[] = {
		{ "STEP", 0 },
		{ "NAME", SCOLS_FL_WRAP },
		{ "BEFORE", SCOLS_FL_RIGHT },
		{ "AFTER", SCOLS_FL_RIGHT },
		{ NULL, 0 },
	};
	struct libscols_table *table = eqt_table_new(columns, headings);
	char name[2 * EQT_SHARES_NAME];
	struct libscols_line *line;
	size_t i;

	for (i = 0; table && i < steps->count; i++) {
		const struct eqt_shares_step *step = &steps->step[i];

		line = scols_table_new_line(table, NULL);
		if (!line)
			continue;
		(void) snprintf(name, sizeof(name), "%s%s%s",
				step->wanted->account,
				step->wanted->user[0] ? "/" : "",
				step->wanted->user);
		(void) scols_line_set_data(line, 0,
					   eqt_shares_step_name(step->kind));
		(void) scols_line_set_data(line, 1, name);
		(void) scols_line_set_data(line, 2, step_before(step));
		(void) scols_line_set_data(line, 3, step_after(step));
	}
	if (table)
		(void) eqt_table_print(table);
	scols_unref_table(table);
	return table ? 0 : -1;
}

/* CSV has its headings even without a step. */
static int steps_print(const struct eqt_shares_steps *steps,
		       const struct shares_options *options)
{
	if (options->common.json)
		steps_print_json(steps);
	else if (steps->count > 0 || eqt_output_csv())
		return steps_print_table(steps, !options->common.no_headings);
	else
		puts("The share tree is as the file says.");
	return 0;
}

/* ---- Applying ------------------------------------------------------------- */

/* sacctmgr may exit with 0 although nothing matched, so the tree is read again. */
static int shares_verify(const struct eqt_shares_rows *wanted,
			 const struct shares_options *options,
			 struct eqt_error *err)
{
	struct eqt_shares_rows now;
	struct eqt_shares_steps left;
	int rc;

	if (eqt_shares_rows_ask(&now, options->cluster, options->assocs, err) <
	    0)
		return -1;
	rc = eqt_shares_steps_make(&left, wanted, &now, options->file, err);
	if (rc == 0 && left.count > 0)
		rc = eqt_error_set(err, "sacctmgr did not do \"%s %s%s%s\"",
				   eqt_shares_step_name(left.step[0].kind),
				   left.step[0].wanted->account,
				   left.step[0].wanted->user[0] ? "/" : "",
				   left.step[0].wanted->user);
	eqt_shares_steps_free(&left);
	eqt_shares_rows_free(&now);
	return rc;
}

/* One level: the folder above belongs to the package. */
static int folder_make(const char *folder, struct eqt_error *err)
{
	if (mkdir(folder, 0755) < 0 && errno != EEXIST)
		return eqt_error_set(err, "%s: %s", folder, strerror(errno));
	return 0;
}

/* Do the steps, and check that they were done. */
static int shares_carry_out(const struct eqt_shares_steps *steps,
			    const struct eqt_shares_rows *wanted,
			    const struct shares_options *options,
			    struct eqt_error *err)
{
	const struct eqt_shares_place place = { options->cluster,
						options->folder };
	char back[PATH_MAX] = "";
	struct eqt_error why;
	size_t done = 0;

	if (steps->count == 0)
		return 0;
	if (folder_make(options->folder, err) < 0)
		return -1;
	if (eqt_shares_steps_apply(steps, &place, back, &done, &why) < 0 ||
	    shares_verify(wanted, options, &why) < 0)
		return eqt_error_set(
			err, "%.300s; %zu of %zu steps were done%s%.150s",
			why.text, done, steps->count,
			back[0] ? ", the way back is " : "", back);
	if (!options->common.json && !eqt_output_csv())
		printf("\n%zu steps were done. The way back is\n%s\n",
		       steps->count, back);
	return 0;
}

/* The file is read first, so that an error in it asks nothing of slurmdbd. */
static int shares_run(const struct shares_options *options,
		      struct eqt_error *err)
{
	struct eqt_shares_rows wanted, now = { .count = 0 };
	struct eqt_shares_steps steps = { .count = 0 };
	int rc;

	if (eqt_shares_rows_read(&wanted, options->file, err) < 0)
		return -1;
	rc = eqt_shares_rows_ask(&now, options->cluster, options->assocs, err);
	if (rc == 0)
		rc = eqt_shares_steps_make(&steps, &wanted, &now, options->file,
					   err);
	if (rc == 0 && steps_print(&steps, options) < 0)
		rc = eqt_error_set(err, "out of memory");
	if (rc == 0 && !options->dry_run)
		rc = shares_carry_out(&steps, &wanted, options, err);
	eqt_shares_steps_free(&steps);
	eqt_shares_rows_free(&now);
	eqt_shares_rows_free(&wanted);
	return rc;
}

int cmd_shares(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct shares_options, common),
		.csv = true,
		.words = "apply FILE",
		.doc = "Make the share tree what a CSV file says, by the "
		       "differences.\vThe file has the columns Account, "
		       "Parent, User and Shares. Associations that it does not "
		       "name stay as they are.",
		.word = shares_take_word,
		.check = shares_check_options,
	};
	struct shares_options options = { .folder = FOLDER };
	char cluster[EQT_SHARES_NAME];
	struct eqt_error err;
	int rc = 0;

	if (eqt_options_parse(&line, argc, argv, &options) != 0)
		return EXIT_MISUSE;
	if (!options.cluster && !options.assocs) {
		rc = eqt_cluster_name(cluster, sizeof(cluster), &err);
		options.cluster = cluster;
	}
	if (rc == 0 && shares_run(&options, &err) == 0)
		return EXIT_SUCCESS;
	return eqt_failure_print("shares", &err);
}
