/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages of an account: its sums, which its members may see, and its members, which
 * those who lead it may see. */
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/page.h"
#include "why/path.h"

/* The root has no siblings, so nothing to compare with. */
static void shares_show(FILE *to, const struct eqt_report *report,
			uint32_t assoc)
{
	static const struct eqt_page_column columns[] = {
		{ "Level FS", true }, { "Shares", true }, { "S", true },
		{ "U", true },	      { NULL, false },
	};
	const struct eqt_sshare *shares = &report->year.shares;
	char words[EQT_WHY_LEVEL_WORDS];

	if (assoc == 0)
		return;
	(void) fputs("<h2>Shares</h2>\n", to);
	eqt_page_table_begin(to, "Shares and Level FS", columns);
	(void) fputs("<tr>", to);
	eqt_page_level(to, report, assoc);
	(void) fputs("</tr>\n", to);
	eqt_page_table_end(to);
	eqt_html_print(
		to,
		"<p>Among its siblings the account %s, counted with the "
		"decay of usage.</p>\n",
		eqt_why_level_words(&shares->assocs[assoc],
				    eqt_tree_node(shares->tree, assoc).level_fs,
				    words));
}

void eqt_page_account(FILE *to, const struct eqt_report *report,
		      const struct eqt_report_account *account)
{
	const struct eqt_year_titles *titles = &report->year.titles;

	eqt_page_begin(to, report, "../../", "Account", account->name);
	if (titles->table.rows > 0)
		eqt_html_print(to, "<p>%s <span class=\"soft\">%s</span></p>\n",
			       eqt_year_title(titles, account->name),
			       eqt_year_owner(titles, account->name));
	(void) fputs(
		"<p><a href=\"users.html\">Users of this account</a></p>\n",
		to);
	eqt_html_print(to,
		       "<dl><div><dt>Running</dt><dd>%zu <small>jobs</small>"
		       "</dd></div><div><dt>Waiting</dt><dd>%zu "
		       "<small>jobs</small></dd></div></dl>\n",
		       account->use.running, account->use.waiting);
	shares_show(to, report, account->assoc);
	eqt_page_usage(to, report, &account->use, account->name);
	eqt_page_children(to, report, account->assoc);
	eqt_page_reasons(to, report, account->name);
	eqt_page_end(to);
}

/* ---- Members -------------------------------------------------------------- */

/* The first pair of an account: they are sorted by account and user. A newline sorts
 * before all characters of names. */
static size_t members_first(const struct eqt_report *report,
			    const char *account)
{
	size_t low = 0, high = report->pairs.count, middle;
	char key[1024];

	(void) snprintf(key, sizeof(key), "%.500s\n", account);
	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(report->pair[middle]->key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t pair_assoc(const struct eqt_report *report,
			   const struct eqt_report_pair *pair)
{
	return eqt_sshare_index_find(
		&report->index,
		(struct eqt_scontrol_value){ pair->user, strlen(pair->user) },
		(struct eqt_scontrol_value){ pair->account,
					     strlen(pair->account) });
}

static void pair_row(FILE *to, const struct eqt_report *report,
		     const struct eqt_report_pair *pair)
{
	const uint32_t assoc = pair_assoc(report, pair);
	char text[32];

	(void) fputs("<tr>", to);
	if (assoc == EQT_TREE_NONE)
		eqt_page_cell(to, pair->user);
	else
		eqt_page_link(to, "../../", "user", pair->user);
	eqt_page_level(to, report, assoc);
	if (assoc == EQT_TREE_NONE) {
		(void) fputs("<td class=\"n\">-</td>", to);
	} else {
		const uint32_t rank =
			eqt_tree_node(report->year.shares.tree, assoc).rank;

		(void) snprintf(text, sizeof(text), "%u", rank);
		eqt_page_number(to, rank, text);
	}
	eqt_page_years(to, eqt_report_years(report,
					    pair->use.total[EQT_YEAR_CORE]));
	eqt_page_years(to,
		       eqt_report_years(report, pair->use.total[EQT_YEAR_GPU]));
	(void) snprintf(text, sizeof(text), "%zu", (size_t) pair->use.jobs);
	eqt_page_number(to, (double) pair->use.jobs, text);
	(void) snprintf(text, sizeof(text), "%zu", pair->use.waiting);
	eqt_page_number(to, (double) pair->use.waiting, text);
	(void) fputs("</tr>\n", to);
}

void eqt_page_members(FILE *to, const struct eqt_report *report,
		      const struct eqt_report_account *account)
{
	static const struct eqt_page_column columns[] = {
		{ "User", false },	{ "Level FS", true },
		{ "Shares", true },	{ "S", true },
		{ "U", true },		{ "Rank", true },
		{ "Core-years", true }, { "GPU-years", true },
		{ "Jobs", true },	{ "Waiting", true },
		{ NULL, false },
	};
	size_t i = members_first(report, account->name);

	eqt_page_begin(to, report, "../../", "Users of account", account->name);
	(void) fputs("<p><a href=\"index.html\">The account</a>. The user "
		     "with the highest rank of the cluster goes first.</p>\n",
		     to);
	eqt_page_table_begin(to, "Users of the account", columns);
	for (; i < report->pairs.count &&
	       strcmp(report->pair[i]->account, account->name) == 0;
	     i++)
		pair_row(to, report, report->pair[i]);
	eqt_page_table_end(to);
	eqt_page_end(to);
}
