/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One histogram per unit, nodes beside pending jobs. Counts are whole numbers,
 * so the marks of the scale are, too.
 */
#include <inttypes.h>
#include <stdio.h>

#include "overhead/plot.h"
#include "capacity/queue_fit.h"
#include "cli/plot.h"

#define WIDTH 800
#define HEIGHT 400 /* of one histogram */

/* The label of a bin; bins double: 0, 1, 2-3, 4-7 and so on. */
static void plot_write_range(FILE *to, int bin)
{
	uint64_t low = bin ? UINT64_C(1) << (bin - 1) : 0;

	if (bin > 1)
		fprintf(to, "\"%" PRIu64 "-%" PRIu64 "\"", low,
			low + (low - 1));
	else
		fprintf(to, "\"%" PRIu64 "\"", low);
}

/* The last bin that anything fell into. */
static int plot_last_bin(const struct eqt_overhead_histogram *plot)
{
	int bin = EQT_CAPACITY_BINS - 1;

	while (bin > 0 && plot->nodes[bin] == 0 &&
	       (!plot->has_jobs || plot->jobs[bin] == 0))
		bin--;
	return bin;
}

/* The scale starts at 0 and has about five marks at whole numbers. */
static void plot_write_scale(FILE *to,
			     const struct eqt_overhead_histogram *plot)
{
	uint64_t most = 1;
	int bin;

	for (bin = 0; bin < EQT_CAPACITY_BINS; bin++) {
		if (plot->nodes[bin] > most)
			most = plot->nodes[bin];
		if (plot->has_jobs && plot->jobs[bin] > most)
			most = plot->jobs[bin];
	}
	fprintf(to, "\nset ytics %" PRIu64 "\nset yrange [0:%.1f]",
		most / 5 + (most % 5 != 0), 1.1 * (double) most);
}

/* One panel for each unit: bars for nodes and, if known, pending jobs. */
static void plot_write_histogram(FILE *to,
				 const struct eqt_overhead_histogram *plot,
				 int number)
{
	char title[256];
	int bin;

	fprintf(to, "$d%d << EOD\n", number);
	for (bin = 0; bin <= plot_last_bin(plot); bin++) {
		plot_write_range(to, bin);
		fprintf(to, " %" PRIu64 " %" PRIu64 "\n", plot->nodes[bin],
			plot->has_jobs ? plot->jobs[bin] : 0);
	}
	(void) snprintf(title, sizeof(title),
			"Unit %.150s: %.1f %% is true overhead", plot->unit,
			plot->percent);
	fprintf(to, "EOD\nset title ");
	eqt_plot_quoted(to, title);
	plot_write_scale(to, plot);
	fprintf(to,
		"\nplot $d%d using 2:xtic(1) title 'nodes' lc rgb "
		"'#2b6cb0'",
		number);
	if (plot->has_jobs)
		fprintf(to,
			", '' using 3 title 'pending jobs, by units for each "
			"node' lc rgb '#dd6b20'");
	fputc('\n', to);
}

int eqt_overhead_plot_write(const char *path,
			    const struct eqt_overhead_histogram *plots,
			    int count, struct eqt_error *err)
{
	FILE *to = eqt_plot_open(path, WIDTH, HEIGHT * count, err);
	int i;

	if (!to)
		return -1;
	fprintf(to,
		"set style data histograms\n"
		"set style fill solid 0.9 noborder\n"
		"set boxwidth 0.9\n"
		"set xlabel 'units free on a node'\nset grid y\n"
		"set ylabel 'nodes, jobs'\n"
		"set key below horizontal\nset offsets 0,0,1,0\n"
		"set multiplot layout %d,1\n",
		count);
	for (i = 0; i < count; i++)
		plot_write_histogram(to, &plots[i], i);
	fprintf(to, "unset multiplot\n");
	return eqt_plot_close(to, path, err);
}
