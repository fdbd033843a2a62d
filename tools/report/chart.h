/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chart: drawings within a page, in SVG. Each has a title and a description for readers
 * who cannot see it. */
#ifndef EQT_REPORT_CHART_H
#define EQT_REPORT_CHART_H

#include <stdio.h>

#include "usage/period.h"

/* The usage of an allocation year, added up from day to day. A plain value. */
struct eqt_chart_year {
	const struct eqt_year_period *period;
	const char *id; /* id of the drawing, unique in the page */
	const char *unit; /* such as "core-years" */
	const double *day; /* the usage of each day, in that unit */
	size_t days; /* days so far, including the present one */
	double target; /* target of the year; NAN: there is none */
	/* usage at the end of the year; NAN: the year is over */
	double projected;
};

/* Draw the usage as a line, with the target and the projection, in a <figure>. */
void eqt_chart_year(FILE *to, const struct eqt_chart_year *chart);

/* The usage of single days. A plain value. */
struct eqt_chart_days {
	const struct eqt_year_period *period;
	const char *id;
	const char *unit; /* such as "core-equivalents" */
	const double *day; /* the mean of each day */
	size_t days;
};

/* Draw columns for the last days, in the order of time, in a <figure>. */
void eqt_chart_days(FILE *to, const struct eqt_chart_days *chart);

/* Write a number with three digits, or as a whole number from a thousand upwards:
 * "0.0123", "1,234". Returns buf. */
#define EQT_CHART_NUMBER 40
char *eqt_chart_number(char buf[EQT_CHART_NUMBER], double value);

#endif
