/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tree_file: associations with their shares, from a CSV file or from sacctmgr. */
#ifndef EQT_SHARES_TREE_FILE_H
#define EQT_SHARES_TREE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

#define EQT_SHARES_NAME 128
#define EQT_SHARES_TEXT 16 /* a number of shares, "parent" or "remove" */

/* One association; a plain value. */
struct eqt_shares_row {
	char account[EQT_SHARES_NAME];
	char user[EQT_SHARES_NAME]; /* "": the account itself */
	char parent[EQT_SHARES_NAME]; /* of an account; "": as it is */
	char shares[EQT_SHARES_TEXT];
	size_t line; /* in the file */
};

/* Owned; {0} is empty. */
struct eqt_shares_rows {
	struct eqt_shares_row *row;
	size_t count, room;
};

/*
 * Read CSV (RFC 4180) with a line of column names: Account and Shares, and as
 * wanted User and Parent, in any order. 0, or -1 with err filled, which names file
 * and line: an unknown or missing column, a name that sacctmgr would misread, shares
 * that are neither a number, "parent" nor "remove", an association that is listed
 * twice, a user with a parent.
 */
int eqt_shares_rows_read(struct eqt_shares_rows *out, const char *path,
			 struct eqt_error *err);

/* Ask sacctmgr for all associations of a cluster without a partition, or read what
 * it printed from path if that is not NULL. 0, or -1 with err filled. */
int eqt_shares_rows_ask(struct eqt_shares_rows *out, const char *cluster,
			const char *path, struct eqt_error *err);

/* The row of an association (user "": of the account), or NULL. */
const struct eqt_shares_row *eqt_shares_rows_find(
	const struct eqt_shares_rows *rows, const char *account,
	const char *user);

/* Append a copy. 0, or -1: out of memory. */
int eqt_shares_rows_add(struct eqt_shares_rows *rows,
			const struct eqt_shares_row *row);

/* Write rows as CSV that eqt_shares_rows_read() reads. */
void eqt_shares_rows_write(const struct eqt_shares_rows *rows, FILE *stream);

/* Free what *rows owns; it is empty then. */
void eqt_shares_rows_free(struct eqt_shares_rows *rows);

#endif
