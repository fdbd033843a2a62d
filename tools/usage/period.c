/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Months and years begin at local midnight, even if the clocks change in between. A day
 * may then have 23 or 25 hours, so sums are over seconds. An allocation year begins on
 * the same day each year. If it was extended or shortened, its last day is given.
 */
#include <stdio.h>
#include <time.h>

#include "base/whole.h"
#include "slurm/text/timestamp.h"
#include "usage/period.h"

int eqt_period_make(struct eqt_year_period *out, const char *start, int year,
		    int64_t last_day_s, int64_t now_s, struct eqt_error *err)
{
	time_t now = (time_t) now_s;
	struct tm tm;
	char text[EQT_YEAR_TEXT], end;
	int month, day;

	if (sscanf(start, "%2d-%2d%c", &month, &day, &end) != 2 || month < 1 ||
	    month > 12 || day < 1 ||
	    eqt_timestamp_midnight(2023, month, day) == 0)
		return eqt_error_set(
			err,
			"\"%s\": expected a day of every year such as 04-01",
			start);
	if (year == 0 && localtime_r(&now, &tm)) {
		year = tm.tm_year + 1900;
		year -= now_s < eqt_timestamp_midnight(year, month, day);
	}
	*out = (struct eqt_year_period){
		.from_s = eqt_timestamp_midnight(year, month, day),
		.until_s = eqt_timestamp_midnight(year + 1, month, day),
	};
	if (out->from_s == 0 || out->until_s == 0 || out->from_s >= now_s)
		return eqt_error_set(
			err, "the allocation year of %d-%s has not begun", year,
			start);
	if (last_day_s) {
		out->until_s = eqt_timestamp_day(last_day_s, text);
		if (out->until_s <= out->from_s)
			return eqt_error_set(
				err,
				"the allocation year of %d-%s cannot end on %s",
				year, start, text);
	}
	out->seen_s = eqt_whole_earlier(now_s, out->until_s);
	return 0;
}

bool eqt_period_over(const struct eqt_year_period *period)
{
	return period->seen_s >= period->until_s;
}

int64_t eqt_period_month(int64_t at_s, char text[EQT_YEAR_TEXT])
{
	time_t at = (time_t) at_s;
	struct tm tm = { .tm_year = 0 };

	(void) localtime_r(&at, &tm);
	(void) strftime(text, EQT_YEAR_TEXT, "%Y-%m", &tm);
	return eqt_timestamp_midnight(tm.tm_year + 1900 + (tm.tm_mon == 11),
				      tm.tm_mon == 11 ? 1 : tm.tm_mon + 2, 1);
}

void eqt_period_date_set(struct eqt_year_date *date, int64_t at_s, bool day)
{
	if (at_s >= date->from_s && at_s < date->until_s)
		return;
	date->from_s = at_s;
	date->until_s = day ? eqt_timestamp_day(at_s, date->text)
			    : eqt_period_month(at_s, date->text);
}
