/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Periods begin at midnight in local time. mktime() normalises days and months that are out
 * of range, and so knows the lengths of months and days with a change of the clock. */
#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

#include "usage/amounts/reset.h"

#define DAY_S 86400

time_t eqt_reset_next(uint16_t period, time_t last)
{
	struct tm day;

	if (!localtime_r(&last, &day))
		return 0;
	day.tm_sec = day.tm_min = day.tm_hour = 0;
	day.tm_isdst = -1; /* mktime() finds out whether it is summer time */
	switch (period) {
	case PRIORITY_RESET_DAILY:
		day.tm_mday++;
		break;
	case PRIORITY_RESET_WEEKLY:
		day.tm_mday += 7 - day.tm_wday;
		break;
	case PRIORITY_RESET_MONTHLY:
		day.tm_mday = 1;
		day.tm_mon++;
		break;
	case PRIORITY_RESET_QUARTERLY:
		day.tm_mday = 1;
		day.tm_mon += 3 - day.tm_mon % 3;
		break;
	case PRIORITY_RESET_YEARLY:
		day.tm_mday = 1;
		day.tm_mon = 0;
		day.tm_year++;
		break;
	default:
		return 0;
	}
	return mktime(&day);
}

time_t eqt_reset_next_stock(uint16_t period, time_t last, time_t now)
{
	time_t length = period == PRIORITY_RESET_DAILY ? DAY_S : 7 * DAY_S;
	time_t next;
	struct tm day;

	if (period != PRIORITY_RESET_DAILY && period != PRIORITY_RESET_WEEKLY)
		return eqt_reset_next(period, last);
	if (!localtime_r(&last, &day))
		return 0;
	day.tm_sec = day.tm_min = day.tm_hour = 0;
	day.tm_isdst = -1;
	next = mktime(&day) + length;
	if (period == PRIORITY_RESET_WEEKLY)
		next -= day.tm_wday * DAY_S;
	if (now - next > length)
		next += (now - next - 1) / length * length;
	return next;
}
