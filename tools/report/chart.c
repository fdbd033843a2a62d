/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charts are SVG within the page, so they need no script and no other file. Colours are
 * classes that the style of the page defines for light, dark and print. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "report/chart.h"
#include "report/html.h"
#include "slurm/text/timestamp.h"

#define WIDTH 480
#define HEIGHT 230
#define LEFT 52
#define RIGHT 470
#define TOP 12
#define BOTTOM 200
#define DAYS_MAX 30
#define LABEL 24

/* The scale of values and times. */
struct scale {
	double top; /* the value at TOP */
	double from, until; /* the times at LEFT and RIGHT */
};

/* A time as a pixel of the view box, which the browser scales. */
static double scale_x(const struct scale *scale, double at)
{
	return LEFT + (RIGHT - LEFT) * (at - scale->from) /
			      (scale->until - scale->from);
}

/* The vertical position of a value. In the drawing y grows downwards. */
static double scale_y(const struct scale *scale, double value)
{
	return BOTTOM - (BOTTOM - TOP) * value / scale->top;
}

/* The least top of a scale whose quarters differ as eqt_chart_number() prints them. */
#define TOP_LEAST 0.0004

/* The smallest number that is not below the value and is 1, 2, 4, 5 or 8 times a power of
 * ten. Quarters of such numbers have few digits. */
static double scale_round(double value)
{
	static const double nice[] = { 1, 2, 4, 5, 8, 10 };
	double power;
	size_t i;

	if (!(value > 0))
		return 1;
	if (value < TOP_LEAST)
		return TOP_LEAST;
	power = pow(10, floor(log10(value)));
	for (i = 0; i + 1 < sizeof(nice) / sizeof(nice[0]); i++) {
		if (value <= nice[i] * power)
			break;
	}
	return nice[i] * power;
}

char *eqt_chart_number(char buf[EQT_CHART_NUMBER], double value)
{
	char digits[EQT_CHART_NUMBER];
	size_t length, i, used = 0;

	if (isnan(value)) {
		(void) snprintf(buf, EQT_CHART_NUMBER, "-");
	} else if (fabs(value) < 0.0001) {
		(void) snprintf(buf, EQT_CHART_NUMBER, "%s",
				value == 0 ? "0" : "<0.0001");
	} else if (fabs(value) < 1000 || fabs(value) > 1e15) {
		(void) snprintf(buf, EQT_CHART_NUMBER, "%.3g", value);
	} else {
		(void) snprintf(digits, sizeof(digits), "%.0f", value);
		length = strlen(digits);
		for (i = 0; i < length && used + 2 < EQT_CHART_NUMBER; i++) {
			if (i > 0 && (length - i) % 3 == 0 &&
			    digits[i - 1] != '-')
				buf[used++] = ',';
			buf[used++] = digits[i];
		}
		buf[used] = '\0';
	}
	return buf;
}

/* ---- Parts ---------------------------------------------------------------- */

static void chart_begin(FILE *to, const char *id)
{
	eqt_html_print(to,
		       "<svg viewBox=\"0 0 %d %d\" role=\"img\" "
		       "aria-labelledby=\"%s-t %s-d\">\n",
		       WIDTH, HEIGHT, id, id);
}

/* Draw lines at quarters of the height, with their values. The axis begins at 0, so that
 * heights can be compared. */
static void chart_values(FILE *to, const struct scale *scale)
{
	char number[EQT_CHART_NUMBER];

	for (int i = 0; i <= 4; i++) {
		const double y = scale_y(scale, scale->top * i / 4);

		eqt_html_print(to,
			       "<path class=\"grid\" d=\"M%d %.1fH%d\"/>"
			       "<text x=\"%d\" y=\"%.1f\" "
			       "text-anchor=\"end\">%s</text>\n",
			       LEFT, y, RIGHT, LEFT - 6, y + 4,
			       eqt_chart_number(number, scale->top * i / 4));
	}
}

/* Write a name below its time. The last name ends within the drawing. */
static void chart_time(FILE *to, double x, const char *name)
{
	const bool last = x > RIGHT - 24;

	eqt_html_print(to,
		       "<path class=\"grid\" d=\"M%.1f %dv4\"/>"
		       "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s"
		       "</text>\n",
		       x, BOTTOM, last ? WIDTH - 2.0 : x, BOTTOM + 18,
		       last ? "end" : "middle", name);
}

/* Write the first day of every second month, because twelve names would not fit on a
 * phone. */
static void chart_months(FILE *to, const struct scale *scale)
{
	char text[EQT_YEAR_TEXT], name[LABEL];
	int64_t at_s = (int64_t) scale->from;
	int month = 0;

	while ((at_s = eqt_period_month(at_s, text)) != 0 &&
	       (double) at_s < scale->until) {
		if (month++ % 2 == 1)
			chart_time(to, scale_x(scale, (double) at_s),
				   eqt_timestamp_text(name, LABEL, "%b", at_s));
	}
}

/* ---- A year --------------------------------------------------------------- */

/* The usage so far. */
static double chart_used(const struct eqt_chart_year *chart)
{
	double used = 0;

	for (size_t i = 0; i < chart->days; i++)
		used += chart->day[i];
	return used;
}

/* Describe the chart with the same numbers as the text around it. */
static void year_describe(FILE *to, const struct eqt_chart_year *chart)
{
	char number[EQT_CHART_NUMBER], day[EQT_YEAR_TEXT];

	eqt_html_print(to,
		       "<title id=\"%s-t\">Usage of the year in %s</title>"
		       "<desc id=\"%s-d\">Used until %s: %s %s",
		       chart->id, chart->unit, chart->id,
		       eqt_timestamp_text(day, EQT_YEAR_TEXT, "%Y-%m-%d",
					  chart->period->seen_s),
		       eqt_chart_number(number, chart_used(chart)),
		       chart->unit);
	if (!isnan(chart->target))
		eqt_html_print(to, "; target of the year: %s",
			       eqt_chart_number(number, chart->target));
	if (!isnan(chart->projected))
		eqt_html_print(to, "; projected to its end: %s",
			       eqt_chart_number(number, chart->projected));
	(void) fputs(".</desc>\n", to);
}

/* Draw the usage: the area, then the line over it, then the projection. */
static void year_used(FILE *to, const struct eqt_chart_year *chart,
		      const struct scale *scale)
{
	const double seen = (double) chart->period->seen_s;
	double sum = 0, x = LEFT, end;
	size_t i;

	for (int area = 1; area >= 0; area--) {
		eqt_html_print(to, "<path class=\"%s\" d=\"M%d %d",
			       area ? "area" : "used", LEFT, BOTTOM);
		for (sum = 0, i = 0; i < chart->days; i++) {
			end = scale->from + 86400.0 * (double) (i + 1);
			if (end > seen || i + 1 == chart->days)
				end = seen;
			x = scale_x(scale, end);
			sum += chart->day[i];
			/* Flat stretches need no points of their own. */
			if (chart->day[i] > 0 || i + 1 == chart->days ||
			    chart->day[i + 1] > 0)
				eqt_html_print(to, "L%.1f %.1f", x,
					       scale_y(scale, sum));
		}
		if (area)
			eqt_html_print(to, "V%dZ", BOTTOM);
		(void) fputs("\"/>\n", to);
	}
	if (!isnan(chart->projected))
		eqt_html_print(to,
			       "<path class=\"projected\" d=\"M%.1f %.1fL%d "
			       "%.1f\"/>\n",
			       x, scale_y(scale, sum), RIGHT,
			       scale_y(scale, chart->projected));
}

static void year_legend(FILE *to, const struct eqt_chart_year *chart)
{
	static const struct {
		const char *class, *name;
	} lines[] = { { "used", "used" },
		      { "target", "target" },
		      { "projected", "projection" } };

	(void) fputs("<p class=\"legend\">", to);
	for (size_t i = 0; i < 3; i++) {
		if ((i == 1 && isnan(chart->target)) ||
		    (i == 2 && isnan(chart->projected)))
			continue;
		eqt_html_print(to,
			       "<span><svg class=\"key\" viewBox=\"0 0 28 8\" "
			       "aria-hidden=\"true\"><path class=\"%s\" d=\"M0 "
			       "4H28\"/></svg> %s</span> ",
			       lines[i].class, lines[i].name);
	}
	(void) fputs("</p>\n", to);
}

void eqt_chart_year(FILE *to, const struct eqt_chart_year *chart)
{
	struct scale scale = { chart_used(chart),
			       (double) chart->period->from_s,
			       (double) chart->period->until_s };

	if (chart->target > scale.top)
		scale.top = chart->target;
	if (chart->projected > scale.top)
		scale.top = chart->projected;
	scale.top = scale_round(scale.top);
	(void) fputs("<figure>\n", to);
	chart_begin(to, chart->id);
	year_describe(to, chart);
	chart_values(to, &scale);
	chart_months(to, &scale);
	if (!isnan(chart->target))
		eqt_html_print(
			to, "<path class=\"target\" d=\"M%d %dL%d %.1f\"/>\n",
			LEFT, BOTTOM, RIGHT, scale_y(&scale, chart->target));
	year_used(to, chart, &scale);
	(void) fputs("</svg>\n", to);
	eqt_html_print(to, "<figcaption>%s, added up</figcaption>\n",
		       chart->unit);
	year_legend(to, chart);
	(void) fputs("</figure>\n", to);
}

/* ---- Days ----------------------------------------------------------------- */

void eqt_chart_days(FILE *to, const struct eqt_chart_days *chart)
{
	const size_t first = chart->days > DAYS_MAX ? chart->days - DAYS_MAX
						    : 0;
	struct scale scale = { 0, (double) first, (double) first + DAYS_MAX };
	char number[EQT_CHART_NUMBER], name[LABEL];
	double sum = 0;

	for (size_t i = first; i < chart->days; i++) {
		sum += chart->day[i];
		if (chart->day[i] > scale.top)
			scale.top = chart->day[i];
	}
	scale.top = scale_round(scale.top);
	(void) fputs("<figure>\n", to);
	chart_begin(to, chart->id);
	eqt_html_print(
		to,
		"<title id=\"%s-t\">The last %zu days in %s</title>"
		"<desc id=\"%s-d\">Mean of these days: %s.</desc>\n",
		chart->id, chart->days - first, chart->unit, chart->id,
		eqt_chart_number(number,
				 chart->days > first
					 ? sum / (double) (chart->days - first)
					 : 0));
	chart_values(to, &scale);
	for (size_t i = first; i < chart->days; i++) {
		const double x = scale_x(&scale, (double) i);
		const double y = scale_y(&scale, chart->day[i]);
		const int64_t noon_s =
			chart->period->from_s + 86400 * (int64_t) i + 43200;

		if ((chart->days - 1 - i) % 7 == 0)
			chart_time(to, x + 7,
				   eqt_timestamp_text(name, LABEL, "%d %b",
						      noon_s));
		if (chart->day[i] > 0)
			eqt_html_print(to,
				       "<path class=\"bar\" d=\"M%.1f "
				       "%.1fh11V%dh-11Z\"/>\n",
				       x + 1.5, y, BOTTOM);
	}
	(void) fputs("</svg>\n", to);
	eqt_html_print(to,
		       "<figcaption>%s in use, mean of each of the last %d "
		       "days</figcaption>\n</figure>\n",
		       chart->unit, DAYS_MAX);
}
