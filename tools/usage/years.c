/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All amounts are sums of equivalents times seconds until they are shown: a year has 365 or
 * 366 days, and may have been extended. */
#include <math.h>

#include "usage/years.h"

/* Money of some usage, which is summed as the money for an hour times seconds. */
double eqt_year_money(const long double used[EQT_YEAR_UNITS], int unit)
{
	return (double) (used[unit] / 3600);
}

/* A year is the whole allocation year: one core from its first to its last
 * second is one core-year. */
double eqt_year_amount_years(const struct eqt_year *usage, long double seconds)
{
	return (double) (seconds / (long double) (usage->period.until_s -
						  usage->period.from_s));
}

/* Neither a month nor a finished year is projected. */
bool eqt_year_is_projected(const struct eqt_year *usage)
{
	return !eqt_year_sum_by_date(&usage->sum) &&
	       !eqt_year_period_over(&usage->period);
}

/* The usage of the whole year at the present rate. A year that has just begun is
 * projected from little: the first days may say nothing. */
double eqt_year_projected(const struct eqt_year *usage, long double seconds)
{
	return (double) (seconds / (long double) (usage->period.seen_s -
						  usage->period.from_s));
}

/* NAN without an allocation. */
double eqt_year_percent(double used, double allocated)
{
	return allocated > 0 ? 100 * used / allocated : NAN;
}
