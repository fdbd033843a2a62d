/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chart: drawings within a page (SVG), each with a title and a description for
 * those who do not see it. */
#ifndef EQT_REPORT_CHART_H
#define EQT_REPORT_CHART_H

#include <stdio.h>

#include "usage/period.h"

/* Usage of an allocation year, added up; a plain value. */
struct eqt_chart_year {
	const struct eqt_year_period *period;
	const char *id; /* of the drawing, once in a page */
	const char *unit; /* "core-years" */
	const double *day; /* what was used on each day, in that unit */
	size_t days; /* so far, the present one included */
	double target; /* of the year; NAN: none */
	double projected; /* at its end; NAN: the year is over */
};

/* A line of what was used, with the target and the projection. */
void eqt_chart_year(FILE *to, const struct eqt_chart_year *chart);

/* Columns of the last days. */
struct eqt_chart_days {
	const struct eqt_year_period *period;
	const char *id;
	const char *unit; /* "core-equivalents" */
	const double *day; /* the mean of each day */
	size_t days;
};

/* Draw columns for the last days, in the order of time, as an SVG in a <figure>. */
void eqt_chart_days(FILE *to, const struct eqt_chart_days *chart);

/* Write a number with three or four digits, "1,234" or "0.0123". */
#define EQT_CHART_NUMBER 40
char *eqt_chart_number(char buf[EQT_CHART_NUMBER], double value);

#endif
