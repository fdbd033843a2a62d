/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables are 80 columns wide unless a terminal is wider, so that saved output and tests
 * do not depend on the caller's window.
 */
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/alloc.h"
#include "cli/options.h"
#include "cli/table.h"

#define WIDTH 80

/* Headings are bold if stdout gets colours. */
void eqt_table_column(struct libscols_table *table, const char *name, int flags)
{
	struct libscols_column *column =
		scols_table_new_column(table, name, 0, flags);

	if (!column)
		eqt_alloc_failed();
	if (eqt_colour_wanted())
		(void) scols_cell_set_color(scols_column_get_header(column),
					    eqt_colour(EQT_COLOUR_BOLD));
}

/* Add the first column of the list, and move *columns behind it. */
static void table_take_column(struct libscols_table *table,
			      const char **columns)
{
	const char mark = **columns;
	const int flags = mark == '>'	? SCOLS_FL_RIGHT
			  : mark == '~' ? SCOLS_FL_WRAP
			  : mark == '+' ? SCOLS_FL_TREE | SCOLS_FL_WRAP
					: 0;
	const char *at = *columns + (flags != 0);
	const size_t length = strcspn(at, "|");
	char name[EQT_TABLE_CELL];

	(void) snprintf(name, sizeof(name), "%.*s", (int) length, at);
	eqt_table_column(table, name, flags);
	*columns = at + length + (at[length] == '|');
}

struct libscols_table *eqt_table_new(const char *columns, bool headings)
{
	struct libscols_table *table;

	/* Set only the character type: numbers keep their decimal point. */
	(void) setlocale(LC_CTYPE, "");
	table = scols_new_table();
	if (!table)
		eqt_alloc_failed();
	(void) scols_table_enable_noheadings(table, !headings);
	(void) scols_table_enable_colors(table, eqt_colour_wanted());
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		(void) scols_table_enable_ascii(table, 1);
	if (!isatty(STDOUT_FILENO)) {
		(void) scols_table_set_termforce(table, SCOLS_TERMFORCE_ALWAYS);
		(void) scols_table_set_termwidth(table, WIDTH);
	}
	while (*columns)
		table_take_column(table, &columns);
	return table;
}

struct libscols_line *eqt_table_line(struct libscols_table *table,
				     struct libscols_line *above)
{
	struct libscols_line *line = scols_table_new_line(table, above);

	if (!line)
		eqt_alloc_failed();
	return line;
}

void eqt_table_cell(struct libscols_line *line, size_t column, const char *text)
{
	if (scols_line_set_data(line, column, text) < 0)
		eqt_alloc_failed();
}

void eqt_table_cell_print(struct libscols_line *line, size_t column,
			  const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	(void) vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	eqt_table_cell(line, column, text);
}

void eqt_table_cell_set(struct libscols_line *line, size_t column,
			const char *text, enum eqt_colour colour)
{
	eqt_table_cell(line, column, text);
	if (colour != EQT_COLOUR_NONE && eqt_colour_wanted())
		(void) scols_cell_set_color(scols_line_get_cell(line, column),
					    eqt_colour(colour));
}

char *eqt_table_level_text(long double level_fs, char buf[EQT_TABLE_CELL])
{
	if (isnan(level_fs))
		(void) snprintf(buf, EQT_TABLE_CELL, "-");
	else if (level_fs < 1e4L)
		(void) snprintf(buf, EQT_TABLE_CELL, "%.4Lf", level_fs);
	else
		(void) snprintf(buf, EQT_TABLE_CELL, "%.4Lg", level_fs);
	return buf;
}

char *eqt_table_usage_text(uint64_t usage, char buf[EQT_TABLE_CELL])
{
	if (usage < UINT64_C(1000000000))
		(void) snprintf(buf, EQT_TABLE_CELL, "%" PRIu64, usage);
	else
		(void) snprintf(buf, EQT_TABLE_CELL, "%.3e", (double) usage);
	return buf;
}

/* ---- CSV ------------------------------------------------------------------ */

/* Write the bytes of a cell. A quote within quotes is doubled. */
static void csv_write(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const unsigned char byte = (unsigned char) text[i];

		if (byte == '"')
			putchar('"');
		/* Escape control characters of names here as well as in tables, because
		 * they could change the state of a terminal. */
		if (byte < 0x20 || byte == 0x7f)
			printf("\\x%02x", byte);
		else
			putchar(byte);
	}
}

/* Quotes are needed if a text contains a separator or a quote or begins with a blank. */
static bool csv_must_quote(const char *text)
{
	return strpbrk(text, ",\"") || text[0] == ' ';
}

void eqt_table_csv_text(const char *text)
{
	const char *quote = csv_must_quote(text) ? "\"" : "";

	printf("%s", quote);
	csv_write(text, strlen(text));
	printf("%s", quote);
}

/* Write the names of a line of a tree and of the lines above it, with a slash between
 * names. */
static void csv_write_path(struct libscols_line *line)
{
	struct libscols_line *above = scols_line_get_parent(line);
	struct libscols_cell *cell = scols_line_get_cell(line, 0);
	const char *text = scols_cell_get_data(cell);

	if (above) {
		csv_write_path(above);
		putchar('/');
	}
	if (text)
		csv_write(text, strlen(text));
}

/* Print one cell. "-" for no value and " %" are left out, because they are meant for
 * people. */
static void csv_print_cell(struct libscols_line *line, size_t column)
{
	struct libscols_cell *cell = scols_line_get_cell(line, column);
	const char *text = cell ? scols_cell_get_data(cell) : NULL;
	size_t length;

	if (!text || strcmp(text, "-") == 0)
		return;
	length = strlen(text);
	if (length > 2 && strcmp(text + length - 2, " %") == 0)
		length -= 2;
	if (column == 0 && scols_line_get_parent(line)) {
		putchar('"');
		csv_write_path(line);
		putchar('"');
	} else if (length < strlen(text)) {
		csv_write(text, length);
	} else {
		eqt_table_csv_text(text);
	}
}

/* Print the names of the columns, which need no quotes. */
static void csv_print_headings(struct libscols_table *table, size_t columns)
{
	for (size_t i = 0; i < columns; i++) {
		struct libscols_column *column =
			scols_table_get_column(table, i);

		printf("%s%s", i ? "," : "",
		       scols_cell_get_data(scols_column_get_header(column)));
	}
	putchar('\n');
}

/* Print all lines. In a tree, each line follows its parent. */
static void csv_print(struct libscols_table *table)
{
	size_t columns = scols_table_get_ncols(table), i;
	struct libscols_iter *iter = scols_new_iter(SCOLS_ITER_FORWARD);
	struct libscols_line *line;

	if (!iter)
		eqt_alloc_failed();
	if (!scols_table_is_noheadings(table))
		csv_print_headings(table, columns);
	while (scols_table_next_line(table, iter, &line) == 0) {
		for (i = 0; i < columns; i++) {
			if (i > 0)
				putchar(',');
			csv_print_cell(line, i);
		}
		putchar('\n');
	}
	scols_free_iter(iter);
}

void eqt_table_print(struct libscols_table *table)
{
	if (eqt_output_csv())
		csv_print(table);
	else if (scols_print_table(table) < 0)
		eqt_alloc_failed();
	scols_unref_table(table);
}
