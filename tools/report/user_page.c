/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of a user: own shares, own usage, own jobs, and nothing of others. */
#include <stdlib.h>
#include <string.h>

#include "report/chart.h"
#include "report/html.h"
#include "report/page.h"

/* The associations of a user, sorted by account. The index is sorted by user and
 * account, so they stand together. */
static void user_shares(FILE *to, const struct eqt_report *report,
			const char *name)
{
	static const struct eqt_page_column columns[] = {
		{ "Account", false },	{ "Level FS", true },
		{ "Shares", true },	{ "S", true },
		{ "U", true },		{ "Rank", true },
		{ "Fair share", true }, { NULL, false },
	};
	const struct eqt_sshare_index *index = &report->index;
	uint32_t low = 0, high = index->count, middle;
	char text[32];

	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(index->users[middle].user, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	(void) fputs("<h2>Shares</h2>\n", to);
	eqt_page_table_begin(to, "Shares in each account", columns);
	for (; low < index->count && strcmp(index->users[low].user, name) == 0;
	     low++) {
		const struct eqt_sshare_user *user = &index->users[low];
		const struct eqt_tree_result node =
			eqt_tree_node(report->year.shares.tree, user->assoc);

		(void) fputs("<tr>", to);
		eqt_page_link(to, "../../", "account", user->account);
		eqt_page_level(to, report, user->assoc);
		(void) snprintf(text, sizeof(text), "%u", node.rank);
		eqt_page_number(to, node.rank, text);
		(void) snprintf(text, sizeof(text), "%.6f", node.fs_factor);
		eqt_page_number(to, node.fs_factor, text);
		(void) fputs("</tr>\n", to);
	}
	eqt_page_table_end(to);
	(void) fputs("<p>The user with the highest rank goes first. At a Level "
		     "FS of 1 you have used exactly your share of the account, "
		     "above it less.</p>\n",
		     to);
}

/* ---- Jobs ----------------------------------------------------------------- */

/* The price is that of the job, with the factors; hours are those that were charged. */
static void run_row(FILE *to, const struct eqt_year_run *run)
{
	/* A GPU job is priced in RGU, which are GPU-equivalents if no bundle has
	 * a weight; any other job in core-equivalents. */
	const bool gpus = run->rate[EQT_YEAR_GPU] > 0;
	const double rate = run->rate[gpus ? EQT_YEAR_RGU : EQT_YEAR_CORE];
	char text[EQT_CHART_NUMBER], time[EQT_PAGE_TIME];

	eqt_html_print(to, "<tr><td class=\"t\">%s</td>", run->id);
	eqt_page_number(to, (double) run->start_s,
			eqt_page_time(time, run->start_s));
	eqt_page_number(to, rate * run->active_s / 3600,
			eqt_chart_number(text, rate * run->active_s / 3600));
	eqt_page_number(to, rate, eqt_chart_number(text, rate));
	eqt_html_print(to, "<td class=\"t\">%s</td>",
		       gpus ? "GPU-equivalents" : "core-equivalents");
	eqt_page_number(to, run->active_s / 3600,
			eqt_chart_number(text, run->active_s / 3600));
	eqt_page_cell(to, run->state);
	eqt_page_cell(to, run->account);
	eqt_page_cell(to, run->partition);
	eqt_page_cell(to, run->qos);
	(void) fputs("</tr>\n", to);
}

static void runs_show(FILE *to, const struct eqt_report_user *user)
{
	static const struct eqt_page_column columns[] = {
		{ "Job", false },
		{ "Start", true },
		{ "Equivalent-hours", true },
		{ "Price", true },
		{ "Unit", false },
		{ "Charged hours", true },
		{ "State", false },
		{ "Account", false },
		{ "Partition", false },
		{ "QOS", false },
		{ NULL, false },
	};
	size_t i;

	(void) fputs("<h2>The last jobs, and what they cost</h2>\n", to);
	if (user->last.count == 0) {
		(void) fputs("<p>No job has run in this allocation year.</p>\n",
			     to);
		return;
	}
	eqt_page_table_begin(to, "Last jobs, newest first", columns);
	for (i = 0; i < user->last.count; i++)
		run_row(to, &user->last.run[i]);
	eqt_page_table_end(to);
}

/* A web server may show it to this user alone: the folder has the name. */
void eqt_page_user(FILE *to, const struct eqt_report *report,
		   const struct eqt_report_user *user)
{
	eqt_page_begin(to, report, "../../", "User", user->name);
	eqt_html_print(to,
		       "<dl><div><dt>Running</dt><dd>%zu <small>jobs</small>"
		       "</dd></div><div><dt>Waiting</dt><dd>%zu "
		       "<small>jobs</small></dd></div></dl>\n",
		       user->use.running, user->use.waiting);
	user_shares(to, report, user->name);
	eqt_page_waiting(to, report, user);
	eqt_page_usage(to, report, &user->use, NULL);
	runs_show(to, user);
	eqt_page_end(to);
}
