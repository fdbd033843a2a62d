/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of pages about waiting jobs, and about the waits of the last days. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "sim/forecast.h"
#include "why/wait.h"
#include "slurm/text/duration.h"
#include "report/html.h"
#include "report/page.h"

/* ---- Waiting ------------------------------------------------------------------------
 * What waits and why, in the words of equitree why. A user's page explains a bounded
 * number of jobs. Nodes are counted only for reasons that are about nodes. */

/* Reasons whose words have numbers of nodes. */
static bool reason_counts_nodes(const char *reason)
{
	static const char *const about[] = { "Resources", "ReqNodeNotAvail",
					     "Nodes required", "BadConstraints",
					     "Reservation" };

	for (size_t i = 0; i < sizeof(about) / sizeof(about[0]); i++) {
		if (strncmp(reason, about[i], strlen(about[i])) == 0)
			return true;
	}
	return false;
}

/* Jobs ahead were counted once for all pages, since each count goes through the queue. */
static void wait_make(struct eqt_why_wait *wait,
		      const struct eqt_report *report, uint32_t at)
{
	const struct eqt_live_job *job = &report->live.jobs.jobs[at];

	*wait = (struct eqt_why_wait){ .cluster = &report->live, .job = job };
	if (reason_counts_nodes(job->reason))
		(void) eqt_why_nodes_count(&wait->nodes, &report->live, job,
					   NULL);
	wait->ahead.jobs = report->ahead[at].jobs;
	wait->ahead.pending = report->ahead[at].pending;
	eqt_why_wait_words(wait);
}

static const char *start_words(char buf[EQT_WAIT_TIME], int64_t at_s,
			       int64_t now_s)
{
	return at_s == EQT_FORECAST_LATER
		       ? "later"
		       : eqt_why_time_words(buf, at_s, now_s);
}

/* Our forecast with its range, else the start that Slurm plans. */
static void waiting_show_start(FILE *to, const struct eqt_report *report,
			       uint32_t at)
{
	const struct eqt_live_job *job = &report->live.jobs.jobs[at];
	const struct eqt_report_start *start =
		report->start ? &report->start[at] : NULL;
	const int64_t now = report->live.now_s;
	char median[EQT_WAIT_TIME], early[EQT_WAIT_TIME], late[EQT_WAIT_TIME];

	if (!start || !start->median_s) {
		if (job->start_s > now)
			eqt_page_number(to, (double) job->start_s,
					eqt_why_time_words(median, job->start_s,
							   now));
		else
			eqt_page_number(to, 1e15, "not known");
		return;
	}
	eqt_html_print(to,
		       "<td class=\"n\" data-v=\"%.0f\">%s<br><span "
		       "class=\"soft\">%s to %s</span></td>",
		       (double) start->median_s,
		       start_words(median, start->median_s, now),
		       start_words(early, start->early_s, now),
		       start_words(late, start->late_s, now));
}

/* Words and advice are those of equitree why. */
static void waiting_show_job(FILE *to, const struct eqt_report *report,
			     uint32_t at)
{
	const struct eqt_live_job *job = &report->live.jobs.jobs[at];
	const int64_t now = report->live.now_s;
	struct eqt_why_wait wait;
	char text[EQT_WAIT_TIME];

	wait_make(&wait, report, at);
	eqt_html_print(to, "<tr><td class=\"t\">%s</td><td class=\"words\">%s",
		       job->name, wait.words);
	if (wait.advice[0] != '\0')
		eqt_html_print(to, "<br><span class=\"soft\">%s</span>",
			       wait.advice);
	(void) fputs("</td>", to);
	waiting_show_start(to, report, at);
	eqt_page_number(to, (double) (now - job->submit_s),
			eqt_duration_words(text, now - job->submit_s));
	eqt_page_count(to, job->priority);
	eqt_page_cell(to, job->account);
	eqt_page_cell(to, job->partition);
	(void) fputs("</tr>\n", to);
}

/* A user with thousands of jobs sees the first ones, and how many there are. */
void eqt_page_waiting(FILE *to, const struct eqt_report *report,
		      const struct eqt_report_user *user)
{
	static const struct eqt_page_column columns[] = {
		{ "Job", false },	    { "Why", false },
		{ "Expected start", true }, { "Waits for", true },
		{ "Priority", true },	    { "Account", false },
		{ "Partition", false },	    { NULL, false },
	};
	uint32_t at = user->waiting, shown = 0;

	(void) fputs("<h2>What waits, and why</h2>\n", to);
	if (at == EQT_TREE_NONE) {
		(void) fputs("<p>No job waits.</p>\n", to);
		return;
	}
	eqt_page_table_begin(to, "Waiting jobs, highest priority first",
			     columns);
	for (; at != EQT_TREE_NONE && shown < EQT_REPORT_WAITING;
	     at = report->next_waiting[at], shown++)
		waiting_show_job(to, report, at);
	eqt_page_table_end(to);
	if (report->start)
		(void) fputs(
			"<p>Half of the simulated futures start a job "
			"before the expected time; 80 % of real starts lie "
			"in its range.</p>\n",
			to);
	if (user->use.waiting > shown)
		eqt_html_print(to, "<p>%zu more wait; squeue lists them.</p>\n",
			       user->use.waiting - shown);
}

/* ---- Reasons -------------------------------------------------------------- */

#define REASONS_MAX 32

struct reason_count {
	char name[96];
	size_t jobs;
};

/* The words that a reason begins with, without what differs between jobs: numbers
 * of budgets, names of nodes. */
static void reason_name(char name[96], const char *reason)
{
	size_t length = 0;

	while (length < 90 && (isalpha((unsigned char) reason[length]) ||
			       reason[length] == ' ' || reason[length] == ','))
		length++;
	while (length > 0 &&
	       (reason[length - 1] == ' ' || reason[length - 1] == ','))
		length--;
	(void) snprintf(name, 96, "%.*s", length ? (int) length : 5,
			length ? reason : "other");
}

/* The commonest first; equal numbers by name, so that pages do not change by chance. */
static int reason_compare(const void *a, const void *b)
{
	const struct reason_count *x = a, *y = b;

	if (x->jobs != y->jobs)
		return x->jobs < y->jobs ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* Returns how many rows there are. */
static size_t reasons_count(struct reason_count *counts,
			    const struct eqt_report *report,
			    const char *account)
{
	const struct eqt_live_jobs *jobs = &report->live.jobs;
	size_t used = 0, i, at;
	char name[96];

	for (i = 0; i < jobs->count; i++) {
		if (!jobs->jobs[i].pending ||
		    (account && strcmp(jobs->jobs[i].account, account) != 0))
			continue;
		reason_name(name, jobs->jobs[i].reason);
		for (at = 0; at < used && strcmp(counts[at].name, name) != 0;)
			at++;
		if (at == REASONS_MAX)
			at--; /* the last row has all others */
		else if (at == used)
			memcpy(counts[used++].name, name, sizeof(name));
		counts[at].jobs++;
	}
	if (used == REASONS_MAX)
		(void) snprintf(counts[used - 1].name, 96, "other reasons");
	qsort(counts, used, sizeof(*counts), reason_compare);
	return used;
}

/* account NULL: of the whole cluster. Reasons name no user and no job. */
void eqt_page_reasons(FILE *to, const struct eqt_report *report,
		      const char *account)
{
	static const struct eqt_page_column columns[] = {
		{ "Reason of Slurm", false },
		{ "Jobs", true },
		{ NULL, false },
	};
	struct reason_count counts[REASONS_MAX] = { { .jobs = 0 } };
	const size_t used = reasons_count(counts, report, account);

	(void) fputs("<h2>What waits, and why</h2>\n", to);
	if (used == 0) {
		(void) fputs("<p>No job waits.</p>\n", to);
		return;
	}
	eqt_page_table_begin(to, "Waiting jobs by reason", columns);
	for (size_t i = 0; i < used; i++) {
		(void) fputs("<tr>", to);
		eqt_page_cell(to, counts[i].name);
		eqt_page_count(to, counts[i].jobs);
		(void) fputs("</tr>\n", to);
	}
	eqt_page_table_end(to);
}

/* ---- Waits ------------------------------------------------------------------------ */

static void waits_cell(FILE *to, uint32_t wait_s)
{
	char text[EQT_DURATION_WORDS];

	eqt_page_number(to, wait_s, eqt_duration_words(text, wait_s));
}

/* name: the first cell. */
static void waits_row(FILE *to, const char *name,
		      const struct eqt_waits_group *group)
{
	char text[32];

	(void) fputs("<tr>", to);
	eqt_page_cell(to, name);
	(void) snprintf(text, sizeof(text), "%zu", group->count);
	eqt_page_number(to, (double) group->count, text);
	waits_cell(to, eqt_waits_quantile(group, 0.5));
	waits_cell(to, eqt_waits_quantile(group, 0.95));
	waits_cell(to, eqt_waits_quantile(group, 1));
	(void) fputs("</tr>\n", to);
}

static void waits_table_begin(FILE *to, const char *caption, const char *first)
{
	const struct eqt_page_column columns[] = {
		{ first, false },	 { "Starts", true },
		{ "Median wait", true }, { "95 % waited at most", true },
		{ "Longest", true },	 { NULL, false },
	};

	eqt_page_table_begin(to, caption, columns);
}

/* skip: letters of a name that only order it. */
static void waits_table(FILE *to, const struct eqt_waits *waits,
			enum eqt_waits_by by, const char *caption,
			const char *first, size_t skip)
{
	const struct eqt_names *names = &waits->group[by];

	waits_table_begin(to, caption, first);
	for (size_t i = 0; i < names->count; i++) {
		const struct eqt_waits_group *group = names->list[i];

		waits_row(to, group->name + skip, group);
	}
	eqt_page_table_end(to);
}

/* The heading; false: nothing follows. */
static bool waits_begin(FILE *to, const struct eqt_waits *waits, bool any)
{
	if (!waits->days)
		return false;
	(void) fprintf(to,
		       "<h2>Waits</h2>\n<p>Jobs that started in the last "
		       "%" PRIu64 " days, from the moment at which they could "
		       "run to their start.%s</p>\n",
		       waits->days, any ? "" : " There was none.");
	return any;
}

void eqt_page_waits(FILE *to, const struct eqt_waits *waits)
{
	const struct eqt_names *all = &waits->group[EQT_WAITS_ALL];

	if (!waits_begin(to, waits, all->count > 0))
		return;
	waits_table_begin(to, "Waits of all jobs", "Jobs");
	waits_row(to, "all", all->list[0]);
	eqt_page_table_end(to);
	waits_table(to, waits, EQT_WAITS_PARTITION, "Waits by partition",
		    "Partition", 0);
	waits_table(to, waits, EQT_WAITS_SIZE, "Waits by size", "Size", 1);
	waits_table(to, waits, EQT_WAITS_DAY, "Waits by day of the start",
		    "Day", 0);
}

void eqt_page_waits_account(FILE *to, const struct eqt_waits *waits,
			    const char *account)
{
	const struct eqt_waits_group *group =
		eqt_names_find(&waits->group[EQT_WAITS_ACCOUNT], account);

	if (!waits_begin(to, waits, group != NULL))
		return;
	waits_table_begin(to, "Waits of its own jobs", "Jobs");
	waits_row(to, "of this account", group);
	eqt_page_table_end(to);
}
