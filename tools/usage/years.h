/* SPDX-License-Identifier: GPL-2.0-or-later */
/* years: the numbers of a report, for its table and for JSON. */
#ifndef EQT_USAGE_YEARS_H
#define EQT_USAGE_YEARS_H

#include "usage/usage.h"

/* Money of some usage: of EQT_YEAR_CORE_MONEY or EQT_YEAR_GPU_MONEY. */
double eqt_year_money(const long double used[EQT_YEAR_UNITS], int unit);

/* Equivalent-seconds in allocation years. */
double eqt_year_amount_years(const struct eqt_year *usage, long double seconds);

/* Are the lines projected? Neither months nor a finished year are. */
bool eqt_year_is_projected(const struct eqt_year *usage);

/* What the year will have at the present rate, in years. */
double eqt_year_projected(const struct eqt_year *usage, long double seconds);

/* Percent of an allocation; NAN without one. */
double eqt_year_percent(double used, double allocated);

#endif
