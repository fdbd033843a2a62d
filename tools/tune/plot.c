/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drawing of the trade-offs: a panel for each two aims, with a point for each setting
 * that was simulated, the aims as lines, and the present and the best setting. */
#include <math.h>
#include <stdio.h>

#include "cli/plot.h"
#include "tune/tune.h"

#define PANEL 420 /* points wide and high */
#define COLUMNS 2
#define PANELS_MAX 6

/* A value in the unit of its axis: hours, or percent. */
static double axis_value(const struct eqt_tune_aim *aim, double value)
{
	return aim->kind == EQT_TUNE_WAIT ? value / 3600 : 100 * value;
}

/* Nine digits are more than a drawing shows. */
static void plot_write_run(FILE *to, const struct eqt_tune *tune,
			   const struct eqt_tune_run *run, int x, int y)
{
	fprintf(to, "%.9g %.9g\n",
		axis_value(&tune->aims.aim[x], run->measure[x]),
		axis_value(&tune->aims.aim[y], run->measure[y]));
}

/* The setting's points as a block of data. run NULL: all settings that were simulated
 * on the fitted jobs. */
static void plot_write_block(FILE *to, const struct eqt_tune *tune,
			     const char *name, const struct eqt_tune_run *run,
			     int x, int y)
{
	fprintf(to, "$%s << EOD\n", name);
	if (run)
		plot_write_run(to, tune, run, x, y);
	for (size_t i = 0; !run && i < tune->archive.count; i++) {
		const struct eqt_tune_run *one = tune->archive.list[i];

		if (one->key[0] == 'f')
			plot_write_run(to, tune, one, x, y);
	}
	fprintf(to, "EOD\n");
}

/* The letter is that of the tables. */
static void plot_write_label(FILE *to, const struct eqt_tune *tune,
			     const char *axis, int i)
{
	const struct eqt_tune_aim *aim = &tune->aims.aim[i];
	char text[EQT_TUNE_AIM_TEXT + 32];

	(void) snprintf(text, sizeof(text), "%c: %s (%s)", 'A' + i, aim->text,
			aim->kind == EQT_TUNE_WAIT ? "hours" : "%");
	fprintf(to, "set %slabel ", axis);
	eqt_plot_quoted(to, text);
	fprintf(to, " font ',9'\n");
}

/* The lines of the aims part the panel: a good setting is on their better side. */
static void plot_write_panel(FILE *to, const struct eqt_tune *tune,
			     const struct eqt_tune_result *result, int x, int y)
{
	plot_write_block(to, tune, "all", NULL, x, y);
	plot_write_block(to, tune, "now", result->now, x, y);
	plot_write_block(to, tune, "best", result->best, x, y);
	plot_write_label(to, tune, "x", x);
	plot_write_label(to, tune, "y", y);
	fprintf(to,
		"set arrow 1 from first %.9g, graph 0 to first %.9g, graph 1 "
		"nohead lc rgb '#38a169' dt 2\n"
		"set arrow 2 from graph 0, first %.9g to graph 1, first %.9g "
		"nohead lc rgb '#38a169' dt 2\n",
		axis_value(&tune->aims.aim[x], tune->aims.aim[x].target),
		axis_value(&tune->aims.aim[x], tune->aims.aim[x].target),
		axis_value(&tune->aims.aim[y], tune->aims.aim[y].target),
		axis_value(&tune->aims.aim[y], tune->aims.aim[y].target));
	fprintf(to, "plot $all with points pt 7 ps 0.4 lc rgb '#a0aec0' "
		    "title 'simulated', "
		    "$now with points pt 5 ps 1.2 lc rgb '#dd6b20' "
		    "title 'now', "
		    "$best with points pt 9 ps 1.4 lc rgb '#2b6cb0' "
		    "title 'best for all'\n");
}

/* As many panels as there are pairs, up to a bound. */
int eqt_tune_plot(const struct eqt_tune *tune,
		  const struct eqt_tune_result *result, const char *path,
		  struct eqt_error *err)
{
	const int aims = tune->aims.count;
	int panels = aims * (aims - 1) / 2, columns, rows, drawn = 0;
	FILE *to;

	if (panels == 0)
		return eqt_error_set(err, "%s: a trade-off needs two aims",
				     path);
	if (panels > PANELS_MAX)
		panels = PANELS_MAX;
	columns = panels < COLUMNS ? panels : COLUMNS;
	rows = (panels + columns - 1) / columns;
	to = eqt_plot_open(path, PANEL * columns, PANEL * rows, err);
	if (!to)
		return -1;
	fprintf(to,
		"set grid\nset key top right font ',8'\n"
		"set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n"
		"set multiplot layout %d,%d\n",
		rows, columns);
	for (int x = 0; x < aims; x++)
		for (int y = x + 1; y < aims && drawn < panels; y++, drawn++)
			plot_write_panel(to, tune, result, x, y);
	fprintf(to, "unset multiplot\n");
	return eqt_plot_close(to, path, err);
}
