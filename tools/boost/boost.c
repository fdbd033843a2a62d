/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shares of a boost in the accounting database, the steps that grant and end a boost,
 * and its audit. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boost/boost.h"
#include "cli/json.h"
#include "cli/table.h"
#include "slurm/text/columns.h"
#include "slurm/text/command.h"
#include "slurm/text/timestamp.h"

/* ---- Shares ---------------------------------------------------------------------------
 * sacctmgr is run without a shell, and every change is read back, because sacctmgr may
 * exit with 0 although nothing matched. The old comment is restored only if the present
 * comment still begins with boost's own text. */

#define WORD (EQT_BOOST_NAME + 16)
#define COMMENT (4 * EQT_BOOST_TEXT)

/* How comments of boost begin. sacctmgr turns comments into lower case. */
static const char mark[] = "boosted until ";

/* ---- Reading shares --------------------------------------------------------- */

/* Find the shares in the only row of the association. */
static int assoc_find_shares(char out[EQT_BOOST_SHARES],
			     const struct eqt_columns *table,
			     const struct eqt_lease *lease,
			     struct eqt_error *err)
{
	enum { ACCOUNT, USER, SHARE, COLUMNS };
	static const char *const names[COLUMNS] = { "Account", "User",
						    "Share" };
	size_t at[COLUMNS];
	int found = 0;

	if (eqt_columns_find_all(at, table, names, COLUMNS, COLUMNS, err) < 0)
		return -1;
	for (size_t row = 0; row < table->rows; row++) {
		const char *value = eqt_columns_cell(table, row, at[SHARE]);

		if (strcmp(eqt_columns_cell(table, row, at[ACCOUNT]),
			   lease->account) != 0 ||
		    strcmp(eqt_columns_cell(table, row, at[USER]),
			   lease->user) != 0)
			continue;
		if (found++ || strlen(value) >= EQT_BOOST_SHARES)
			return eqt_error_set(err,
					     "%s/%s has several associations, "
					     "one per partition",
					     lease->account, lease->user);
		(void) snprintf(out, EQT_BOOST_SHARES, "%s", value);
	}
	return found;
}

int eqt_boost_shares_now(char out[EQT_BOOST_SHARES],
			 const struct eqt_lease *lease, struct eqt_error *err)
{
	char cluster[WORD], account[WORD], user[WORD];
	const char *words[] = { "sacctmgr",
				"-P",
				"show",
				"assoc",
				"format=Account,User,Partition,Fairshare",
				"where",
				cluster,
				account,
				lease->user[0] ? user : NULL,
				NULL };
	struct eqt_listing text;
	struct eqt_columns table;
	int rc;

	(void) snprintf(cluster, WORD, "cluster=%s", lease->cluster);
	(void) snprintf(account, WORD, "account=%s", lease->account);
	(void) snprintf(user, WORD, "user=%s", lease->user);
	if (eqt_command_run(&text, "sacctmgr show assoc", words, err) < 0 ||
	    eqt_columns_cut(&table, EQT_COLUMNS_ANY, &text, err) < 0)
		return -1;
	rc = assoc_find_shares(out, &table, lease, err);
	eqt_columns_free(&table);
	return rc;
}

/* ---- Comments --------------------------------------------------------------- */

/* Read the association's comment. Returns false if the comment cannot be kept: before
 * Slurm 23.11 sacctmgr has no such column. */
static bool assoc_comment(char out[EQT_BOOST_TEXT],
			  const struct eqt_lease *lease)
{
	char cluster[WORD], account[WORD], user[WORD];
	const char *words[] = {
		"sacctmgr", "-nP",   "show",  "assoc", "format=Comment",
		"where",    cluster, account, user,    NULL
	};
	struct eqt_listing text;
	size_t length;
	bool kept;

	(void) snprintf(cluster, WORD, "cluster=%s", lease->cluster);
	(void) snprintf(account, WORD, "account=%s", lease->account);
	/* An empty user name selects the association of the account itself. */
	(void) snprintf(user, WORD, "user=%s", lease->user);
	if (eqt_command_try(&text, "sacctmgr show assoc", words) < 0)
		return false;
	length = text.text ? strcspn(text.text, "\n") : 0;
	/* There must be exactly one line. */
	kept = text.text && text.text[length] == '\n' &&
	       text.text[length + 1] == '\0' && length < EQT_BOOST_TEXT;
	(void) snprintf(out, EQT_BOOST_TEXT, "%.*s", kept ? (int) length : 0,
			kept ? text.text : "");
	eqt_listing_free(&text);
	return kept;
}

void eqt_boost_comment_keep(struct eqt_lease *lease)
{
	lease->noted = assoc_comment(lease->comment_before, lease);
}

/* Leave out characters that sacctmgr would interpret. */
static void lease_make_comment(char out[COMMENT], const struct eqt_lease *lease)
{
	char until[EQT_BOOST_TEXT], *at;

	(void) snprintf(out, COMMENT, "comment=%s%s by %s%s%s", mark,
			eqt_boost_time(lease->until_s, until), lease->by,
			lease->reason[0] ? ": " : "", lease->reason);
	for (at = out; *at != '\0'; at++)
		if ((unsigned char) *at < ' ' || strchr("\"'\\", *at))
			*at = ' ';
}

/* ---- Setting shares --------------------------------------------------------- */

/* "comment" has the form "comment=...". NULL leaves the comment as it is. */
static int assoc_set_shares(const struct eqt_lease *lease, const char *shares,
			    const char *comment, struct eqt_error *err)
{
	char cluster[WORD], account[WORD], name[WORD], set[WORD];
	const char *words[12] = {
		"sacctmgr", "-iQ",
		"modify",   lease->user[0] ? "user" : "account",
		"where",    name,
		cluster
	};
	struct eqt_listing text;
	size_t count = 7;

	if (lease->user[0])
		words[count++] = account;
	words[count++] = "set";
	words[count++] = set;
	words[count] = comment;
	(void) snprintf(cluster, WORD, "cluster=%s", lease->cluster);
	(void) snprintf(account, WORD, "account=%s", lease->account);
	(void) snprintf(name, WORD, "name=%s",
			lease->user[0] ? lease->user : lease->account);
	(void) snprintf(set, WORD, "fairshare=%s", shares);
	if (eqt_command_run(&text, "sacctmgr modify", words, err) < 0)
		return -1;
	eqt_listing_free(&text);
	return 0;
}

/* Set the shares, and read them back to verify them. */
static int assoc_change_shares(const struct eqt_lease *lease,
			       const char *shares, const char *comment,
			       struct eqt_error *err)
{
	char now[EQT_BOOST_SHARES] = "", name[2 * EQT_BOOST_NAME];

	if (assoc_set_shares(lease, shares, comment, err) < 0 ||
	    eqt_boost_shares_now(now, lease, err) < 0)
		return -1;
	if (strcmp(now, shares) == 0)
		return 0;
	return eqt_error_set(err, "%s has %s shares, although sacctmgr set %s",
			     eqt_lease_name(lease, name), now, shares);
}

/* Set the shares of the boost, with a comment that tells its end, its author and its
 * reason. Returns 0 once the shares are verified, or -1 with err filled. */
static int shares_raise(const struct eqt_lease *lease, struct eqt_error *err)
{
	char comment[COMMENT];

	lease_make_comment(comment, lease);
	return assoc_change_shares(lease, lease->boosted,
				   lease->noted ? comment : NULL, err);
}

/* Restore the previous shares. Restore the previous comment too, if boost wrote the
 * present one. */
static int shares_restore(const struct eqt_lease *lease, struct eqt_error *err)
{
	char comment[COMMENT], now[EQT_BOOST_TEXT];
	bool ours = lease->noted && assoc_comment(now, lease) &&
		    strncmp(now, mark, sizeof(mark) - 1) == 0;

	(void) snprintf(comment, sizeof(comment), "comment=%s",
			lease->comment_before);
	return assoc_change_shares(lease, lease->before, ours ? comment : NULL,
				   err);
}

/* ---- Steps ----------------------------------------------------------------------------
 * A boost begins when its lease is on the disk. Then the shares are raised, and the lease
 * is marked as granted. To end a boost, the lease is marked as ending. Then the shares
 * are restored, the audit is written, and the lease is removed. After a crash the state
 * of the lease tells which step to repeat. */

/* ---- The audit ------------------------------------------------------------ */

const char *eqt_boost_actor(char buf[EQT_BOOST_TEXT])
{
	const char *sudo = getenv("SUDO_USER");
	const struct passwd *entry = getpwuid(getuid());
	const char *name = entry ? entry->pw_name : "?";

	/* Trust SUDO_USER only if root runs the command. */
	if (getuid() == 0 && sudo && sudo[0] != '\0')
		name = sudo;
	(void) snprintf(buf, EQT_BOOST_TEXT, "%s", name);
	return buf;
}

/* Append a line. If a killed command has left a line without an end, end that line
 * first. */
static int audit_write_line(const char *path, const char *line)
{
	int fd = open(path, O_RDWR | O_CREAT | O_APPEND, 0644);
	char last = '\n', text[4096];
	int length, rc = -1;

	if (fd < 0)
		return -1;
	if (lseek(fd, -1, SEEK_END) >= 0 && read(fd, &last, 1) < 0)
		last = '\n';
	length = snprintf(text, sizeof(text), "%s%s\n",
			  last == '\n' ? "" : "\n", line);
	if (length < (int) sizeof(text) &&
	    write(fd, text, (size_t) length) == length && fsync(fd) == 0)
		rc = 0;
	return close(fd) == 0 ? rc : -1;
}

int eqt_boost_audit(const struct eqt_leases *leases,
		    const struct eqt_lease *lease, const char *event,
		    struct eqt_error *err)
{
	json_object *object = eqt_lease_json(lease);
	char path[PATH_MAX], actor[EQT_BOOST_TEXT];
	int rc = 0;

	(void) snprintf(path, sizeof(path), "%s/audit.log", leases->folder);
	json_object_object_del(object, "state");
	eqt_json_add(object, "event", event);
	eqt_json_add(object, "at_s", time(NULL));
	eqt_json_add(object, "actor", eqt_boost_actor(actor));
	errno = 0;
	if (audit_write_line(path, json_object_to_json_string_ext(
					   object, JSON_C_TO_STRING_PLAIN)) < 0)
		rc = eqt_error_set(err, "%s: %s", path,
				   errno ? strerror(errno)
					 : "cannot write a whole line");
	json_object_put(object);
	return rc;
}

/* ---- The steps ------------------------------------------------------------ */

static int lease_write_state(const struct eqt_leases *leases,
			     struct eqt_lease *lease,
			     enum eqt_boost_state state, struct eqt_error *err)
{
	lease->state = state;
	return eqt_lease_write(leases, lease, err);
}

/* Remove the lease if the shares did not change. Returns 0, or -1 if the lease stays. */
static int lease_give_up(const struct eqt_leases *leases,
			 const struct eqt_lease *lease)
{
	char now[EQT_BOOST_SHARES];

	if (eqt_boost_shares_now(now, lease, NULL) != 1 ||
	    strcmp(now, lease->before) != 0)
		return -1;
	(void) eqt_boost_audit(leases, lease, "failed", NULL);
	return eqt_lease_remove(leases, lease, NULL);
}

int eqt_boost_grant(const struct eqt_leases *leases, struct eqt_lease *lease,
		    struct eqt_error *err)
{
	struct eqt_error why;

	if (lease_write_state(leases, lease, EQT_BOOST_GRANTING, err) < 0)
		return -1;
	if (eqt_boost_audit(leases, lease, "granting", err) < 0) {
		(void) eqt_lease_remove(leases, lease, NULL);
		return -1;
	}
	if (shares_raise(lease, &why) < 0) {
		if (lease_give_up(leases, lease) == 0)
			return eqt_error_set(err, "%s", why.text);
		return eqt_error_set(err,
				     "%.300s; the lease is unfinished: "
				     "--expire or --cancel continues it",
				     why.text);
	}
	if (lease_write_state(leases, lease, EQT_BOOST_GRANTED, err) < 0)
		return -1;
	return eqt_boost_audit(leases, lease, "granted", err);
}

int eqt_boost_resume(const struct eqt_leases *leases, struct eqt_lease *lease,
		     struct eqt_error *err)
{
	char now[EQT_BOOST_SHARES], name[2 * EQT_BOOST_NAME];
	int rc = eqt_boost_shares_now(now, lease, err);

	if (rc < 0)
		return -1;
	(void) eqt_lease_name(lease, name);
	if (rc == 0)
		return eqt_error_set(err, "%s does not exist any more", name);
	/* The command died before it changed the shares. */
	if (strcmp(now, lease->before) == 0)
		return eqt_boost_grant(leases, lease, err);
	if (strcmp(now, lease->boosted) != 0)
		return eqt_error_set(err,
				     "%s: somebody else has set its shares to "
				     "%s; --cancel ends the lease",
				     name, now);
	if (lease_write_state(leases, lease, EQT_BOOST_GRANTED, err) < 0)
		return -1;
	return eqt_boost_audit(leases, lease, "granted", err);
}

/* The lease is removed last. Until then the command can be repeated. */
static int lease_finish(const struct eqt_leases *leases,
			const struct eqt_lease *lease, const char *event,
			struct eqt_error *err)
{
	if (eqt_boost_audit(leases, lease, event, err) < 0)
		return -1;
	return eqt_lease_remove(leases, lease, err);
}

int eqt_boost_end(const struct eqt_leases *leases, struct eqt_lease *lease,
		  const char *why, struct eqt_error *err)
{
	char now[EQT_BOOST_SHARES] = "", name[2 * EQT_BOOST_NAME];
	char event[EQT_BOOST_TEXT];
	int there = eqt_boost_shares_now(now, lease, err);

	if (there < 0)
		return -1;
	(void) eqt_lease_name(lease, name);
	if (there == 1 && strcmp(now, lease->boosted) == 0) {
		if (lease_write_state(leases, lease, EQT_BOOST_ENDING, err) <
			    0 ||
		    shares_restore(lease, err) < 0)
			return -1;
		return lease_finish(leases, lease, why, err);
	}
	/* A killed command has already restored the shares, or has not raised them. */
	if (there == 1 && strcmp(now, lease->before) == 0)
		return lease_finish(leases, lease, why, err);
	/* Shares that somebody else has set stay as they are, and the lease ends. */
	(void) snprintf(event, sizeof(event), "%s, %s%s", why,
			there ? "left at " : "gone", now);
	if (lease_finish(leases, lease, event, err) < 0)
		return -1;
	if (there)
		(void) eqt_error_set(
			err,
			"%s: somebody else has set its shares to %s, which are "
			"kept; before the boost they were %s",
			name, now, lease->before);
	else
		(void) eqt_error_set(err, "%s does not exist any more", name);
	return 1;
}

/* ---- Output ---------------------------------------------------------------------------
 * Overdue and unfinished leases are coloured, because --expire must be run for them.
 * Lines of the audit that a crash has cut off are reported and skipped. */

/* Times are local and printed to the minute. */
const char *eqt_boost_time(int64_t at_s, char buf[EQT_BOOST_TEXT])
{
	return eqt_timestamp_text(buf, EQT_BOOST_TEXT, "%Y-%m-%d %H:%M", at_s);
}

/* ---- Leases --------------------------------------------------------------- */

#define STATE_COLUMN 4

/* Write the state of the lease into its cell. A lease is overdue if nobody has run --expire
 * since its end. */
static void lease_set_state_cell(struct libscols_line *line,
				 const struct eqt_lease *lease, int64_t now_s)
{
	if (lease->state != EQT_BOOST_GRANTED)
		eqt_table_cell_set(line, STATE_COLUMN, "unfinished",
				   EQT_COLOUR_DOUBTFUL);
	else if (lease->until_s <= now_s)
		eqt_table_cell_set(line, STATE_COLUMN, "overdue",
				   EQT_COLOUR_BAD);
	else
		eqt_table_cell_set(line, STATE_COLUMN, "granted",
				   EQT_COLOUR_GOOD);
}

/* Add a row to the list of leases. */
static void lease_add_row(struct libscols_table *table,
			  const struct eqt_lease *lease, int64_t now_s)
{
	struct libscols_line *line = eqt_table_line(table, NULL);
	char text[2 * EQT_BOOST_NAME], until[EQT_BOOST_TEXT];

	eqt_table_cell(line, 0, eqt_lease_name(lease, text));
	eqt_table_cell(line, 1, lease->boosted);
	eqt_table_cell(line, 2, lease->before);
	eqt_table_cell(line, 3, eqt_boost_time(lease->until_s, until));
	lease_set_state_cell(line, lease, now_s);
	eqt_table_cell(line, 5, lease->by);
	eqt_table_cell(line, 6, lease->reason);
}

void eqt_boost_list(const struct eqt_leases *leases,
		    const struct eqt_output_options *common, int64_t now_s)
{
	struct libscols_table *table;
	json_object *array;

	if (common->json) {
		array = json_object_new_array();
		for (size_t i = 0; i < leases->count; i++)
			eqt_json_append(array,
					eqt_lease_json(&leases->lease[i]));
		eqt_json_print(array);
		return;
	}
	if (leases->count == 0 && !eqt_output_csv()) {
		puts("No boosts.");
		return;
	}
	table = eqt_table_new("NAME|>SHARES|>BEFORE|UNTIL|STATE|BY|~REASON",
			      !common->no_headings);
	for (size_t i = 0; i < leases->count; i++)
		lease_add_row(table, &leases->lease[i], now_s);
	eqt_table_print(table);
}

/* ---- The audit ------------------------------------------------------------ */

/* A text of an event, or "" if it is missing. */
static const char *event_text(json_object *object, const char *key)
{
	json_object *value = NULL;
	const char *text = NULL;

	if (json_object_object_get_ex(object, key, &value) && value)
		text = json_object_get_string(value);
	return text ? text : "";
}

/* Add a row to the output of --audit. */
static void event_add_row(struct libscols_table *table, json_object *object)
{
	struct libscols_line *line = eqt_table_line(table, NULL);
	char text[EQT_BOOST_TEXT * 3];
	json_object *at = NULL;

	(void) json_object_object_get_ex(object, "at_s", &at);
	eqt_table_cell(line, 0,
		       eqt_boost_time(json_object_get_int64(at), text));
	eqt_table_cell_print(line, 1, "%s%s%s", event_text(object, "account"),
			     event_text(object, "user")[0] ? "/" : "",
			     event_text(object, "user"));
	eqt_table_cell(line, 2, event_text(object, "event"));
	eqt_table_cell_print(line, 3, "%s > %s",
			     event_text(object, "shares_before"),
			     event_text(object, "shares"));
	eqt_table_cell(line, 4, event_text(object, "actor"));
	eqt_table_cell(line, 5, event_text(object, "reason"));
}

/* All complete lines of the audit as an array. Without a file there has been no boost,
 * and the array is empty. Returns NULL with err filled on error. */
static json_object *audit_read(const char *path, struct eqt_error *err)
{
	FILE *stream = fopen(path, "r");
	json_object *array = json_object_new_array(), *object;
	char *line = NULL;
	size_t size = 0, number = 0;

	if (!stream && errno != ENOENT) {
		(void) eqt_error_set(err, "%s: %s", path, strerror(errno));
		json_object_put(array);
		return NULL;
	}
	while (stream && getline(&line, &size, stream) > 0) {
		number++;
		object = json_tokener_parse(line);
		if (object && json_object_is_type(object, json_type_object)) {
			eqt_json_append(array, object);
			continue;
		}
		json_object_put(object);
		fprintf(stderr,
			"equitree boost: %s: line %zu: not an event; cut off "
			"when the command died?\n",
			path, number);
	}
	free(line);
	if (stream)
		(void) fclose(stream);
	return array;
}

int eqt_boost_show_audit(const char *folder,
			 const struct eqt_output_options *common,
			 struct eqt_error *err)
{
	struct libscols_table *table;
	char path[PATH_MAX];
	json_object *array;

	(void) snprintf(path, sizeof(path), "%s/audit.log", folder);
	array = audit_read(path, err);
	if (!array)
		return -1;
	if (common->json) {
		eqt_json_print(array);
		return 0;
	}
	table = eqt_table_new("TIME|NAME|EVENT|SHARES|ACTOR|~REASON",
			      !common->no_headings);
	for (size_t i = 0; i < json_object_array_length(array); i++)
		event_add_row(table, json_object_array_get_idx(array, i));
	eqt_table_print(table);
	json_object_put(array);
	return 0;
}
