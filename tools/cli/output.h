/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output: what the subcommands print: tables for people, JSON for programs. */
#ifndef EQT_OUTPUT_H
#define EQT_OUTPUT_H

#include <json-c/json.h>
#include <libsmartcols.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/colour.h"

#define EQT_CELL 40

/* A column of a table; the last one of a list has no name. */
struct eqt_column {
	const char *name;
	int flags; /* of libsmartcols */
};

/*
 * A table for stdout with these columns, 80 wide unless the terminal is
 * wider; ASCII unless the locale has UTF-8; with colours where they are wanted.
 * The caller unreferences it. NULL
 * when memory is short.
 */
struct libscols_table *eqt_table_new(const struct eqt_column *columns,
				     bool headings);

/* Set a cell; its colour only where colours are wanted. */
void eqt_cell_set(struct libscols_line *line, size_t column, const char *text,
		  enum eqt_colour colour);

/* Add the value to the object, which owns it then. */
void eqt_json_add(json_object *object, const char *key, json_object *value);

/* Print a text on stdout with lines of 80 columns at most, as far as its words
 * allow; what colours are made of has no width. It is changed. */
void eqt_print_wrapped(char *text);

/* A line that programs read, too: wrapped so on a terminal, otherwise left
 * whole. The end of the line is added. It is changed. */
void eqt_print_line(char *text);

/* A number; null for a NaN, "inf" for infinity, which JSON has no word for. */
json_object *eqt_json_number(long double value);

/* Print the value on stdout and release it. */
void eqt_json_print(json_object *value);

/* A Level FS as a few digits, "inf", or "-" for none. Returns buf. */
char *eqt_level_text(long double level_fs, char buf[EQT_CELL]);

/* A usage: all digits of small ones, four of large ones. Returns buf. */
char *eqt_usage_text(uint64_t usage, char buf[EQT_CELL]);

#endif
