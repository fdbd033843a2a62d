/* SPDX-License-Identifier: GPL-2.0-or-later */
/* period: allocation years and their months, in local time. */
#ifndef EQT_USAGE_PERIOD_H
#define EQT_USAGE_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* An allocation year; a plain value. Times are seconds since the epoch. */
struct eqt_year_period {
	int year; /* in which it begins */
	int64_t from_s;
	int64_t until_s; /* the start of the next one */
	int64_t seen_s; /* jobs count until then: now, or until_s */
};

#define EQT_YEAR_TEXT 16 /* "2026-04" or "2026-04-01", with its NUL */

/*
 * The allocation year that began in that year (0: the current one) on the day start
 * ("04-01"). last_day is the midnight of its last day, if it was extended or shortened;
 * else 0. Returns 0, or -1 with err filled. Possible errors: not a day of every year, a
 * year that has not begun, a last day before the first.
 */
int eqt_period_make(struct eqt_year_period *out, const char *start, int year,
		    int64_t last_day_s, int64_t now_s, struct eqt_error *err);

/* Has the year ended? Then nothing is projected. */
bool eqt_period_over(const struct eqt_year_period *period);

/*
 * Write the month of a time, "2026-04", to text; returns the start of the next.
 */
int64_t eqt_period_month(int64_t at_s, char text[EQT_YEAR_TEXT]);

/* A month or a day; a plain value, {0} is none. */
struct eqt_year_date {
	int64_t from_s, until_s;
	char text[EQT_YEAR_TEXT];
};

/* Make *date the day or the month of a time, unless it is already. */
void eqt_period_date_set(struct eqt_year_date *date, int64_t at_s, bool day);

#endif
