/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shares: associations and their shares, from a CSV file or from sacctmgr. */
#ifndef EQT_SHARES_SHARES_H
#define EQT_SHARES_SHARES_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

#define EQT_SHARES_NAME 128
#define EQT_SHARES_TEXT 16 /* a number of shares, "parent" or "remove" */

/* One association. A plain value. */
struct eqt_shares_row {
	char account[EQT_SHARES_NAME];
	char user[EQT_SHARES_NAME]; /* "": the account itself */
	char parent[EQT_SHARES_NAME]; /* parent of an account; "": unchanged */
	char shares[EQT_SHARES_TEXT];
	size_t line; /* line in the file */
};

/* Owns its memory; {0} is empty. */
struct eqt_shares_rows {
	struct eqt_shares_row *row;
	size_t count;
};

/*
 * Read CSV (RFC 4180) with a line of column names: Account, Shares and optionally User
 * and Parent, in any order. Returns 0, or -1 with err filled, which names file and line.
 * Possible errors: an unknown or missing column, a name that sacctmgr would misread,
 * shares that are neither a number, "parent" nor "remove", an association that is listed
 * twice, a user with a parent.
 */
int eqt_shares_rows_read(struct eqt_shares_rows *out, const char *path,
			 struct eqt_error *err);

/* Ask sacctmgr for the associations of a cluster, except those for a partition. If path
 * is not NULL, read what sacctmgr printed from a file. Returns 0, or -1 with err
 * filled. */
int eqt_shares_rows_ask(struct eqt_shares_rows *out, const char *cluster,
			const char *path, struct eqt_error *err);

/* Write rows as CSV that eqt_shares_rows_read() can read. */
void eqt_shares_rows_write(const struct eqt_shares_rows *rows, FILE *stream);

/* Free what *rows owns. *rows is empty afterwards. */
void eqt_shares_rows_free(struct eqt_shares_rows *rows);

/* The kinds of steps, in the order in which they are taken. */
enum eqt_shares_step_kind {
	EQT_SHARES_ADD_ACCOUNT,
	EQT_SHARES_MOVE_ACCOUNT,
	EQT_SHARES_SET_ACCOUNT,
	EQT_SHARES_ADD_USER,
	EQT_SHARES_SET_USER,
	EQT_SHARES_REMOVE_USER,
	EQT_SHARES_REMOVE_ACCOUNT,
	EQT_SHARES_STEPS
};

/* A step. Rows are borrowed. */
struct eqt_shares_step {
	enum eqt_shares_step_kind kind;
	const struct eqt_shares_row *wanted;
	/* NULL: there is no such association */
	const struct eqt_shares_row *now;
	unsigned int depth; /* depth of an account in the wanted tree */
};

/* Owns its memory; {0} is empty. */
struct eqt_shares_steps {
	struct eqt_shares_step *step;
	size_t count;
};

/*
 * Compare two trees, and make the steps from one to the other. Associations that "wanted"
 * does not list stay as they are. Returns 0, or -1 with err filled, which names file and
 * line. Possible errors: a new account without a parent, an account or a parent that does
 * not exist, accounts below themselves, a removed account with others below it.
 */
int eqt_shares_steps_make(struct eqt_shares_steps *out,
			  const struct eqt_shares_rows *wanted,
			  const struct eqt_shares_rows *now, const char *file,
			  struct eqt_error *err);

/* The rows that undo the steps, as a file for the same command. */
void eqt_shares_steps_back(struct eqt_shares_rows *out,
			   const struct eqt_shares_steps *steps);

/* Words such as "add account", as static text. */
const char *eqt_shares_step_name(enum eqt_shares_step_kind kind);

/* Free what *steps owns. *steps is empty afterwards. */
void eqt_shares_steps_free(struct eqt_shares_steps *steps);

#endif
