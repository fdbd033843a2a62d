/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_period: allocation years and their months, in local time. */
#ifndef EQT_USAGE_PERIOD_H
#define EQT_USAGE_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* An allocation year; a plain value. Times are seconds since the epoch. */
struct eqt_year_period {
	int year; /* in which it begins */
	int64_t from_s;
	int64_t until_s; /* where the next one begins */
	int64_t seen_s; /* up to when jobs count: now, or until_s */
};

#define EQT_YEAR_TEXT 16 /* "2026-04" and the NUL */

/*
 * The allocation year that begins in that year (0: the one that now is in) on
 * the day that start says ("04-01"). 0, or -1 with err filled: no such day of
 * every year, a year that has not begun.
 */
int eqt_year_period_make(struct eqt_year_period *out, const char *start,
			 int year, int64_t now_s, struct eqt_error *err);

/* Is it over? Then nothing is projected. */
bool eqt_year_period_over(const struct eqt_year_period *period);

/* The month of a moment, "2026-04", into text; returns when the next one
 * begins. */
int64_t eqt_year_month(int64_t at_s, char text[EQT_YEAR_TEXT]);

/* "2026-04-01", of a moment; returns text. */
char *eqt_year_day_text(int64_t at_s, char text[EQT_YEAR_TEXT]);

#endif
