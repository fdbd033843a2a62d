/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a simulation drawn by gnuplot: what the accounts of the first
 * level got over time, and their shares; one panel per policy. */
#include <stdio.h>

#include "cli/plot.h"
#include "simulate/simulate.h"

#define WIDTH 900
#define HEIGHT 420
#define LINES_MAX 12 /* accounts that remain distinguishable */

/* Choose the accounts that requested most, in descending order. */
static int plot_choose_accounts(const struct eqt_simulate_input *sim,
				const struct eqt_simulate_result *result,
				uint32_t *chosen)
{
	int count = 0, at;

	for (uint32_t i = 1; i < sim->shares.count; i++) {
		double totals = result->accounts[i].totals;

		if (sim->shares.assocs[i].parent != 0 ||
		    !result->accounts[i].jobs)
			continue;
		for (at = count; at > 0; at--) {
			if (result->accounts[chosen[at - 1]].totals >= totals)
				break;
			if (at < LINES_MAX)
				chosen[at] = chosen[at - 1];
		}
		if (at < LINES_MAX)
			chosen[at] = i;
		if (count < LINES_MAX)
			count++;
	}
	return count;
}

/* Write time in days, then the part of each account so far, in percent. */
static void plot_write_data(FILE *to, const struct eqt_simulate_result *result,
			    const uint32_t *chosen, int count, int number)
{
	double sums[LINES_MAX] = { 0 }, all = 0;
	double days = (double) result->window_s / EQT_SIMULATE_BINS / 86400;

	fprintf(to, "$d%d << EOD\n", number);
	for (size_t bin = 0; bin < EQT_SIMULATE_BINS; bin++) {
		all += result->bin_all[bin];
		fprintf(to, "%.6g", days * (double) (bin + 1));
		for (int i = 0; i < count; i++) {
			sums[i] +=
				result->bins[chosen[i] *
						     (size_t)
							     EQT_SIMULATE_BINS +
					     bin];
			fprintf(to, " %.4f",
				all > 0 ? 100 * sums[i] / all : 0.0);
		}
		fputc('\n', to);
	}
	fprintf(to, "EOD\n");
}

/*
 * One panel for each policy: lines for what accounts got over time, dashes for
 * their shares.
 */
static void plot_write_panel(FILE *to, const struct eqt_simulate_report *report,
			     int number)
{
	const struct eqt_simulate_result *result = &report->results[number];
	uint32_t chosen[LINES_MAX];
	int count = plot_choose_accounts(report->sim, result, chosen);
	char title[160];

	plot_write_data(to, result, chosen, count, number);
	(void) snprintf(title, sizeof(title),
			"Policy %s: %.1f %% away from the shares",
			report->policies[number].name, 100 * result->distance);
	fprintf(to, "set title ");
	eqt_plot_quoted(to, title);
	fprintf(to, "\nplot ");
	for (int i = 0; i < count; i++) {
		fprintf(to, "%s$d%d using 1:%d with lines lw 2 lc %d title ",
			i ? ", " : "", number, i + 2, i + 1);
		eqt_plot_quoted(to, eqt_simulate_label(report->sim, chosen[i],
						       title, sizeof(title)));
		fprintf(to, ", %.4f with lines dt 2 lc %d notitle",
			100 * result->accounts[chosen[i]].share, i + 1);
	}
	fputc('\n', to);
}

int eqt_simulate_plot(const struct eqt_simulate_report *report,
		      struct eqt_error *err)
{
	const char *path = report->options->plot_path;
	FILE *to = eqt_plot_open(path, WIDTH, HEIGHT * report->count, err);

	if (!to)
		return -1;
	fprintf(to,
		"set xlabel 'days'\n"
		"set ylabel '%% delivered so far (dashed: share)'\n"
		"set grid\nset key outside right\nset yrange [0:]\n"
		"set multiplot layout %d,1\n",
		report->count);
	for (int i = 0; i < report->count; i++)
		plot_write_panel(to, report, i);
	fprintf(to, "unset multiplot\n");
	return eqt_plot_close(to, path, err);
}
