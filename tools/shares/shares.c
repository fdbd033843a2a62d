/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names go to sacctmgr in words such as "account=NAME". There a comma makes a list, and
 * quotes are removed, so a file must not have such names. Slurm ignores the case of
 * names.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/alloc.h"
#include "shares/shares.h"
#include "slurm/text/columns.h"
#include "slurm/text/command.h"

/* ---- Tree file ------------------------------------------------------------ */

#define SHARES_MAX 1000000000UL

enum column { ACCOUNT, USER, PARENT, SHARES, COLUMNS };

static const char *const names[COLUMNS] = {
	[ACCOUNT] = "Account",
	[USER] = "User",
	[PARENT] = "Parent",
	[SHARES] = "Shares",
};

/* ---- Rows ----------------------------------------------------------------- */

/* Append a copy of a row. */
static void shares_rows_add(struct eqt_shares_rows *rows,
			    const struct eqt_shares_row *row)
{
	EQT_ALLOC_ROOM(rows->row, rows->count);
	rows->row[rows->count++] = *row;
}

/* The row of an association, or NULL. user "" means the account itself. */
static const struct eqt_shares_row *shares_rows_find(
	const struct eqt_shares_rows *rows, const char *account,
	const char *user)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (strcasecmp(rows->row[i].account, account) == 0 &&
		    strcasecmp(rows->row[i].user, user) == 0)
			return &rows->row[i];
	}
	return NULL;
}

/* The file that undoes changes has this form. */
void eqt_shares_rows_write(const struct eqt_shares_rows *rows, FILE *stream)
{
	fprintf(stream, "Account,Parent,User,Shares\n");
	for (size_t i = 0; i < rows->count; i++)
		fprintf(stream, "%s,%s,%s,%s\n", rows->row[i].account,
			rows->row[i].parent, rows->row[i].user,
			rows->row[i].shares);
}

void eqt_shares_rows_free(struct eqt_shares_rows *rows)
{
	free(rows->row);
	*rows = (struct eqt_shares_rows){ .count = 0 };
}

/* ---- CSV ------------------------------------------------------------------ */

/* A file while it is read. */
struct reading {
	struct eqt_columns table;
	size_t column[COLUMNS]; /* the number of each column in the file */
	struct eqt_shares_rows *rows;
};

/* Fill err with file, line and column. Returns -1. */
static int reading_refuse(const struct reading *reading, size_t line,
			  const char *what, const char *text, const char *why,
			  struct eqt_error *err)
{
	return eqt_error_set(err, "%s: line %zu: %s%s%.64s%s: %s",
			     reading->table.text.name, line, what,
			     what[0] ? ": \"" : "\"", text, "\"", why);
}

#define EXPECTED "expected the columns Account, Parent, User and Shares"

/* Columns may come in any order, and optional columns may be missing. */
static int reading_take_head(struct reading *reading, struct eqt_error *err)
{
	const struct eqt_columns *table = &reading->table;

	for (int column = 0; column < COLUMNS; column++)
		reading->column[column] =
			eqt_columns_find(table, names[column], NULL);
	/* A cell that is not the one found by its name is unknown or repeated. */
	for (size_t i = 0; i < table->columns; i++) {
		int column = 0;

		while (column < COLUMNS && reading->column[column] != i)
			column++;
		if (column == COLUMNS)
			return reading_refuse(reading, table->lines[0], "",
					      table->cells[i], EXPECTED, err);
	}
	if (reading->column[ACCOUNT] == EQT_COLUMNS_NONE ||
	    reading->column[SHARES] == EQT_COLUMNS_NONE)
		return eqt_error_set(err, "%s: line %zu: " EXPECTED,
				     table->text.name, table->lines[0]);
	return 0;
}

/* Slurm allows more characters in names, but sacctmgr could misread them. */
static bool name_is_plain(const char *name)
{
	if (strlen(name) >= EQT_SHARES_NAME || name[0] == '-')
		return false;
	for (; *name != '\0'; name++) {
		if (!isalnum((unsigned char) *name) && !strchr("._-@+:", *name))
			return false;
	}
	return true;
}

/* "parent" is Fairshare=parent, and "remove" removes an association. Numbers have no
 * leading zeros, so that they can be compared as texts with what sacctmgr prints. */
static bool shares_are_valid(const char *shares)
{
	size_t digits = strspn(shares, "0123456789");

	if (strcmp(shares, "parent") == 0 || strcmp(shares, "remove") == 0)
		return true;
	return digits > 0 && digits < 11 && shares[digits] == '\0' &&
	       (digits == 1 || shares[0] != '0') &&
	       strtoul(shares, NULL, 10) <= SHARES_MAX;
}

/* Check the cells of a line against each other, and the line against those before it,
 * because an association must be named only once. */
static int row_check(const struct reading *reading,
		     const struct eqt_shares_row *row, struct eqt_error *err)
{
	if (row->account[0] == '\0')
		return reading_refuse(reading, row->line, names[ACCOUNT], "",
				      "expected a name", err);
	if (row->user[0] != '\0' && row->parent[0] != '\0')
		return reading_refuse(reading, row->line, names[PARENT],
				      row->parent,
				      "only an account has a parent", err);
	if (strcasecmp(row->account, "root") == 0 && row->user[0] == '\0')
		return reading_refuse(reading, row->line, names[ACCOUNT],
				      row->account, "the root has no shares",
				      err);
	if (shares_rows_find(reading->rows, row->account, row->user))
		return reading_refuse(reading, row->line,
				      row->user[0] ? names[USER]
						   : names[ACCOUNT],
				      row->user[0] ? row->user : row->account,
				      "listed before", err);
	return 0;
}

/* Take a row of the file, if its cells are valid. */
static int reading_take_row(struct reading *reading, size_t at,
			    struct eqt_error *err)
{
	struct eqt_shares_row row = { .line = reading->table.lines[at + 1] };
	char *to[COLUMNS] = { row.account, row.user, row.parent, row.shares };

	for (int column = 0; column < COLUMNS; column++) {
		const char *text = eqt_columns_cell(&reading->table, at,
						    reading->column[column]);
		bool good = column == SHARES ? shares_are_valid(text)
					     : name_is_plain(text);

		if (!good)
			return reading_refuse(
				reading, row.line, names[column], text,
				column == SHARES
					? "expected a number, parent or remove"
					: "expected a name of letters, digits "
					  "and . _ - @ + :",
				err);
		memcpy(to[column], text, strlen(text) + 1);
	}
	if (row_check(reading, &row, err) < 0)
		return -1;
	shares_rows_add(reading->rows, &row);
	return 0;
}

int eqt_shares_rows_read(struct eqt_shares_rows *out, const char *path,
			 struct eqt_error *err)
{
	struct reading reading = { .rows = out };
	int rc;

	*out = (struct eqt_shares_rows){ .count = 0 };
	if (eqt_columns_read(&reading.table, EQT_COLUMNS_CSV, path, NULL, err) <
	    0)
		return -1;
	rc = reading_take_head(&reading, err);
	for (size_t i = 0; rc == 0 && i < reading.table.rows; i++)
		rc = reading_take_row(&reading, i, err);
	eqt_columns_free(&reading.table);
	if (rc < 0)
		eqt_shares_rows_free(out);
	return rc;
}

/* ---- sacctmgr ------------------------------------------------------------- */

/* Copy a cell if it fits. A file cannot have longer names, so rows with longer names are
 * not needed. */
static void cell_copy(char *to, size_t size, const struct eqt_columns *table,
		      size_t row, size_t column)
{
	const char *text = eqt_columns_cell(table, row, column);

	if (strlen(text) < size)
		memcpy(to, text, strlen(text) + 1);
}

static int rows_take(struct eqt_shares_rows *out,
		     const struct eqt_columns *table, struct eqt_error *err)
{
	/* Some releases call the fourth column "Par Name". */
	static const char *const wanted[] = { "Account", "User", "Partition",
					      "ParentName", "Share" };
	size_t at[5], i;

	for (i = 0; i < 5; i++) {
		at[i] = eqt_columns_find(table, wanted[i], err);
		if (i == 3 && at[i] == EQT_COLUMNS_NONE)
			at[i] = eqt_columns_find(table, "Par Name", err);
		if (at[i] == EQT_COLUMNS_NONE)
			return -1;
	}
	for (i = 0; i < table->rows; i++) {
		struct eqt_shares_row row = { .line = 0 };

		if (eqt_columns_cell(table, i, at[2])[0] != '\0')
			continue;
		cell_copy(row.account, sizeof(row.account), table, i, at[0]);
		cell_copy(row.user, sizeof(row.user), table, i, at[1]);
		if (row.user[0] == '\0')
			cell_copy(row.parent, sizeof(row.parent), table, i,
				  at[3]);
		cell_copy(row.shares, sizeof(row.shares), table, i, at[4]);
		shares_rows_add(out, &row);
	}
	return 0;
}

int eqt_shares_rows_ask(struct eqt_shares_rows *out, const char *cluster,
			const char *path, struct eqt_error *err)
{
	char where[EQT_SHARES_NAME + 16];
	const char *words[] = {
		"sacctmgr",
		"-P",
		"show",
		"assoc",
		"format=Account,User,Partition,ParentName,Fairshare",
		"where",
		where,
		NULL
	};
	struct eqt_listing text;
	struct eqt_columns table;
	int rc;

	*out = (struct eqt_shares_rows){ .count = 0 };
	(void) snprintf(where, sizeof(where), "cluster=%s", cluster);
	rc = path ? eqt_listing_read(&text, path, NULL, err)
		  : eqt_command_run(&text, "sacctmgr show assoc", words, err);
	if (rc < 0 || eqt_columns_cut(&table, EQT_COLUMNS_ANY, &text, err) < 0)
		return -1;
	rc = rows_take(out, &table, err);
	eqt_columns_free(&table);
	if (rc < 0)
		eqt_shares_rows_free(out);
	return rc;
}

/* ---- Differences --------------------------------------------------------------------
 * The steps from the present share tree to the wanted one. Accounts are added from the
 * root downwards and removed from below, because sacctmgr requires that the parent of a
 * new account exists, and that a removed account has no children. */

/* Two trees and their differences. */
struct comparison {
	const struct eqt_shares_rows *wanted, *now;
	const char *file;
	struct eqt_shares_steps *steps;
};

/* Fill err with the line in the file. Returns -1. */
static int row_refuse(const struct comparison *with,
		      const struct eqt_shares_row *row, const char *name,
		      const char *why, struct eqt_error *err)
{
	return eqt_error_set(err, "%s: line %zu: %s: %s", with->file, row->line,
			     name, why);
}

/* Is the word "remove" in place of shares? */
static bool row_is_removed(const struct eqt_shares_row *row)
{
	return strcmp(row->shares, "remove") == 0;
}

/* The parent that an account will have, from the file or as it is now. NULL if there is
 * no such account. */
static const char *account_parent(const struct comparison *with,
				  const char *account)
{
	const struct eqt_shares_row *row =
		shares_rows_find(with->wanted, account, "");

	if (row && row_is_removed(row))
		return NULL;
	if (row && row->parent[0] != '\0')
		return row->parent;
	row = shares_rows_find(with->now, account, "");
	return row ? row->parent : NULL;
}

/* Find the depth of an account below the root. A circle is found by its length, because
 * no path is longer than the number of accounts. Returns 0 with *depth filled, or -1 with
 * err filled. */
static int account_depth(const struct comparison *with,
			 const struct eqt_shares_row *row, unsigned int *depth,
			 struct eqt_error *err)
{
	const size_t limit = with->wanted->count + with->now->count;
	const char *at = row->account;

	for (*depth = 0; strcasecmp(at, "root") != 0; ++*depth) {
		const char *above = account_parent(with, at);

		if (!above || above[0] == '\0')
			return row_refuse(with, row, at,
					  at == row->account
						  ? "expected its parent"
						  : "no such account",
					  err);
		if (*depth > limit)
			return row_refuse(with, row, row->account,
					  "it would be below itself", err);
		at = above;
	}
	return 0;
}

/* Add a step. The caller has made room for two steps per row. */
static void steps_add(const struct comparison *with,
		      enum eqt_shares_step_kind kind,
		      const struct eqt_shares_row *wanted,
		      const struct eqt_shares_row *now, unsigned int depth)
{
	with->steps->step[with->steps->count++] =
		(struct eqt_shares_step){ kind, wanted, now, depth };
}

/* Will this account have a child? An account can be removed only if nothing is left below
 * it. */
static bool account_has_children(const struct comparison *with,
				 const char *account)
{
	const struct eqt_shares_rows *both[] = { with->wanted, with->now };

	for (size_t list = 0; list < 2; list++) {
		for (size_t i = 0; i < both[list]->count; i++) {
			const struct eqt_shares_row *row = &both[list]->row[i];
			const char *above =
				row->user[0]
					? NULL
					: account_parent(with, row->account);

			if (above && strcasecmp(above, account) == 0)
				return true;
		}
	}
	return false;
}

/* Add the steps of an account: it may be moved and get other shares. */
static int compare_account(const struct comparison *with,
			   const struct eqt_shares_row *row,
			   struct eqt_error *err)
{
	const struct eqt_shares_row *now =
		shares_rows_find(with->now, row->account, "");
	unsigned int depth = 0;

	if (row_is_removed(row)) {
		if (now && account_has_children(with, row->account))
			return row_refuse(with, row, row->account,
					  "accounts are below it", err);
		if (now)
			steps_add(with, EQT_SHARES_REMOVE_ACCOUNT, row, now, 0);
		return 0;
	}
	if (account_depth(with, row, &depth, err) < 0)
		return -1;
	if (!now) {
		steps_add(with, EQT_SHARES_ADD_ACCOUNT, row, NULL, depth);
		return 0;
	}
	if (row->parent[0] != '\0' && strcasecmp(row->parent, now->parent) != 0)
		steps_add(with, EQT_SHARES_MOVE_ACCOUNT, row, now, depth);
	if (strcmp(row->shares, now->shares) != 0)
		steps_add(with, EQT_SHARES_SET_ACCOUNT, row, now, depth);
	return 0;
}

/* Add the step of a user in an account. */
static int compare_user(const struct comparison *with,
			const struct eqt_shares_row *row, struct eqt_error *err)
{
	const struct eqt_shares_row *now =
		shares_rows_find(with->now, row->account, row->user);

	if (row_is_removed(row)) {
		if (now)
			steps_add(with, EQT_SHARES_REMOVE_USER, row, now, 0);
		return 0;
	}
	if (strcasecmp(row->account, "root") != 0 &&
	    !account_parent(with, row->account))
		return row_refuse(with, row, row->account, "no such account",
				  err);
	if (!now)
		steps_add(with, EQT_SHARES_ADD_USER, row, NULL, 0);
	else if (strcmp(row->shares, now->shares) != 0)
		steps_add(with, EQT_SHARES_SET_USER, row, now, 0);
	return 0;
}

/* Sort by kind, accounts by depth, and otherwise in the order of the file. */
static int step_compare(const void *a, const void *b)
{
	const struct eqt_shares_step *left = a, *right = b;

	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	if (left->depth != right->depth)
		return left->depth < right->depth ? -1 : 1;
	return left->wanted->line < right->wanted->line ? -1 : 1;
}

int eqt_shares_steps_make(struct eqt_shares_steps *out,
			  const struct eqt_shares_rows *wanted,
			  const struct eqt_shares_rows *now, const char *file,
			  struct eqt_error *err)
{
	const struct comparison with = { wanted, now, file, out };
	int rc = 0;

	*out = (struct eqt_shares_steps){ .count = 0 };
	/* An account may have two steps. */
	out->step = eqt_alloc(2 * wanted->count + 1, sizeof(*out->step));
	for (size_t i = 0; i < wanted->count && rc == 0; i++)
		rc = wanted->row[i].user[0]
			     ? compare_user(&with, &wanted->row[i], err)
			     : compare_account(&with, &wanted->row[i], err);
	if (rc < 0) {
		eqt_shares_steps_free(out);
		return -1;
	}
	qsort(out->step, out->count, sizeof(*out->step), step_compare);
	return 0;
}

void eqt_shares_steps_back(struct eqt_shares_rows *out,
			   const struct eqt_shares_steps *steps)
{
	struct eqt_shares_row row;

	*out = (struct eqt_shares_rows){ .count = 0 };
	for (size_t i = steps->count; i > 0; i--) {
		const struct eqt_shares_step *step = &steps->step[i - 1];

		row = step->now ? *step->now : *step->wanted;
		if (!step->now) {
			row.parent[0] = '\0';
			memcpy(row.shares, "remove", sizeof("remove"));
		}
		/* An account may have two steps, but needs one row. */
		if (!shares_rows_find(out, row.account, row.user))
			shares_rows_add(out, &row);
	}
}

const char *eqt_shares_step_name(enum eqt_shares_step_kind kind)
{
	static const char *const steps[EQT_SHARES_STEPS] = {
		[EQT_SHARES_ADD_ACCOUNT] = "add account",
		[EQT_SHARES_MOVE_ACCOUNT] = "move account",
		[EQT_SHARES_SET_ACCOUNT] = "set account",
		[EQT_SHARES_ADD_USER] = "add user",
		[EQT_SHARES_SET_USER] = "set user",
		[EQT_SHARES_REMOVE_USER] = "remove user",
		[EQT_SHARES_REMOVE_ACCOUNT] = "remove account",
	};

	return steps[kind];
}

void eqt_shares_steps_free(struct eqt_shares_steps *steps)
{
	free(steps->step);
	*steps = (struct eqt_shares_steps){ .count = 0 };
}
