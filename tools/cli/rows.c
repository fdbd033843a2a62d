/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/rows.h"

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "counts may be a size_t");

/* ---- Types ------------------------------------------------------------------ */

static const char *text_cell(char buf[EQT_TABLE_CELL], const void *value)
{
	const char *const *text = value;

	(void) buf;
	return *text ? *text : "-";
}

static json_object *text_json(const void *value)
{
	return eqt_json_text(*(const char *const *) value);
}

const struct eqt_row_type eqt_row_text = { text_cell, text_json };

static const char *count_cell(char buf[EQT_TABLE_CELL], const void *value)
{
	(void) snprintf(buf, EQT_TABLE_CELL, "%" PRIu64,
			*(const uint64_t *) value);
	return buf;
}

static json_object *count_json(const void *value)
{
	return eqt_json_count(*(const uint64_t *) value);
}

const struct eqt_row_type eqt_row_count = { count_cell, count_json };

/* eqt_table_print() removes the percent sign from CSV. */
static const char *part_cell(char buf[EQT_TABLE_CELL], const void *value)
{
	const double part = *(const double *) value;

	if (isnan(part))
		return "-";
	(void) snprintf(buf, EQT_TABLE_CELL, "%.1f %%", 100 * part);
	return buf;
}

static json_object *part_json(const void *value)
{
	return eqt_json_number(*(const double *) value);
}

const struct eqt_row_type eqt_row_part = { part_cell, part_json };

/* ---- Rows ------------------------------------------------------------------- */

static const void *field_value(const struct eqt_row_field *field,
			       const void *row)
{
	return (const char *) row + field->at;
}

struct libscols_table *eqt_rows_table(const struct eqt_row_field *fields,
				      bool headings)
{
	struct libscols_table *table = eqt_table_new("", headings);

	for (; fields->type; fields++)
		if (fields->column)
			eqt_table_column(table, fields->column, fields->flags);
	return table;
}

void eqt_rows_fill(struct libscols_line *line,
		   const struct eqt_row_field *fields, const void *row)
{
	char text[EQT_TABLE_CELL];

	for (size_t column = 0; fields->type; fields++)
		if (fields->column)
			eqt_table_cell_set(
				line, column++,
				fields->type->cell(text,
						   field_value(fields, row)),
				fields->colour ? fields->colour(row)
					       : EQT_COLOUR_NONE);
}

void eqt_rows_json(json_object *to, const struct eqt_row_field *fields,
		   const void *row)
{
	for (; fields->type; fields++)
		if (fields->key)
			eqt_json_add(
				to, fields->key,
				fields->type->json(field_value(fields, row)));
}

void eqt_rows_begin(struct eqt_rows_out *out,
		    const struct eqt_row_field *fields,
		    const struct eqt_output_options *options)
{
	*out = (struct eqt_rows_out){ .fields = fields };
	if (options->json)
		out->list = json_object_new_array();
	else
		out->table = eqt_rows_table(fields, !options->no_headings);
}

void eqt_rows_add(struct eqt_rows_out *out, const void *row)
{
	json_object *one;

	if (out->table) {
		eqt_rows_fill(eqt_table_line(out->table, NULL), out->fields,
			      row);
	} else {
		one = json_object_new_object();
		eqt_rows_json(one, out->fields, row);
		eqt_json_append(out->list, one);
	}
}

void eqt_rows_end(struct eqt_rows_out *out)
{
	if (out->list)
		eqt_json_print(out->list);
	else
		eqt_table_print(out->table);
}
