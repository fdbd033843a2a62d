/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of a page about a usage: numbers, charts, and a table of months, which has
 * the numbers of the charts for those who do not see them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/chart.h"
#include "report/html.h"
#include "report/page.h"

/* In years of the unit; NAN: it has none, or it is the page of the cluster. */
double eqt_page_target(const struct eqt_report *report, const char *account,
		       int unit)
{
	const struct eqt_year_lines *lines = &report->year.lines;
	size_t i;

	for (i = 0; account && i < lines->count; i++) {
		if (strcmp(lines->line[i].key[0], account) == 0)
			return lines->line[i].allocated[unit];
	}
	return NAN;
}

/* What the year will have if it goes on as till now; NAN for a year that is over, since
 * what it has is known. */
double eqt_page_projected(const struct eqt_report *report, double years)
{
	const struct eqt_year_period *period = &report->year.period;

	if (eqt_year_period_over(period))
		return NAN;
	return years * (double) (period->until_s - period->from_s) /
	       (double) (period->seen_s - period->from_s);
}

/* An account with a target is shown with it before its first job. */
bool eqt_page_has_unit(const struct eqt_report *report,
		       const struct eqt_report_use *use, const char *account,
		       int unit)
{
	if (unit == EQT_YEAR_RGU && !report->year.weights)
		return false;
	return use->total[unit] > 0 ||
	       (unit != EQT_YEAR_CORE &&
		eqt_page_target(report, account, unit) > 0);
}

/* ---- Numbers -------------------------------------------------------------- */

/* Nothing for NAN: a line without a number would be noise. */
static void number_show(FILE *to, const char *name, double value,
			const char *unit)
{
	char text[EQT_CHART_NUMBER];

	if (!isnan(value))
		eqt_html_print(to,
			       "<div><dt>%s</dt><dd>%s <small>%s</small></dd>"
			       "</div>\n",
			       name, eqt_chart_number(text, value), unit);
}

/* What is left of a target is 0 at least. */
static void numbers_show(FILE *to, const struct eqt_report *report,
			 const struct eqt_report_use *use, const char *account,
			 int unit)
{
	const char *name = report->year.names.years[unit];
	const double used = eqt_report_years(report, use->total[unit]);
	const double target = eqt_page_target(report, account, unit);
	const double projected = eqt_page_projected(report, used);
	const double percent = target > 0 ? 100 / target : NAN;

	(void) fputs("<dl>\n", to);
	number_show(to, "Used", used, name);
	number_show(to, "Target of the year", target, name);
	number_show(to, "Used of the target", used * percent, "percent");
	number_show(to, "Left of the target",
		    target - used > 0 || isnan(target) ? target - used : 0,
		    name);
	number_show(to, "Projected", projected, name);
	number_show(to, "Projected of the target", projected * percent,
		    "percent");
	(void) fputs("</dl>\n", to);
}

/* ---- Charts --------------------------------------------------------------- */

/* The year's chart adds up parts of a year, that of the days shows how many equivalents
 * were busy on average: days at a change of the clock have 23 or 25 hours. */
static void charts_show(FILE *to, const struct eqt_report *report,
			const struct eqt_report_use *use, const char *account,
			int unit)
{
	const double year = (double) (report->year.period.until_s -
				      report->year.period.from_s);
	double *day = malloc((report->days + 1) * sizeof(*day));
	const double used = eqt_report_years(report, use->total[unit]);
	struct eqt_chart_year chart = {
		.period = &report->year.period,
		.id = unit == EQT_YEAR_CORE ? "cy" : "gy",
		.unit = report->year.names.years[unit],
		.day = day,
		.days = report->days,
		.target = eqt_page_target(report, account, unit),
		.projected = eqt_page_projected(report, used),
	};
	const struct eqt_chart_days days = {
		.period = chart.period,
		.id = unit == EQT_YEAR_CORE ? "cd" : "gd",
		.unit = unit == EQT_YEAR_CORE ? "core-equivalents"
					      : "GPU-equivalents",
		.day = day,
		.days = report->days,
	};
	size_t i;

	if (!day)
		return;
	for (i = 0; i < report->days; i++)
		day[i] = use->day[unit] ? (double) eqt_year_amount_value(
						  use->day[unit][i]) /
						  year
					: 0;
	(void) fputs("<div class=\"charts\">\n", to);
	eqt_chart_year(to, &chart);
	for (i = 0; i < report->days; i++) {
		const double length = (double) (report->day_from[i + 1] -
						report->day_from[i]);

		day[i] = length > 0 ? day[i] * year / length : 0;
	}
	eqt_chart_days(to, &days);
	(void) fputs("</div>\n", to);
	free(day);
}

/* ---- Months --------------------------------------------------------------- */

/* Exact, as the rows of equitree usage: the sums of both agree to the last digit. */
static eqt_u128 month_sum(const struct eqt_report_use *use, int unit,
			  size_t first, size_t end)
{
	eqt_u128 sum = 0;

	for (; use->day[unit] && first < end; first++)
		eqt_year_amount_add(&sum, use->day[unit][first], 1);
	return sum;
}

/* Weighted GPU-years are not among the columns: they are in the numbers above. */
static void months_show(FILE *to, const struct eqt_report *report,
			const struct eqt_report_use *use)
{
	static const struct eqt_page_column columns[] = {
		{ "Month", false },
		{ "Core-years", true },
		{ "GPU-years", true },
		{ NULL, false },
	};
	char name[EQT_YEAR_TEXT], text[EQT_YEAR_TEXT];
	size_t first = 0, end;
	int64_t next_s;

	eqt_page_table_begin(to, "Usage by month", columns);
	for (; first < report->days; first = end) {
		next_s = eqt_year_month(report->day_from[first], name);
		for (end = first;
		     end < report->days && report->day_from[end] < next_s;)
			end++;
		if (end == first)
			break;
		(void) snprintf(text, sizeof(text), "%s", name);
		(void) fputs("<tr>", to);
		eqt_page_cell(to, text);
		eqt_page_years(to,
			       eqt_report_years(report,
						month_sum(use, 0, first, end)));
		eqt_page_years(to,
			       eqt_report_years(report,
						month_sum(use, 1, first, end)));
		(void) fputs("</tr>\n", to);
	}
	eqt_page_table_end(to);
}

/* account NULL: the page of the cluster or of a user, which has no target. */
void eqt_page_usage(FILE *to, const struct eqt_report *report,
		    const struct eqt_report_use *use, const char *account)
{
	static const char *const names[] = { "Cores", "GPUs",
					     "GPUs, by weight" };
	bool any = false;
	int unit;

	for (unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
		if (!eqt_page_has_unit(report, use, account, unit))
			continue;
		any = true;
		eqt_html_print(to, "<h2>%s</h2>\n", names[unit]);
		numbers_show(to, report, use, account, unit);
		if (unit != EQT_YEAR_RGU)
			charts_show(to, report, use, account, unit);
	}
	if (any)
		months_show(to, report, use);
	else
		(void) fputs("<p>No usage in this allocation year.</p>\n", to);
}
