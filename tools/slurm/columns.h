/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stock_table: a table as Slurm's commands print it: a line that names the
 * columns, then one line a row. Columns are found by name, in any order and
 * case; those that nobody asks for do not matter.
 */
#ifndef EQT_SLURM_COLUMNS_H
#define EQT_SLURM_COLUMNS_H

#include <stdint.h>

#include "slurm/source.h"

#define EQT_COLUMNS_NONE SIZE_MAX

/* Owned; {0} is an empty one. Cells are NUL-terminated parts of text. */
struct eqt_columns {
	struct eqt_source text;
	size_t columns;
	size_t rows; /* without the line of names */
	char **cells; /* row 0: the names */
	size_t *lines; /* of each row, for messages */
};

/*
 * Cut text at '|' into *out, which takes the text over also when this fails.
 * Spaces are kept; empty lines are left out, a CR before the end of a line is
 * no part of it. 0, or -1 with err filled: no rows, a line with more or fewer
 * cells than the first, memory.
 */
int eqt_columns_cut(struct eqt_columns *out, struct eqt_source *text,
		    struct eqt_error *err);

/* The same, and no rows are fine. */
int eqt_columns_cut_any(struct eqt_columns *out, struct eqt_source *text,
			struct eqt_error *err);

/*
 * The same for columns with spaces between them, none of whose cells but
 * those of the last column may be empty. A name that comes a second time gets
 * "_2" appended.
 */
int eqt_columns_cut_spaces(struct eqt_columns *out, struct eqt_source *text,
			   struct eqt_error *err);

/* Free what *table owns; it is empty then. */
void eqt_columns_free(struct eqt_columns *table);

/*
 * The number of the column of that name, or EQT_COLUMNS_NONE; with err not
 * NULL that is an error, which says what columns there are.
 */
size_t eqt_columns_find(const struct eqt_columns *table, const char *name,
			struct eqt_error *err);

/* A cell, borrowed from the table; "" for EQT_COLUMNS_NONE. */
const char *eqt_columns_cell(const struct eqt_columns *table, size_t row,
			     size_t column);

/*
 * A cell as a whole number of at most max. 0, or -1 with err filled: file,
 * line, column and what stands there.
 */
int eqt_columns_number(uint64_t *out, const struct eqt_columns *table,
		       size_t row, size_t column, uint64_t max,
		       struct eqt_error *err);

/* The same for a whole number that may have a sign. */
int eqt_columns_signed(int64_t *out, const struct eqt_columns *table,
		       size_t row, size_t column, struct eqt_error *err);

#endif
