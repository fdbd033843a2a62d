/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree shares apply: changes the share tree to what a file says. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/alloc.h"
#include "cli/cmd.h"
#include "cli/print.h"
#include "cli/options.h"
#include "slurm/conf/cluster.h"
#include "cli/atomic_file.h"
#include "slurm/text/command.h"
#include "shares/shares.h"
#include "slurm/text/timestamp.h"
#include "cli/rows.h"

#define FOLDER "/var/lib/equitree/shares"

struct shares_options {
	const char *verb;
	const char *file;
	const char *cluster; /* the cluster that is asked; NULL with assocs */
	/* folder of the log and of the files that undo changes */
	const char *folder;
	const char *assocs; /* saved associations; NULL: ask sacctmgr */
	bool dry_run;
	struct eqt_output_options common;
};

/* ---- Apply --------------------------------------------------------------------------
 * sacctmgr carries out the steps. Each step is logged before it begins and when it is
 * done. Before the first step a file is written that undoes all steps. Whatever stops the
 * command, an operator therefore sees how far it came. */

#define WORD (EQT_SHARES_NAME + 16)
#define MOMENT 32

/* ---- The log -------------------------------------------------------------- */

/* The user who runs the command, or who called sudo. */
static const char *actor_name(void)
{
	const char *sudo = getenv("SUDO_USER");
	const char *name = sudo && sudo[0] ? sudo : getenv("LOGNAME");

	return name && name[0] ? name : "root";
}

/* Write a line such as "2026-11-22T15:00:00 ada: set account bloggs: 5 to 7: done" to the
 * disk. Returns 0, or -1 with err filled. */
static int log_write(FILE *log, const struct eqt_shares_step *step,
		     const char *result, const char *path,
		     struct eqt_error *err)
{
	const bool moved = step->kind == EQT_SHARES_MOVE_ACCOUNT;
	const struct eqt_shares_row *now = step->now, *wanted = step->wanted;
	char moment[MOMENT];

	(void) eqt_timestamp_text(moment, sizeof(moment), "%Y-%m-%dT%H:%M:%S",
				  (int64_t) time(NULL));
	fprintf(log, "%s %s: %s %s%s%s: %s to %s: %s\n", moment, actor_name(),
		eqt_shares_step_name(step->kind), wanted->account,
		wanted->user[0] ? "/" : "", wanted->user,
		now ? (moved ? now->parent : now->shares) : "none",
		moved ? wanted->parent : wanted->shares, result);
	if (fflush(log) != 0 || fsync(fileno(log)) != 0)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	return 0;
}

/* ---- sacctmgr ------------------------------------------------------------- */

/* The words of a step. They live as long as the struct. */
struct step_words {
	char account[WORD], user[WORD], cluster[WORD], parent[WORD],
		shares[WORD];
	const char *word[12];
};

/* Fill the texts to which the words of a step point. Names were checked when the file was
 * read, so sacctmgr takes none of them for a list. */
static void words_fill(struct step_words *words,
		       const struct eqt_shares_step *step, const char *cluster)
{
	const struct eqt_shares_row *row = step->wanted;
	const char *above = row->parent[0] ? row->parent : "root";

	(void) snprintf(words->cluster, WORD, "cluster=%s", cluster);
	(void) snprintf(words->parent, WORD, "parent=%s", above);
	(void) snprintf(words->shares, WORD, "fairshare=%s", row->shares);
	(void) snprintf(words->account, WORD, "account=%s", row->account);
	(void) snprintf(words->user, WORD, "user=%s", row->user);
}

/* Fill the words after "sacctmgr -iQ", which asks no questions and prints only errors. */
static void words_of_step(struct step_words *words,
			  const struct eqt_shares_step *step)
{
	const struct eqt_shares_row *wanted = step->wanted;
	const bool user = wanted->user[0] != '\0';
	const bool gone = step->kind == EQT_SHARES_REMOVE_ACCOUNT ||
			  step->kind == EQT_SHARES_REMOVE_USER;
	const char **word = words->word + 2;

	if (step->kind == EQT_SHARES_ADD_ACCOUNT ||
	    step->kind == EQT_SHARES_ADD_USER) {
		*word++ = "add";
		*word++ = user ? "user" : "account";
		*word++ = user ? wanted->user : wanted->account;
		*word++ = user ? words->account : words->cluster;
		*word++ = user ? words->cluster : words->parent;
		*word++ = words->shares;
	} else {
		*word++ = gone ? "delete" : "modify";
		*word++ = user ? "user" : "account";
		*word++ = "where";
		if (user)
			*word++ = words->user;
		*word++ = words->account;
		*word++ = words->cluster;
		if (!gone)
			*word++ = "set";
		if (!gone)
			*word++ = step->kind == EQT_SHARES_MOVE_ACCOUNT
					  ? words->parent
					  : words->shares;
	}
	*word = NULL;
}

/* Each step is a command of its own, because sacctmgr has no transaction over several
 * steps. */
static int step_run(const struct eqt_shares_step *step, const char *cluster,
		    struct eqt_error *err)
{
	struct step_words words = { .word = { "sacctmgr", "-iQ" } };
	struct eqt_listing answer;
	int rc;

	words_fill(&words, step, cluster);
	words_of_step(&words, step);
	rc = eqt_command_run(&answer, "sacctmgr", words.word, err);
	if (rc == 0)
		eqt_listing_free(&answer);
	return rc;
}

/* ---- All steps ------------------------------------------------------------ */

/* Write the file that undoes the steps. It is a file for equitree shares apply, and its
 * name has the time and the process id. */
static int back_write(const struct eqt_shares_steps *steps, const char *folder,
		      char path[PATH_MAX], struct eqt_error *err)
{
	struct eqt_shares_rows rows;
	char moment[MOMENT], *text = NULL;
	size_t length = 0;
	FILE *stream = eqt_alloc_stream(&text, &length);
	int rc;

	(void) eqt_timestamp_text(moment, sizeof(moment), "%Y%m%dT%H%M%S",
				  (int64_t) time(NULL));
	(void) snprintf(path, PATH_MAX, "%s/before-%s-%ld.csv", folder, moment,
			(long) getpid());
	eqt_shares_steps_back(&rows, steps);
	eqt_shares_rows_write(&rows, stream);
	eqt_shares_rows_free(&rows);
	eqt_alloc_stream_close(stream);
	rc = eqt_atomic_file_write(path, text, length, err);
	free(text);
	return rc;
}

/* *done counts the steps that sacctmgr has done, even after an error. */
static int steps_run(const struct eqt_shares_steps *steps, const char *cluster,
		     FILE *log, const char *path, size_t *done,
		     struct eqt_error *err)
{
	struct eqt_error ignored;

	for (; *done < steps->count; ++*done) {
		const struct eqt_shares_step *step = &steps->step[*done];

		if (log_write(log, step, "begun", path, err) < 0)
			return -1;
		if (step_run(step, cluster, err) < 0) {
			(void) log_write(log, step, "failed", path, &ignored);
			return -1;
		}
		if (log_write(log, step, "done", path, err) < 0)
			return -1;
	}
	return 0;
}

/* Write the file that undoes the steps, and then take the steps one by one. Each has a
 * line in the log before and after it. "back" receives the path of the file, and *done
 * the number of steps that were done. The log is locked until it is closed. Returns 0, or
 * -1 with err filled. */
static int shares_steps_apply(const struct eqt_shares_steps *steps,
			      const struct shares_options *options,
			      char back[PATH_MAX], size_t *done,
			      struct eqt_error *err)
{
	char path[PATH_MAX];
	FILE *log;
	int rc;

	(void) snprintf(path, sizeof(path), "%s/apply.log", options->folder);
	log = fopen(path, "ae");
	if (!log)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	if (flock(fileno(log), LOCK_EX | LOCK_NB) < 0)
		rc = eqt_error_set(err, "%s: another command is at work", path);
	else
		rc = back_write(steps, options->folder, back, err);
	if (rc == 0)
		rc = steps_run(steps, options->cluster, log, path, done, err);
	(void) fclose(log);
	return rc;
}

/* ---- The subcommand ------------------------------------------------------- */

/* The first word is the verb, and the second the file. */
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

/* Saved associations may be out of date, so they are only compared and nothing is
 * changed. */
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
	{ 0 }
};

/* ---- Printing ------------------------------------------------------------- */

/* A step as it is printed. */
struct step_row {
	const char *step, *account, *user, *before, *after;
	const char *name; /* ACCOUNT or ACCOUNT/USER */
};

#define STEP_AT(member) offsetof(struct step_row, member)

static const struct eqt_row_field step_fields[] = {
	{ "STEP", "step", &eqt_row_text, STEP_AT(step), 0, NULL },
	{ NULL, "account", &eqt_row_text, STEP_AT(account), 0, NULL },
	{ NULL, "user", &eqt_row_text, STEP_AT(user), 0, NULL },
	{ "NAME", NULL, &eqt_row_text, STEP_AT(name), SCOLS_FL_WRAP, NULL },
	{ "BEFORE", "before", &eqt_row_text, STEP_AT(before), SCOLS_FL_RIGHT,
	  NULL },
	{ "AFTER", "after", &eqt_row_text, STEP_AT(after), SCOLS_FL_RIGHT,
	  NULL },
	{ 0 },
};

/* A step that moves an account has the parents before and after the move. All other steps
 * have shares. */
static void step_row_make(struct step_row *out,
			  const struct eqt_shares_step *step,
			  char name[2 * EQT_SHARES_NAME])
{
	const bool move = step->kind == EQT_SHARES_MOVE_ACCOUNT;
	const char *user = step->wanted->user;

	(void) snprintf(name, 2 * EQT_SHARES_NAME, "%s%s%s",
			step->wanted->account, user[0] ? "/" : "", user);
	*out = (struct step_row){
		.step = eqt_shares_step_name(step->kind),
		.account = step->wanted->account,
		.user = user[0] ? user : NULL,
		.name = name,
		.after = move ? step->wanted->parent : step->wanted->shares,
	};
	if (step->now)
		out->before = move ? step->now->parent : step->now->shares;
}

/* Print the steps in the order in which they are taken. */
static void steps_print_rows(const struct eqt_shares_steps *steps,
			     const struct eqt_output_options *common)
{
	struct eqt_rows_out out;

	eqt_rows_begin(&out, step_fields, common);
	for (size_t i = 0; i < steps->count; i++) {
		char name[2 * EQT_SHARES_NAME];
		struct step_row row;

		step_row_make(&row, &steps->step[i], name);
		eqt_rows_add(&out, &row);
	}
	eqt_rows_end(&out);
}

/* JSON and CSV have their usual form even if there is no step. */
static void steps_print(const struct eqt_shares_steps *steps,
			const struct shares_options *options)
{
	if (steps->count > 0 || options->common.json || eqt_output_csv())
		steps_print_rows(steps, &options->common);
	else
		puts("The share tree is as the file says.");
}

/* ---- Applying ------------------------------------------------------------- */

/* sacctmgr may exit with 0 although nothing matched, so read the tree again. */
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

/* Take the steps, and check that they had an effect. */
static int shares_carry_out(const struct eqt_shares_steps *steps,
			    const struct eqt_shares_rows *wanted,
			    const struct shares_options *options,
			    struct eqt_error *err)
{
	char back[PATH_MAX] = "";
	struct eqt_error why;
	size_t done = 0;

	if (steps->count == 0)
		return 0;
	/* Create only the last folder of the path, because the folder above it belongs to
	 * the package. */
	if (mkdir(options->folder, 0755) < 0 && errno != EEXIST)
		return eqt_error_set(err, "%s: %s", options->folder,
				     strerror(errno));
	if (shares_steps_apply(steps, options, back, &done, &why) < 0 ||
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

/* The file is read first, so that slurmdbd is not asked if the file has an error. */
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
	if (rc == 0)
		steps_print(&steps, options);
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

	eqt_options_parse(&line, argc, argv, &options);
	if (!options.assocs) {
		rc = eqt_cluster_name(cluster, sizeof(cluster), &err);
		options.cluster = cluster;
	}
	if (rc == 0 && shares_run(&options, &err) == 0)
		return EXIT_SUCCESS;
	return eqt_print_failure("shares", &err);
}
