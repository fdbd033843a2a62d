/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"

#define WIDTH 80

static int add_column(struct libscols_table *table,
		      const struct eqt_column *from)
{
	struct libscols_column *column =
		scols_table_new_column(table, from->name, 0, from->flags);

	if (!column)
		return -1;
	if (eqt_colours_wanted())
		(void) scols_cell_set_color(scols_column_get_header(column),
					    eqt_colour(EQT_COLOUR_BOLD));
	return 0;
}

struct libscols_table *eqt_table_new(const struct eqt_column *columns,
				     bool headings)
{
	struct libscols_table *table;

	/* Letters only: the point of numbers stays a point. */
	(void) setlocale(LC_CTYPE, "");
	table = scols_new_table();
	if (!table)
		return NULL;
	(void) scols_table_enable_noheadings(table, !headings);
	(void) scols_table_enable_colors(table, eqt_colours_wanted());
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		(void) scols_table_enable_ascii(table, 1);
	if (!isatty(STDOUT_FILENO)) {
		(void) scols_table_set_termforce(table, SCOLS_TERMFORCE_ALWAYS);
		(void) scols_table_set_termwidth(table, WIDTH);
	}
	for (; columns->name; columns++) {
		if (add_column(table, columns) < 0) {
			scols_unref_table(table);
			return NULL;
		}
	}
	return table;
}

void eqt_cell_set(struct libscols_line *line, size_t column, const char *text,
		  enum eqt_colour colour)
{
	(void) scols_line_set_data(line, column, text);
	if (colour != EQT_COLOUR_NONE && eqt_colours_wanted())
		(void) scols_cell_set_color(scols_line_get_cell(line, column),
					    eqt_colour(colour));
}

void eqt_json_add(json_object *object, const char *key, json_object *value)
{
	(void) json_object_object_add(object, key, value);
}

void eqt_print_wrapped(char *text)
{
	char *blank = NULL, *at;
	int width = 0;

	for (at = text; *at != '\0'; at++) {
		if (*at == '\033')
			at += strcspn(at, "m");
		else
			width += (*at & 0xC0) != 0x80; /* UTF-8: once each */
		if (*at == '\n')
			width = 0;
		if (width >= WIDTH && blank) {
			*blank = '\n';
			at = blank;
			width = 0;
			blank = NULL;
		} else if (*at == ' ') {
			blank = at;
		}
	}
	fputs(text, stdout);
}

void eqt_print_line(char *text)
{
	if (isatty(STDOUT_FILENO))
		eqt_print_wrapped(text);
	else
		fputs(text, stdout);
	putchar('\n');
}

json_object *eqt_json_number(long double value)
{
	if (isnan(value))
		return NULL;
	if (isinf(value))
		return json_object_new_string("inf");
	return json_object_new_double((double) value);
}

void eqt_json_print(json_object *value)
{
	puts(json_object_to_json_string_ext(
		value, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
			       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(value);
}

char *eqt_level_text(long double level_fs, char buf[EQT_CELL])
{
	if (isnan(level_fs))
		(void) snprintf(buf, EQT_CELL, "-");
	else if (level_fs < 1e4L)
		(void) snprintf(buf, EQT_CELL, "%.4Lf", level_fs);
	else
		(void) snprintf(buf, EQT_CELL, "%.4Lg", level_fs);
	return buf;
}

char *eqt_usage_text(uint64_t usage, char buf[EQT_CELL])
{
	if (usage < UINT64_C(1000000000))
		(void) snprintf(buf, EQT_CELL, "%" PRIu64, usage);
	else
		(void) snprintf(buf, EQT_CELL, "%.3e", (double) usage);
	return buf;
}
