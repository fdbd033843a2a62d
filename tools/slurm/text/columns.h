/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns: a table as Slurm's commands print it: a line with names, then one line per row.
 * Columns are found by name, in any order and case. */
#ifndef EQT_SLURM_COLUMNS_H
#define EQT_SLURM_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/text/listing.h"

#define EQT_COLUMNS_NONE SIZE_MAX

/* Owned; {0} is empty. Cells are NUL-terminated parts of the text. */
struct eqt_columns {
	struct eqt_listing text;
	size_t columns;
	size_t rows; /* without the line of names */
	char **cells; /* row 0 holds the names */
	size_t *lines; /* line number of each row, for messages; [0]: of the names */
};

/*
 * Split text at '|' into *out, which owns the text afterwards, also on failure.
 * Spaces are kept; empty lines are skipped, and a CR at the end of a line is
 * removed. 0, or -1 with err filled: no rows, a line with a different number of
 * cells.
 */
int eqt_columns_cut(struct eqt_columns *out, struct eqt_listing *text,
		    struct eqt_error *err);

/* The same for a table whose first column has names of accounts, for which Slurm has no
 * rules: they may hold '|' and line ends. */
int eqt_columns_cut_names(struct eqt_columns *out, struct eqt_listing *text,
			  struct eqt_error *err);

/* The same; no rows are allowed. */
int eqt_columns_cut_any(struct eqt_columns *out, struct eqt_listing *text,
			struct eqt_error *err);

/* The same for comma-separated values, cut by eqt_csv_cut(); no rows are allowed. */
int eqt_columns_cut_csv(struct eqt_columns *out, struct eqt_listing *text,
			struct eqt_error *err);

/* The same for columns separated by spaces; only cells of the last column may be empty. A
 * repeated name gets the suffix "_2". No rows are allowed: sprio prints the line of names
 * alone if no job waits. */
int eqt_columns_cut_spaces(struct eqt_columns *out, struct eqt_listing *text,
			   struct eqt_error *err);

/* Free what *table owns; it is empty then. */
void eqt_columns_free(struct eqt_columns *table);

/* The number of the column of that name, or EQT_COLUMNS_NONE; if err is not
 * NULL it is filled then, with the columns there are. */
size_t eqt_columns_find(const struct eqt_columns *table, const char *name,
			struct eqt_error *err);

/* A cell, borrowed from the table; "" for EQT_COLUMNS_NONE. */
const char *eqt_columns_cell(const struct eqt_columns *table, size_t row,
			     size_t column);

/* A cell without the blanks before it: sshare indents accounts by their depth. */
const char *eqt_columns_name(const struct eqt_columns *table, size_t row,
			     size_t column);

/* Has a row that name in a column? */
bool eqt_columns_have(const struct eqt_columns *table, size_t column,
		      const char *name);

/* A cell as a whole number of at most max. 0, or -1 with err filled: file,
 * line, column and the cell. */
int eqt_columns_number(uint64_t *out, const struct eqt_columns *table,
		       size_t row, size_t column, uint64_t max,
		       struct eqt_error *err);

/* The same for a whole number that may be negative. */
int eqt_columns_signed(int64_t *out, const struct eqt_columns *table,
		       size_t row, size_t column, struct eqt_error *err);

#endif
