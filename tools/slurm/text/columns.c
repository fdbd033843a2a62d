/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cells are cut in place. The text, of at most 256 MiB, is kept once, with an array of
 * pointers into it. A line that does not have as many cells as the first is an error,
 * because its values would be read from the wrong columns.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "slurm/text/columns.h"
#include "cli/alloc.h"

#define COLUMNS_MAX 256 /* sacct has about 120 */

/* The length of a line without the CR at its end. */
static size_t line_length(const char *line)
{
	size_t length = strcspn(line, "\n");

	return length > 0 && line[length - 1] == '\r' ? length - 1 : length;
}

/* Count the lines that are not empty. */
static size_t text_count_rows(const char *text)
{
	size_t rows = 0;

	for (; *text != '\0'; text += strcspn(text, "\n") + 1)
		rows += line_length(text) > 0;
	return rows;
}

/* The beginning of the next line. A name of an account in the first cell may hold line ends.
 * A line without a bar then continues on the next one, and *number grows by each line. */
static char *line_end(char *line, enum eqt_columns_form form, size_t *number)
{
	char *next = line + strcspn(line, "\n") + 1;

	while (form == EQT_COLUMNS_ACCOUNTS && line_length(line) > 0 &&
	       *next != '\0' && !memchr(line, '|', line_length(line))) {
		next[-1] = ' ';
		next += strcspn(next, "\n") + 1;
		(*number)++;
	}
	return next;
}

/* Cut a line at its bars, except for the first "bars" ones, which belong to the first
 * cell. Returns the number of cells. cell[] gets the first COLUMNS_MAX cells. */
static int line_cut_bars(char *cell[COLUMNS_MAX], char *line, size_t bars)
{
	int cells = 1;

	cell[0] = line;
	for (; (line = strchr(line, '|')); line++) {
		if (bars > 0) {
			bars--;
			continue;
		}
		*line = '\0';
		if (cells < COLUMNS_MAX)
			cell[cells] = line + 1;
		cells++;
	}
	return cells;
}

/* The number of bars that belong to the name. The columns need one bar less than their
 * number, so all further bars are part of the name. */
static size_t line_name_bars(const char *line, size_t columns)
{
	size_t cells = 1;

	for (; (line = strchr(line, '|')); line++)
		cells++;
	return cells > columns ? cells - columns : 0;
}

/* Remove the quotes of a field in place. Returns the end of the field, or NULL if the
 * closing quote is missing. */
static char *field_unquote(char *field)
{
	char *to = field, *from = field + 1;

	for (;; from++) {
		if (*from == '\0')
			return NULL;
		if (*from == '"' && from[1] != '"')
			break;
		from += *from == '"';
		*to++ = *from;
	}
	*to = '\0';
	return from + 1;
}

/* Cut a line of comma-separated values in place. Returns the number of cells, or -1 if
 * there are more than COLUMNS_MAX or if a quote is misplaced. */
static int line_cut_csv(char *cell[COLUMNS_MAX], char *line)
{
	int count = 0;
	char *end;

	line[strcspn(line, "\r\n")] = '\0';
	for (;; line = end + 1) {
		if (count == COLUMNS_MAX)
			return -1;
		cell[count++] = line;
		end = *line == '"' ? field_unquote(line)
				   : line + strcspn(line, ",");
		if (!end || (*end != ',' && *end != '\0'))
			return -1;
		if (*end == '\0')
			return count;
		*end = '\0';
	}
}

/* Cut a line without its end into cells. Returns the number of cells, or -1 if the line
 * is not CSV. */
static int line_cut(char *cell[COLUMNS_MAX], char *line,
		    enum eqt_columns_form form, size_t columns)
{
	if (form == EQT_COLUMNS_CSV)
		return line_cut_csv(cell, line);
	return line_cut_bars(cell, line,
			     form == EQT_COLUMNS_ACCOUNTS && columns
				     ? line_name_bars(line, columns)
				     : 0);
}

/* Allocate the cells. Each line must have as many as the line of names. Each cell takes
 * at least one byte of the text, so the size of the text bounds the memory. */
static int columns_alloc(struct eqt_columns *table, int columns,
			 struct eqt_error *err)
{
	if (columns > COLUMNS_MAX)
		return eqt_error_set(err, "%s: more than %d columns",
				     table->text.name, COLUMNS_MAX);
	table->columns = (size_t) columns;
	if (table->columns > table->text.length / table->rows + 1)
		return eqt_error_set(
			err, "%s: lines have fewer columns than the first",
			table->text.name);
	table->cells =
		eqt_alloc(table->rows * table->columns, sizeof(*table->cells));
	return 0;
}

static int columns_take_line(struct eqt_columns *table, char *line,
			     enum eqt_columns_form form, size_t row,
			     struct eqt_error *err)
{
	char *cell[COLUMNS_MAX];
	const int count = line_cut(cell, line, form, table->columns);

	if (count < 0)
		return eqt_error_set(err,
				     "%s: line %zu: more than %d columns, or a "
				     "quote is missing",
				     table->text.name, table->lines[row],
				     COLUMNS_MAX);
	if (row == 0 && columns_alloc(table, count, err) < 0)
		return -1;
	if ((size_t) count != table->columns)
		return eqt_error_set(err,
				     "%s: line %zu: %d columns: expected %zu",
				     table->text.name, table->lines[row], count,
				     table->columns);
	memcpy(table->cells + row * table->columns, cell,
	       table->columns * sizeof(*cell));
	return 0;
}

/* Cut all lines. Before the call table->rows is the number of lines that are not
 * empty. */
static int columns_take_lines(struct eqt_columns *table,
			      enum eqt_columns_form form, struct eqt_error *err)
{
	const bool may_be_empty = form != EQT_COLUMNS_BARS &&
				  form != EQT_COLUMNS_ACCOUNTS;
	char *line = table->text.text, *next;
	size_t row = 0, length;

	if (table->rows < (may_be_empty ? 1 : 2))
		return eqt_error_set(err, "%s: no rows", table->text.name);
	for (size_t number = 1; *line != '\0'; line = next, number++) {
		next = line_end(line, form, &number);
		length = line_length(line);
		if (length == 0)
			continue;
		line[length] = '\0';
		table->lines[row] = number;
		if (columns_take_line(table, line, form, row++, err) < 0)
			return -1;
	}
	table->rows = row - 1;
	return 0;
}

/* Did the word at "name" occur earlier in the line? */
static bool name_is_repeated(const char *line, const char *name, size_t length)
{
	size_t cell;

	for (line += strspn(line, " "); line < name;
	     line += cell + strspn(line + cell, " ")) {
		cell = strcspn(line, " \r\n");
		if (cell == length && strncmp(line, name, length) == 0)
			return true;
	}
	return false;
}

/* Write a line with bars instead of blanks. "columns" is the number of names, or 0 for
 * the line of names itself. Returns the number of cells. */
static size_t line_write_bars(FILE *stream, const char *line, size_t columns)
{
	const char *at = line + strspn(line, " ");
	size_t cells = 0, length;

	for (; (length = strcspn(at, " \r\n")) > 0;
	     at += length + strspn(at + length, " ")) {
		fprintf(stream, "%s%.*s%s", cells ? "|" : "", (int) length, at,
			!columns && name_is_repeated(line, at, length) ? "_2"
								       : "");
		cells++;
	}
	fprintf(stream, "%s\n", cells > 0 && cells + 1 == columns ? "|" : "");
	return cells;
}

/* Write bars instead of blanks. Blanks do not show which cell is empty. If a line has one
 * cell too few, the last cell is the empty one. */
static void text_write_bars(struct eqt_listing *text)
{
	struct eqt_listing barred = { .name = text->name };
	FILE *stream = eqt_alloc_stream(&barred.text, &barred.length);
	size_t columns = 0, cells;

	for (const char *line = text->text; *line != '\0';
	     line += strcspn(line, "\n") + 1) {
		cells = line_write_bars(stream, line, columns);
		if (!columns)
			columns = cells;
	}
	eqt_listing_free(text);
	eqt_alloc_stream_close(stream);
	*text = barred;
}

int eqt_columns_cut(struct eqt_columns *out, enum eqt_columns_form form,
		    struct eqt_listing *text, struct eqt_error *err)
{
	if (form == EQT_COLUMNS_SPACES)
		text_write_bars(text);
	*out = (struct eqt_columns){ .text = *text };
	*text = (struct eqt_listing){ .name = "" };
	out->rows = text_count_rows(out->text.text);
	out->lines = eqt_alloc(out->rows + 1, sizeof(*out->lines));
	if (columns_take_lines(out, form, err) == 0)
		return 0;
	eqt_columns_free(out);
	return -1;
}

int eqt_columns_read(struct eqt_columns *out, enum eqt_columns_form form,
		     const char *path, const char *command,
		     struct eqt_error *err)
{
	struct eqt_listing text;

	*out = (struct eqt_columns){ .rows = 0 };
	if (eqt_listing_read(&text, path, command, err) < 0)
		return -1;
	return eqt_columns_cut(out, form, &text, err);
}

void eqt_columns_free(struct eqt_columns *table)
{
	free(table->lines);
	free(table->cells);
	eqt_listing_free(&table->text);
	*table = (struct eqt_columns){ .rows = 0 };
}

/* List the names of all columns, cut off at the size of the list. */
static void columns_list_names(const struct eqt_columns *table, char *list,
			       size_t size)
{
	size_t i, length, used = 0;

	list[0] = '\0';
	for (i = 0; i < table->columns && used + 1 < size; i++) {
		length = (size_t) snprintf(list + used, size - used, "%s%s",
					   i ? ", " : "", table->cells[i]);
		used += length;
	}
}

size_t eqt_columns_find(const struct eqt_columns *table, const char *name,
			struct eqt_error *err)
{
	char list[256];

	for (size_t i = 0; i < table->columns; i++) {
		if (strcasecmp(table->cells[i], name) == 0)
			return i;
	}
	if (err) {
		columns_list_names(table, list, sizeof(list));
		(void) eqt_error_set(err,
				     "%s: line %zu: no column \"%s\" among %s",
				     table->text.name, table->lines[0], name,
				     list);
	}
	return EQT_COLUMNS_NONE;
}

int eqt_columns_find_all(size_t *at, const struct eqt_columns *table,
			 const char *const *names, size_t needed, size_t count,
			 struct eqt_error *err)
{
	for (size_t i = 0; i < count; i++) {
		at[i] = eqt_columns_find(table, names[i],
					 i < needed ? err : NULL);
		if (i < needed && at[i] == EQT_COLUMNS_NONE)
			return -1;
	}
	return 0;
}

const char *eqt_columns_cell(const struct eqt_columns *table, size_t row,
			     size_t column)
{
	if (column == EQT_COLUMNS_NONE)
		return "";
	return table->cells[(row + 1) * table->columns + column];
}

const char *eqt_columns_name(const struct eqt_columns *table, size_t row,
			     size_t column)
{
	const char *cell = eqt_columns_cell(table, row, column);

	return cell + strspn(cell, " ");
}

bool eqt_columns_have(const struct eqt_columns *table, size_t column,
		      const char *name)
{
	for (size_t row = 0; row < table->rows; row++) {
		if (strcmp(eqt_columns_name(table, row, column), name) == 0)
			return true;
	}
	return false;
}

int eqt_columns_number(uint64_t *out, const struct eqt_columns *table,
		       size_t row, size_t column, uint64_t max,
		       struct eqt_error *err)
{
	const char *text = eqt_columns_cell(table, row, column);
	const char *end = text;
	uint64_t value;

	if (eqt_digits_read(&value, &end, NULL) < 0 || *end != '\0' ||
	    value > max)
		return eqt_error_set(err,
				     "%s: line %zu: %s: \"%.64s\": expected a "
				     "whole number up to %llu",
				     table->text.name, table->lines[row + 1],
				     table->cells[column], text,
				     (unsigned long long) max);
	*out = value;
	return 0;
}

int eqt_columns_signed(int64_t *out, const struct eqt_columns *table,
		       size_t row, size_t column, struct eqt_error *err)
{
	const char *text = eqt_columns_cell(table, row, column);
	const char *digits = text + (text[0] == '-');
	long long value = 0;
	char *end = NULL;

	errno = 0;
	if (isdigit((unsigned char) digits[0]))
		value = strtoll(text, &end, 10);
	if (!end || *end != '\0' || errno != 0)
		return eqt_error_set(
			err,
			"%s: line %zu: %s: \"%.64s\": expected a whole number",
			table->text.name, table->lines[row + 1],
			table->cells[column], text);
	*out = value;
	return 0;
}
