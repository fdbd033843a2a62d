/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows: rows of results. The fields of a row are declared once, and the declaration gives
 * a table, its CSV and its JSON. */
#ifndef EQT_CLI_ROWS_H
#define EQT_CLI_ROWS_H

#include <stddef.h>

#include "cli/json.h"
#include "cli/table.h"
#include "cli/options.h"

/* How the values of a field are printed: in a cell, where "-" means no value, and in
 * JSON. */
struct eqt_row_type {
	const char *(*cell)(char buf[EQT_TABLE_CELL], const void *value);
	json_object *(*json)(const void *value);
};

/* const char *; NULL: no value */
extern const struct eqt_row_type eqt_row_text;
extern const struct eqt_row_type eqt_row_count; /* uint64_t, or size_t */
/* double: a part of 1, printed as "12.5 %". NAN: no value. */
extern const struct eqt_row_type eqt_row_part;

/* A field of a row. */
struct eqt_row_field {
	const char *column; /* heading; NULL: the field is only in JSON */
	const char *key; /* key in JSON; NULL: the field is only in tables */
	const struct eqt_row_type *type; /* NULL: ends a list of fields */
	size_t at; /* offset of the value */
	int flags; /* flags of the column for libsmartcols */
	enum eqt_colour (*colour)(const void *row); /* NULL: no colour */
};

/* A table with these columns and without rows. */
struct libscols_table *eqt_rows_table(const struct eqt_row_field *fields,
				      bool headings);

/* Fill a line of a table of eqt_rows_table(). */
void eqt_rows_fill(struct libscols_line *line,
		   const struct eqt_row_field *fields, const void *row);

/* Add the fields of a row to a JSON object. */
void eqt_rows_json(json_object *to, const struct eqt_row_field *fields,
		   const void *row);

/* Rows to be printed as a table or, with --json, as a list. Owns its memory, which
 * eqt_rows_end() frees. */
struct eqt_rows_out {
	const struct eqt_row_field *fields;
	struct libscols_table *table;
	json_object *list;
};

/* Begin without rows, add a row, and print all rows. */
void eqt_rows_begin(struct eqt_rows_out *out,
		    const struct eqt_row_field *fields,
		    const struct eqt_output_options *options);
void eqt_rows_add(struct eqt_rows_out *out, const void *row);
void eqt_rows_end(struct eqt_rows_out *out);

#endif
