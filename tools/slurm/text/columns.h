/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns: a table as Slurm's commands print it, with a line of names and then one line
 * per row. Columns are found by name, in any order; case does not matter. */
#ifndef EQT_SLURM_COLUMNS_H
#define EQT_SLURM_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/text/listing.h"

#define EQT_COLUMNS_NONE SIZE_MAX

/* Owns its memory; {0} is empty. Cells are NUL-terminated parts of the text. */
struct eqt_columns {
	struct eqt_listing text;
	size_t columns;
	size_t rows; /* without the line of names */
	char **cells; /* row 0 has the names */
	/* line number of each row, for messages; [0] is the line of names */
	size_t *lines;
};

/*
 * Cut text at '|' into *out, which owns the text afterwards, even on failure. Spaces are
 * kept, empty lines are skipped, and a CR at the end of a line is removed. Returns 0, or
 * -1 with err filled. Possible errors: no rows, a line that does not have as many cells
 * as the first.
 */
int eqt_columns_cut(struct eqt_columns *out, struct eqt_listing *text,
		    struct eqt_error *err);

/* Like eqt_columns_cut(), for a table whose first column has names of accounts. Slurm has
 * no rules for these names: they may hold '|' and line ends. */
int eqt_columns_cut_names(struct eqt_columns *out, struct eqt_listing *text,
			  struct eqt_error *err);

/* Like eqt_columns_cut(), but a table without rows is allowed. */
int eqt_columns_cut_any(struct eqt_columns *out, struct eqt_listing *text,
			struct eqt_error *err);

/* Like eqt_columns_cut_any(), for comma-separated values, which eqt_csv_cut() cuts. */
int eqt_columns_cut_csv(struct eqt_columns *out, struct eqt_listing *text,
			struct eqt_error *err);

/* Like eqt_columns_cut_any(), for columns separated by spaces. Only cells of the last
 * column may be empty. A repeated name gets the suffix "_2". sprio prints only the line
 * of names if no job waits. */
int eqt_columns_cut_spaces(struct eqt_columns *out, struct eqt_listing *text,
			   struct eqt_error *err);

/* Free what *table owns. *table is empty afterwards. */
void eqt_columns_free(struct eqt_columns *table);

/* The number of the column with this name. If there is none, returns EQT_COLUMNS_NONE and
 * fills err, unless err is NULL, with a list of the columns. */
size_t eqt_columns_find(const struct eqt_columns *table, const char *name,
			struct eqt_error *err);

/* A cell, borrowed from the table. "" for EQT_COLUMNS_NONE. */
const char *eqt_columns_cell(const struct eqt_columns *table, size_t row,
			     size_t column);

/* A cell without its leading blanks. sshare indents accounts by their depth. */
const char *eqt_columns_name(const struct eqt_columns *table, size_t row,
			     size_t column);

/* Does any row have this name in the column? */
bool eqt_columns_have(const struct eqt_columns *table, size_t column,
		      const char *name);

/* A cell as a whole number of at most max. Returns 0, or -1 with err filled: file, line,
 * column and cell. */
int eqt_columns_number(uint64_t *out, const struct eqt_columns *table,
		       size_t row, size_t column, uint64_t max,
		       struct eqt_error *err);

/* Like eqt_columns_number(), for a whole number that may be negative. */
int eqt_columns_signed(int64_t *out, const struct eqt_columns *table,
		       size_t row, size_t column, struct eqt_error *err);

#endif
