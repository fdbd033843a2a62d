/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "budget/book/payers.h"
#include "budget/hours.h"
#include "budget/verdict.h"
#include "budget/warning.h"

/* Write the need, such as "12.5 equivalent-hours". If the job has no end, write
 * what the user must change. */
static void need_text(char *out, size_t size,
		      const struct eqt_budget_applicant *applicant)
{
	char hours[EQT_HOURS_TEXT];

	if (applicant->need_u != UINT64_MAX)
		(void) snprintf(out, size, "%s",
				eqt_hours_need(applicant->need_u, hours));
	else if (applicant->endless)
		(void) snprintf(
			out, size,
			"another partition: %.64s has " EQT_BUDGET_ENDLESS,
			applicant->endless);
	else
		(void) snprintf(out, size, "a time limit");
}

char *eqt_verdict_unit(struct eqt_budgets *budgets,
		       const struct eqt_budget *budget,
		       char buf[EQT_HOURS_UNIT])
{
	const struct eqt_config *config = eqt_config_get(budgets->config);

	(void) eqt_hours_unit(&config->conf->prices, budget->terms.pool, buf);
	eqt_config_put(config);
	return buf;
}

/* Print a local date. format is one of strftime(). */
static void date_text(char *out, size_t size, const char *format, uint64_t when)
{
	const time_t at = (time_t) when;
	struct tm tm;

	out[0] = '\0';
	if (localtime_r(&at, &tm))
		(void) strftime(out, size, format, &tm);
}

/* Why nothing is left where no budget of a level is in force. */
static void absence_text(char *out, size_t size,
			 const struct eqt_budget *budget, uint64_t now)
{
	if (budget->closed)
		(void) snprintf(out, size, "is closed");
	else if (budget->terms.start > now)
		date_text(out, size, "begins at %Y-%m-%dT%H:%M:%S",
			  budget->terms.start);
	else
		date_text(out, size, "ended at %Y-%m-%dT%H:%M:%S",
			  budget->terms.end);
}

/* The balance of the budgets in force together, which add up. */
static void balance_text(char *out, size_t size, const char *unit,
			 const struct eqt_book_lack *lack)
{
	char left[EQT_HOURS_TEXT], amount[EQT_HOURS_TEXT];
	char spent[EQT_HOURS_TEXT], committed[EQT_HOURS_TEXT];

	(void) snprintf(out, size,
			"%s %s of %s %ss left (%s spent, %s committed)",
			lack->in_force > 1 ? "have" : "has",
			eqt_hours_short(lack->left_u, left),
			eqt_hours_short(lack->amount_u, amount), unit,
			eqt_hours_short(lack->spent_u, spent),
			eqt_hours_short(lack->committed_u, committed));
}

/* The balance, the need and, if it may help, the date of the next refill. */
static void verdict_text(struct eqt_budget_verdict *verdict, const char *unit,
			 const struct eqt_budget *budget,
			 const struct eqt_book_lack *lack,
			 const struct eqt_budget_applicant *applicant,
			 uint64_t now)
{
	char more[32] = "", balance[256], need[128], when[64] = "";

	need_text(need, sizeof(need), applicant);
	if (lack->next && verdict->answer != EQT_BOOK_NEVER)
		date_text(when, sizeof(when),
			  "; the next refill is on %Y-%m-%d", lack->next);
	if (lack->in_force > 1)
		(void) snprintf(more, sizeof(more), " and %" PRIu64 " more",
				lack->in_force - 1);
	if (lack->in_force)
		balance_text(balance, sizeof(balance), unit, lack);
	else
		absence_text(balance, sizeof(balance), budget, now);
	(void) eqt_error_set(&verdict->text,
			     "budget %" PRIu64
			     "%s of %s%s%s %s, and this job needs %s%s",
			     budget->id, more, budget->terms.account,
			     budget->terms.user[0] ? "/" : "",
			     budget->terms.user, balance, need, when);
}

/* Fill in what happens to a submission that does not fit. */
static void verdict_refuse(struct eqt_budgets *budgets,
			   struct eqt_budget_verdict *verdict,
			   const struct eqt_budget_applicant *applicant,
			   const struct eqt_book_lack *lack, uint64_t now)
{
	const struct eqt_budget *budget =
		eqt_book_budget(budgets->book, lack->budget);
	char unit[EQT_HOURS_UNIT];

	if (!budget)
		return;
	verdict->way = (enum eqt_budget_way) budget->terms.way;
	(void) snprintf(verdict->bonus, sizeof(verdict->bonus), "%s",
			budget->terms.bonus);
	verdict_text(verdict, eqt_verdict_unit(budgets, budget, unit), budget,
		     lack, applicant, now);
}

/* Write the text for a submission that fits, if a budget reaches a threshold
 * with it, or if only some tasks of an array fit. *entry is the commitment of
 * one task, and is overwritten. */
static void verdict_warn(struct eqt_budgets *budgets,
			 struct eqt_budget_verdict *verdict,
			 const struct eqt_book_wish *one, uint64_t tasks,
			 struct eqt_entry *entry)
{
	const struct eqt_book_wish all = eqt_payers_all_tasks(one, tasks);
	struct eqt_book_lack lack = { 0 };
	const struct eqt_config *config;
	char left[EQT_HOURS_TEXT], unit[EQT_HOURS_UNIT];
	const struct eqt_budget *budget;

	if (tasks < 2 || eqt_book_plan_commit(budgets->book, &all, entry,
					      &lack) == EQT_BOOK_FITS) {
		config = eqt_config_get(budgets->config);
		eqt_warning_text(&verdict->text, budgets->book, config->conf,
				 entry, one->instead_of);
		eqt_config_put(config);
		return;
	}
	budget = eqt_book_budget(budgets->book, lack.budget);
	(void) eqt_error_set(&verdict->text,
			     "budget %" PRIu64
			     " of %s has %s %ss left, enough for %" PRIu64
			     " of %" PRIu64 " tasks; the others wait",
			     lack.budget, budget->terms.account,
			     eqt_hours_short(lack.left_u, left),
			     eqt_verdict_unit(budgets, budget, unit),
			     lack.left_u / one->need_u, tasks);
}

/* Does a submission that fits get another QOS? It does if such a large part of
 * a budget that pays for it is spent and committed that its QOS ends. */
static bool verdict_move(struct eqt_budgets *budgets,
			 struct eqt_budget_verdict *verdict,
			 const struct eqt_book_wish *wish,
			 const struct eqt_entry *commit)
{
	const char *qos = wish->qos;
	const struct eqt_config *config = eqt_config_get(budgets->config);
	const struct eqt_rule *rule =
		qos ? eqt_rules_find(&config->conf->qos, qos, strlen(qos))
		    : NULL;
	bool moves = false;

	for (uint64_t i = 0; rule && rule->then.percent && i < commit->parts;
	     i++) {
		const struct eqt_budget budget = eqt_book_budget_without(
			budgets->book, commit->part[i].budget,
			wish->instead_of);
		const uint64_t percent = eqt_budget_percent(&budget);

		if (percent < rule->then.percent)
			continue;
		moves = true;
		verdict->answer = EQT_BOOK_LACKS;
		verdict->way = EQT_BUDGET_BONUS;
		(void) snprintf(verdict->bonus, sizeof(verdict->bonus), "%s",
				rule->then.qos);
		(void) eqt_error_set(&verdict->text,
				     "budget %" PRIu64 " of %s has %" PRIu64
				     " %% spent and committed, and QOS %s ends "
				     "at %" PRIu64 " %%",
				     budget.id, budget.terms.account, percent,
				     rule->name, rule->then.percent);
	}
	eqt_config_put(config);
	return moves;
}

static void verdict_clear(struct eqt_budget_verdict *verdict)
{
	verdict->answer = EQT_BOOK_FREE;
	verdict->way = EQT_BUDGET_HOLD;
	verdict->bonus[0] = '\0';
	verdict->text.text[0] = '\0';
}

static bool verdict_lacks(const struct eqt_budget_verdict *verdict)
{
	return verdict->answer == EQT_BOOK_LACKS ||
	       verdict->answer == EQT_BOOK_NEVER;
}

/* Judge a job with --time-min by the price of that time. If it fits, the job
 * gets the time that its budget has left. */
static void verdict_shorten(struct eqt_budgets *budgets,
			    struct eqt_budget_verdict *verdict,
			    const struct eqt_book_wish *whole, uint64_t least_u,
			    struct eqt_book_lack *lack)
{
	const struct eqt_book_lack first = *lack;
	struct eqt_book_wish wish = *whole;
	char left[EQT_HOURS_TEXT], unit[EQT_HOURS_UNIT];
	const struct eqt_budget *budget =
		eqt_book_budget(budgets->book, first.budget);

	wish.need_u = least_u;
	verdict->answer =
		eqt_book_plan_commit(budgets->book, &wish, NULL, lack);
	if (verdict->answer == EQT_BOOK_FITS)
		(void) eqt_error_set(&verdict->text,
				     "budget %" PRIu64
				     " of %s has %s %ss left: the time "
				     "limit becomes what they pay for",
				     first.budget, budget->terms.account,
				     eqt_hours_short(first.left_u, left),
				     eqt_verdict_unit(budgets, budget, unit));
}

/* Judge the first task only, because the other tasks may wait. budgets->lock is
 * held. */
static void applicant_judge(struct eqt_budgets *budgets,
			    struct eqt_budget_verdict *verdict,
			    const struct eqt_budget_applicant *applicant,
			    const struct eqt_book_path *path, uint64_t now)
{
	const struct eqt_book_wish wish = {
		.path = path,
		.pool = applicant->gpus ? EQT_BUDGET_GPUS : EQT_BUDGET_CORES,
		.qos = applicant->qos,
		.instead_of = applicant->job,
		.tasks = 1,
		.need_u = applicant->need_u,
		.now = now,
	};
	struct eqt_budget_applicant least = *applicant;
	struct eqt_book_lack lack = { 0 };
	struct eqt_entry entry;

	least.need_u = applicant->least_u;
	verdict->answer =
		eqt_book_plan_commit(budgets->book, &wish, &entry, &lack);
	if (verdict_lacks(verdict) && least.need_u < applicant->need_u)
		verdict_shorten(budgets, verdict, &wish, least.need_u, &lack);
	if (verdict_lacks(verdict))
		verdict_refuse(budgets, verdict, &least, &lack, now);
	if (verdict->answer == EQT_BOOK_FITS && !verdict->text.text[0] &&
	    !verdict_move(budgets, verdict, &wish, &entry))
		verdict_warn(budgets, verdict, &wish, applicant->tasks, &entry);
}

/*
 * Judge by the account alone, if its ancestors are known. Returns true if the
 * submission passes without a text, as most do. A text is not written here:
 * nobody has checked that the user may use the account, and the text could show
 * its balance to a stranger.
 */
static bool applicant_passes(struct eqt_budgets *budgets,
			     struct eqt_budget_verdict *verdict,
			     const struct eqt_budget_applicant *applicant,
			     uint64_t now)
{
	struct eqt_book_path path;
	bool known;

	if (!applicant->account)
		return false;
	pthread_mutex_lock(&budgets->lock);
	known = budgets->book &&
		eqt_ancestry_get(&budgets->ancestry, applicant->account, now,
				 &path) &&
		path.levels > 0 &&
		!eqt_book_may_have_users(budgets->book, path.level[0].account);
	if (known)
		applicant_judge(budgets, verdict, applicant, &path, now);
	pthread_mutex_unlock(&budgets->lock);
	return known &&
	       (verdict->answer == EQT_BOOK_FREE ||
		(verdict->answer == EQT_BOOK_FITS && !verdict->text.text[0]));
}

/* The association of the user in the account. An association for a partition
 * has the same account, and is tried last. assoc_mgr's assoc lock is held. */
static const slurmdb_assoc_rec_t *applicant_assoc(
	const struct eqt_budget_applicant *applicant)
{
	const char *const partitions[] = { NULL, applicant->partition };
	slurmdb_assoc_rec_t *found = NULL;

	for (size_t i = 0; i < 2 && !found; i++) {
		slurmdb_assoc_rec_t want;

		memset(&want, 0, sizeof(want));
		want.acct = (char *) (uintptr_t) applicant->account;
		want.partition = (char *) (uintptr_t) partitions[i];
		want.uid = applicant->uid;
		if (assoc_mgr_fill_in_assoc(acct_db_conn, &want, 0, &found,
					    true) != SLURM_SUCCESS)
			return NULL;
	}
	return found;
}

void eqt_verdict_make(struct eqt_budgets *budgets,
		      struct eqt_budget_verdict *verdict,
		      const struct eqt_budget_applicant *applicant)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	const uint64_t now = (uint64_t) time(NULL);
	const slurmdb_assoc_rec_t *found;
	struct eqt_book_path path;

	verdict_clear(verdict);
	/* Without the file, the job is held in any case. */
	if (budgets->unread.text[0])
		return;
	if (applicant_passes(budgets, verdict, applicant, now))
		return;
	verdict_clear(verdict);
	assoc_mgr_lock(&locks);
	found = applicant_assoc(applicant);
	if (found) {
		eqt_payers_fill(&path, found);
		pthread_mutex_lock(&budgets->lock);
		if (budgets->book) {
			applicant_judge(budgets, verdict, applicant, &path,
					now);
			if (applicant->account)
				eqt_ancestry_put(&budgets->ancestry,
						 applicant->account, now,
						 &path);
		}
		pthread_mutex_unlock(&budgets->lock);
	}
	assoc_mgr_unlock(&locks);
}
