/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/whole.h"
#include "budget/account_limits.h"
#include "budget/request_execution.h"
#include "slurm/elapsed.h"
#include "slurm/log.h"
#include "slurm/moment.h"
#include "walk/job_links.h"

/* The most accounts with a changed limit that are recorded at a time. This
   bounds the memory. */
#define CHANGES_MOST 4096

/* The number of entries that are written and synced together. */
#define ENTRIES_MOST 128

/* A lock is released after this time, in nanoseconds, however many accounts
 * differ. */
#define HOLD_NS 1000000L

/* Looks are at least LOOK_LEAST_MS milliseconds apart. They are so rare that
 * looks that find nothing take at most one part in LOOK_SHARE of a
 * processor. */
#define LOOK_LEAST_MS 500
#define LOOK_SHARE 100

/* An account whose limit and budget may differ. */
struct limit_change {
	uint32_t assoc;
	char account[EQT_BUDGET_NAME];
	/* The account has a limit, whose billing-minutes are in `minutes`. */
	bool there;
	uint64_t minutes;
};

struct limit_look {
	list_t *list; /* The list of associations. */
	list_itr_t *next;
	/* The root association of `list`. */
	const slurmdb_assoc_rec_t *root;
	struct limit_change *change;
	size_t count;
	/* The limit of some account is below the amount that its budget has
	   committed. */
	bool lowers;
	/* For each budget, indexed by id - 1: have jobs committed an amount
	   that would return to it? */
	bool *returns;
	uint64_t budgets;
	/* The number of entries written and of limits removed from Slurm's own
	   check. */
	size_t done;
	struct timespec held; /* The time since which the lock is held. */
};

static bool look_held_long(const struct limit_look *look)
{
	return eqt_elapsed_ns(&look->held) > HOLD_NS;
}

/*
 * ---- Slurm's side ----
 * An association has its limits as a text, which sacctmgr sets, and as numbers,
 * which slurmctld compares with usage. The number is removed, and the text
 * stays.
 */

/* The limit that sacctmgr has set. assoc_mgr's assoc lock is held. */
static bool account_limit_read(const slurmdb_assoc_rec_t *assoc,
			       uint64_t *minutes)
{
	*minutes = assoc->grp_tres_mins
			   ? slurmdb_find_tres_count_in_string(
				     assoc->grp_tres_mins, TRES_BILLING)
			   : INFINITE64;
	return *minutes < NO_VAL64;
}

/* The number that slurmctld compares with usage, or NULL if the association has
 * no such limit at all. */
static uint64_t *limit_number(const slurmdb_assoc_rec_t *assoc)
{
	return assoc->grp_tres_mins_ctld
		       ? &assoc->grp_tres_mins_ctld[TRES_ARRAY_BILLING]
		       : NULL;
}

/* Does slurmctld compare the limit with usage? It does as long as the association has
 * the number, which sacctmgr sets together with the limit. */
static bool limit_is_checked(const slurmdb_assoc_rec_t *assoc)
{
	const uint64_t *number = limit_number(assoc);

	return number && *number < NO_VAL64;
}

/* Is this the limit of an account? A user's association also has the name of
 * the account, but its limit grants the account nothing. */
static bool limit_is_of_account(const slurmdb_assoc_rec_t *assoc)
{
	return !assoc->user && assoc->acct &&
	       strlen(assoc->acct) < EQT_BUDGET_NAME;
}

/* Remove a limit from Slurm's own check. That check would compare the limit
 * with usage that decays, that began before the grant, and that knows no
 * refund. A limit that was changed meanwhile is left to the next look.
 * assoc_mgr's assoc lock is held for writing. */
static bool limit_take(const struct limit_change *change)
{
	const slurmdb_assoc_rec_t *assoc = eqt_job_links_assoc(change->assoc);
	uint64_t minutes;

	if (!assoc || !change->there || !limit_is_checked(assoc) ||
	    !account_limit_read(assoc, &minutes) || minutes != change->minutes)
		return false;
	*limit_number(assoc) = INFINITE64;
	return true;
}

static void limits_take(struct limit_look *look, size_t from, size_t to)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .user = READ_LOCK };

	while (from < to) {
		assoc_mgr_lock(&locks);
		look->held = eqt_elapsed_start();
		do {
			look->done += limit_take(&look->change[from++]);
		} while (from < to && !look_held_long(look));
		assoc_mgr_unlock(&locks);
	}
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

/* ---- Differences between limits and budgets ---- */

/* Record an account. If memory is short, the next look finds the account
 * again. */
static void limit_look_add(struct limit_look *look,
			   const slurmdb_assoc_rec_t *assoc, bool there,
			   uint64_t minutes)
{
	struct limit_change *change;

	if (EQT_ARRAY_ROOM(look->change, look->count) < 0)
		return;
	change = &look->change[look->count++];
	change->assoc = assoc->id;
	(void) snprintf(change->account, sizeof(change->account), "%s",
			assoc->acct);
	change->there = there;
	change->minutes = minutes;
}

static uint64_t account_limit_amount(uint64_t minutes, uint64_t scale)
{
	uint64_t amount_u;

	if (__builtin_mul_overflow(minutes, EQT_BUDGET_HOUR_U / 60, &amount_u))
		return EQT_BUDGET_MOST_U;
	amount_u /= scale;
	return amount_u < EQT_BUDGET_MOST_U ? amount_u : EQT_BUDGET_MOST_U;
}

/* Record an account whose budget differs from its limit, or whose limit Slurm
 * still checks. An account that was removed from Slurm has no association to
 * visit, and keeps its budget. */
static void limit_look_account(struct limit_look *look,
			       const struct eqt_book *book,
			       const slurmdb_assoc_rec_t *assoc, uint64_t scale)
{
	const struct eqt_budget *budget = eqt_book_limit(book, assoc->acct);
	uint64_t minutes, amount_u = 0;
	const bool there = account_limit_read(assoc, &minutes);

	if (there)
		amount_u = account_limit_amount(minutes, scale);
	if (!budget ? there
		    : !there || amount_u != budget->amount_u ||
			      limit_is_checked(assoc))
		limit_look_add(look, assoc, there, minutes);
	look->lowers |= budget && there && budget->committed_u &&
			budget->amount_u - eqt_budget_left(budget) > amount_u;
}

/* Look at the next association. Returns false if the look is over: no
 * association is left, CHANGES_MOST accounts differ, or slurmctld has replaced
 * the list and freed the iterator with the old list. */
static bool limit_look_step(struct limit_look *look,
			    const struct eqt_book *book, uint64_t scale)
{
	const slurmdb_assoc_rec_t *assoc;

	if (!look->list && assoc_mgr_assoc_list) {
		look->list = assoc_mgr_assoc_list;
		look->next = list_iterator_create(look->list);
		look->root = assoc_mgr_root_assoc;
	}
	/* A new list may have the address of a freed list, but is unlikely to
	   have the same root address as well. */
	if (!look->list || look->list != assoc_mgr_assoc_list ||
	    look->root != assoc_mgr_root_assoc)
		return false;
	assoc = list_next(look->next);
	if (assoc && limit_is_of_account(assoc))
		limit_look_account(look, book, assoc, scale);
	if (assoc && look->count < CHANGES_MOST)
		return true;
	list_iterator_destroy(look->next);
	return false;
}

/* Look at all accounts. The iterator stays valid while the locks are released,
 * because its list adjusts it when associations are added or removed. */
static void limit_look_accounts(struct limit_look *look,
				struct eqt_budgets *budgets, uint64_t scale)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool goes_on;

	do {
		assoc_mgr_lock(&locks);
		pthread_mutex_lock(&budgets->lock);
		look->held = eqt_elapsed_start();
		look->budgets = eqt_book_count(budgets->book);
		do {
			goes_on = limit_look_step(look, budgets->book, scale);
		} while (goes_on && !look_held_long(look));
		pthread_mutex_unlock(&budgets->lock);
		assoc_mgr_unlock(&locks);
	} while (goes_on);
}

static void limit_look_job(struct limit_look *look, const struct eqt_book *book,
			   const struct eqt_book_job *job)
{
	for (uint64_t i = 0; i < job->parts; i++) {
		const struct eqt_entry_part *part = &job->part[i];
		const struct eqt_budget *budget =
			eqt_book_budget(book, part->budget);

		if (budget && budget->period == part->period && part->taken_u &&
		    budget->id <= look->budgets)
			look->returns[budget->id - 1] = true;
	}
}

/* Find the budgets to which jobs would return something. Jobs that are added or
 * removed meanwhile may be missed, but the next look finds them. */
static void limit_look_jobs(struct limit_look *look,
			    struct eqt_budgets *budgets)
{
	const struct eqt_book_job *job;
	size_t at = 0;

	look->returns = calloc(look->budgets, sizeof(*look->returns));
	if (!look->returns)
		return;
	do {
		pthread_mutex_lock(&budgets->lock);
		look->held = eqt_elapsed_start();
		do {
			job = eqt_book_job_next(budgets->book, &at);
			if (job)
				limit_look_job(look, budgets->book, job);
		} while (job && !look_held_long(look));
		pthread_mutex_unlock(&budgets->lock);
	} while (job);
}

/* ---- Entries ------------------------------------------------------------------------ */

/*
 * Make a budget smaller. The first entry takes what is left. If nothing is
 * left, a new period begins: waiting jobs return their commitments to the old
 * period, running jobs return the part that they do not need, and all of this
 * lapses. The next look raises a budget that has become too small.
 */
static bool limit_entry_lower(struct eqt_entry *entry,
			      const struct limit_look *look,
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
	return look->returns && budget->id <= look->budgets &&
	       look->returns[budget->id - 1];
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

/* Make the next entry that brings a budget closer to its limit. Returns false
 * if there is none. The lock of the budgets is held. */
static bool limit_entry_make(struct eqt_entry *entry,
			     const struct eqt_book *book,
			     const struct limit_look *look,
			     const struct limit_change *change,
			     const struct eqt_conf *conf)
{
	const struct eqt_budget *budget = eqt_book_limit(book, change->account);
	const uint64_t amount_u =
		account_limit_amount(change->minutes, conf->billing_scale);

	*entry = (struct eqt_entry){ .kind = EQT_ENTRY_CLOSE };
	(void) snprintf(entry->who, sizeof(entry->who), "slurmctld");
	if (!change->there) {
		entry->budget = budget ? budget->id : 0;
		/* The amount 1 says that the limit is lifted. */
		entry->amount_u = 1;
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
		return limit_entry_lower(entry, look, budget, amount_u);
	entry->kind = EQT_ENTRY_TRANSFER;
	entry->other = budget->id;
	entry->amount_u = amount_u - budget->amount_u;
	return entry->amount_u;
}

/* Make the entries of some changes, from *at on, and check that they can be
 * applied. */
static size_t limit_entries_plan(struct eqt_entry *entry,
				 struct eqt_budgets *budgets,
				 struct limit_look *look, size_t *at,
				 const struct eqt_conf *conf)
{
	struct eqt_error err;
	size_t count = 0;
	uint64_t grants = 0;

	pthread_mutex_lock(&budgets->lock);
	look->held = eqt_elapsed_start();
	do {
		struct limit_change *change = &look->change[(*at)++];
		struct eqt_entry *next = &entry[count];

		/* The next look tries a refused change again. Until then Slurm
		   checks the limit. */
		if (!limit_entry_make(next, budgets->book, look, change, conf))
			continue;
		if (eqt_request_execution_plan(budgets, next, &err) != 0) {
			change->there = false;
			continue;
		}
		/* The plan gives each grant the first free id, because no grant
		   is in the book yet. */
		if (next->kind == EQT_ENTRY_GRANT)
			next->budget += grants++;
		count++;
	} while (*at < look->count && count < ENTRIES_MOST &&
		 !look_held_long(look));
	pthread_mutex_unlock(&budgets->lock);
	return count;
}

/* Write the entries of all changes. After they are on the disk, remove their
 * limits from Slurm's own check. */
static void limit_look_apply(struct limit_look *look,
			     struct eqt_budgets *budgets,
			     const struct eqt_conf *conf)
{
	struct eqt_entry *entry = calloc(ENTRIES_MOST, sizeof(*entry));
	struct eqt_error err;
	int rc = 0;

	for (size_t at = 0; entry && rc == 0 && at < look->count;) {
		const size_t from = at;
		const size_t count =
			limit_entries_plan(entry, budgets, look, &at, conf);

		if (count)
			rc = eqt_request_execution_apply(budgets, entry, count,
							 &err);
		for (size_t i = 0; rc == 0 && i < count; i++)
			eqt_log_info("budgets: %s (%" PRIu64 ") by limit: %s",
				     eqt_entry_word(entry[i].kind),
				     entry[i].budget ? entry[i].budget
						     : entry[i].other,
				     entry[i].why);
		if (rc == 0)
			limits_take(look, from, at);
		look->done += rc == 0 ? count : 0;
	}
	/* If the file cannot be written, the thread reports the error. */
	free(entry);
}

/* Plan the next look. After changes all jobs are tried again: Slurm's own check
 * held some of them, and others commit to budgets that have changed. */
static void limit_look_end(const struct limit_look *look,
			   struct eqt_budgets *budgets, uint64_t took_ms)
{
	const bool goes_on = (look->count == CHANGES_MOST || look->lowers) &&
			     look->done;

	if (look->done) {
		budgets->limits_taken = true;
		budgets->sweep = true;
		queue_job_scheduler();
	}
	budgets->limits_due = eqt_moment_in_ms(
		goes_on ? 0
			: eqt_whole_max(took_ms * LOOK_SHARE, LOOK_LEAST_MS));
	if (!goes_on)
		return;
	/* Continue in the next round, so that requests and ends of jobs do not
	   wait for thousands of accounts. */
	pthread_mutex_lock(&budgets->lock);
	eqt_budgets_wake(budgets);
	pthread_mutex_unlock(&budgets->lock);
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
	limit_look_accounts(&look, budgets, conf->billing_scale);
	if (look.lowers)
		limit_look_jobs(&look, budgets);
	took = eqt_moment_thread_ms() - began;
	if (look.count)
		limit_look_apply(&look, budgets, conf);
	limit_look_end(&look, budgets, took);
	free(look.returns);
	free(look.change);
}
