/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drawing of usage over time: the mean of each day or month, in equivalents in use, so
 * that months of 28 and of 31 days compare. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "slurm/text/timestamp.h"
#include "usage/usage.h"

#define WIDTH 900
#define HEIGHT 360 /* of one unit */

/* The midnight that a line's month or day begins with. */
static int64_t line_begin(const char *date)
{
	int year = 0, month = 0, day = 1;

	(void) sscanf(date, "%d-%d-%d", &year, &month, &day);
	return eqt_timestamp_midnight(year, month, day);
}

/* The seconds of a line's month or day that are in the report. */
static double line_seconds(const struct eqt_year *usage, const char *date)
{
	const bool by_day = usage->sum.keys[0] == EQT_YEAR_BY_DAY;
	const struct eqt_year_period *period = &usage->period;
	char text[EQT_YEAR_TEXT];
	int64_t from = line_begin(date);
	int64_t until = by_day ? eqt_year_day(from, text)
			       : eqt_year_month(from, text);

	if (from < period->from_s)
		from = period->from_s;
	if (until > period->seen_s)
		until = period->seen_s;
	return until > from ? (double) (until - from) : 1;
}

static bool plot_has_unit(const struct eqt_year *usage, int unit)
{
	size_t i;

	for (i = 0; i < usage->lines.count; i++) {
		if (usage->lines.line[i].used[unit] > 0)
			return true;
	}
	return false;
}

/* One panel, a column for each day or month. */
static void plot_write_unit(FILE *to, const struct eqt_year *usage, int unit)
{
	size_t i;

	fprintf(to, "$u%d << EOD\n", unit);
	for (i = 0; i < usage->lines.count; i++) {
		const struct eqt_year_line *line = &usage->lines.line[i];

		fprintf(to, "%s%s %.9g\n", line->key[0],
			strlen(line->key[0]) == 7 ? "-01" : "",
			(double) line->used[unit] /
				line_seconds(usage, line->key[0]));
	}
	fprintf(to,
		"EOD\nset ylabel '%s-equivalents in use'\n"
		"plot $u%d using 1:2 with boxes notitle lc rgb '%s'\n",
		unit == EQT_YEAR_CORE ? "core" : "GPU", unit,
		unit == EQT_YEAR_CORE ? "#2b6cb0" : "#dd6b20");
}

int eqt_year_plot(const struct eqt_year *usage, const char *path,
		  struct eqt_error *err)
{
	const bool cores = plot_has_unit(usage, EQT_YEAR_CORE);
	const bool gpus = plot_has_unit(usage, EQT_YEAR_GPU);
	FILE *to;

	if (!cores && !gpus)
		return eqt_error_set(err, "%s: there is no usage to draw",
				     path);
	to = eqt_plot_open(path, WIDTH, HEIGHT * (cores + gpus), err);
	if (!to)
		return -1;
	fprintf(to,
		"set style fill solid 0.9 noborder\nset boxwidth 0.9 relative\n"
		"set xdata time\nset timefmt '%%Y-%%m-%%d'\n"
		"set format x '%s'\nset grid y\nset yrange [0:*]\n"
		"set lmargin 10\n"
		"set multiplot layout %d,1\n",
		usage->sum.keys[0] == EQT_YEAR_BY_DAY ? "%d %b" : "%b %Y",
		cores + gpus);
	if (cores)
		plot_write_unit(to, usage, EQT_YEAR_CORE);
	if (gpus)
		plot_write_unit(to, usage, EQT_YEAR_GPU);
	fprintf(to, "unset multiplot\n");
	return eqt_plot_close(to, path, err);
}
