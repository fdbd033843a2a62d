/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "capacity/capacity.h"
#include "cli/alloc.h"
#include "report/chart.h"
#include "report/html.h"
#include "report/page.h"
#include "why/path.h"

/* Write the jobs of a user or an account. */
static void jobs_show(FILE *to, const struct eqt_report_use *use)
{
	eqt_html_print(to,
		       "<dl><div><dt>Running</dt><dd>%zu <small>jobs</small>"
		       "</dd></div><div><dt>Waiting</dt><dd>%zu "
		       "<small>jobs</small></dd></div></dl>\n",
		       use->running, use->waiting);
}

/* ---- User page ----------------------------------------------------------------------
 * The page has the user's own shares, usage and jobs, and nothing about others. */

/* Show the associations of a user, which are next to each other in the index. */
static void user_shares(FILE *to, const struct eqt_report *report,
			const char *name)
{
	const struct eqt_sshare_index *index = &report->index;
	uint32_t at = eqt_sshare_index_person(index, name);
	char text[32];

	(void) fputs("<h2>Shares</h2>\n", to);
	eqt_page_table_begin(
		to, "Shares in each account",
		"Account|>Level FS|>Shares|>S|>U|>Rank|>Fair share");
	for (; at < index->count && strcmp(index->users[at].user, name) == 0;
	     at++) {
		const struct eqt_sshare_user *user = &index->users[at];
		const struct eqt_tree_result node =
			eqt_tree_node(report->year.shares.tree, user->assoc);

		(void) fputs("<tr>", to);
		eqt_page_link(to, "../../", "account", user->account);
		eqt_page_level(to, report, user->assoc);
		eqt_page_count(to, node.rank);
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

/* The price of a job includes all factors. */
static void run_row(FILE *to, const struct eqt_report_run *run)
{
	/* A GPU job is priced in RGU, which equal GPU-equivalents if no bundle has a
	 * weight. Any other job is priced in core-equivalents. */
	const bool gpus = run->rate[EQT_YEAR_GPU] > 0;
	const double rate = run->rate[gpus ? EQT_YEAR_RGU : EQT_YEAR_CORE];
	char time[EQT_PAGE_TIME];

	eqt_html_print(to, "<tr><td class=\"t\">%s</td>", run->id);
	eqt_page_number(to, (double) run->start_s,
			eqt_page_time(time, run->start_s));
	eqt_page_amount(to, rate * run->active_s / 3600);
	eqt_page_amount(to, rate);
	eqt_html_print(to, "<td class=\"t\">%s</td>",
		       gpus ? "GPU-equivalents" : "core-equivalents");
	eqt_page_amount(to, run->active_s / 3600);
	eqt_page_cell(to, run->state);
	eqt_page_cell(to, run->account);
	eqt_page_cell(to, run->partition);
	eqt_page_cell(to, run->qos);
	(void) fputs("</tr>\n", to);
}

static void runs_show(FILE *to, const struct eqt_report_user *user)
{
	(void) fputs("<h2>The last jobs, and what they cost</h2>\n", to);
	if (user->last.count == 0) {
		(void) fputs("<p>No job has run in this allocation year.</p>\n",
			     to);
		return;
	}
	eqt_page_table_begin(to, "Last jobs, newest first",
			     "Job|>Start|>Equivalent-hours|>Price|Unit|>"
			     "Charged hours|State|Account|Partition|QOS");
	for (size_t i = 0; i < user->last.count; i++)
		run_row(to, &user->last.run[i]);
	eqt_page_table_end(to);
}

void eqt_pages_user(FILE *to, const struct eqt_report *report,
		    const struct eqt_report_user *user)
{
	eqt_page_begin(to, report, "../../", "User", user->name);
	jobs_show(to, &user->use);
	user_shares(to, report, user->name);
	eqt_report_queue_waiting(to, report, user);
	eqt_page_usage(to, report, &user->use, NULL);
	runs_show(to, user);
	eqt_page_end(to);
}

/* ---- Accounts --------------------------------------------------------------- */

#define ACCOUNT_COLUMNS                                                     \
	"Unit|>Used|>Target|>Of target|>Projected|>Level FS|>Shares|>S|>U|" \
	">Waiting"

/* Begin a table of accounts. Titles and owners have columns if the site provides them. */
static void accounts_begin(FILE *to, const struct eqt_report *report,
			   const char *caption)
{
	eqt_page_table_begin(to, caption,
			     report->year.titles.table.rows > 0
				     ? "Account|Title|Owner|" ACCOUNT_COLUMNS
				     : "Account|" ACCOUNT_COLUMNS);
}

/* Write a row for an account and a unit. A removed account keeps its usage, but has no
 * page to link to. "up" leads from the page to the folder of the report, such as
 * "../../". */
static void account_row(FILE *to, const struct eqt_report *report,
			const struct eqt_report_account *account,
			const char *up, int unit)
{
	const struct eqt_year_titles *titles = &report->year.titles;
	const double used =
		eqt_report_used(report, unit, account->use.total[unit]);
	const double target = eqt_page_target(report, account->name, unit);

	(void) fputs("<tr>", to);
	if (account->assoc == EQT_TREE_NONE)
		eqt_page_cell(to, account->name);
	else
		eqt_page_link(to, up, "account", account->name);
	if (titles->table.rows > 0) {
		eqt_page_cell(to, eqt_lines_title(titles, account->name));
		eqt_page_cell(to, eqt_lines_owner(titles, account->name));
	}
	eqt_html_print(to, "<td class=\"t\">%s</td>",
		       report->year.names.years[unit]);
	eqt_page_amount(to, used);
	eqt_page_amount(to, target);
	eqt_page_percent(to, used, target);
	eqt_page_amount(to, eqt_page_projected(report, used));
	eqt_page_level(to, report, account->assoc);
	eqt_page_count(to, account->use.waiting);
	(void) fputs("</tr>\n", to);
}

/* Write a row for each unit of the account, and at least the row for core-years. */
static void account_rows(FILE *to, const struct eqt_report *report,
			 const struct eqt_report_account *account,
			 const char *up)
{
	for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_CO2E; unit++) {
		if (unit == EQT_YEAR_CORE ||
		    eqt_page_has_unit(report, &account->use, account->name,
				      unit))
			account_row(to, report, account, up, unit);
	}
}

/* Write a table of the accounts directly below an association, if there are any. */
static void children_show(FILE *to, const struct eqt_report *report,
			  uint32_t parent)
{
	const struct eqt_sshare *shares = &report->year.shares;
	bool any = false;

	for (uint32_t i = 1; i < shares->count; i++) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];

		if (assoc->user || assoc->parent != parent)
			continue;
		if (!any)
			accounts_begin(to, report, "Accounts below");
		any = true;
		account_rows(to, report, report->by_assoc[i], "../../");
	}
	if (any)
		eqt_page_table_end(to);
}

/* ---- Account page -------------------------------------------------------------------
 * An account has two pages: one of its sums, for its members, and one of its members, for
 * its leaders. */

/* The root has no siblings, so there is nothing to compare it with. */
static void shares_show(FILE *to, const struct eqt_report *report,
			uint32_t assoc)
{
	const struct eqt_sshare *shares = &report->year.shares;
	char words[EQT_WHY_LEVEL_WORDS];

	if (assoc == 0)
		return;
	(void) fputs("<h2>Shares</h2>\n", to);
	eqt_page_table_begin(to, "Shares and Level FS",
			     ">Level FS|>Shares|>S|>U");
	(void) fputs("<tr>", to);
	eqt_page_level(to, report, assoc);
	(void) fputs("</tr>\n", to);
	eqt_page_table_end(to);
	eqt_html_print(
		to,
		"<p>Among its siblings the account %s, counted with the decay "
		"of usage.</p>\n",
		eqt_path_level_words(
			&shares->assocs[assoc],
			eqt_tree_node(shares->tree, assoc).level_fs, words));
}

void eqt_pages_account(FILE *to, const struct eqt_report *report,
		       const struct eqt_report_account *account)
{
	const struct eqt_year_titles *titles = &report->year.titles;

	eqt_page_begin(to, report, "../../", "Account", account->name);
	if (titles->table.rows > 0)
		eqt_html_print(to, "<p>%s <span class=\"soft\">%s</span></p>\n",
			       eqt_lines_title(titles, account->name),
			       eqt_lines_owner(titles, account->name));
	(void) fputs(
		"<p><a href=\"users.html\">Users of this account</a></p>\n",
		to);
	jobs_show(to, &account->use);
	shares_show(to, report, account->assoc);
	eqt_page_usage(to, report, &account->use, account->name);
	children_show(to, report, account->assoc);
	eqt_report_queue_reasons(to, report, account->name);
	eqt_report_queue_waits_account(to, report, account->name);
	eqt_page_end(to);
}

/* ---- Members -------------------------------------------------------------- */

/* The index of an account's first pair. Pairs are sorted by account and user. A newline
 * sorts before all characters of names. */
static size_t members_first(const struct eqt_report *report,
			    const char *account)
{
	struct eqt_report_pair **pair = (void *) report->pairs.list;
	size_t low = 0, high = report->pairs.count, middle;
	char key[1024];

	(void) snprintf(key, sizeof(key), "%.500s\n", account);
	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(pair[middle]->key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Write a row for a user of an account. A user whom sshare does not list has usage, but
 * neither a page nor a Level FS. */
static void pair_row(FILE *to, const struct eqt_report *report,
		     const struct eqt_report_pair *pair)
{
	const uint32_t assoc = eqt_sshare_index_find(&report->index, pair->user,
						     pair->account);

	(void) fputs("<tr>", to);
	if (assoc == EQT_TREE_NONE)
		eqt_page_cell(to, pair->user);
	else
		eqt_page_link(to, "../../", "user", pair->user);
	eqt_page_level(to, report, assoc);
	if (assoc == EQT_TREE_NONE)
		(void) fputs("<td class=\"n\">-</td>", to);
	else
		eqt_page_count(
			to,
			eqt_tree_node(report->year.shares.tree, assoc).rank);
	eqt_page_amount(to, eqt_report_used(report, EQT_YEAR_CORE,
					    pair->use.total[EQT_YEAR_CORE]));
	eqt_page_amount(to, eqt_report_used(report, EQT_YEAR_GPU,
					    pair->use.total[EQT_YEAR_GPU]));
	eqt_page_count(to, pair->use.jobs);
	eqt_page_count(to, pair->use.waiting);
	(void) fputs("</tr>\n", to);
}

void eqt_pages_members(FILE *to, const struct eqt_report *report,
		       const struct eqt_report_account *account)
{
	struct eqt_report_pair **pair = (void *) report->pairs.list;
	size_t i = members_first(report, account->name);

	eqt_page_begin(to, report, "../../", "Users of account", account->name);
	(void) fputs("<p><a href=\"index.html\">The account</a>. The user with "
		     "the highest rank of the cluster goes first.</p>\n",
		     to);
	eqt_page_table_begin(
		to, "Users of the account",
		"User|>Level "
		"FS|>Shares|>S|>U|>Rank|>Core-years|>GPU-years|>Jobs|>Waiting");
	for (; i < report->pairs.count &&
	       strcmp(pair[i]->account, account->name) == 0;
	     i++)
		pair_row(to, report, pair[i]);
	eqt_page_table_end(to);
	eqt_page_end(to);
}

/* ---- True overhead -------------------------------------------------------- */

static void overhead_row(FILE *to, const char *unit,
			 const struct eqt_capacity_sum *sum)
{
	char text[EQT_CHART_NUMBER];

	(void) fputs("<tr>", to);
	eqt_page_cell(to, unit);
	eqt_page_amount(to, (double) sum->overhead);
	eqt_page_amount(to, (double) sum->capacity);
	(void) snprintf(text, sizeof(text), "%.1f %%",
			eqt_capacity_percent(sum));
	eqt_page_number(to, eqt_capacity_percent(sum), text);
	(void) fputs("</tr>\n", to);
}

/* Show the whole units that are free on nodes, like equitree overhead. */
static void overhead_show(FILE *to, const struct eqt_report *report)
{
	struct eqt_capacity_cluster cluster = { .nodes = report->live.nodes };
	struct eqt_capacity_units units = { .count = 0 };
	struct eqt_capacity_sum sum;
	struct eqt_error err;

	cluster.chosen = eqt_alloc(cluster.nodes.count + 1, sizeof(bool));
	if (eqt_capacity_units_default(&units, &err) < 0) {
		free(cluster.chosen);
		return;
	}
	(void) fputs("<h2>True overhead now</h2>\n<p>Whole units that nodes "
		     "have free at this moment: jobs of that shape could start "
		     "on them.</p>\n",
		     to);
	eqt_page_table_begin(to, "Free units",
			     "Unit|>Free|>In all nodes|>Part");
	for (int i = 0; i < units.count; i++) {
		eqt_capacity_sum(&sum, &cluster, &units.unit[i], NULL);
		overhead_row(to, units.text[i], &sum);
	}
	eqt_page_table_end(to);
	free(cluster.chosen);
}

/* ---- The cluster ---------------------------------------------------------- */

/* Show the usage since the year began, in percent of all nodes. The present nodes count
 * for the whole time, because it is not known which nodes came or went meanwhile. */
static void capacity_show(FILE *to, const struct eqt_report *report)
{
	const struct eqt_job_pricer pricer = { .conf = report->year.conf,
					       .nodes = &report->live.nodes };
	const struct eqt_year_period *period = &report->year.period;
	const double gone = (double) (period->seen_s - period->from_s) /
			    (double) (period->until_s - period->from_s);
	double capacity[EQT_YEAR_UNITS];

	eqt_year_price_capacity(capacity, &pricer);
	for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_GPU; unit++) {
		if (capacity[unit] > 0)
			eqt_html_print(
				to,
				"<div><dt>%s</dt><dd>%.1f <small>%% of the "
				"nodes</small></dd></div>\n",
				unit == EQT_YEAR_CORE
					? "Cores used since the year began"
					: "GPUs used since the year began",
				100 *
					eqt_report_used(
						report, unit,
						report->use.total[unit]) /
					(capacity[unit] * gone));
	}
}

void eqt_pages_cluster(FILE *to, const struct eqt_report *report)
{
	struct eqt_report_user **user = (void *) report->users.list;
	size_t i, users = 0, accounts = 0;

	for (i = 0; i < report->users.count; i++)
		users += user[i]->present;
	for (i = 1; i < report->year.shares.count; i++)
		accounts += report->by_assoc[i] != NULL;
	eqt_page_begin(to, report, "", "Cluster", report->cluster);
	(void) fputs("<dl>\n", to);
	eqt_page_term(to, "Running", (double) report->use.running, "jobs");
	eqt_page_term(to, "Waiting", (double) report->use.waiting, "jobs");
	eqt_page_term(to, "Accounts", (double) accounts, "in the share tree");
	eqt_page_term(to, "Users", (double) users, "in the share tree");
	capacity_show(to, report);
	(void) fputs("</dl>\n", to);
	eqt_page_usage(to, report, &report->use, NULL);
	eqt_report_queue_reasons(to, report, NULL);
	eqt_report_queue_waits(to, report);
	overhead_show(to, report);
	eqt_page_end(to);
}

/* ---- List of accounts ----------------------------------------------------- */

/* Removed accounts come last, because they have no association. */
void eqt_pages_accounts(FILE *to, const struct eqt_report *report)
{
	struct eqt_report_account **account = (void *) report->accounts.list;

	eqt_page_begin(to, report, "", "Accounts", "");
	(void) fputs("<p>S is an account's part of the shares of its level, U "
		     "its part of the usage there, which decays. Level FS is S "
		     "/ U: at 1 an account has used exactly its share, above "
		     "it less. Usage counts accounts below.</p>\n",
		     to);
	accounts_begin(to, report, "Accounts in the order of the share tree");
	for (size_t i = 0; i < report->year.shares.count; i++) {
		if (report->by_assoc[i])
			account_rows(to, report, report->by_assoc[i], "");
	}
	for (size_t i = 0; i < report->accounts.count; i++) {
		if (account[i]->assoc == EQT_TREE_NONE)
			account_rows(to, report, account[i], "");
	}
	eqt_page_table_end(to);
	eqt_page_end(to);
}

/* ---- Several clusters ------------------------------------------------------- */

static void sum_row(FILE *to, const struct eqt_report *sum,
		    const struct eqt_report_account *one, bool cluster,
		    int unit)
{
	const double used = eqt_report_used(sum, unit, one->use.total[unit]);

	(void) fputs("<tr>", to);
	if (cluster)
		eqt_page_link(to, "", "cluster", one->name);
	else
		eqt_page_cell(to, one->name);
	eqt_page_cell(to, sum->year.names.years[unit]);
	eqt_page_amount(to, used);
	eqt_page_amount(to, eqt_page_projected(sum, used));
	eqt_page_count(to, one->use.running);
	eqt_page_count(to, one->use.waiting);
	(void) fputs("</tr>\n", to);
}

/* Write the usage of clusters or accounts, with a row per unit. Clusters link to their
 * pages. */
static void sum_table(FILE *to, const struct eqt_report *sum, bool clusters)
{
	const struct eqt_names *names = clusters ? &sum->clusters
						 : &sum->accounts;
	struct eqt_report_account **of = (void *) names->list;

	eqt_page_table_begin(
		to, clusters ? "Clusters" : "Accounts",
		clusters ? "Cluster|Unit|>Used|>Projected|>Running|>Waiting"
			 : "Account|Unit|>Used|>Projected|>Running|>Waiting");
	for (size_t i = 0; i < names->count; i++) {
		for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_CO2E; unit++) {
			if (unit == EQT_YEAR_CORE ||
			    eqt_page_has_unit(sum, &of[i]->use, NULL, unit))
				sum_row(to, sum, of[i], clusters, unit);
		}
	}
	eqt_page_table_end(to);
}

/* Shares, targets and waits are on the pages of each cluster. */
void eqt_pages_sum(FILE *to, const struct eqt_report *sum)
{
	eqt_page_begin(to, sum, "", "Clusters", sum->cluster);
	(void) fputs("<dl>\n", to);
	eqt_page_term(to, "Running", (double) sum->use.running, "jobs");
	eqt_page_term(to, "Waiting", (double) sum->use.waiting, "jobs");
	(void) fputs("</dl>\n", to);
	sum_table(to, sum, true);
	eqt_page_usage(to, sum, &sum->use, NULL);
	eqt_page_end(to);
}

void eqt_pages_sum_accounts(FILE *to, const struct eqt_report *sum)
{
	eqt_page_begin(to, sum, "", "Accounts", "");
	(void) fputs("<p>Of all clusters. Usage counts accounts below.</p>\n",
		     to);
	sum_table(to, sum, false);
	eqt_page_end(to);
}
