/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "budget/payers.h"
#include "budget/judgement.h"
#include "budget/warning.h"

static double verdict_hours(uint64_t amount_u)
{
	return (double) amount_u / (double) EQT_BUDGET_HOUR_U;
}

/* "12.5 equivalent-hours", or what a job without a time limit needs. */
static void need_text(char *out, size_t size, uint64_t need_u)
{
	if (need_u == UINT64_MAX)
		(void) snprintf(out, size, "a time limit");
	else
		(void) snprintf(out, size, "%.10g", verdict_hours(need_u));
}

/* The balance, the need and the date of the next refill. */
static void verdict_text(struct eqt_budget_verdict *verdict,
			 const struct eqt_budget *budget,
			 const struct eqt_book_lack *lack, uint64_t need_u)
{
	char need[32], when[64] = "";

	need_text(need, sizeof(need), need_u);
	if (lack->next) {
		time_t at = (time_t) lack->next;
		struct tm tm;

		if (localtime_r(&at, &tm))
			(void) strftime(when, sizeof(when),
					"; the next refill is on %Y-%m-%d",
					&tm);
	}
	(void) eqt_error_set(
		&verdict->text,
		"budget %" PRIu64 " of %s%s%s has %.10g of %.10g "
		"equivalent-hours left (%.10g spent, %.10g committed), and "
		"this job needs %s%s",
		budget->id, budget->terms.account,
		budget->terms.user[0] ? "/" : "", budget->terms.user,
		verdict_hours(lack->left_u), verdict_hours(budget->amount_u),
		verdict_hours(budget->spent_u),
		verdict_hours(budget->committed_u), need, when);
}

/* What is to be done with a submission that does not fit. */
static void verdict_refuse(struct eqt_budgets *budgets,
			   struct eqt_budget_verdict *verdict,
			   const struct eqt_budget_applicant *applicant,
			   const struct eqt_book_lack *lack)
{
	const struct eqt_budget *budget =
		eqt_book_budget(budgets->book, lack->budget);

	if (!budget)
		return;
	verdict->way = (enum eqt_budget_way) budget->terms.way;
	(void) snprintf(verdict->bonus, sizeof(verdict->bonus), "%s",
			budget->terms.bonus);
	verdict_text(verdict, budget, lack, applicant->need_u);
}

/* It fits: say so where a budget reaches a threshold with it, or where only some tasks
 * of an array fit. *entry is the commitment of one task, and is overwritten. */
static void verdict_warn(struct eqt_budgets *budgets,
			 struct eqt_budget_verdict *verdict,
			 const struct eqt_book_wish *one, uint64_t tasks,
			 struct eqt_entry *entry)
{
	struct eqt_book_wish all = *one;
	struct eqt_book_lack lack = { 0 };
	const struct eqt_config *config;

	all.tasks = tasks;
	if (__builtin_mul_overflow(one->need_u, tasks, &all.need_u))
		all.need_u = UINT64_MAX;
	if (tasks < 2 || eqt_book_plan_commit(budgets->book, &all, entry,
					      &lack) == EQT_BOOK_FITS) {
		config = eqt_config_get(budgets->config);
		eqt_warning_text(&verdict->text, budgets->book,
				 &config->conf->budget.warn, entry);
		eqt_config_put(config);
		return;
	}
	(void) eqt_error_set(
		&verdict->text,
		"budget %" PRIu64 " of %s has %.10g equivalent-hours left, "
		"enough for %" PRIu64 " of %" PRIu64 " tasks; the others wait",
		lack.budget,
		eqt_book_budget(budgets->book, lack.budget)->terms.account,
		verdict_hours(lack.left_u), lack.left_u / one->need_u, tasks);
}

/* The wish of the first task: the others may wait. */
static void applicant_judge(struct eqt_budgets *budgets,
			    struct eqt_budget_verdict *verdict,
			    const struct eqt_budget_applicant *applicant,
			    const struct eqt_book_path *path)
{
	const struct eqt_book_wish wish = {
		.path = path,
		.pool = applicant->gpus ? EQT_BUDGET_GPUS : EQT_BUDGET_CORES,
		.qos = applicant->qos,
		.instead_of = applicant->job,
		.tasks = 1,
		.need_u = applicant->need_u,
		.now = (uint64_t) time(NULL),
	};
	struct eqt_book_lack lack = { 0 };
	struct eqt_entry entry;

	pthread_mutex_lock(&budgets->lock);
	if (budgets->book) {
		verdict->answer = eqt_book_plan_commit(budgets->book, &wish,
						       &entry, &lack);
		if (verdict->answer == EQT_BOOK_LACKS ||
		    verdict->answer == EQT_BOOK_NEVER)
			verdict_refuse(budgets, verdict, applicant, &lack);
		if (verdict->answer == EQT_BOOK_FITS)
			verdict_warn(budgets, verdict, &wish, applicant->tasks,
				     &entry);
	}
	pthread_mutex_unlock(&budgets->lock);
}

void eqt_budgets_judge(struct eqt_budgets *budgets,
		       struct eqt_budget_verdict *verdict,
		       const struct eqt_budget_applicant *applicant)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	slurmdb_assoc_rec_t want, *found = NULL;
	struct eqt_book_path path;

	*verdict = (struct eqt_budget_verdict){ .answer = EQT_BOOK_FREE };
	memset(&want, 0, sizeof(want));
	want.acct = (char *) (uintptr_t) applicant->account;
	want.partition = (char *) (uintptr_t) applicant->partition;
	want.uid = applicant->uid;
	assoc_mgr_lock(&locks);
	if (assoc_mgr_fill_in_assoc(acct_db_conn, &want, 0, &found, true) ==
		    SLURM_SUCCESS &&
	    found) {
		eqt_payers_fill(&path, found);
		applicant_judge(budgets, verdict, applicant, &path);
	}
	assoc_mgr_unlock(&locks);
}
