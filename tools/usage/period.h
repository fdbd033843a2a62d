/* SPDX-License-Identifier: GPL-2.0-or-later */
/* period: allocation years and their months, in local time. */
#ifndef EQT_USAGE_PERIOD_H
#define EQT_USAGE_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* An allocation year. A plain value; times are in seconds since the epoch. */
struct eqt_year_period {
	int64_t from_s;
	int64_t until_s; /* the start of the next allocation year */
	int64_t seen_s; /* jobs count up to this time: now, or until_s */
};

#define EQT_YEAR_TEXT 16 /* "2026-04" or "2026-04-01", with its NUL */

/*
 * Find the allocation year that began in "year" (0: the current allocation year) on the
 * day "start", such as "04-01". If its last day was changed, last_day is the midnight of
 * that day, and otherwise 0. Returns 0, or -1 with err filled. Possible errors: a day
 * that not every year has, a year that has not begun, a last day before the first.
 */
int eqt_period_make(struct eqt_year_period *out, const char *start, int year,
		    int64_t last_day_s, int64_t now_s, struct eqt_error *err);

/* Has the year ended? If so, nothing is projected. */
bool eqt_period_over(const struct eqt_year_period *period);

/*
 * Write the month of a time, such as "2026-04", to text. Returns the start of the next
 * month.
 */
int64_t eqt_period_month(int64_t at_s, char text[EQT_YEAR_TEXT]);

/* A month or a day. A plain value; {0} is none. */
struct eqt_year_date {
	int64_t from_s, until_s;
	char text[EQT_YEAR_TEXT];
};

/* Set *date to the day or the month of a time, unless it is set to that already. */
void eqt_period_date_set(struct eqt_year_date *date, int64_t at_s, bool day);

#endif
