/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chart: drawings within a page (SVG). Each has a title and a description for readers who
 * do not see it. */
#ifndef EQT_REPORT_CHART_H
#define EQT_REPORT_CHART_H

#include <stdio.h>

#include "usage/period.h"

/* Usage of an allocation year, added up; a plain value. */
struct eqt_chart_year {
	const struct eqt_year_period *period;
	const char *id; /* of the drawing, unique in the page */
	const char *unit; /* "core-years" */
	const double *day; /* the usage of each day, in that unit */
	size_t days; /* so far, the present one included */
	double target; /* of the year; NAN: none */
	double projected; /* at its end; NAN: the year is over */
};

/* Draw a line of the usage, with the target and the projection, in a <figure>. */
void eqt_chart_year(FILE *to, const struct eqt_chart_year *chart);

/* Usage of single days; a plain value. */
struct eqt_chart_days {
	const struct eqt_year_period *period;
	const char *id;
	const char *unit; /* "core-equivalents" */
	const double *day; /* the mean of each day */
	size_t days;
};

/* Draw columns for the last days, in the order of time, in a <figure>. */
void eqt_chart_days(FILE *to, const struct eqt_chart_days *chart);

/* Write a number with three digits, or whole from a thousand on: "0.0123", "1,234". Returns
 * buf. */
#define EQT_CHART_NUMBER 40
char *eqt_chart_number(char buf[EQT_CHART_NUMBER], double value);

#endif
