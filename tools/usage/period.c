/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "usage/period.h"

/* Midnight of a day; 0 when there is no such day. */
static int64_t midnight(int year, int month, int day)
{
	struct tm tm = { .tm_year = year - 1900,
			 .tm_mon = month - 1,
			 .tm_mday = day,
			 .tm_isdst = -1 };
	time_t at = mktime(&tm);

	return at > 0 && tm.tm_mon == month - 1 && tm.tm_mday == day
		       ? (int64_t) at
		       : 0;
}

int eqt_year_period_make(struct eqt_year_period *out, const char *start,
			 int year, int64_t now_s, struct eqt_error *err)
{
	time_t now = (time_t) now_s;
	struct tm tm;
	int month, day;
	char end;

	if (sscanf(start, "%2d-%2d%c", &month, &day, &end) != 2 || month < 1 ||
	    month > 12 || day < 1 || midnight(2023, month, day) == 0)
		return eqt_error_set(err,
				     "\"%s\" is no day of every year such as "
				     "04-01",
				     start);
	if (year == 0 && localtime_r(&now, &tm)) {
		year = tm.tm_year + 1900;
		year -= now_s < midnight(year, month, day);
	}
	*out = (struct eqt_year_period){
		.year = year,
		.from_s = midnight(year, month, day),
		.until_s = midnight(year + 1, month, day),
	};
	if (out->from_s == 0 || out->until_s == 0 || out->from_s >= now_s)
		return eqt_error_set(err,
				     "the allocation year of %d-%s has not "
				     "begun",
				     year, start);
	out->seen_s = now_s < out->until_s ? now_s : out->until_s;
	return 0;
}

bool eqt_year_period_over(const struct eqt_year_period *period)
{
	return period->seen_s >= period->until_s;
}

int64_t eqt_year_month(int64_t at_s, char text[EQT_YEAR_TEXT])
{
	time_t at = (time_t) at_s;
	struct tm tm = { .tm_year = 0 };

	(void) localtime_r(&at, &tm);
	(void) strftime(text, EQT_YEAR_TEXT, "%Y-%m", &tm);
	return midnight(tm.tm_year + 1900 + (tm.tm_mon == 11),
			tm.tm_mon == 11 ? 1 : tm.tm_mon + 2, 1);
}

char *eqt_year_day_text(int64_t at_s, char text[EQT_YEAR_TEXT])
{
	time_t at = (time_t) at_s;
	struct tm tm = { .tm_year = 0 };

	(void) localtime_r(&at, &tm);
	(void) strftime(text, EQT_YEAR_TEXT, "%Y-%m-%d", &tm);
	return text;
}

int eqt_moment_parse(int64_t *out, const char *text, struct eqt_error *err)
{
	struct tm tm = { .tm_isdst = -1 };
	size_t length = strlen(text);
	int day = -1, used = -1;

	if (length > 4 && length < 13 && strspn(text, "0123456789") == length) {
		*out = strtoll(text, NULL, 10);
		return 0;
	}
	(void) sscanf(text, "%4d-%2d-%2d%nT%2d:%2d:%2d%n", &tm.tm_year,
		      &tm.tm_mon, &tm.tm_mday, &day, &tm.tm_hour, &tm.tm_min,
		      &tm.tm_sec, &used);
	*out = day == 10 ? midnight(tm.tm_year, tm.tm_mon, tm.tm_mday) : 0;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	if (*out > 0 && used == 19 && length == 19 && tm.tm_hour < 24 &&
	    tm.tm_min < 60 && tm.tm_sec < 60)
		*out = (int64_t) mktime(&tm);
	else if (length != 10)
		*out = 0;
	if (*out > 0)
		return 0;
	return eqt_error_set(err,
			     "\"%s\" is no moment such as 2026-11-21 or "
			     "2026-11-21T12:00:00",
			     text);
}
