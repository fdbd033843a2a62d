/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows: rows of results whose fields are declared once: a table, its CSV and JSON come
 * from the declaration. */
#ifndef EQT_CLI_ROWS_H
#define EQT_CLI_ROWS_H

#include <stddef.h>

#include "cli/json.h"
#include "cli/table.h"
#include "cli/options.h"

/* How values of a field are printed, in a cell ("-": no value) and in JSON. */
struct eqt_row_type {
	const char *(*cell)(char buf[EQT_TABLE_CELL], const void *value);
	json_object *(*json)(const void *value);
};

extern const struct eqt_row_type eqt_row_text; /* const char *; NULL: none */
extern const struct eqt_row_type eqt_row_count; /* uint64_t, or size_t */
/* double, a part of 1, printed as "12.5 %"; NAN: none. */
extern const struct eqt_row_type eqt_row_part;

/* A field of a struct. */
struct eqt_row_field {
	const char *column; /* its heading; NULL: in JSON alone */
	const char *key; /* in JSON; NULL: in tables alone */
	const struct eqt_row_type *type; /* NULL ends the fields */
	size_t at; /* offset of the value */
	int flags; /* of the column, for libsmartcols */
	enum eqt_colour (*colour)(const void *row); /* NULL: none */
};

/* A table without rows. */
struct libscols_table *eqt_rows_table(const struct eqt_row_field *fields,
				      bool headings);

/* Fill a line of such a table. */
void eqt_rows_fill(struct libscols_line *line,
		   const struct eqt_row_field *fields, const void *row);

/* Add the fields of a row to an object. */
void eqt_rows_json(json_object *to, const struct eqt_row_field *fields,
		   const void *row);

/* Rows that will be printed: a table or, with --json, a list. Owned; eqt_rows_end() frees
 * it. */
struct eqt_rows_out {
	const struct eqt_row_field *fields;
	struct libscols_table *table;
	json_object *list;
};

/* Begin without a row; add a row; print all rows. */
void eqt_rows_begin(struct eqt_rows_out *out,
		    const struct eqt_row_field *fields,
		    const struct eqt_output_options *options);
void eqt_rows_add(struct eqt_rows_out *out, const void *row);
void eqt_rows_end(struct eqt_rows_out *out);

#endif
