/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of pages: heads, tables and their cells. All text of Slurm's goes through
 * eqt_html_print(), which escapes it: names of accounts and reasons of jobs are typed
 * by users. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "report/chart.h"
#include "report/folder.h"
#include "report/html.h"
#include "report/page.h"
#include "report/style.h"

/* Local time of the host that makes the report, to the minute. */
char *eqt_page_time(char buf[EQT_PAGE_TIME], int64_t at_s)
{
	const time_t at = (time_t) at_s;
	struct tm tm = { .tm_year = 0 };

	(void) localtime_r(&at, &tm);
	(void) strftime(buf, EQT_PAGE_TIME, "%Y-%m-%d %H:%M", &tm);
	return buf;
}

/* The policy lets the page load nothing at all and run its own script alone, by its
 * hash: a page works from a file, and nobody can make it call home. */
void eqt_page_begin(FILE *to, const struct eqt_report *report, const char *up,
		    const char *kind, const char *name)
{
	char made[EQT_PAGE_TIME], from[EQT_YEAR_TEXT], until[EQT_YEAR_TEXT];
	const struct eqt_year_period *period = &report->year.period;

	(void) fputs("<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		     "<meta http-equiv=\"Content-Security-Policy\" "
		     "content=\"default-src 'none'; img-src data:; style-src "
		     "'unsafe-inline'; "
		     "base-uri 'none'; form-action 'none'; script-src '",
		     to);
	(void) fputs(eqt_style_script_hash, to);
	eqt_html_print(to,
		       "'\">\n"
		       "<meta name=\"viewport\" "
		       "content=\"width=device-width, initial-scale=1\">\n"
		       "<meta name=\"robots\" content=\"noindex\">\n"
		       "<link rel=\"icon\" href=\"data:,\">\n"
		       "<title>%s %s</title>\n<style>\n",
		       kind, name);
	(void) fputs(eqt_style_css, to);
	(void) fputs("</style>\n</head>\n<body>\n<header>\n<nav "
		     "aria-label=\"Report\"><a href=\"",
		     to);
	eqt_html_print(to,
		       "%sindex.html\">Cluster</a><a "
		       "href=\"%saccounts.html\">Accounts</a></nav>\n"
		       "<h1>%s %s</h1>\n",
		       up, up, kind, name);
	eqt_html_print(to,
		       "<p class=\"soft\">As of %s. Allocation year from %s "
		       "to %s.</p>\n</header>\n<main>\n",
		       eqt_page_time(made, report->live.now_s),
		       eqt_year_day_text(period->from_s, from),
		       eqt_year_day_text(period->until_s - 1, until));
}

/* Prices of the past are kept nowhere, which the last line says. */
void eqt_page_end(FILE *to)
{
	(void) fputs("</main>\n<footer><p>A core-year is one core-equivalent "
		     "for the whole allocation year, a GPU-year one "
		     "GPU-equivalent. Jobs count with what they were allocated "
		     "and with the factors of their partition and QOS, by "
		     "the present prices.</p></footer>\n<script>",
		     to);
	(void) fputs(eqt_style_script, to);
	(void) fputs("</script>\n</body>\n</html>\n", to);
}

/* ---- Tables --------------------------------------------------------------- */

/* Wide tables scroll in a region that the keyboard reaches. */
void eqt_page_table_begin(FILE *to, const char *caption,
			  const struct eqt_page_column *columns)
{
	eqt_html_print(to,
		       "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		       "aria-label=\"%s\">\n<table>\n<caption>%s</caption>\n"
		       "<thead><tr>",
		       caption, caption);
	for (; columns->name; columns++)
		eqt_html_print(to,
			       columns->number
				       ? "<th scope=\"col\" class=\"n\">%s</th>"
				       : "<th scope=\"col\">%s</th>",
			       columns->name);
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

/* NAN and infinity are sorted as the least and the greatest. */
void eqt_page_number(FILE *to, double value, const char *text)
{
	eqt_html_print(to, "<td class=\"n\" data-v=\"%.17g\">%s</td>",
		       isnan(value)   ? -1.0
		       : isinf(value) ? 1e300
				      : value,
		       text);
}

/* "-" for what is not known. */
void eqt_page_years(FILE *to, double years)
{
	char text[EQT_CHART_NUMBER];

	eqt_page_number(to, years, eqt_chart_number(text, years));
}

/* "-" without a target. What is above it is marked. */
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

/* Good from 1 on: such an account has used its share or less. */
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

/* Level FS, shares, S and U: four cells. */
void eqt_page_level(FILE *to, const struct eqt_report *report, uint32_t assoc)
{
	const struct eqt_sshare *shares = &report->year.shares;
	struct eqt_tree_result node;
	char text[32];
	int i;

	if (assoc == EQT_TREE_NONE || assoc == 0) {
		for (i = 0; i < 4; i++)
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

/* Names are escaped twice: as a path, and as text. */
void eqt_page_link(FILE *to, const char *up, const char *kind, const char *name)
{
	eqt_html_print(to, "<td><a href=\"%s%s/", up, kind);
	eqt_html_link(to, name);
	eqt_html_print(to, "/index.html\">%s</a></td>", name);
}
