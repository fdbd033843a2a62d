/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table: tables for people. */
#ifndef EQT_CLI_TABLE_H
#define EQT_CLI_TABLE_H

#include <libsmartcols.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/colour.h"

#define EQT_TABLE_CELL 40

/*
 * A table for stdout: 80 wide unless the terminal is wider, ASCII unless the
 * locale is UTF-8, with colours where wanted. eqt_table_print() unreferences it. The
 * columns are "NAME|>SHARES|REASON", with a mark before a name: > right, ~ wrapped,
 * + the names of a tree, which are wrapped, too.
 */
struct libscols_table *eqt_table_new(const char *columns, bool headings);

/* One more column, with flags of libsmartcols. */
void eqt_table_column(struct libscols_table *table, const char *name,
		      int flags);

/*
 * Print a table, or its cells as CSV, and unreference it. CSV is that of RFC 4180, but
 * with the line end of the system. The first cell of a line within a tree is the path to
 * it; percentages have no sign; a "-", which means no value, is an empty cell.
 */
void eqt_table_print(struct libscols_table *table);

/* A new line; in a tree it is a child of the line above, unless that is NULL. */
struct libscols_line *eqt_table_line(struct libscols_table *table,
				     struct libscols_line *above);

/* Set a cell to a text, which is copied, or to what printf() would print. */
void eqt_table_cell(struct libscols_line *line, size_t column,
		    const char *text);
void eqt_table_cell_print(struct libscols_line *line, size_t column,
			  const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Set a cell, with a colour where colours are wanted. */
void eqt_table_cell_set(struct libscols_line *line, size_t column,
			const char *text, enum eqt_colour colour);

/* A Level FS as a few digits, "inf", or "-" for none. Returns buf. */
char *eqt_table_level_text(long double level_fs, char buf[EQT_TABLE_CELL]);

/* Print a text as a cell of CSV: quoted where needed, control characters escaped. */
void eqt_table_csv_text(const char *text);

/* A usage: all digits of a small one, four of a large one. Returns buf. */
char *eqt_table_usage_text(uint64_t usage, char buf[EQT_TABLE_CELL]);

#endif
