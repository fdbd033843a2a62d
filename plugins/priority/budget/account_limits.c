/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/whole.h"
#include "budget/account_limits.h"
#include "budget/request_execution.h"
#include "slurm/log.h"
#include "slurm/moment.h"
#include "walk/job_links.h"

/* Accounts that one look changes; the next look has the others. */
#define CHANGES_MOST 64

/* A look comes with a round of the thread, unless it would take more than one part in
 * LOOK_SHARE of a processor. */
#define LOOK_LEAST_MS 500
#define LOOK_SHARE 100

/* An account whose limit and budget may differ. */
struct limit_change {
	char account[EQT_BUDGET_NAME];
	bool there; /* it has a limit, of so many billing-minutes */
	uint64_t minutes;
};

struct limit_look {
	const struct eqt_book *book;
	struct limit_change *change;
	size_t count;
};

/* ---- Slurm's side -------------------------------------------------------------------
 * An association has its limits as a text, which sacctmgr sets, and as numbers, which
 * slurmctld compares with usage. The number is taken out, the text stays. */

/* The limit that sacctmgr has set. assoc_mgr's associations are locked. */
static bool account_limit_read(const slurmdb_assoc_rec_t *assoc,
			       uint64_t *minutes)
{
	*minutes = assoc->grp_tres_mins
			   ? slurmdb_find_tres_count_in_string(
				     assoc->grp_tres_mins, TRES_BILLING)
			   : INFINITE64;
	return *minutes < NO_VAL64;
}

/* The number that slurmctld compares; NULL: it has none of any kind. */
static uint64_t *limit_number(const slurmdb_assoc_rec_t *assoc)
{
	return assoc->grp_tres_mins_ctld
		       ? &assoc->grp_tres_mins_ctld[TRES_ARRAY_BILLING]
		       : NULL;
}

/* Users of an account have associations of their own, whose limits are no grants of the
 * account. */
static bool limit_is_of_account(const slurmdb_assoc_rec_t *assoc)
{
	return !assoc->user && assoc->acct &&
	       strlen(assoc->acct) < EQT_BUDGET_NAME;
}

/* Slurm must not check the limit as well: it compares usage that decays, that began before
 * the grant, and that knows no refund. */
static void limits_take(const struct limit_look *look)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .user = READ_LOCK };

	assoc_mgr_lock(&locks);
	for (size_t i = 0; i < look->count; i++) {
		const slurmdb_assoc_rec_t *assoc =
			eqt_job_links_account(look->change[i].account);
		uint64_t minutes;

		/* A limit that was changed meanwhile is taken by the next look. */
		if (assoc && look->change[i].there &&
		    account_limit_read(assoc, &minutes) &&
		    minutes == look->change[i].minutes && limit_number(assoc))
			*limit_number(assoc) = INFINITE64;
	}
	assoc_mgr_unlock(&locks);
}

static int limit_return(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = item;
	uint64_t minutes;

	(void) arg;
	if (limit_is_of_account(assoc) && account_limit_read(assoc, &minutes) &&
	    limit_number(assoc))
		*limit_number(assoc) = minutes;
	return 0;
}

static void limits_return(void)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	(void) list_for_each(assoc_mgr_assoc_list, limit_return, NULL);
	assoc_mgr_unlock(&locks);
}

/* ---- What differs -------------------------------------------------------------------- */

static bool budget_follows_limit(const struct eqt_budget *budget)
{
	return !budget->closed && budget->terms.every == EQT_BUDGET_LIMIT;
}

/* The budget that follows an account's limit; NULL: there is none, or no more. */
static const struct eqt_budget *limit_budget(const struct eqt_book *book,
					     const char *account)
{
	for (uint64_t id = eqt_book_count(book); id > 0; id--) {
		const struct eqt_budget *budget = eqt_book_budget(book, id);

		if (budget_follows_limit(budget) &&
		    strcmp(budget->terms.account, account) == 0)
			return budget;
	}
	return NULL;
}

/* Without memory the next look has it. */
static void limit_look_add(struct limit_look *look, const char *account,
			   bool there, uint64_t minutes)
{
	struct limit_change *change;

	if (look->count == CHANGES_MOST ||
	    EQT_ARRAY_ROOM(look->change, look->count) < 0)
		return;
	change = &look->change[look->count++];
	(void) snprintf(change->account, sizeof(change->account), "%s",
			account);
	change->there = there;
	change->minutes = minutes;
}

/* A limit that slurmctld still checks itself is new, or was set again. */
static int limit_look_account(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = item;
	struct limit_look *look = arg;
	const uint64_t *number = limit_number(assoc);
	uint64_t minutes;

	if (number && *number < NO_VAL64 && limit_is_of_account(assoc) &&
	    account_limit_read(assoc, &minutes))
		limit_look_add(look, assoc->acct, true, minutes);
	return look->count < CHANGES_MOST ? 0 : -1;
}

static uint64_t account_limit_amount(uint64_t minutes, uint64_t scale)
{
	uint64_t amount_u;

	if (__builtin_mul_overflow(minutes, EQT_BUDGET_HOUR_U / 60, &amount_u))
		return EQT_BUDGET_MOST_U;
	amount_u /= scale;
	return amount_u < EQT_BUDGET_MOST_U ? amount_u : EQT_BUDGET_MOST_U;
}

/* Limits that were removed, and amounts that jobs keep above a lowered limit. An account that
 * Slurm does not know any more keeps its budget, as others do. */
static void limit_look_budgets(struct limit_look *look, uint64_t scale)
{
	for (uint64_t id = 1; id <= eqt_book_count(look->book); id++) {
		const struct eqt_budget *budget =
			eqt_book_budget(look->book, id);
		const slurmdb_assoc_rec_t *assoc =
			budget_follows_limit(budget)
				? eqt_job_links_account(budget->terms.account)
				: NULL;
		uint64_t minutes;
		bool there;

		if (!assoc)
			continue;
		there = account_limit_read(assoc, &minutes);
		if (!there ||
		    account_limit_amount(minutes, scale) != budget->amount_u)
			limit_look_add(look, budget->terms.account, there,
				       minutes);
	}
}

static void limit_look_make(struct limit_look *look,
			    struct eqt_budgets *budgets, uint64_t scale)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .user = READ_LOCK };

	assoc_mgr_lock(&locks);
	pthread_mutex_lock(&budgets->lock);
	look->book = budgets->book;
	(void) list_for_each_ro(assoc_mgr_assoc_list, limit_look_account, look);
	limit_look_budgets(look, scale);
	pthread_mutex_unlock(&budgets->lock);
	assoc_mgr_unlock(&locks);
}

/* ---- Entries ------------------------------------------------------------------------ */

/* Has a job a commitment that would come back to the budget, and not lapse? */
static bool limit_budget_gets_back(const struct eqt_book *book,
				   const struct eqt_budget *budget)
{
	const struct eqt_book_job *job;
	size_t at = 0;

	while ((job = eqt_book_job_next(book, &at))) {
		for (uint64_t i = 0; i < job->parts; i++) {
			if (job->part[i].budget == budget->id &&
			    job->part[i].period == budget->period &&
			    job->part[i].taken_u)
				return true;
		}
	}
	return false;
}

/*
 * Make a budget smaller. What is left goes at once. If that is not enough, a new period
 * begins: waiting jobs give back what they have committed, running jobs what they do not need,
 * and all that lapses. The next look raises what has become too small.
 */
static bool limit_entry_lower(struct eqt_entry *entry,
			      const struct eqt_book *book,
			      const struct eqt_budget *budget,
			      uint64_t amount_u)
{
	const uint64_t left_u = eqt_budget_left(budget);
	const uint64_t less_u = budget->amount_u - amount_u;

	entry->budget = budget->id;
	if (left_u) {
		entry->kind = EQT_ENTRY_TRANSFER;
		entry->amount_u = less_u < left_u ? less_u : left_u;
		return true;
	}
	entry->kind = EQT_ENTRY_REFILL;
	return limit_budget_gets_back(book, budget);
}

static void limit_entry_grant(struct eqt_entry *entry,
			      const struct limit_change *change,
			      uint64_t amount_u,
			      const struct eqt_conf_budget *conf)
{
	struct eqt_budget_terms *terms = &entry->state.terms;

	entry->kind = EQT_ENTRY_GRANT;
	terms->every = EQT_BUDGET_LIMIT;
	terms->way = conf->when_spent;
	terms->amount_u = amount_u;
	(void) snprintf(terms->account, sizeof(terms->account), "%s",
			change->account);
	if (terms->way == EQT_BUDGET_BONUS)
		(void) snprintf(terms->bonus, sizeof(terms->bonus), "%s",
				conf->bonus);
}

/* The next entry that brings a budget closer to its limit. False: there is none. The lock of
 * the budgets is held. */
static bool limit_entry_make(struct eqt_entry *entry,
			     const struct eqt_book *book,
			     const struct limit_change *change,
			     const struct eqt_conf *conf)
{
	const struct eqt_budget *budget = limit_budget(book, change->account);
	const uint64_t amount_u =
		account_limit_amount(change->minutes, conf->billing_scale);

	*entry = (struct eqt_entry){ .kind = EQT_ENTRY_CLOSE };
	(void) snprintf(entry->who, sizeof(entry->who), "slurmctld");
	if (!change->there) {
		entry->budget = budget ? budget->id : 0;
		entry->amount_u = 1; /* lifted */
		(void) snprintf(entry->why, sizeof(entry->why),
				"GrpTRESMins=billing is removed");
		return budget;
	}
	(void) snprintf(entry->why, sizeof(entry->why),
			"GrpTRESMins=billing=%" PRIu64, change->minutes);
	if (!budget) {
		limit_entry_grant(entry, change, amount_u, &conf->budget);
		return true;
	}
	if (budget->amount_u > amount_u)
		return limit_entry_lower(entry, book, budget, amount_u);
	entry->kind = EQT_ENTRY_TRANSFER;
	entry->other = budget->id;
	entry->amount_u = amount_u - budget->amount_u;
	return entry->amount_u;
}

/* Write the entries for one account; two at most lower a budget. -1: the file cannot be
 * written, which the thread reports. */
static int limit_change_apply(struct eqt_budgets *budgets,
			      const struct limit_change *change,
			      const struct eqt_conf *conf)
{
	struct eqt_entry entry;
	struct eqt_error err;

	for (int i = 0; i < 2; i++) {
		bool any;

		pthread_mutex_lock(&budgets->lock);
		any = limit_entry_make(&entry, budgets->book, change, conf);
		pthread_mutex_unlock(&budgets->lock);
		if (!any)
			return 0;
		if (eqt_request_execution_do(budgets, &entry, &err) < 0) {
			eqt_log_info("budgets: the limit of %s: %s",
				     change->account, err.text);
			return -1;
		}
		/* Waiting jobs commit to what is there now. */
		budgets->sweep = true;
		eqt_log_info("budgets: %s (%" PRIu64 ") by limit of %s: %s",
			     eqt_entry_word(entry.kind),
			     entry.budget ? entry.budget : entry.other,
			     change->account, entry.why);
	}
	return 0;
}

void eqt_account_limits_follow(struct eqt_budgets *budgets,
			       const struct eqt_config *config)
{
	const struct eqt_conf *conf = config->conf;
	const struct timespec now = eqt_moment_in_ms(0);
	const uint64_t began = eqt_moment_thread_ms();
	struct limit_look look = { .count = 0 };
	uint64_t took;

	if (!conf->budget.from_limits && budgets->limits_taken)
		limits_return();
	budgets->limits_taken &= conf->budget.from_limits;
	if (!conf->budget.from_limits || !budgets->ours || budgets->halted ||
	    eqt_moment_is_before(&now, &budgets->limits_due))
		return;
	limit_look_make(&look, budgets, conf->billing_scale);
	for (size_t i = 0; i < look.count; i++) {
		/* What the disk does not have, Slurm goes on to check. */
		if (limit_change_apply(budgets, &look.change[i], conf) < 0)
			look.count = i;
	}
	if (look.count) {
		limits_take(&look);
		budgets->limits_taken = true;
		/* Jobs that waited for Slurm's own check. */
		queue_job_scheduler();
	}
	free(look.change);
	took = (eqt_moment_thread_ms() - began) * LOOK_SHARE;
	budgets->limits_due =
		eqt_moment_in_ms(eqt_whole_max(took, LOOK_LEAST_MS));
}
