/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each step is logged before it is begun and when it is done, and the way back is
 * written before the first one: whatever stops the command, an operator sees how far it
 * came. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "cli/atomic_file.h"
#include "shares/apply.h"
#include "slurm/text/command.h"

#define WORD (EQT_SHARES_NAME + 16)
#define MOMENT 32

/* ---- The log -------------------------------------------------------------- */

/* Local time; "" if there is none. */
static void moment_text(char text[MOMENT], const char *format)
{
	time_t now = time(NULL);
	struct tm tm;

	text[0] = '\0';
	if (localtime_r(&now, &tm))
		(void) strftime(text, MOMENT, format, &tm);
}

/* Who runs the command; sudo says for whom. */
static const char *actor_name(void)
{
	const char *sudo = getenv("SUDO_USER");
	const char *name = sudo && sudo[0] ? sudo : getenv("LOGNAME");

	return name && name[0] ? name : "root";
}

/* "2026-11-22T15:00:00 ada: set account bloggs: 5 to 7: done" On disk before the next
 * step begins. 0, or -1 with err filled. */
static int log_write(FILE *log, const struct eqt_shares_step *step,
		     const char *result, const char *path,
		     struct eqt_error *err)
{
	const bool moved = step->kind == EQT_SHARES_MOVE_ACCOUNT;
	const struct eqt_shares_row *now = step->now, *wanted = step->wanted;
	char moment[MOMENT];

	moment_text(moment, "%Y-%m-%dT%H:%M:%S");
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

/* The texts that the words of a step point to. Names were checked when the file was
 * read: none has a character that sacctmgr takes apart. */
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

/* The words behind "sacctmgr -iQ"; a step has one form of three. -i asks nothing, and
 * -Q prints no more than errors. */
static void words_of_account(struct step_words *words,
			     const struct eqt_shares_step *step)
{
	const char *const add[] = { "add",
				    "account",
				    step->wanted->account,
				    words->cluster,
				    words->parent,
				    words->shares,
				    NULL };
	const char *const set[] = { "modify",
				    "account",
				    "where",
				    words->account,
				    words->cluster,
				    "set",
				    step->kind == EQT_SHARES_MOVE_ACCOUNT
					    ? words->parent
					    : words->shares,
				    NULL };
	const char *const gone[] = { "delete",	     "account",	     "where",
				     words->account, words->cluster, NULL };

	if (step->kind == EQT_SHARES_ADD_ACCOUNT)
		memcpy(words->word + 2, add, sizeof(add));
	else if (step->kind == EQT_SHARES_REMOVE_ACCOUNT)
		memcpy(words->word + 2, gone, sizeof(gone));
	else
		memcpy(words->word + 2, set, sizeof(set));
}

/* A user's association is named by account and cluster as well: others of the same user
 * stay. */
static void words_of_user(struct step_words *words,
			  const struct eqt_shares_step *step)
{
	const char *const add[] = { "add",
				    "user",
				    step->wanted->user,
				    words->account,
				    words->cluster,
				    words->shares,
				    NULL };
	const char *const set[] = { "modify",	 "user",	 "where",
				    words->user, words->account, words->cluster,
				    "set",	 words->shares,	 NULL };
	const char *const gone[] = {
		"delete",	"user",		"where", words->user,
		words->account, words->cluster, NULL
	};

	if (step->kind == EQT_SHARES_ADD_USER)
		memcpy(words->word + 2, add, sizeof(add));
	else if (step->kind == EQT_SHARES_REMOVE_USER)
		memcpy(words->word + 2, gone, sizeof(gone));
	else
		memcpy(words->word + 2, set, sizeof(set));
}

/* The first line that sacctmgr printed tells what is wrong. Each step is a command of
 * its own: sacctmgr has no transaction over several. */
static int step_run(const struct eqt_shares_step *step,
		    const struct eqt_shares_place *place, struct eqt_error *err)
{
	struct step_words words = { .word = { "sacctmgr", "-iQ" } };
	struct eqt_listing answer;
	int rc;

	words_fill(&words, step, place->cluster);
	if (step->wanted->user[0])
		words_of_user(&words, step);
	else
		words_of_account(&words, step);
	rc = eqt_command_run(&answer, "sacctmgr", words.word, err);
	if (rc == 0)
		eqt_listing_free(&answer);
	return rc;
}

/* ---- All steps ------------------------------------------------------------ */

/* A file for equitree shares apply, named by the moment and the process. */
static int back_write(const struct eqt_shares_steps *steps,
		      const struct eqt_shares_place *place, char *path,
		      struct eqt_error *err)
{
	struct eqt_shares_rows rows;
	char moment[MOMENT], *text = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&text, &length);
	int rc = -1;

	moment_text(moment, "%Y%m%dT%H%M%S");
	(void) snprintf(path, PATH_MAX, "%s/before-%s-%ld.csv", place->folder,
			moment, (long) getpid());
	if (eqt_shares_steps_back(&rows, steps) == 0 && stream) {
		eqt_shares_rows_write(&rows, stream);
		rc = 0;
	}
	eqt_shares_rows_free(&rows);
	if (!stream || fclose(stream) != 0)
		rc = -1;
	rc = rc < 0 ? eqt_error_set(err, "out of memory")
		    : eqt_atomic_file_write(path, text, length, err);
	free(text);
	return rc;
}

/* *done counts the steps that sacctmgr has done, also after an error. */
static int steps_run(const struct eqt_shares_steps *steps,
		     const struct eqt_shares_place *place, FILE *log,
		     const char *path, size_t *done, struct eqt_error *err)
{
	struct eqt_error ignored;

	for (; *done < steps->count; ++*done) {
		const struct eqt_shares_step *step = &steps->step[*done];

		if (log_write(log, step, "begun", path, err) < 0)
			return -1;
		if (step_run(step, place, err) < 0) {
			(void) log_write(log, step, "failed", path, &ignored);
			return -1;
		}
		if (log_write(log, step, "done", path, err) < 0)
			return -1;
	}
	return 0;
}

/* The lock lasts until the log is closed. */
int eqt_shares_steps_apply(const struct eqt_shares_steps *steps,
			   const struct eqt_shares_place *place, char *back,
			   size_t *done, struct eqt_error *err)
{
	char path[PATH_MAX];
	FILE *log;
	int rc;

	*done = 0;
	(void) snprintf(path, sizeof(path), "%s/apply.log", place->folder);
	log = fopen(path, "ae");
	if (!log)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	if (flock(fileno(log), LOCK_EX | LOCK_NB) < 0)
		rc = eqt_error_set(err, "%s: another command is at work", path);
	else
		rc = back_write(steps, place, back, err);
	if (rc == 0)
		rc = steps_run(steps, place, log, path, done, err);
	(void) fclose(log);
	return rc;
}
