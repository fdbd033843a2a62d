/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the result of a simulation as tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "simulate/simulate.h"
#include "slurm/text/duration.h"
#include "cli/alloc.h"
#include "cli/plot.h"
#include "cli/rows.h"

/* ---- Plot ---------------------------------------------------------------------------
 * A drawing of the result by gnuplot: what the accounts of the first level got over time,
 * and their shares. Each policy has a panel. */

#define WIDTH 900
#define HEIGHT 420
#define LINES_MAX 12 /* with more lines accounts would be hard to tell apart */

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

/* Write the time in days, and then each account's part up to that time, in percent. */
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
 * Draw one panel per policy. Lines show what accounts got over time, and dashes their
 * shares.
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
		eqt_plot_quoted(to, result->accounts[chosen[i]].label);
		fprintf(to, ", %.4f with lines dt 2 lc %d notitle",
			100 * result->accounts[chosen[i]].share, i + 1);
	}
	fputc('\n', to);
}

int eqt_simulate_plot(const struct eqt_simulate_report *report,
		      struct eqt_error *err)
{
	const char *path = report->options->plot_path;
	const struct eqt_plot_panels panels = { report->count, 1, WIDTH,
						HEIGHT };
	FILE *to = eqt_plot_open(path, &panels, err);

	if (!to)
		return -1;
	fprintf(to, "set xlabel 'days'\n"
		    "set ylabel '%% delivered so far (dashed: share)'\n"
		    "set grid\nset key outside right\nset yrange [0:]\n");
	for (int i = 0; i < report->count; i++)
		plot_write_panel(to, report, i);
	return eqt_plot_close(to, path, err);
}

/* ---- JSON ---------------------------------------------------------------------------
 * The result of a simulation as JSON. */

/* Write a wait in the form of Slurm's times, days-hours:minutes:seconds. -1 means that
 * there are no jobs. */
static const char *wait_cell(char buf[EQT_TABLE_CELL], const void *value)
{
	const int64_t seconds = *(const int64_t *) value;

	return seconds < 0 ? "-" : eqt_duration_text(buf, (uint64_t) seconds);
}

static json_object *wait_json(const void *value)
{
	const int64_t seconds = *(const int64_t *) value;

	return seconds < 0 ? NULL : eqt_json_int(seconds);
}

static const struct eqt_row_type row_wait = { wait_cell, wait_json };

#define LINE_AT(member) offsetof(struct eqt_simulate_line, member)
#define RESULT_AT(member) offsetof(struct eqt_simulate_result, member)

/* clang-format off */
#define JOBS(column, at) \
	{ column, "jobs", &eqt_row_count, (at) + LINE_AT(jobs), \
	  SCOLS_FL_RIGHT, NULL }
#define WAITS(at) \
	{ "MEDIAN WAIT", "wait_median_s", &row_wait, \
	  (at) + LINE_AT(wait_median_s), SCOLS_FL_RIGHT, NULL }, \
	{ "P95 WAIT", "wait_p95_s", &row_wait, (at) + LINE_AT(wait_p95_s), \
	  SCOLS_FL_RIGHT, NULL }
#define PART(column, key, at) \
	{ column, key, &eqt_row_part, at, SCOLS_FL_RIGHT, NULL }
#define TEXT(column, key, at, flags) \
	{ column, key, &eqt_row_text, at, flags, NULL }
#define COUNT(key, at) \
	{ NULL, key, &eqt_row_count, at, 0, NULL }
/* clang-format on */

/* Parts are relative to the siblings of an account. */
static const struct eqt_row_field account_fields[] = {
	TEXT("ACCOUNT", NULL, LINE_AT(label), SCOLS_FL_TREE | SCOLS_FL_WRAP),
	TEXT(NULL, "account", LINE_AT(account), 0),
	TEXT(NULL, "user", LINE_AT(user), 0),
	PART("SHARE", "share", LINE_AT(share)),
	PART("ASKED", "asked", LINE_AT(totals)),
	PART("GOT", "got", LINE_AT(got)),
	JOBS("JOBS", 0),
	WAITS(0),
	{ 0 },
};

static const struct eqt_row_field class_fields[] = {
	TEXT("JOBS OF", "class", LINE_AT(label), 0),
	JOBS("JOBS", 0),
	WAITS(0),
	{ 0 },
};

static const struct eqt_row_field policy_fields[] = {
	TEXT("POLICY", "policy", RESULT_AT(policy), SCOLS_FL_WRAP),
	TEXT(NULL, "notes", RESULT_AT(notes), 0),
	COUNT("started", RESULT_AT(sum.started)),
	COUNT("backfilled", RESULT_AT(sum.backfilled)),
	COUNT("impossible", RESULT_AT(sum.impossible)),
	COUNT("passes", RESULT_AT(sum.passes)),
	PART("FROM SHARES", "distance", RESULT_AT(distance)),
	PART("OVER TIME", "distance_over_time", RESULT_AT(distance_over_time)),
	JOBS(NULL, RESULT_AT(all)),
	WAITS(RESULT_AT(all)),
	PART("CPUS USED", "cpus_used", RESULT_AT(cpus_used)),
	{ 0 },
};

/* The part that an account got in each bin of time, from 0 to 1. null for a bin in which
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

/* One object per association that has jobs. As in the table, parts are relative to the
 * siblings. */
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
		eqt_rows_json(one, account_fields, line);
		if (!assoc->user)
			eqt_json_add(one, "got_over_time",
				     history_json(result, i));
		eqt_json_append(list, one);
	}
	return list;
}

/* One object per class of job size that has jobs. */
static json_object *classes_json(const struct eqt_simulate_result *result)
{
	json_object *list = json_object_new_array(), *one;

	for (int i = 0; i < EQT_SIMULATE_CLASSES; i++) {
		if (!result->classes[i].jobs)
			continue;
		one = json_object_new_object();
		eqt_rows_json(one, class_fields, &result->classes[i]);
		eqt_json_append(list, one);
	}
	return list;
}

/* All results of one policy. "end" is in seconds since the epoch, and "distance" is from
 * 0 to 1. */
static json_object *policy_json(const struct eqt_simulate_report *report, int i)
{
	const struct eqt_simulate_result *result = &report->results[i];
	json_object *one = json_object_new_object();

	eqt_rows_json(one, policy_fields, result);
	eqt_json_add(one, "end", result->sum.end);
	eqt_json_add(one, "accounts", accounts_json(report, result));
	eqt_json_add(one, "classes", classes_json(result));
	return one;
}

void eqt_simulate_json(const struct eqt_simulate_report *report)
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
}

/* ---- All of it ------------------------------------------------------------ */

/* What an account of the first level got in a bin of time. */
struct history_row {
	int64_t from_s;
	const char *account;
	double share, got, so_far;
};

#define HISTORY_AT(member) offsetof(struct history_row, member)

static const struct eqt_row_field history_fields[] = {
	{ "FROM", NULL, &row_wait, HISTORY_AT(from_s), SCOLS_FL_RIGHT, NULL },
	TEXT("ACCOUNT", NULL, HISTORY_AT(account), SCOLS_FL_WRAP),
	PART("SHARE", NULL, HISTORY_AT(share)),
	PART("GOT", NULL, HISTORY_AT(got)),
	PART("SO FAR", NULL, HISTORY_AT(so_far)),
	{ 0 },
};

/* Print accounts with jobs, and the accounts above them. As in sshare, parts are relative
 * to the siblings. Accounts without jobs are left out, because they would fill the
 * screen. */
static void print_accounts(const struct eqt_simulate_report *report,
			   const struct eqt_simulate_result *result)
{
	const struct eqt_sshare *shares = &report->sim->shares;
	struct libscols_table *table = eqt_rows_table(
		account_fields, !report->options->common.no_headings);
	struct libscols_line **lines = eqt_alloc(shares->count, sizeof(*lines));

	for (uint32_t i = 0; i < shares->count; i++) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
		const struct eqt_simulate_line *from = &result->accounts[i];

		/* Users of the root account are printed on the first level. */
		if ((assoc->user && assoc->parent != 0) || !from->jobs)
			continue;
		lines[i] =
			eqt_table_line(table, i ? lines[assoc->parent] : NULL);
		eqt_rows_fill(lines[i], account_fields, from);
	}
	free(lines);
	eqt_table_print(table);
}

/* Print the table of waits by size of job. There are classes for jobs with and without
 * GPUs, by time limit. Classes without jobs are left out. */
static void print_classes(const struct eqt_simulate_report *report,
			  const struct eqt_simulate_result *result)
{
	struct eqt_rows_out out;

	eqt_rows_begin(&out, class_fields, &report->options->common);
	for (int i = 0; i < EQT_SIMULATE_CLASSES; i++)
		if (result->classes[i].jobs)
			eqt_rows_add(&out, &result->classes[i]);
	eqt_rows_end(&out);
}

/* Add a row for one bin of an account of the first level. "SO FAR" is what the account
 * got since the beginning, because a policy may repay later what it took. */
static void history_add_bin(struct eqt_rows_out *out,
			    const struct eqt_simulate_result *result,
			    uint32_t i, size_t bin)
{
	const double *bins = &result->bins[i * (size_t) EQT_SIMULATE_BINS];
	double width = (double) result->window_s / EQT_SIMULATE_BINS;
	double sum = 0, all = 0;
	struct history_row row = {
		.from_s = (int64_t) (width * (double) bin),
		.account = result->accounts[i].label,
		.share = result->accounts[i].share,
		.got = bins[bin] / result->bin_all[bin],
	};

	for (size_t at = 0; at <= bin; at++) {
		sum += bins[at];
		all += result->bin_all[at];
	}
	row.so_far = sum / all;
	eqt_rows_add(out, &row);
}

/* Print what accounts of the first level got in each bin of time. */
static void print_history(const struct eqt_simulate_report *report,
			  const struct eqt_simulate_result *result)
{
	const struct eqt_sshare *shares = &report->sim->shares;
	struct eqt_rows_out out;

	eqt_rows_begin(&out, history_fields, &report->options->common);
	for (size_t bin = 0; bin < EQT_SIMULATE_BINS; bin++) {
		for (uint32_t i = 1; i < shares->count; i++) {
			const struct eqt_sshare_assoc *assoc =
				&shares->assocs[i];

			if (assoc->parent != 0 || !result->accounts[i].jobs)
				continue;
			history_add_bin(&out, result, i, bin);
		}
	}
	eqt_rows_end(&out);
}

/* Print the sentence above the tables of a policy. */
static void print_summary(const struct eqt_simulate_report *report, int i)
{
	const struct eqt_simulate_result *result = &report->results[i];
	const int64_t window_s = (int64_t) result->window_s;
	char text[EQT_TABLE_CELL];

	printf("Policy %s: %zu of %zu jobs started, %zu by backfill;\n",
	       report->policies[i].name, result->sum.started,
	       report->sim->now.count, result->sum.backfilled);
	printf("evaluated: %s from the first job on, ",
	       wait_cell(text, &window_s));
	printf("with %s of the CPUs used;\n",
	       eqt_row_part.cell(text, &result->cpus_used));
	printf("it is %s away from the shares, ",
	       eqt_row_part.cell(text, &result->distance));
	printf("%s as a mean over time.\n",
	       eqt_row_part.cell(text, &result->distance_over_time));
}

/* Print one row per policy if several are compared. The first policy is usually the
 * present one, so the others are compared with it. */
static void print_policies(const struct eqt_simulate_report *report)
{
	struct eqt_rows_out out;

	eqt_rows_begin(&out, policy_fields, &report->options->common);
	for (int i = 0; i < report->count; i++)
		eqt_rows_add(&out, &report->results[i]);
	eqt_rows_end(&out);
}

void eqt_simulate_print(const struct eqt_simulate_report *report)
{
	for (int i = 0; i < report->count; i++) {
		const struct eqt_simulate_result *result = &report->results[i];

		if (!report->options->common.no_headings)
			print_summary(report, i);
		print_accounts(report, result);
		print_classes(report, result);
		if (report->options->history)
			print_history(report, result);
		putchar('\n');
	}
	if (report->count > 1)
		print_policies(report);
}
