/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _DEFAULT_SOURCE /* for timegm() */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "slurm/text/timestamp.h"

#define DAY_LENGTH 10 /* the length of "2026-04-01" */
#define MOMENT_LENGTH 19 /* the length of "2026-04-01T00:00:00" */
#define SECONDS_LENGTH 12 /* digits of seconds since the epoch */

int64_t eqt_timestamp_midnight(int year, int month, int day)
{
	struct tm tm = { .tm_year = year - 1900,
			 .tm_mon = month - 1,
			 .tm_mday = day,
			 .tm_isdst = -1 };
	time_t at = mktime(&tm);

	/* mktime() turns 31 April into 1 May, so compare the day. */
	return at > 0 && tm.tm_mon == month - 1 && tm.tm_mday == day
		       ? (int64_t) at
		       : 0;
}

/* Seconds since the epoch for a date and time, or 0 if they are invalid. */
static int64_t moment_parse(const char *text)
{
	struct tm tm = { .tm_isdst = -1 };
	int used = -1;

	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon,
		   &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec,
		   &used) != 6 ||
	    used != MOMENT_LENGTH || text[used] != '\0' || tm.tm_hour > 23 ||
	    tm.tm_min > 59 || tm.tm_sec > 60 ||
	    eqt_timestamp_midnight(tm.tm_year, tm.tm_mon, tm.tm_mday) == 0)
		return 0;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	return (int64_t) mktime(&tm);
}

/* Read seconds since the epoch. This must be fast, because the list of a year has two
 * such times per job. Returns false if the text is not such a number. */
static bool seconds_parse(int64_t *out, const char *text)
{
	size_t length;

	for (length = 0; length < SECONDS_LENGTH && text[length] >= '0' &&
			 text[length] <= '9';
	     length++)
		*out = *out * 10 + (text[length] - '0');
	return length > 0 && text[length] == '\0';
}

int eqt_timestamp_parse(int64_t *out, const char *text)
{
	*out = 0;
	if (seconds_parse(out, text))
		return 1;
	*out = 0;
	if (text[0] == '\0' || strcmp(text, "Unknown") == 0 ||
	    strcmp(text, "None") == 0)
		return 0;
	*out = moment_parse(text);
	return *out > 0 ? 1 : -1;
}

/* The midnight at the start of "2026-04-01", or 0 if the text is not a day. */
static int64_t day_parse(const char *text)
{
	int year, month, day, used = -1;

	if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3 ||
	    used != DAY_LENGTH || text[used] != '\0')
		return 0;
	return eqt_timestamp_midnight(year, month, day);
}

int eqt_timestamp_option(int64_t *out, const char *text, struct eqt_error *err)
{
	/* A number of up to four digits is more likely a year than seconds. */
	bool year = strspn(text, "0123456789") == strlen(text) &&
		    strlen(text) <= 4;

	*out = day_parse(text);
	if (*out > 0 || (!year && eqt_timestamp_parse(out, text) > 0))
		return 0;
	return eqt_error_set(err,
			     "\"%s\": expected a time such as 2026-11-21 or "
			     "2026-11-21T12:00:00",
			     text);
}

int eqt_timestamp_put(void *to, const char *text, struct eqt_error *err)
{
	return eqt_timestamp_option(to, text, err);
}

char *eqt_timestamp_text(char *buf, size_t size, const char *format,
			 int64_t at_s)
{
	const time_t at = (time_t) at_s;
	struct tm tm;

	buf[0] = '\0';
	if (localtime_r(&at, &tm))
		(void) strftime(buf, size, format, &tm);
	return buf;
}

int64_t eqt_timestamp_day(int64_t at_s, char text[EQT_TIMESTAMP_DAY])
{
	time_t at = (time_t) at_s;
	struct tm tm = { .tm_year = 0 };

	(void) localtime_r(&at, &tm);
	(void) strftime(text, EQT_TIMESTAMP_DAY, "%Y-%m-%d", &tm);
	tm.tm_mday++;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_isdst = -1;
	return (int64_t) mktime(&tm);
}

char *eqt_timestamp_utc(char *buf, size_t size, int64_t at_s)
{
	const time_t at = (time_t) at_s;
	struct tm tm;

	if (!gmtime_r(&at, &tm) ||
	    strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		buf[0] = '\0';
	return buf;
}

/* A date that does not exist, such as 31 April, is written differently from how it was
 * read. */
int eqt_timestamp_utc_parse(int64_t *out, const char *text)
{
	struct tm tm = { .tm_isdst = 0 };
	char again[32];

	(void) sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &tm.tm_year, &tm.tm_mon,
		      &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec);
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	*out = (int64_t) timegm(&tm);
	return *out > 0 && strcmp(eqt_timestamp_utc(again, sizeof(again), *out),
				  text) == 0
		       ? 0
		       : -1;
}
