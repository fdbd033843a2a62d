/* SPDX-License-Identifier: GPL-2.0-or-later */
/* By "early" the job has started in a twentieth of the futures, by "median" in half of
 * them, and by "late" in all but a twentieth. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/print.h"
#include "slurm/text/duration.h"
#include "slurm/text/timestamp.h"
#include "sim/draw.h"
#include "when/when.h"
#include "cli/rows.h"

#define WHEN_TEXT EQT_DURATION_WORDS

/* Write a local time to the minute, as Slurm does. "-" means that there is none, and
 * "later" a time after the end of the simulation. Returns buf or a static text. */
static const char *time_text(char buf[EQT_TABLE_CELL], int64_t at_s)
{
	if (at_s == EQT_FORECAST_LATER)
		return "later";
	return at_s ? eqt_timestamp_text(buf, EQT_TABLE_CELL, "%Y-%m-%dT%H:%M",
					 at_s)
		    : "-";
}

/* A time as JSON. Null if there is none, or if it is after the end of the simulation. */
static json_object *time_json(const void *value)
{
	const int64_t at_s = *(const int64_t *) value;

	return at_s && at_s != EQT_FORECAST_LATER ? eqt_json_int(at_s) : NULL;
}

static const char *time_cell(char buf[EQT_TABLE_CELL], const void *value)
{
	return time_text(buf, *(const int64_t *) value);
}

static const struct eqt_row_type row_time = { time_cell, time_json };

/* Users plan by the median, so it is highlighted. */
static enum eqt_colour median_colour(const void *row)
{
	(void) row;
	return EQT_COLOUR_BOLD;
}

#define ROW(column, key, type, member, colour)                               \
	{                                                                    \
		column, key, type, offsetof(struct eqt_when_row, member), 0, \
			colour                                               \
	}

static const struct eqt_row_field job_fields[] = {
	ROW("JOB", "name", &eqt_row_text, name, NULL),
	ROW(NULL, "user", &eqt_row_text, user, NULL),
	ROW(NULL, "account", &eqt_row_text, account, NULL),
	ROW(NULL, "partition", &eqt_row_text, partition, NULL),
	ROW("EARLY", "early_s", &row_time, at.early_s, NULL),
	ROW("MEDIAN", "median_s", &row_time, at.median_s, median_colour),
	ROW("LATE", "late_s", &row_time, at.late_s, NULL),
	ROW("WAITS FOR", "waits_for", &eqt_row_text, waits_for, NULL),
	{ 0 },
};

/* Print a line for each change that helps. Prices are for the whole time limit, before
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
		const int64_t before = report->rows[0].at.median_s;
		char at[WHEN_TEXT], gain[WHEN_TEXT], line[512];

		(void) snprintf(line, sizeof(line), "  %s: %s", one->words,
				time_text(at, one->median_s));
		if (before && before != EQT_FORECAST_LATER)
			eqt_print_append(line, sizeof(line), ", %s sooner",
					 eqt_duration_words(
						 gain, before - one->median_s));
		eqt_print_append(line, sizeof(line),
				 " (in %.0f %% of the futures)",
				 floor(100 * one->part));
		if (!isnan(one->hours) &&
		    fabs(one->hours - one->hours_before) >=
			    one->hours_before / 1000)
			eqt_print_append(line, sizeof(line),
					 "; %.4g instead of %.4g "
					 "equivalent-hours",
					 one->hours, one->hours_before);
		eqt_print_wrapped(line);
		putchar('\n');
	}
}

/* Fill in why a single job does not start in the futures. "" without a reason. */
static void report_late_words(char words[EQT_SCENE_WORDS],
			      const struct eqt_when_report *report)
{
	const struct eqt_when_row *row = &report->rows[0];

	words[0] = '\0';
	if (report->count == 1 && row->at.late_s == EQT_FORECAST_LATER)
		eqt_scene_limits_ahead(words, report->scene, row->index);
}

/* Print the earliest time that "later" can mean, and for a single job why. */
static void report_print_later(const struct eqt_when_report *report)
{
	char text[WHEN_TEXT], words[EQT_SCENE_WORDS];
	char line[EQT_SCENE_WORDS + 128];
	bool any = false;

	for (size_t i = 0; i < report->count; i++)
		any = any || report->rows[i].at.late_s == EQT_FORECAST_LATER;
	if (!any || !report->until)
		return;
	report_late_words(words, report);
	(void) snprintf(line, sizeof(line),
			"later: after %s, which is how far the futures go%s%s.",
			time_text(text, report->until),
			words[0] ? ", because " : "", words);
	putchar('\n');
	eqt_print_wrapped(line);
	putchar('\n');
}

/* Print what a single job lacks of a budget. */
static void report_print_budget(const struct eqt_when_report *report)
{
	const struct eqt_when_row *row = &report->rows[0];
	char words[EQT_SCENE_WORDS];

	if (report->count != 1 || row->stuck || !row->job->pending ||
	    !eqt_scene_budgets_words(words, report->scene, row->index))
		return;
	putchar('\n');
	eqt_print_wrapped(words);
	putchar('\n');
}

/* Print how many past jobs the forecast is based on. With few jobs of the same kind its
 * times are guesses, and a reader should know that. */
static void report_print_basis(const struct eqt_when_report *report)
{
	const uint32_t *levels = report->levels;
	const int64_t past_s =
		report->scene->live->now_s - report->scene->past_from;
	const size_t jobs = report->scene->now.count;
	char line[512 + EQT_SCENE_RECORD], span[WHEN_TEXT];
	char record[EQT_SCENE_RECORD];

	if (!report->futures)
		return;
	eqt_scene_record_words(record, report->scene);
	(void) snprintf(
		line, sizeof(line),
		"From %" PRIu32
		" future%s, %zu running or waiting job%s and %zu of the last "
		"%s.%s Lengths are drawn from like jobs of the same user "
		"(%" PRIu32 " job%s), account (%" PRIu32
		"), time limit (%" PRIu32 "), or guessed (%" PRIu32 ").%s%s",
		report->futures, report->futures == 1 ? "" : "s", jobs,
		jobs == 1 ? "" : "s", report->scene->past_count,
		eqt_duration_words(span, past_s),
		past_s < EQT_ARRIVALS_YOUNG_S
			? " This is little history: take the times for a guess."
		: report->futures < EQT_WHEN_FUTURES_FEW
			? " These are few futures: take the times for a guess."
			: "",
		levels[EQT_DRAW_USER], levels[EQT_DRAW_USER] == 1 ? "" : "s",
		levels[EQT_DRAW_ACCOUNT], levels[EQT_DRAW_LIMIT],
		levels[EQT_DRAW_GUESS], record[0] ? " " : "", record);
	putchar('\n');
	eqt_print_wrapped(line);
	putchar('\n');
}

void eqt_when_print(const struct eqt_when_report *report, bool headings)
{
	struct libscols_table *table = eqt_rows_table(job_fields, headings);
	for (size_t i = 0; i < report->count; i++)
		eqt_rows_fill(eqt_table_line(table, NULL), job_fields,
			      &report->rows[i]);
	eqt_table_print(table);
	if (eqt_output_csv())
		return;
	report_print_later(report);
	report_print_budget(report);
	report_print_sooner(report);
	report_print_basis(report);
}

/* ---- JSON ----------------------------------------------------------------- */

/* A request has no id. */
static json_object *row_json(const struct eqt_when_row *row)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "job", row->request ? NULL : row->name);
	eqt_rows_json(object, job_fields, row);
	eqt_json_add(object, "forecast", eqt_json_flag(row->at.early_s != 0));
	return object;
}

/* The past forecasts whose latest start is over. */
static json_object *record_json(const struct eqt_scene *scene)
{
	const struct eqt_forecast_correction *record = &scene->correction;
	json_object *object = json_object_new_object();

	eqt_json_add(object, "forecasts", record->forecasts);
	eqt_json_add(object, "held", record->held);
	eqt_json_add(object, "span_s",
		     record->from_s ? scene->live->now_s - record->from_s : 0);
	eqt_json_add(object, "corrects",
		     eqt_json_flag(eqt_forecast_correction_changes(record)));
	return object;
}

void eqt_when_json(const struct eqt_when_report *report)
{
	json_object *object = json_object_new_object();
	json_object *jobs = json_object_new_array();
	json_object *sooner = json_object_new_array();
	char words[EQT_SCENE_WORDS];

	report_late_words(words, report);
	for (size_t i = 0; i < report->count; i++)
		eqt_json_append(jobs, row_json(&report->rows[i]));
	for (size_t i = 0; i < report->sooner_count; i++) {
		const struct eqt_when_sooner *from = &report->sooner[i];
		json_object *one = json_object_new_object();

		eqt_json_add(one, "change", from->words);
		eqt_json_add(one, "median_s", time_json(&from->median_s));
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
	eqt_json_add(object, "simulated_until_s", time_json(&report->until));
	eqt_json_add(object, "later_because", words[0] ? words : NULL);
	eqt_json_add(object, "record", record_json(report->scene));
	eqt_json_add(object, "jobs", jobs);
	eqt_json_add(object, "sooner", sooner);
	eqt_json_print(object);
}
