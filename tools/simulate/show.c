/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a simulation as tables. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "simulate/simulate.h"
#include "cli/table.h"
#include "slurm/text/duration.h"
#include "cli/json.h"
#include "cli/plot.h"

/* ---- Plot ---------------------------------------------------------------------------
 * The result of a simulation drawn by gnuplot: what the accounts of the first level got
 * over time, and their shares; one panel per policy. */

#define WIDTH 900
#define HEIGHT 420
#define LINES_MAX 12 /* accounts that remain distinguishable */

/* Choose the accounts that requested most, in descending order. */
static int plot_choose_accounts(const struct eqt_scene *sim,
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

/* ---- JSON ---------------------------------------------------------------------------
 * The result of a simulation as JSON. */

/* In seconds; null without a job. */
static json_object *wait_json(int64_t wait_s)
{
	return wait_s < 0 ? NULL : json_object_new_int64(wait_s);
}

/* Waits of jobs that have started. */
static void waits_add_json(json_object *to,
			   const struct eqt_simulate_line *line)
{
	eqt_json_add(to, "jobs", line->jobs);
	eqt_json_add(to, "wait_median_s", wait_json(line->wait_median_s));
	eqt_json_add(to, "wait_p95_s", wait_json(line->wait_p95_s));
}

/* The part that an account got in each bin of time. Parts of 1; null for a bin in which
 * nothing ran. */
static json_object *history_json(const struct eqt_simulate_result *result,
				 uint32_t i)
{
	json_object *list = json_object_new_array();

	for (size_t bin = 0; bin < EQT_SIMULATE_BINS; bin++) {
		double all = result->bin_all[bin];

		eqt_json_append(
			list,
			all > 0 ? (long double) (result->bins
							 [i * (size_t) EQT_SIMULATE_BINS +
							  bin] /
						 all)
				: (long double) NAN);
	}
	return list;
}

/* One object for each association that has jobs. Parts are those of the level, as in
 * the table. */
static json_object *accounts_json(const struct eqt_simulate_report *report,
				  const struct eqt_simulate_result *result)
{
	const struct eqt_sshare *shares = &report->sim->shares;
	json_object *list = json_object_new_array(), *one;

	for (uint32_t i = 0; i < shares->count; i++) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
		const struct eqt_simulate_line *line = &result->accounts[i];

		if (!line->jobs)
			continue;
		one = json_object_new_object();
		eqt_json_add(one, "account", assoc->account);
		eqt_json_add(one, "user", assoc->user ? assoc->user : NULL);
		eqt_json_add(one, "share", line->share);
		eqt_json_add(one, "asked", line->totals);
		eqt_json_add(one, "got", line->got);
		waits_add_json(one, line);
		if (!assoc->user)
			eqt_json_add(one, "got_over_time",
				     history_json(result, i));
		eqt_json_append(list, one);
	}
	return list;
}

/* One object for each class of job size that has jobs. */
static json_object *classes_json(const struct eqt_simulate_result *result)
{
	json_object *list = json_object_new_array(), *one;

	for (int i = 0; i < EQT_SIMULATE_CLASSES; i++) {
		if (!result->classes[i].jobs)
			continue;
		one = json_object_new_object();
		eqt_json_add(one, "class", eqt_simulate_class_name(i));
		waits_add_json(one, &result->classes[i]);
		eqt_json_append(list, one);
	}
	return list;
}

/* All results of one policy. "end" is in seconds since the epoch, "distance" a part of
 * 1. */
static json_object *policy_json(const struct eqt_simulate_report *report, int i)
{
	const struct eqt_simulate_result *result = &report->results[i];
	const struct eqt_simulation_sum *sum = &result->sum;
	json_object *one = json_object_new_object();

	eqt_json_add(one, "policy", report->policies[i].name);
	eqt_json_add(one, "notes", report->policies[i].notes);
	eqt_json_add(one, "started", sum->started);
	eqt_json_add(one, "backfilled", sum->backfilled);
	eqt_json_add(one, "impossible", sum->impossible);
	eqt_json_add(one, "passes", sum->passes);
	eqt_json_add(one, "end", sum->end);
	eqt_json_add(one, "cpus_used", result->cpus_used);
	eqt_json_add(one, "distance", result->distance);
	eqt_json_add(one, "distance_over_time", result->distance_over_time);
	waits_add_json(one, &result->all);
	eqt_json_add(one, "accounts", accounts_json(report, result));
	eqt_json_add(one, "classes", classes_json(result));
	return one;
}

/* Always 0, as eqt_simulate_print() when all went well. */
int eqt_simulate_json(const struct eqt_simulate_report *report)
{
	const struct eqt_simulate_result *first = &report->results[0];
	json_object *all = json_object_new_object();
	json_object *list = json_object_new_array();

	eqt_json_add(all, "jobs", report->sim->now.count);
	eqt_json_add(all, "from", first->from);
	eqt_json_add(all, "window_s", first->window_s);
	for (int i = 0; i < report->count; i++)
		eqt_json_append(list, policy_json(report, i));
	eqt_json_add(all, "policies", list);
	eqt_json_print(all);
	return 0;
}

/* ---- All of it ------------------------------------------------------------ */

static const struct eqt_table_column account_columns[] = {
	{ "ACCOUNT", SCOLS_FL_TREE | SCOLS_FL_WRAP },
	{ "SHARE", SCOLS_FL_RIGHT },
	{ "ASKED", SCOLS_FL_RIGHT },
	{ "GOT", SCOLS_FL_RIGHT },
	{ "JOBS", SCOLS_FL_RIGHT },
	{ "MEDIAN WAIT", SCOLS_FL_RIGHT },
	{ "P95 WAIT", SCOLS_FL_RIGHT },
	{ NULL, 0 },
};

static const struct eqt_table_column class_columns[] = {
	{ "JOBS OF", 0 },
	{ "JOBS", SCOLS_FL_RIGHT },
	{ "MEDIAN WAIT", SCOLS_FL_RIGHT },
	{ "P95 WAIT", SCOLS_FL_RIGHT },
	{ NULL, 0 },
};

static const struct eqt_table_column policy_columns[] = {
	{ "POLICY", SCOLS_FL_WRAP },
	{ "FROM SHARES", SCOLS_FL_RIGHT },
	{ "OVER TIME", SCOLS_FL_RIGHT },
	{ "MEDIAN WAIT", SCOLS_FL_RIGHT },
	{ "P95 WAIT", SCOLS_FL_RIGHT },
	{ "CPUS USED", SCOLS_FL_RIGHT },
	{ NULL, 0 },
};

static const struct eqt_table_column history_columns[] = {
	{ "FROM", SCOLS_FL_RIGHT },   { "ACCOUNT", SCOLS_FL_WRAP },
	{ "SHARE", SCOLS_FL_RIGHT },  { "GOT", SCOLS_FL_RIGHT },
	{ "SO FAR", SCOLS_FL_RIGHT }, { NULL, 0 },
};

/* "-": no jobs. In the form of Slurm's times: days-hours:minutes:seconds. */
static char *wait_text(int64_t seconds, char buf[EQT_TABLE_CELL])
{
	if (seconds < 0)
		(void) snprintf(buf, EQT_TABLE_CELL, "-");
	else
		(void) eqt_duration_text(buf, (uint64_t) seconds);
	return buf;
}

/* Format a part of 1 as a percentage; "-" for NaN. */
static char *part_text(double part, char buf[EQT_TABLE_CELL])
{
	if (isnan(part))
		(void) snprintf(buf, EQT_TABLE_CELL, "-");
	else
		(void) snprintf(buf, EQT_TABLE_CELL, "%.1f %%", 100 * part);
	return buf;
}

/* In buf, which is returned. */
static char *count_text(size_t count, char buf[EQT_TABLE_CELL])
{
	(void) snprintf(buf, EQT_TABLE_CELL, "%zu", count);
	return buf;
}

/* Fill the cells for jobs and waits, from a column on. */
static void cells_set_waits(struct libscols_line *line, size_t column,
			    const struct eqt_simulate_line *from)
{
	char text[EQT_TABLE_CELL];

	eqt_table_cell(line, column, count_text(from->jobs, text));
	eqt_table_cell(line, column + 1, wait_text(from->wait_median_s, text));
	eqt_table_cell(line, column + 2, wait_text(from->wait_p95_s, text));
}

/* Prints accounts with jobs, and those above them. Parts are those of the level, as in
 * sshare. Accounts without jobs would fill the screen. */
static int print_accounts(const struct eqt_simulate_report *report,
			  const struct eqt_simulate_result *result)
{
	const struct eqt_sshare *shares = &report->sim->shares;
	struct libscols_table *table = eqt_table_new(
		account_columns, !report->options->common.no_headings);
	struct libscols_line **lines = calloc(shares->count, sizeof(*lines));
	char text[EQT_TABLE_CELL];
	uint32_t i;

	for (i = 0; table && lines && i < shares->count; i++) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
		const struct eqt_simulate_line *from = &result->accounts[i];

		/* Users of the root account are shown on the first level. */
		if ((assoc->user && assoc->parent != 0) || !from->jobs)
			continue;
		lines[i] = scols_table_new_line(table, i ? lines[assoc->parent]
							 : NULL);
		if (!lines[i])
			break;
		eqt_table_cell(lines[i], 0,
			       eqt_simulate_label(report->sim, i, text,
						  sizeof(text)));
		eqt_table_cell(lines[i], 1, part_text(from->share, text));
		eqt_table_cell(lines[i], 2, part_text(from->totals, text));
		eqt_table_cell(lines[i], 3, part_text(from->got, text));
		cells_set_waits(lines[i], 4, from);
	}
	free(lines);
	return table && i == shares->count ? eqt_table_print(table) : -1;
}

/* The table of waits by size of job. Classes are jobs with or without GPUs, by time
 * limit; those without jobs are left out. */
static int print_classes(const struct eqt_simulate_report *report,
			 const struct eqt_simulate_result *result)
{
	struct libscols_table *table = eqt_table_new(
		class_columns, !report->options->common.no_headings);

	for (int i = 0; table && i < EQT_SIMULATE_CLASSES; i++) {
		struct libscols_line *line;

		if (!result->classes[i].jobs)
			continue;
		line = scols_table_new_line(table, NULL);
		if (!line)
			return -1;
		eqt_table_cell(line, 0, eqt_simulate_class_name(i));
		cells_set_waits(line, 1, &result->classes[i]);
	}
	return table ? eqt_table_print(table) : -1;
}

/* One row a policy, when several are compared. The first policy is mostly the present
 * one, so that others are read against it. */
static int print_policies(const struct eqt_simulate_report *report)
{
	struct libscols_table *table = eqt_table_new(
		policy_columns, !report->options->common.no_headings);
	char text[EQT_TABLE_CELL];

	for (int i = 0; table && i < report->count; i++) {
		const struct eqt_simulate_result *result = &report->results[i];
		struct libscols_line *line = scols_table_new_line(table, NULL);

		if (!line)
			return -1;
		eqt_table_cell(line, 0, report->policies[i].name);
		eqt_table_cell(line, 1, part_text(result->distance, text));
		eqt_table_cell(line, 2,
			       part_text(result->distance_over_time, text));
		eqt_table_cell(line, 3,
			       wait_text(result->all.wait_median_s, text));
		eqt_table_cell(line, 4,
			       wait_text(result->all.wait_p95_s, text));
		eqt_table_cell(line, 5, part_text(result->cpus_used, text));
	}
	return table ? eqt_table_print(table) : -1;
}

/* Add a row for one bin of an account of the first level. "SO FAR" is what an account
 * got since the beginning: a policy may repay later what it took. */
static int history_add_bin(struct libscols_table *table,
			   const struct eqt_simulate_result *result, uint32_t i,
			   size_t bin, const char *account)
{
	const double *bins = &result->bins[i * (size_t) EQT_SIMULATE_BINS];
	struct libscols_line *line = scols_table_new_line(table, NULL);
	double width = (double) result->window_s / EQT_SIMULATE_BINS;
	double sum = 0, all = 0;
	char text[EQT_TABLE_CELL];

	if (!line)
		return -1;
	for (size_t at = 0; at <= bin; at++) {
		sum += bins[at];
		all += result->bin_all[at];
	}
	eqt_table_cell(line, 0,
		       wait_text((int64_t) (width * (double) bin), text));
	eqt_table_cell(line, 1, account);
	eqt_table_cell(line, 2, part_text(result->accounts[i].share, text));
	eqt_table_cell(line, 3,
		       part_text(bins[bin] / result->bin_all[bin], text));
	eqt_table_cell(line, 4, part_text(sum / all, text));
	return 0;
}

/* What accounts of the first level got in each bin of time. */
static int print_history(const struct eqt_simulate_report *report,
			 const struct eqt_simulate_result *result)
{
	const struct eqt_sshare *shares = &report->sim->shares;
	struct libscols_table *table = eqt_table_new(
		history_columns, !report->options->common.no_headings);
	char label[EQT_TABLE_CELL];

	for (size_t bin = 0; table && bin < EQT_SIMULATE_BINS; bin++) {
		for (uint32_t i = 1; i < shares->count; i++) {
			const struct eqt_sshare_assoc *assoc =
				&shares->assocs[i];

			if (assoc->parent != 0 || !result->accounts[i].jobs)
				continue;
			eqt_simulate_label(report->sim, i, label,
					   sizeof(label));
			if (history_add_bin(table, result, i, bin, label) < 0)
				return -1;
		}
	}
	return table ? eqt_table_print(table) : -1;
}

/* The sentence above the tables of a policy. */
static void print_summary(const struct eqt_simulate_report *report, int i)
{
	const struct eqt_simulate_result *result = &report->results[i];
	char text[EQT_TABLE_CELL];

	printf("Policy %s: %zu of %zu jobs started, %zu by backfill;\n",
	       report->policies[i].name, result->sum.started,
	       report->sim->now.count, result->sum.backfilled);
	printf("evaluated: %s from the first job on, ",
	       wait_text((int64_t) result->window_s, text));
	printf("with %s of the CPUs used;\n",
	       part_text(result->cpus_used, text));
	printf("it is %s away from the shares, ",
	       part_text(result->distance, text));
	printf("%s as a mean over time.\n",
	       part_text(result->distance_over_time, text));
}

int eqt_simulate_print(const struct eqt_simulate_report *report)
{
	for (int i = 0; i < report->count; i++) {
		const struct eqt_simulate_result *result = &report->results[i];

		if (!report->options->common.no_headings)
			print_summary(report, i);
		if (print_accounts(report, result) < 0 ||
		    print_classes(report, result) < 0 ||
		    (report->options->history &&
		     print_history(report, result) < 0))
			return -1;
		putchar('\n');
	}
	return report->count > 1 ? print_policies(report) : 0;
}
