/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The start is early, median or late: a twentieth, half or all but a twentieth of the
 * futures have started the job by then. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/json.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/table.h"
#include "slurm/text/duration.h"
#include "when/when.h"

#define WHEN_TEXT EQT_DURATION_WORDS

/* As Slurm writes times; "-": none, "later": beyond what was looked at. In local time,
 * to the minute. */
static const char *time_text(char buf[WHEN_TEXT], int64_t at_s)
{
	const time_t at = (time_t) at_s;
	struct tm then;

	(void) snprintf(buf, WHEN_TEXT, "%s", at_s ? "later" : "-");
	if (at_s && at_s != EQT_FORECAST_LATER && localtime_r(&at, &then))
		(void) strftime(buf, WHEN_TEXT, "%Y-%m-%dT%H:%M", &then);
	return buf;
}

/* Slurm's reason, or why there is no forecast. A request that was not submitted has no
 * reason of Slurm's. */
static const char *row_waits_for(const struct eqt_when_row *row)
{
	if (row->stuck)
		return row->stuck;
	if (row->request)
		return "not submitted";
	return row->job->pending ? row->job->reason : "nothing: it runs";
}

/* The median is what a user plans by, and is bold. */
static void row_add(struct libscols_table *table,
		    const struct eqt_when_row *row)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char text[WHEN_TEXT];

	eqt_table_cell(line, 0, row->name);
	eqt_table_cell(line, 1, time_text(text, row->early_s));
	eqt_table_cell_set(line, 2, time_text(text, row->median_s),
			   EQT_COLOUR_BOLD);
	eqt_table_cell(line, 3, time_text(text, row->late_s));
	eqt_table_cell(line, 4, row_waits_for(row));
}

/* A line for each change that helps. The price is that of the whole time limit, before
 * and after the change. */
static void report_print_sooner(const struct eqt_when_report *report)
{
	if (!report->asked_sooner)
		return;
	if (report->sooner_count)
		puts("\nWhat would start it sooner:");
	else if (report->sooner_futures < 10)
		puts("\nToo many jobs wait to try what would start it sooner.");
	else
		puts("\nNo shorter limit, smaller size or other partition "
		     "would surely start it sooner.");
	for (size_t i = 0; i < report->sooner_count; i++) {
		const struct eqt_when_sooner *one = &report->sooner[i];
		const int64_t before = report->rows[0].median_s;
		char at[WHEN_TEXT], gain[WHEN_TEXT], line[512];
		int used = snprintf(line, sizeof(line), "  %s: %s", one->words,
				    time_text(at, one->median_s));

		if (before && before != EQT_FORECAST_LATER)
			used += snprintf(line + used,
					 sizeof(line) - (size_t) used,
					 ", %s sooner",
					 eqt_duration_words(
						 gain, before - one->median_s));
		used += snprintf(line + used, sizeof(line) - (size_t) used,
				 " (in %.0f %% of the futures)",
				 floor(100 * one->part));
		if (!isnan(one->hours))
			(void) snprintf(
				line + used, sizeof(line) - (size_t) used,
				"; %.4g instead of %.4g equivalent-hours",
				one->hours, one->hours_before);
		eqt_print_wrapped(line);
		putchar('\n');
	}
}

/* How far "later" is at least. */
static void report_print_later(const struct eqt_when_report *report)
{
	char text[WHEN_TEXT];
	bool any = false;

	for (size_t i = 0; i < report->count; i++)
		any = any || report->rows[i].late_s == EQT_FORECAST_LATER;
	if (any && report->until)
		printf("\nlater: after %s, which is how far the futures go.\n",
		       time_text(text, report->until));
}

/* What the forecast rests on. Whoever reads the times should know how much they rest
 * on: with few like jobs they are guesses. */
static void report_print_basis(const struct eqt_when_report *report)
{
	const uint32_t *levels = report->levels;
	const int64_t past_s =
		report->scene->live->now_s - report->scene->past_from;
	char line[512], span[WHEN_TEXT];

	if (!report->futures)
		return;
	(void) snprintf(
		line, sizeof(line),
		"From %" PRIu32
		" futures, %zu jobs that run or wait and %zu of the last %s.%s "
		"Lengths are drawn from like jobs of the same user (%" PRIu32
		" jobs), account (%" PRIu32 "), time limit (%" PRIu32
		"), or guessed (%" PRIu32 ").",
		report->futures, report->scene->now.count,
		report->scene->past_count, eqt_duration_words(span, past_s),
		past_s < EQT_SCENE_GUESS_S
			? " This is little history: take the times for a guess."
			: "",
		levels[EQT_DRAW_USER], levels[EQT_DRAW_ACCOUNT],
		levels[EQT_DRAW_LIMIT], levels[EQT_DRAW_GUESS]);
	putchar('\n');
	eqt_print_wrapped(line);
	putchar('\n');
}

int eqt_when_print(const struct eqt_when_report *report, bool headings)
{
	static const struct eqt_table_column columns[] = {
		{ "JOB", 0 },  { "EARLY", 0 },	   { "MEDIAN", 0 },
		{ "LATE", 0 }, { "WAITS FOR", 0 }, { NULL, 0 }
	};
	struct libscols_table *table = eqt_table_new(columns, headings);
	int rc;

	if (!table)
		return -1;
	for (size_t i = 0; i < report->count; i++)
		row_add(table, &report->rows[i]);
	rc = eqt_table_print(table);
	if (rc < 0 || eqt_output_csv())
		return rc;
	report_print_later(report);
	report_print_sooner(report);
	report_print_basis(report);
	return 0;
}

/* ---- JSON ----------------------------------------------------------------- */

/* Null for no time, and for one too far away. */
static void json_add_time(json_object *object, const char *key, int64_t at_s)
{
	eqt_json_add(object, key,
		     at_s && at_s != EQT_FORECAST_LATER
			     ? json_object_new_int64(at_s)
			     : NULL);
}

static json_object *row_json(const struct eqt_when_row *row)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "job", row->request ? NULL : row->name);
	eqt_json_add(object, "name", row->name);
	eqt_json_add(object, "user", row->user);
	eqt_json_add(object, "account", row->account);
	eqt_json_add(object, "partition", row->partition);
	json_add_time(object, "early_s", row->early_s);
	json_add_time(object, "median_s", row->median_s);
	json_add_time(object, "late_s", row->late_s);
	eqt_json_add(object, "waits_for", row_waits_for(row));
	eqt_json_add(object, "forecast", eqt_json_flag(row->early_s != 0));
	return object;
}

int eqt_when_json(const struct eqt_when_report *report)
{
	json_object *object = json_object_new_object();
	json_object *jobs = json_object_new_array();
	json_object *sooner = json_object_new_array();

	for (size_t i = 0; i < report->count; i++)
		eqt_json_append(jobs, row_json(&report->rows[i]));
	for (size_t i = 0; i < report->sooner_count; i++) {
		const struct eqt_when_sooner *from = &report->sooner[i];
		json_object *one = json_object_new_object();

		eqt_json_add(one, "change", from->words);
		json_add_time(one, "median_s", from->median_s);
		eqt_json_add(one, "part", from->part);
		eqt_json_add(one, "equivalent_hours", from->hours);
		eqt_json_add(one, "equivalent_hours_before",
			     from->hours_before);
		eqt_json_append(sooner, one);
	}
	eqt_json_add(object, "now_s", report->scene->live->now_s);
	eqt_json_add(object, "futures", report->futures);
	eqt_json_add(object, "history_s",
		     report->scene->live->now_s - report->scene->past_from);
	json_add_time(object, "simulated_until_s", report->until);
	eqt_json_add(object, "jobs", jobs);
	eqt_json_add(object, "sooner", sooner);
	eqt_json_print(object);
	return 0;
}
