/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "budget/book/calendar.h"

/* Midnight at the begin of the next month, or of the next quarter. */
static uint64_t calendar_month(uint64_t after, int months)
{
	time_t at = (time_t) after;
	struct tm tm;

	if (!localtime_r(&at, &tm))
		return 0;
	tm.tm_mon += months - tm.tm_mon % months;
	tm.tm_mday = 1;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	/* mktime() decides whether summer time holds on that day: the flag of today could be
	 * wrong by an hour. It also carries a month after December into the next year. */
	tm.tm_isdst = -1;
	at = mktime(&tm);
	return at > (time_t) after ? (uint64_t) at : 0;
}

uint64_t eqt_calendar_next(const struct eqt_budget_terms *terms, uint64_t after)
{
	switch (terms->every) {
	case EQT_BUDGET_MONTH:
		return calendar_month(after, 1);
	case EQT_BUDGET_QUARTER:
		return calendar_month(after, 3);
	case EQT_BUDGET_DATES_LISTED:
		return eqt_budget_next_date(terms, after);
	default:
		return 0;
	}
}
