/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users type the names of accounts and the reasons of jobs, so eqt_html_print() escapes
 * all of Slurm's texts. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/chart.h"
#include "report/html.h"
#include "cli/alloc.h"
#include "report/page.h"
#include "usage/sum.h"
#include "slurm/text/timestamp.h"

/* ---- Usage --------------------------------------------------------------------------
 * The part of a page about usage has numbers, charts, and a table of months for readers
 * who cannot see the charts. */

double eqt_page_target(const struct eqt_report *report, const char *account,
		       int unit)
{
	const struct eqt_year_lines *lines = &report->year.lines;

	for (size_t i = 0; account && i < lines->count; i++) {
		if (strcmp(lines->line[i].key[0], account) == 0)
			return lines->line[i].allocated[unit];
	}
	return NAN;
}

double eqt_page_projected(const struct eqt_report *report, double years)
{
	const struct eqt_year_period *period = &report->year.period;

	if (eqt_period_over(period))
		return NAN;
	return years * (double) (period->until_s - period->from_s) /
	       (double) (period->seen_s - period->from_s);
}

/* The page of an account shows its targets even before its first job. */
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

void eqt_page_term(FILE *to, const char *name, double value, const char *unit)
{
	char text[EQT_CHART_NUMBER];

	if (!isnan(value))
		eqt_html_print(to,
			       "<div><dt>%s</dt><dd>%s <small>%s</small></dd>"
			       "</div>\n",
			       name, eqt_chart_number(text, value), unit);
}

/* One digit behind the point is enough for a part of a target. */
static void percent_show(FILE *to, const char *name, double percent)
{
	if (isnan(percent))
		return;
	if (percent > 0 && percent < 0.1)
		eqt_html_print(to,
			       "<div><dt>%s</dt><dd>below 0.1 "
			       "<small>%%</small></dd></div>\n",
			       name);
	else
		eqt_html_print(to,
			       "<div><dt>%s</dt><dd>%.1f <small>%%</small>"
			       "</dd></div>\n",
			       name, percent);
}

/* What is left of a target is never negative. */
static void numbers_show(FILE *to, const struct eqt_report *report,
			 const struct eqt_report_use *use, const char *account,
			 int unit)
{
	const char *name = report->year.names.years[unit];
	const double used = eqt_report_used(report, unit, use->total[unit]);
	const double target = eqt_page_target(report, account, unit);
	const double projected = eqt_page_projected(report, used);
	const double percent = target > 0 ? 100 / target : NAN;

	(void) fputs("<dl>\n", to);
	eqt_page_term(to, "Used", used, name);
	eqt_page_term(to, "Target of the year", target, name);
	percent_show(to, "Used of the target", used * percent);
	eqt_page_term(to, "Left of the target",
		      target - used > 0 || isnan(target) ? target - used : 0,
		      name);
	eqt_page_term(to, "Projected", projected, name);
	percent_show(to, "Projected of the target", projected * percent);
	(void) fputs("</dl>\n", to);
}

/* ---- Charts --------------------------------------------------------------- */

/* The chart of the year adds up parts of a year. The chart of days shows how many
 * equivalents were busy on average. When the clock changes, a day has 23 or 25 hours. */
static void charts_show(FILE *to, const struct eqt_report *report,
			const struct eqt_report_use *use, const char *account,
			int unit)
{
	const double year = (double) (report->year.period.until_s -
				      report->year.period.from_s);
	double *day = eqt_alloc(report->days + 1, sizeof(*day));
	const double used = eqt_report_used(report, unit, use->total[unit]);
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

	for (size_t i = 0; i < report->days; i++)
		day[i] = use->day[unit] ? (double) eqt_sum_amount_value(
						  use->day[unit][i]) /
						  year
					: 0;
	(void) fputs("<div class=\"charts\">\n", to);
	eqt_chart_year(to, &chart);
	for (size_t i = 0; i < report->days; i++) {
		const double length = (double) (report->day_from[i + 1] -
						report->day_from[i]);

		day[i] = length > 0 ? day[i] * year / length : 0;
	}
	eqt_chart_days(to, &days);
	(void) fputs("</div>\n", to);
	free(day);
}

/* ---- Months --------------------------------------------------------------- */

/* The sum over some days. It is exact, so that it agrees with equitree usage to the last
 * digit. */
static eqt_u128 month_sum(const struct eqt_report_use *use, int unit,
			  size_t first, size_t end)
{
	eqt_u128 sum = 0;

	for (; use->day[unit] && first < end; first++)
		eqt_sum_amount_add(&sum, use->day[unit][first], 1);
	return sum;
}

/* The first day with any usage. Accounting has nothing about earlier days. */
static size_t day_first(const struct eqt_report *report)
{
	size_t day = 0;

	while (day + 1 < report->days &&
	       month_sum(&report->use, EQT_YEAR_CORE, day, day + 1) == 0 &&
	       month_sum(&report->use, EQT_YEAR_GPU, day, day + 1) == 0)
		day++;
	return day;
}

/* Weighted GPU-years have no column in this table, but are among the numbers above it. */
static void months_show(FILE *to, const struct eqt_report *report,
			const struct eqt_report_use *use)
{
	char name[EQT_YEAR_TEXT];
	size_t first = day_first(report), end;
	int64_t next_s;

	eqt_page_table_begin(to, "Usage by month",
			     "Month|>Core-years|>GPU-years");
	for (; first < report->days; first = end) {
		next_s = eqt_period_month(report->day_from[first], name);
		for (end = first;
		     end < report->days && report->day_from[end] < next_s;)
			end++;
		if (end == first)
			break;
		(void) fputs("<tr>", to);
		eqt_page_cell(to, name);
		eqt_page_amount(to,
				eqt_report_used(report, EQT_YEAR_CORE,
						month_sum(use, 0, first, end)));
		eqt_page_amount(to,
				eqt_report_used(report, EQT_YEAR_GPU,
						month_sum(use, 1, first, end)));
		(void) fputs("</tr>\n", to);
	}
	eqt_page_table_end(to);
}

void eqt_page_usage(FILE *to, const struct eqt_report *report,
		    const struct eqt_report_use *use, const char *account)
{
	static const char *const names[] = { "Cores", "GPUs", "GPUs, by weight",
					     "Energy", "CO2e" };
	const struct eqt_year_sum *sum = &report->year.sum;
	char words[EQT_ENERGY_WORDS];
	bool any = false;

	for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_CO2E; unit++) {
		if (!eqt_page_has_unit(report, use, account, unit))
			continue;
		any = true;
		eqt_html_print(to, "<h2>%s</h2>\n", names[unit]);
		numbers_show(to, report, use, account, unit);
		if (unit < EQT_YEAR_RGU)
			charts_show(to, report, use, account, unit);
	}
	if (use->total[EQT_YEAR_ENERGY] > 0)
		eqt_html_print(
			to,
			"<p>Energy of jobs that ended, as Slurm recorded "
			"it. %s</p>\n",
			eqt_energy_words(words, &report->year.energy,
					 &sum->used));
	if (any)
		months_show(to, report, use);
	else
		(void) fputs("<p>No usage in this allocation year.</p>\n", to);
}

/* ---- Style --------------------------------------------------------------------------
 * The style and the script of all pages. In light and in dark, text has a contrast of at
 * least 4.5 to its background, and lines of charts have at least 3.
 * tests/tools/report_browser.t computes the contrast in a browser. */

static const char style_css[] =
	":root{color-scheme:light dark;--ground:#fff;--text:#1b1f24;"
	"--soft:#545d68;--line:#d0d7de;--shade:#f3f5f8;--used:#0b5cad;"
	"--area:#0b5cad33;--target:#9a4a00;--bad:#a8201a;--good:#14692e;"
	"--link:#0b5cad}\n"
	"@media (prefers-color-scheme:dark){:root{--ground:#14181d;"
	"--text:#e6e9ed;--soft:#a3adb8;--line:#39424d;--shade:#1e242b;"
	"--used:#6cb6ff;--area:#6cb6ff33;--target:#f0a860;--bad:#ff938a;"
	"--good:#6fd38a;--link:#6cb6ff}}\n"
	"*{box-sizing:border-box}\n"
	"body{margin:0 auto;padding:1rem;max-width:72rem;"
	"background:var(--ground);color:var(--text);"
	"font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
	"a{color:var(--link)}\n"
	"header{border-bottom:2px solid var(--line);margin-bottom:1rem}\n"
	"nav a{margin-right:1rem;display:inline-block;padding:.25rem 0}\n"
	"h1{font-size:1.6rem;line-height:1.25;margin:.25rem 0}\n"
	"h2{font-size:1.2rem;margin:2rem 0 .5rem}\n"
	".soft,figcaption,caption,footer,dt{color:var(--soft)}\n"
	"dl{display:grid;gap:.75rem;margin:1rem 0;"
	"grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr))}\n"
	"dl div{background:var(--shade);border-radius:.4rem;"
	"padding:.6rem .8rem}\n"
	"dt{font-size:.85rem}\n"
	"dd{margin:0;font-size:1.25rem;font-weight:600;"
	"font-variant-numeric:tabular-nums}\n"
	"dd small{display:block;font-size:.85rem;font-weight:400;"
	"color:var(--soft)}\n"
	".charts{display:grid;gap:1.5rem;"
	"grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr))}\n"
	"figure{margin:0;max-width:36rem}\n"
	"figcaption,.legend,caption{font-size:.9rem}\n"
	"figure svg{width:100%;height:auto;display:block}\n"
	"svg text{fill:var(--soft);font:13px system-ui,sans-serif}\n"
	".grid{stroke:var(--line);fill:none}\n"
	".used,.target,.projected{fill:none;stroke-width:2.5}\n"
	".used,.projected{stroke:var(--used)}\n"
	".target{stroke:var(--target);stroke-dasharray:9 5}\n"
	".projected{stroke-dasharray:2 5;stroke-linecap:round}\n"
	".area{fill:var(--area)}.bar{fill:var(--used)}\n"
	".legend{margin:.25rem 0 0}.legend span{margin-right:1rem}\n"
	"figure .key{display:inline-block;width:28px;height:8px}\n"
	".scroll{overflow-x:auto;position:relative}\n"
	".scroll:focus-visible,button:focus-visible,a:focus-visible{"
	"outline:3px solid var(--used);outline-offset:2px}\n"
	"table{border-collapse:collapse;width:100%;font-size:.95rem;"
	"font-variant-numeric:tabular-nums}\n"
	"caption{text-align:left;padding:1rem 0 .25rem}\n"
	"th,td{text-align:left;padding:.35rem .6rem;vertical-align:top;"
	"border-bottom:1px solid var(--line);overflow-wrap:break-word}\n"
	"th{background:var(--shade);vertical-align:bottom}\n"
	"td.n,th.n{text-align:right;white-space:nowrap}\n"
	"td.words{min-width:14rem}\n"
	"td.t{white-space:nowrap}\n"
	"th button{font:inherit;font-weight:inherit;color:inherit;"
	"background:none;border:0;padding:0;cursor:pointer;"
	"text-align:inherit}\n"
	"th button::after{content:\"\\2195\";color:var(--soft);"
	"margin-left:.3em;font-weight:400}\n"
	"th[aria-sort=ascending] button::after{content:\"\\2191\"}\n"
	"th[aria-sort=descending] button::after{content:\"\\2193\"}\n"
	".bad{color:var(--bad)}.good{color:var(--good)}\n"
	"footer{border-top:1px solid var(--line);margin-top:2rem;"
	"padding-top:.5rem;font-size:.9rem}\n"
	"@media print{:root{--ground:#fff;--text:#000;--soft:#333;"
	"--line:#999;--shade:#fff;--used:#003d80;--area:#003d8022;"
	"--target:#7a3a00;--bad:#8a0000;--good:#004d1a;--link:#000}"
	"body{max-width:none;padding:0;font-size:10pt}table{font-size:8pt}"
	"nav,th button::after{display:none}"
	".scroll{overflow:visible}figure,tr{break-inside:avoid}"
	"thead{display:table-header-group}h2{break-after:avoid}}\n";

/* The script sorts a table by a heading. The tables are complete without the script. */
static const char style_script[] =
	"\"use strict\";\n"
	"document.querySelectorAll(\"table\").forEach(function(table){\n"
	"var body=table.tBodies[0];\n"
	"if(!body||body.rows.length<2)return;\n"
	"table.querySelectorAll(\"thead th\").forEach(function(th,at){\n"
	"var button=document.createElement(\"button\");\n"
	"button.type=\"button\";button.textContent=th.textContent;\n"
	"th.textContent=\"\";th.appendChild(button);\n"
	"button.addEventListener(\"click\",function(){\n"
	"var up=th.getAttribute(\"aria-sort\")===\"descending\"||\n"
	"(!th.hasAttribute(\"aria-sort\")&&!th.classList.contains(\"n\"));\n"
	"table.querySelectorAll(\"th\").forEach(function(other){\n"
	"other.removeAttribute(\"aria-sort\")});\n"
	"th.setAttribute(\"aria-sort\",up?\"ascending\":\"descending\");\n"
	"var key=function(row){var cell=row.cells[at];\n"
	"return cell.hasAttribute(\"data-v\")?\n"
	"Number(cell.getAttribute(\"data-v\")):cell.textContent};\n"
	"Array.from(body.rows).map(function(row){\n"
	"return{row:row,key:key(row)}}).sort(function(a,b){\n"
	"var order=typeof a.key===\"number\"?a.key-b.key:\n"
	"a.key.localeCompare(b.key,undefined,{numeric:true});\n"
	"return up?order:-order}).forEach(function(one){\n"
	"body.appendChild(one.row)})})})});\n";

/* The SHA-256 of the script in the form of a Content-Security-Policy, so that a browser
 * runs this script and no other. */
static const char style_script_hash[] =
	"sha256-asxDKGJM/Ory+YVYATGEj5IRkarHOfBO7Q1GH/D7htU=";

/* ---- Page ----------------------------------------------------------------- */

char *eqt_page_time(char buf[EQT_PAGE_TIME], int64_t at_s)
{
	return eqt_timestamp_text(buf, EQT_PAGE_TIME, "%Y-%m-%d %H:%M", at_s);
}

/* The policy lets a page load nothing, and run only its own script, which the hash
 * identifies. A page therefore works from a file, and cannot be made to contact another
 * server. */
void eqt_page_begin(FILE *to, const struct eqt_report *report, const char *up,
		    const char *kind, const char *name)
{
	char made[EQT_PAGE_TIME], from[EQT_YEAR_TEXT], until[EQT_YEAR_TEXT];
	const struct eqt_year_period *period = &report->year.period;

	(void) fputs("<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		     "<meta http-equiv=\"Content-Security-Policy\" "
		     "content=\"default-src 'none'; img-src data:; style-src "
		     "'unsafe-inline'; base-uri 'none'; form-action 'none'; "
		     "script-src '",
		     to);
	(void) fputs(style_script_hash, to);
	eqt_html_print(to,
		       "'\">\n"
		       "<meta name=\"viewport\" content=\"width=device-width, "
		       "initial-scale=1\">\n"
		       "<meta name=\"robots\" content=\"noindex\">\n");
	if (report->refresh_s)
		(void) fprintf(to,
			       "<meta http-equiv=\"refresh\" "
			       "content=\"%" PRIu64 "\">\n",
			       report->refresh_s);
	eqt_html_print(to,
		       "<link rel=\"icon\" href=\"data:,\">\n"
		       "<title>%s %s</title>\n<style>\n",
		       kind, name);
	(void) fputs(style_css, to);
	(void) fputs("</style>\n</head>\n<body>\n<header>\n<nav "
		     "aria-label=\"Report\"><a href=\"",
		     to);
	eqt_html_print(to,
		       "%sindex.html\">Cluster</a><a "
		       "href=\"%saccounts.html\">Accounts</a></nav>\n"
		       "<h1>%s %s</h1>\n",
		       up, up, kind, name);
	eqt_html_print(to,
		       "<p class=\"soft\">As of %s. Allocation year from %s to "
		       "%s.</p>\n</header>\n<main>\n",
		       eqt_page_time(made, report->live.now_s),
		       eqt_timestamp_text(from, EQT_YEAR_TEXT, "%Y-%m-%d",
					  period->from_s),
		       eqt_timestamp_text(until, EQT_YEAR_TEXT, "%Y-%m-%d",
					  period->until_s - 1));
}

void eqt_page_end(FILE *to)
{
	(void) fputs("</main>\n<footer><p>A core-year is one core-equivalent "
		     "for the whole allocation year, a GPU-year one "
		     "GPU-equivalent. Jobs count with what they were allocated "
		     "and with the factors of their partition and QOS, by the "
		     "present prices.</p></footer>\n<script>",
		     to);
	(void) fputs(style_script, to);
	(void) fputs("</script>\n</body>\n</html>\n", to);
}

/* ---- Tables --------------------------------------------------------------- */

/* A wide table scrolls in a region that the keyboard can reach. */
void eqt_page_table_begin(FILE *to, const char *caption, const char *columns)
{
	eqt_html_print(to,
		       "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		       "aria-label=\"%s\">\n<table>\n<caption>%s</caption>\n"
		       "<thead><tr>",
		       caption, caption);
	while (*columns != '\0') {
		const bool number = *columns == '>';
		char name[64];

		columns += number;
		(void) snprintf(name, sizeof(name), "%.*s",
				(int) strcspn(columns, "|"), columns);
		columns += strcspn(columns, "|");
		columns += *columns == '|';
		eqt_html_print(to,
			       number ? "<th scope=\"col\" class=\"n\">%s</th>"
				      : "<th scope=\"col\">%s</th>",
			       name);
	}
	(void) fputs("</tr></thead>\n<tbody>\n", to);
}

void eqt_page_table_end(FILE *to)
{
	(void) fputs("</tbody>\n</table>\n</div>\n", to);
}

void eqt_page_cell(FILE *to, const char *text)
{
	eqt_html_print(to, "<td>%s</td>", text);
}

/* NAN sorts as the smallest number, and infinity as the largest. */
void eqt_page_number(FILE *to, double value, const char *text)
{
	eqt_html_print(to, "<td class=\"n\" data-v=\"%.17g\">%s</td>",
		       isnan(value)   ? -1.0
		       : isinf(value) ? 1e300
				      : value,
		       text);
}

void eqt_page_amount(FILE *to, double amount)
{
	char text[EQT_CHART_NUMBER];

	eqt_page_number(to, amount, eqt_chart_number(text, amount));
}

void eqt_page_count(FILE *to, uint64_t count)
{
	char text[32];

	(void) snprintf(text, sizeof(text), "%" PRIu64, count);
	eqt_page_number(to, (double) count, text);
}

void eqt_page_percent(FILE *to, double part, double all)
{
	const double percent = all > 0 ? 100 * part / all : NAN;
	char text[32];

	if (isnan(percent)) {
		eqt_page_number(to, NAN, "-");
		return;
	}
	(void) snprintf(text, sizeof(text), "%.1f", percent);
	eqt_html_print(
		to,
		percent > 100 ? "<td class=\"n bad\" data-v=\"%.6f\">%s %%</td>"
			      : "<td class=\"n\" data-v=\"%.6f\">%s %%</td>",
		percent, text);
}

/* From 1 upwards a Level FS is good, because the account has used its share or less. */
static void level_cell(FILE *to, double level)
{
	char text[32];

	if (isnan(level)) {
		eqt_page_number(to, level, "-");
		return;
	}
	if (isinf(level))
		(void) snprintf(text, sizeof(text), "inf");
	else
		(void) snprintf(text, sizeof(text), "%.4f", level);
	eqt_html_print(to,
		       level >= 1
			       ? "<td class=\"n good\" data-v=\"%.9g\">%s</td>"
			       : "<td class=\"n bad\" data-v=\"%.9g\">%s</td>",
		       isinf(level) ? 1e300 : level, text);
}

void eqt_page_level(FILE *to, const struct eqt_report *report, uint32_t assoc)
{
	const struct eqt_sshare *shares = &report->year.shares;
	struct eqt_tree_result node;
	char text[32];

	if (assoc == EQT_TREE_NONE || assoc == 0) {
		for (int i = 0; i < 4; i++)
			eqt_page_number(to, NAN, "-");
		return;
	}
	node = eqt_tree_node(shares->tree, assoc);
	level_cell(to, (double) node.level_fs);
	(void) snprintf(text, sizeof(text), "%u", shares->assocs[assoc].shares);
	eqt_page_number(to, shares->assocs[assoc].shares,
			shares->assocs[assoc].parent_shares ? "parent" : text);
	(void) snprintf(text, sizeof(text), "%.4f", node.shares_norm);
	eqt_page_number(to, node.shares_norm, text);
	(void) snprintf(text, sizeof(text), "%.4Lf", node.usage_efctv);
	eqt_page_number(to, (double) node.usage_efctv, text);
}

/* The name is escaped as a path in the link, and as text in the cell. */
void eqt_page_link(FILE *to, const char *up, const char *kind, const char *name)
{
	eqt_html_print(to, "<td><a href=\"%s%s/", up, kind);
	eqt_html_link(to, name);
	eqt_html_print(to, "/index.html\">%s</a></td>", name);
}
