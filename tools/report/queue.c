/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "report/report.h"
#include "sim/forecast.h"
#include "why/wait.h"
#include "slurm/text/duration.h"
#include "slurm/text/timestamp.h"
#include "usage/period.h"
#include "report/html.h"
#include "report/page.h"

/* ---- Waiting ------------------------------------------------------------------------
 * Waiting jobs are explained in the words of equitree why. Counting nodes takes long, so
 * nodes are counted only for reasons that are about nodes, and only for the jobs that are
 * shown. */

/* Do the words of a reason include numbers of nodes? */
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

/* Explain a job. The jobs ahead of it were counted earlier, once for all pages. */
static void wait_make(struct eqt_why_wait *wait,
		      const struct eqt_report *report, uint32_t at)
{
	const struct eqt_live_job *job = &report->live.jobs.jobs[at];

	*wait = (struct eqt_why_wait){ .cluster = &report->live, .job = job };
	if (reason_counts_nodes(job->reason))
		eqt_node_fit_count(&wait->nodes, &report->live, job);
	wait->ahead.jobs = report->ahead[at].jobs;
	wait->ahead.pending = report->ahead[at].pending;
	eqt_why_wait_words(wait);
}

static const char *start_words(char buf[EQT_WAIT_TIME], int64_t at_s,
			       int64_t now_s)
{
	return at_s == EQT_FORECAST_LATER
		       ? "later"
		       : eqt_obstacles_time_words(buf, at_s, now_s);
}

/* Show equitree's forecast with its range, or else the start that Slurm plans. */
static void waiting_show_start(FILE *to, const struct eqt_report *report,
			       uint32_t at)
{
	const struct eqt_live_job *job = &report->live.jobs.jobs[at];
	const struct eqt_forecast_interval *start =
		report->start ? &report->start[at] : NULL;
	const int64_t now = report->live.now_s;
	char median[EQT_WAIT_TIME], early[EQT_WAIT_TIME], late[EQT_WAIT_TIME];

	if (!start || !start->median_s) {
		if (job->start_s > now)
			eqt_page_number(to, (double) job->start_s,
					eqt_obstacles_time_words(
						median, job->start_s, now));
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

/* A user with thousands of jobs sees the first ones, and how many others there are. */
void eqt_report_queue_waiting(FILE *to, const struct eqt_report *report,
			      const struct eqt_report_user *user)
{
	uint32_t at = user->waiting, shown = 0;

	(void) fputs("<h2>What waits, and why</h2>\n", to);
	if (at == EQT_TREE_NONE) {
		(void) fputs("<p>No job waits.</p>\n", to);
		return;
	}
	eqt_page_table_begin(to, "Waiting jobs, highest priority first",
			     "Job|Why|>Expected start|>Waits "
			     "for|>Priority|Account|Partition");
	for (; at != EQT_TREE_NONE && shown < EQT_REPORT_WAITING;
	     at = report->next_waiting[at], shown++)
		waiting_show_job(to, report, at);
	eqt_page_table_end(to);
	if (report->start)
		eqt_html_print(to,
			       "<p>Half of the simulated futures start a job "
			       "before the expected time; 80 %% of real starts "
			       "lie in its range. %s</p>\n",
			       report->record);
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

/* Write the first words of a reason. They end before the number of a budget, the name of
 * a node, or any other part that differs between jobs. */
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

/* Sort the most frequent reason first. Reasons of the same count are sorted by name, so
 * that pages do not change by chance. */
static int reason_compare(const void *a, const void *b)
{
	const struct reason_count *x = a, *y = b;

	if (x->jobs != y->jobs)
		return x->jobs < y->jobs ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* Count the waiting jobs of an account (NULL: all accounts) by reason. Returns the number
 * of rows. */
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
			at--; /* the last row is for all other reasons */
		else if (at == used)
			memcpy(counts[used++].name, name, sizeof(name));
		counts[at].jobs++;
	}
	if (used == REASONS_MAX)
		(void) snprintf(counts[used - 1].name, 96, "other reasons");
	qsort(counts, used, sizeof(*counts), reason_compare);
	return used;
}

/* The words that are counted name no user and no job, so everybody may see them. */
void eqt_report_queue_reasons(FILE *to, const struct eqt_report *report,
			      const char *account)
{
	struct reason_count counts[REASONS_MAX] = { { .jobs = 0 } };
	const size_t used = reasons_count(counts, report, account);

	(void) fputs("<h2>What waits, and why</h2>\n", to);
	if (used == 0) {
		(void) fputs("<p>No job waits.</p>\n", to);
		return;
	}
	eqt_page_table_begin(to, "Waiting jobs by reason",
			     "Reason of Slurm|>Jobs");
	for (size_t i = 0; i < used; i++) {
		(void) fputs("<tr>", to);
		eqt_page_cell(to, counts[i].name);
		eqt_page_count(to, counts[i].jobs);
		(void) fputs("</tr>\n", to);
	}
	eqt_page_table_end(to);
}

/* ---- Waits and use ---------------------------------------------------------- */

static void waits_cell(FILE *to, uint32_t wait_s)
{
	char text[EQT_DURATION_WORDS];

	eqt_page_number(to, wait_s, eqt_duration_words(text, wait_s));
}

/* The seconds of cores or GPUs that the present nodes offered to a group. 0 for sizes and
 * accounts, which have no nodes of their own. */
static double group_capacity(const struct eqt_report *report,
			     enum eqt_waits_by by, const char *name,
			     enum eqt_unit_part part)
{
	const struct eqt_scontrol_nodes *nodes = &report->live.nodes;
	int64_t from_s = report->waits.from_s, until_s = report->waits.until_s;
	char day[EQT_YEAR_TEXT];
	double sum = 0;

	if (by == EQT_WAITS_SIZE || by == EQT_WAITS_ACCOUNT)
		return 0;
	if (by == EQT_WAITS_DAY) {
		int64_t day_s, next_s;
		char time[EQT_PAGE_TIME];

		(void) snprintf(time, sizeof(time), "%.12sT00:00:00", name);
		if (eqt_timestamp_parse(&day_s, time) <= 0)
			return 0;
		next_s = eqt_timestamp_day(day_s, day);
		(void) eqt_whole_cut_span(&from_s, &until_s, day_s, next_s);
	}
	for (size_t i = 0; i < nodes->count; i++)
		if (by != EQT_WAITS_PARTITION ||
		    eqt_scontrol_node_in(&nodes->nodes[i], name))
			sum += (double) nodes->nodes[i].total.of[part];
	return sum * (double) (until_s - from_s);
}

/* A kind of table about groups of jobs. */
struct group_table {
	const char *name;
	const char *heading; /* the sentence above the tables, up to the days */
	const char *rest; /* the same after the days */
	/* the end of the sentence if no table follows; NULL: there is no sentence */
	const char *none;
	const char *own; /* caption of the table of an account */
	const char *columns; /* the columns after the first one */
	void (*row)(FILE *to, const struct eqt_report *report,
		    enum eqt_waits_by by, const struct eqt_waits_group *group);
	/* The number of jobs that a row is about. If it is 0, there is no row. */
	uint64_t (*jobs)(const struct eqt_waits_group *group);
};

/* The number of jobs that a table of waits, of use or of ends is about. */
static uint64_t group_starts(const struct eqt_waits_group *group)
{
	return group->count;
}

static uint64_t group_jobs(const struct eqt_waits_group *group)
{
	return group->jobs;
}

static uint64_t group_ends(const struct eqt_waits_group *group)
{
	uint64_t sum = 0;

	for (int end = 0; end < EQT_WAITS_ENDS; end++)
		sum += group->ends[end];
	return sum;
}

/* Show quantiles rather than a mean, which would say little because a few jobs wait for
 * days. */
static void waits_row(FILE *to, const struct eqt_report *report,
		      enum eqt_waits_by by, const struct eqt_waits_group *group)
{
	(void) report;
	(void) by;
	eqt_page_count(to, group->count);
	waits_cell(to, eqt_waits_quantile(group, 0.5));
	waits_cell(to, eqt_waits_quantile(group, 0.95));
	waits_cell(to, eqt_waits_quantile(group, 1));
}

/* If Slurm gathers no CPU times, busy_s is 0 for all jobs, and the cell is "-". */
static void use_row(FILE *to, const struct eqt_report *report,
		    enum eqt_waits_by by, const struct eqt_waits_group *group)
{
	const struct eqt_waits_group *all =
		report->waits.group[EQT_WAITS_ALL].list[0];

	eqt_page_count(to, group->jobs);
	eqt_page_amount(to, group->cpu_s / 3600);
	eqt_page_percent(to, group->cpu_s,
			 group_capacity(report, by, group->name,
					EQT_UNIT_PART_CORES));
	eqt_page_percent(to, group->busy_s,
			 all->busy_s > 0 ? group->asked_s : 0);
	eqt_page_amount(to, group->gpu_s / 3600);
	eqt_page_percent(to, group->gpu_s,
			 group_capacity(report, by, group->name,
					EQT_UNIT_PART_GPUS));
}

/* A job that its user cancelled does not count as failed. */
static void ends_row(FILE *to, const struct eqt_report *report,
		     enum eqt_waits_by by, const struct eqt_waits_group *group)
{
	const uint64_t all = group_ends(group);

	(void) report;
	(void) by;
	eqt_page_count(to, all);
	eqt_page_percent(to,
			 (double) (all - group->ends[EQT_WAITS_END_WELL] -
				   group->ends[EQT_WAITS_END_CANCELLED]),
			 (double) all);
	for (int end = EQT_WAITS_END_FAILED; end < EQT_WAITS_ENDS; end++)
		eqt_page_count(to, group->ends[end]);
}

static const struct group_table kinds[] = {
	{
		.name = "Waits",
		.heading = "Jobs that started from",
		.rest = ", from the moment at which they could run to their "
			"start.",
		.none = " There was none.",
		.own = "Waits of its own jobs",
		.columns = "|>Starts|>Median wait|>95 % waited at "
			   "most|>Longest",
		.row = waits_row,
		.jobs = group_starts,
	},
	{
		.name = "Use",
		.heading = "What jobs held from",
		.rest = ". Busy is the CPU time of the jobs that ended, of "
			"that which they held; it counts on the day of a "
			"start.",
		.own = "Use by its own jobs",
		.columns = "|>Jobs|>CPU-hours|>Of all CPUs|>Of them "
			   "busy|>GPU-hours|>Of all GPUs",
		.row = use_row,
		.jobs = group_jobs,
	},
	{
		.name = "Ends",
		.heading = "How jobs ended from",
		.rest = ", by what Slurm says of them; an end counts on its "
			"day.",
		.own = "Ends of its own jobs",
		.columns = "|>Ended|>Without success|>Failed|>Out of "
			   "memory|>At the time limit|>With a node|>Cancelled",
		.row = ends_row,
		.jobs = group_ends,
	},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Print a table for all groups, or only for the group "only". "first" is the name of its
 * first column. */
static void group_table(FILE *to, const struct eqt_report *report,
			const struct group_table *kind, enum eqt_waits_by by,
			const struct eqt_waits_group *only, const char *caption,
			const char *first)
{
	const struct eqt_names *names = &report->waits.group[by];
	char columns[160];

	(void) snprintf(columns, sizeof(columns), "%s%s", first, kind->columns);
	eqt_page_table_begin(to, caption, columns);
	for (size_t i = 0; i < names->count; i++) {
		const struct eqt_waits_group *group = names->list[i];

		if ((only && group != only) || !kind->jobs(group))
			continue;
		(void) fputs("<tr>", to);
		/* The first character of a size only serves sorting, so skip it. */
		eqt_page_cell(to, by == EQT_WAITS_ALL	    ? "all"
				  : by == EQT_WAITS_ACCOUNT ? "of this account"
				  : by == EQT_WAITS_SIZE    ? group->name + 1
							    : group->name);
		kind->row(to, report, by, group);
		(void) fputs("</tr>\n", to);
	}
	eqt_page_table_end(to);
}

/* Print the heading of a kind of tables, about all jobs or those of an account. Returns
 * false if no table follows. */
static bool group_begin(FILE *to, const struct eqt_report *report,
			const struct group_table *kind,
			const struct eqt_waits_group *about)
{
	const struct eqt_waits *waits = &report->waits;
	const bool any = about && kind->jobs(about) > 0;
	char from[EQT_PAGE_TIME], until[EQT_PAGE_TIME];

	if (waits->from_s == waits->until_s || (!any && !kind->none))
		return false;
	(void) fprintf(to, "<h2>%s</h2>\n<p>%s %s to %s%s%s</p>\n", kind->name,
		       kind->heading, eqt_page_time(from, waits->from_s),
		       eqt_page_time(until, waits->until_s), kind->rest,
		       any ? "" : kind->none);
	return any;
}

/* Print the tables of one kind: for all jobs, by partition, by size and by day. */
static void group_tables(FILE *to, const struct eqt_report *report,
			 const struct group_table *kind)
{
	static const struct {
		enum eqt_waits_by by;
		const char *caption, *first;
	} tables[] = {
		{ EQT_WAITS_ALL, "of all jobs", "Jobs" },
		{ EQT_WAITS_PARTITION, "by partition", "Partition" },
		{ EQT_WAITS_SIZE, "by size", "Size" },
		{ EQT_WAITS_DAY, "by day", "Day" },
	};
	char caption[64];

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		(void) snprintf(caption, sizeof(caption), "%s %s", kind->name,
				tables[i].caption);
		group_table(to, report, kind, tables[i].by, NULL, caption,
			    tables[i].first);
	}
}

void eqt_report_queue_waits(FILE *to, const struct eqt_report *report)
{
	const struct eqt_names *names = &report->waits.group[EQT_WAITS_ALL];
	const struct eqt_waits_group *all = names->count ? names->list[0]
							 : NULL;

	for (size_t i = 0; i < KINDS; i++)
		if (group_begin(to, report, &kinds[i], all))
			group_tables(to, report, &kinds[i]);
}

void eqt_report_queue_waits_account(FILE *to, const struct eqt_report *report,
				    const char *account)
{
	const struct eqt_waits_group *group = eqt_names_find(
		&report->waits.group[EQT_WAITS_ACCOUNT], account);

	for (size_t i = 0; i < KINDS; i++)
		if (group_begin(to, report, &kinds[i], group))
			group_table(to, report, &kinds[i], EQT_WAITS_ACCOUNT,
				    group, kinds[i].own, "Jobs");
}
