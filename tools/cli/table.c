/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables are 80 columns wide where no terminal says otherwise, so that saved
 * output and tests do not depend on the caller's window.
 */
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/table.h"

#define WIDTH 80

static int table_add_column(struct libscols_table *table,
			    const struct eqt_table_column *from)
{
	struct libscols_column *column =
		scols_table_new_column(table, from->name, 0, from->flags);

	if (!column)
		return -1;
	if (eqt_colour_wanted())
		(void) scols_cell_set_color(scols_column_get_header(column),
					    eqt_colour(EQT_COLOUR_BOLD));
	return 0;
}

struct libscols_table *eqt_table_new(const struct eqt_table_column *columns,
				     bool headings)
{
	struct libscols_table *table;

	/* Only the character type: numbers keep their decimal point. */
	(void) setlocale(LC_CTYPE, "");
	table = scols_new_table();
	if (!table)
		return NULL;
	(void) scols_table_enable_noheadings(table, !headings);
	(void) scols_table_enable_colors(table, eqt_colour_wanted());
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		(void) scols_table_enable_ascii(table, 1);
	if (!isatty(STDOUT_FILENO)) {
		(void) scols_table_set_termforce(table, SCOLS_TERMFORCE_ALWAYS);
		(void) scols_table_set_termwidth(table, WIDTH);
	}
	for (; columns->name; columns++) {
		if (table_add_column(table, columns) < 0) {
			scols_unref_table(table);
			return NULL;
		}
	}
	return table;
}

void eqt_table_cell_set(struct libscols_line *line, size_t column,
			const char *text, enum eqt_colour colour)
{
	(void) scols_line_set_data(line, column, text);
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
