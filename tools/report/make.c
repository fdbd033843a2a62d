/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order matters: the days before the jobs, the jobs before the tree adds
 * them up, the queue before that as well. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"
#include "slurm/conf/config.h"

#define DAYS_MAX 4000 /* ten years */

/* Seconds of an equivalent over the seconds of the year. */
double eqt_report_years(const struct eqt_report *report, eqt_u128 amount)
{
	const struct eqt_year_period *period = &report->year.period;

	return (double) (eqt_year_amount_value(amount) /
			 (long double) (period->until_s - period->from_s));
}

/* The first seconds of all days until now. One more is kept, the end of the last day. */
static int report_make_days(struct eqt_report *report,
			    const struct eqt_report_options *options,
			    struct eqt_error *err)
{
	struct eqt_year_period period;
	char text[EQT_YEAR_TEXT];
	int64_t at_s;

	if (eqt_year_period_make(
		    &period, options->year.year_start, (int) options->year.year,
		    options->year.year_end_s, options->year.now_s, err) < 0)
		return -1;
	report->day_from = calloc(DAYS_MAX + 1, sizeof(int64_t));
	if (!report->day_from)
		return eqt_error_set(err, "out of memory");
	for (at_s = period.from_s;
	     at_s < period.seen_s && report->days < DAYS_MAX;
	     at_s = eqt_year_day(at_s, text))
		report->day_from[report->days++] = at_s;
	report->day_from[report->days] = period.seen_s;
	return 0;
}

/* Accounts and users of the share tree, also those without jobs. The tree may have
 * users without a job this year: they have pages as well. */
static int report_add_tree(struct eqt_report *report)
{
	const struct eqt_sshare *shares = &report->year.shares;
	struct eqt_report_account *account;
	struct eqt_report_user *user;
	uint32_t i;

	report->by_assoc = calloc(shares->count + 1, sizeof(account));
	if (!report->by_assoc)
		return -1;
	for (i = 0; i < shares->count; i++) {
		account = eqt_report_account(report, shares->assocs[i].account);
		if (!account)
			return -1;
		if (!shares->assocs[i].user) {
			account->assoc = i;
			report->by_assoc[i] = account;
			continue;
		}
		user = eqt_report_user(report, shares->assocs[i].user);
		if (!user || !eqt_report_pair(report, shares->assocs[i].account,
					      shares->assocs[i].user))
			return -1;
		user->present = true;
	}
	return 0;
}

/* Usage counts for all accounts above; children follow their parents. From the leaves
 * up: each account is complete before it is added to the one above. */
static int report_add_up(struct eqt_report *report)
{
	const struct eqt_sshare *shares = &report->year.shares;
	uint32_t i;

	for (i = shares->count; i-- > 1;) {
		if (!shares->assocs[i].user &&
		    eqt_report_use_add(
			    &report->by_assoc[shares->assocs[i].parent]->use,
			    &report->by_assoc[i]->use, report) < 0)
			return -1;
	}
	return 0;
}

/* By key, that is by account, then by user. */
static int pair_compare(const void *a, const void *b)
{
	return strcmp((*(struct eqt_report_pair *const *) a)->key,
		      (*(struct eqt_report_pair *const *) b)->key);
}

/* ---- A folder of saved answers -------------------------------------------- */

/* Saved answers are in the files that equitree why --save writes, and jobs.txt beside
 * them. */
static void options_from(struct eqt_report_options *options)
{
	struct eqt_year_options *year = &options->year;
	const char *conf;

	year->shares = true;
	if (!options->from)
		return;
	year->jobs[0] = eqt_live_cluster_path(options->path[0], options->from,
					      "jobs.txt");
	year->job_files = 1;
	year->nodes = eqt_live_cluster_path(options->path[1], options->from,
					    "nodes.txt");
	year->assocs = eqt_live_cluster_path(options->path[2], options->from,
					     "shares.txt");
	conf = eqt_live_cluster_path(options->path[3], options->from,
				     "equitree.conf");
	if (!year->conf && access(conf, R_OK) == 0)
		year->conf = conf;
}

/* The cluster's name; saved answers have none. */
static void report_name(struct eqt_report *report,
			const struct eqt_report_options *options)
{
	struct eqt_error err;

	if (options->from ||
	    eqt_cluster_name(report->cluster, sizeof(report->cluster), &err) <
		    0)
		report->cluster[0] = '\0';
}

/* Frees nothing on an error: eqt_report_free() does, whatever was made. */
int eqt_report_make(struct eqt_report *report,
		    struct eqt_report_options *options, struct eqt_error *err)
{
	*report = (struct eqt_report){ .days = 0 };
	options_from(options);
	if (eqt_live_cluster_read(&report->live, options->from, err) < 0)
		return -1;
	if (!options->year.now_s)
		options->year.now_s = report->live.now_s;
	if (report_make_days(report, options, err) < 0)
		return -1;
	options->year.each = eqt_report_add;
	options->year.with = report;
	if (eqt_year_make(&report->year, &options->year, err) < 0 ||
	    eqt_sshare_index_make(&report->index, &report->year.shares, err) <
		    0)
		return -1;
	if (report_add_tree(report) < 0 || eqt_report_queue(report) < 0 ||
	    report_add_up(report) < 0)
		return eqt_error_set(err, "out of memory");
	report->pair = calloc(report->pairs.count + 1, sizeof(*report->pair));
	if (!report->pair)
		return eqt_error_set(err, "out of memory");
	memcpy(report->pair, report->pairs.list,
	       report->pairs.count * sizeof(*report->pair));
	qsort(report->pair, report->pairs.count, sizeof(*report->pair),
	      pair_compare);
	report_name(report, options);
	return 0;
}
