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
 * A table for stdout. It is 80 columns wide unless the terminal is wider, in ASCII unless
 * the locale is UTF-8, and coloured if stdout gets colours. eqt_table_print() frees it.
 * The columns are given as "NAME|>SHARES|REASON". A mark before a name means: > aligned
 * to the right, ~ wrapped, + names of a tree, also wrapped.
 */
struct libscols_table *eqt_table_new(const char *columns, bool headings);

/* Add a column with flags of libsmartcols. */
void eqt_table_column(struct libscols_table *table, const char *name,
		      int flags);

/*
 * Print a table, or its cells as CSV, and free it. CSV follows RFC 4180, but with the
 * line end of the system. In CSV the first cell of a line of a tree is the path to it,
 * percentages have no sign, and the cell is empty for no value ("-").
 */
void eqt_table_print(struct libscols_table *table);

/* Add a line. In a tree it is a child of the line "above", unless that is NULL. */
struct libscols_line *eqt_table_line(struct libscols_table *table,
				     struct libscols_line *above);

/* Set a cell to a text, which is copied, or to the text that printf() would print. */
void eqt_table_cell(struct libscols_line *line, size_t column,
		    const char *text);
void eqt_table_cell_print(struct libscols_line *line, size_t column,
			  const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Set a cell and its colour, which appears if stdout gets colours. */
void eqt_table_cell_set(struct libscols_line *line, size_t column,
			const char *text, enum eqt_colour colour);

/* Write a Level FS with a few digits, "inf", or "-" for none. Returns buf. */
char *eqt_table_level_text(long double level_fs, char buf[EQT_TABLE_CELL]);

/* Print a text as a cell of CSV: quoted if needed, with control characters escaped. */
void eqt_table_csv_text(const char *text);

/* Write a usage: all digits of a small one, four of a large one. Returns buf. */
char *eqt_table_usage_text(uint64_t usage, char buf[EQT_TABLE_CELL]);

#endif
