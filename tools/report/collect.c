/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass over the jobs. Memory grows with users, accounts and days, never with
 * jobs: of the jobs of a user only the last ones are kept.
 */
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/* ---- Names ---------------------------------------------------------------- */

/* Cells of sacct live as long as their line, so texts that stay are kept once each. */
const char *eqt_report_text(struct eqt_report *report, const char *text)
{
	const char **own =
		eqt_names_get(&report->texts, text, sizeof(*own), NULL);

	return own ? *own : NULL;
}

/* Made when it is asked for the first time. NULL: out of memory. */
struct eqt_report_user *eqt_report_user(struct eqt_report *report,
					const char *name)
{
	struct eqt_report_user *user;
	int new;

	user = eqt_names_get(&report->users, name, sizeof(*user), &new);
	if (user && new)
		user->waiting = EQT_TREE_NONE;
	return user;
}

/* An account without an association is one that has been removed. */
struct eqt_report_account *eqt_report_account(struct eqt_report *report,
					      const char *name)
{
	struct eqt_report_account *account;
	int new;

	account =
		eqt_names_get(&report->accounts, name, sizeof(*account), &new);
	if (account && new)
		account->assoc = EQT_TREE_NONE;
	return account;
}

/* The key has a newline between the names, which neither can have; pairs sort by
 * account, then by user. */
struct eqt_report_pair *eqt_report_pair(struct eqt_report *report,
					const char *account, const char *user)
{
	struct eqt_report_pair *pair;
	char key[1024];
	int new;

	(void) snprintf(key, sizeof(key), "%.500s\n%.500s", account, user);
	pair = eqt_names_get(&report->pairs, key, sizeof(*pair), &new);
	if (pair && new) {
		pair->account = eqt_report_text(report, account);
		pair->user = eqt_report_text(report, user);
	}
	return pair && pair->account && pair->user ? pair : NULL;
}

/* ---- Usage ---------------------------------------------------------------- */

/* Frees the days; the rest is numbers. */
static void use_clear(struct eqt_report_use *use)
{
	free(use->day[0]);
	free(use->day[1]);
	*use = (struct eqt_report_use){ .jobs = 0 };
}

/* The day of a time; the clocks may have changed before it. */
static size_t day_find(const struct eqt_report *report, int64_t at_s)
{
	size_t day = (size_t) ((at_s - report->day_from[0]) / 86400);

	if (day >= report->days)
		day = report->days - 1;
	while (day > 0 && report->day_from[day] > at_s)
		day--;
	while (day + 1 < report->days && report->day_from[day + 1] <= at_s)
		day++;
	return day;
}

/* Add the seconds of a job to the days that it ran on. Days are made with the first
 * usage: most pairs of account and user have few. */
static int use_add_days(struct eqt_report_use *use,
			const struct eqt_report *report, int unit,
			const struct eqt_year_part *part)
{
	size_t day;
	int64_t at_s = part->from_s, end_s;

	if (!use->day[unit])
		use->day[unit] = calloc(report->days, sizeof(eqt_u128));
	if (!use->day[unit])
		return -1;
	for (day = day_find(report, at_s); at_s < part->until_s; day++) {
		end_s = day + 1 < report->days ? report->day_from[day + 1]
					       : part->until_s;
		if (end_s > part->until_s)
			end_s = part->until_s;
		eqt_year_part_add(&use->day[unit][day], part, unit,
				  (uint64_t) (end_s - at_s));
		at_s = end_s;
	}
	return 0;
}

/* days: keep the sum of each day as well. */
static int use_add(struct eqt_report_use *use, const struct eqt_report *report,
		   const struct eqt_year_part *part, bool days)
{
	int unit;

	use->jobs += part->new;
	for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
		eqt_year_part_add(&use->total[unit], part, unit,
				  (uint64_t) (part->until_s - part->from_s));
	for (unit = EQT_YEAR_CORE; days && unit <= EQT_YEAR_GPU; unit++) {
		if (part->of[unit] > 0 &&
		    use_add_days(use, report, unit, part) < 0)
			return -1;
	}
	return 0;
}

/* ---- All jobs ------------------------------------------------------------- */

/* Lists are read a second time if they are not in order, and must not count twice. */
static void report_clear_uses(struct eqt_report *report)
{
	struct eqt_report_account **account = (void *) report->accounts.list;
	struct eqt_report_user **user = (void *) report->users.list;
	struct eqt_report_pair **pair = (void *) report->pairs.list;
	size_t i;

	use_clear(&report->use);
	for (i = 0; i < report->users.count; i++) {
		use_clear(&user[i]->use);
		user[i]->last.count = 0;
	}
	for (i = 0; i < report->accounts.count; i++)
		use_clear(&account[i]->use);
	for (i = 0; i < report->pairs.count; i++)
		use_clear(&pair[i]->use);
}

/* A callback for each part of a job; NULL for the beginning of a list. */
int eqt_report_add(void *with, const struct eqt_year_part *part)
{
	struct eqt_report *report = with;
	struct eqt_report_account *account;
	struct eqt_report_user *user;
	struct eqt_report_pair *pair;
	struct eqt_year_run run;
	const char *const *text;

	if (!part) {
		report_clear_uses(report);
		return 0;
	}
	text = part->job->text;
	account = eqt_report_account(report, text[EQT_SACCT_ACCOUNT]);
	user = eqt_report_user(report, text[EQT_SACCT_USER]);
	pair = eqt_report_pair(report, text[EQT_SACCT_ACCOUNT],
			       text[EQT_SACCT_USER]);
	if (!account || !user || !pair ||
	    use_add(&report->use, report, part, true) < 0 ||
	    use_add(&user->use, report, part, true) < 0 ||
	    use_add(&pair->use, report, part, false) < 0 ||
	    use_add(&account->use, report, part, true) < 0)
		return -1;
	eqt_year_run_make(&run, part);
	return eqt_year_last_add(&user->last, &run, &report->texts);
}

/* Numbers of jobs and amounts of an account become part of those above it. 0, or -1:
 * out of memory. */
int eqt_report_use_add(struct eqt_report_use *to,
		       const struct eqt_report_use *use,
		       const struct eqt_report *report)
{
	size_t day;
	int unit;

	to->jobs += use->jobs;
	to->waiting += use->waiting;
	to->running += use->running;
	for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
		eqt_year_amount_add(&to->total[unit], use->total[unit], 1);
	for (unit = EQT_YEAR_CORE; unit <= EQT_YEAR_GPU; unit++) {
		if (!use->day[unit])
			continue;
		if (!to->day[unit])
			to->day[unit] = calloc(report->days, sizeof(eqt_u128));
		if (!to->day[unit])
			return -1;
		for (day = 0; day < report->days; day++)
			eqt_year_amount_add(&to->day[unit][day],
					    use->day[unit][day], 1);
	}
	return 0;
}

/* ---- The end -------------------------------------------------------------- */

void eqt_report_free(struct eqt_report *report)
{
	report_clear_uses(report);
	eqt_names_free(&report->users);
	eqt_names_free(&report->accounts);
	eqt_names_free(&report->pairs);
	eqt_names_free(&report->texts);
	free(report->pair);
	free(report->by_assoc);
	free(report->day_from);
	free(report->next_waiting);
	free(report->ahead);
	eqt_sshare_index_free(&report->index);
	eqt_live_cluster_free(&report->live);
	eqt_year_free(&report->year);
	*report = (struct eqt_report){ .days = 0 };
}
