/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacctmgr is run without a shell, and every change is read back: it may exit
 * with 0 although nothing matched. The comment is only restored if it still
 * begins with boost's own text.
 */
#include <stdio.h>
#include <string.h>

#include "boost/shares.h"
#include "boost/show.h"
#include "slurm/text/command.h"
#include "slurm/text/columns.h"

#define WORD (EQT_BOOST_NAME + 16)
#define COMMENT (3 * EQT_BOOST_TEXT)

/* How comments written by boost begin; sacctmgr changes them to lower case. */
static const char mark[] = "boosted until ";

/* ---- Reading shares --------------------------------------------------------- */

/* Find the shares in the only row of the association. */
static int assoc_find_shares(char out[EQT_BOOST_SHARES],
			     const struct eqt_columns *table,
			     const struct eqt_lease *lease,
			     struct eqt_error *err)
{
	size_t account = eqt_columns_find(table, "Account", err);
	size_t user = eqt_columns_find(table, "User", err);
	size_t share = eqt_columns_find(table, "Share", err);
	size_t row;
	int found = 0;

	if (account == EQT_COLUMNS_NONE || user == EQT_COLUMNS_NONE ||
	    share == EQT_COLUMNS_NONE)
		return -1;
	for (row = 0; row < table->rows; row++) {
		const char *value = eqt_columns_cell(table, row, share);

		if (strcmp(eqt_columns_cell(table, row, account),
			   lease->account) != 0 ||
		    strcmp(eqt_columns_cell(table, row, user), lease->user) !=
			    0)
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
	    eqt_columns_cut_any(&table, &text, err) < 0)
		return -1;
	rc = assoc_find_shares(out, &table, lease, err);
	eqt_columns_free(&table);
	return rc;
}

/* ---- Comments --------------------------------------------------------------- */

/* Read the association's comment; false if it cannot be kept: sacctmgr has no
 * such column before Slurm 23.11. */
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
	/* An empty user name selects the account's own association. */
	(void) snprintf(user, WORD, "user=%s", lease->user);
	if (eqt_command_try(&text, "sacctmgr show assoc", words) < 0)
		return false;
	length = text.text ? strcspn(text.text, "\n") : 0;
	/* Exactly one line. */
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

/* comment is "comment=..."; NULL leaves the comment as it is. */
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

/* Set the shares, and verify them. */
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

int eqt_boost_shares_raise(const struct eqt_lease *lease, struct eqt_error *err)
{
	char comment[COMMENT];

	lease_make_comment(comment, lease);
	return assoc_change_shares(lease, lease->boosted,
				   lease->noted ? comment : NULL, err);
}

int eqt_boost_shares_restore(const struct eqt_lease *lease,
			     struct eqt_error *err)
{
	char comment[COMMENT], now[EQT_BOOST_TEXT];
	bool ours = lease->noted && assoc_comment(now, lease) &&
		    strncmp(now, mark, sizeof(mark) - 1) == 0;

	(void) snprintf(comment, sizeof(comment), "comment=%s",
			lease->comment_before);
	return assoc_change_shares(lease, lease->before, ours ? comment : NULL,
				   err);
}
