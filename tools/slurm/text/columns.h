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

/* How the lines of a table are cut into cells. */
enum eqt_columns_form {
	/* at '|', as Slurm's commands print with -P; a table without rows is an
	 * error */
	EQT_COLUMNS_BARS,
	/* The same, for a table whose first column has names of accounts. Slurm has no
	 * rules for these names: they may hold '|' and line ends. */
	EQT_COLUMNS_ACCOUNTS,
	EQT_COLUMNS_ANY, /* at '|'; a table without rows is allowed */
	/* comma-separated values, as people and web portals write them */
	EQT_COLUMNS_CSV,
	/* At spaces. Only cells of the last column may be empty. A repeated name gets the
	 * suffix "_2". sprio prints only the line of names if no job waits. */
	EQT_COLUMNS_SPACES,
};

/*
 * Read a table from the file at path ("-": stdin) or, if path is NULL, from the command.
 * Spaces in cells are kept, empty lines are skipped, and a CR at the end of a line is
 * removed. Returns 0, or -1 with err filled and *out empty. Possible errors: an error of
 * eqt_listing_read(), no rows, a line that does not have as many cells as the first, a
 * misplaced quote.
 */
int eqt_columns_read(struct eqt_columns *out, enum eqt_columns_form form,
		     const char *path, const char *command,
		     struct eqt_error *err);

/* Like eqt_columns_read(), for a text, which *out owns afterwards, even on failure. */
int eqt_columns_cut(struct eqt_columns *out, enum eqt_columns_form form,
		    struct eqt_listing *text, struct eqt_error *err);

/* Free what *table owns. *table is empty afterwards. */
void eqt_columns_free(struct eqt_columns *table);

/* The number of the column with this name. If there is none, returns EQT_COLUMNS_NONE and
 * fills err, unless err is NULL, with a list of the columns. */
size_t eqt_columns_find(const struct eqt_columns *table, const char *name,
			struct eqt_error *err);

/* Find columns by their names: at[i] is the number of the column names[i]. Only the first
 * "needed" ones must exist. Returns 0, or -1 with err filled. */
int eqt_columns_find_all(size_t *at, const struct eqt_columns *table,
			 const char *const *names, size_t needed, size_t count,
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
