/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ranks of Fair Tree from the printed LevelFS. lib/tree ranks by usage, but sshare
 * prints only whole seconds of usage, so lib/tree would find ties and orders that
 * slurmctld does not have. The six decimals of LevelFS determine the order of nearly all
 * siblings. For the rest, each possible order is tried, and the one that agrees best with
 * the printed ranks is kept.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fraction.h"
#include "cli/alloc.h"
#include "tree/verify.h"

/* Whether sibling accounts with the same printed LevelFS are tied. */
enum tie_guess {
	TIE_BY_USAGE, /* if their shares and usage are equal as well */
	TIE_NEVER,
	TIE_ALWAYS,
	TIE_GUESSES
};

/* An association among its siblings. */
struct entry {
	uint32_t assoc;
	double level; /* INFINITY and 0 are exact */
	bool exact;
	bool user;
	uint32_t rank; /* the best printed rank of the account's users */
};

/* One ranking while it is computed. */
struct ranking {
	const struct eqt_sshare *shares;
	/* The children of association i are child[first[i]] up to, but not including,
	 * child[first[i + 1]]. */
	const uint32_t *first, *child;
	const struct entry *of; /* each association as an entry */
	struct entry *entries; /* the lists of the walk, one after the other */
	uint32_t *ranks; /* the result: the rank of each association */
	enum tie_guess guess;
	bool stock;
	size_t ambiguous;
	uint32_t rank, untied;
};

/* Sort by level, the highest first. If the printed digits are equal, the printed ranks
 * decide, because their order is possible. */
static int entries_compare(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->level != b->level)
		return a->level > b->level ? -1 : 1;
	/* "exact" means that there are no shares at all */
	if (a->exact != b->exact)
		return a->exact ? 1 : -1;
	if (!a->exact && a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	if (a->user != b->user)
		return a->user ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return a->assoc < b->assoc ? -1 : a->assoc > b->assoc;
}

/* Do shares and usage give both the same Level FS? */
static bool usages_are_equal(const struct eqt_sshare *shares, uint32_t a,
			     uint32_t b)
{
	const struct eqt_sshare_assoc *x = &shares->assocs[a];
	const struct eqt_sshare_assoc *y = &shares->assocs[b];

	const struct eqt_frac_product left = {
		{ x->shares, 1 },
		{ (long double) y->usage, 1 },
	};
	const struct eqt_frac_product right = {
		{ y->shares, 1 },
		{ (long double) x->usage, 1 },
	};

	return eqt_sshare_above(shares, a) == eqt_sshare_above(shares, b) &&
	       eqt_frac_cmp_products(&left, &right) == 0;
}

/* Are two neighbours tied? For users the printed ranks decide, and for accounts the
 * guess. */
static bool entries_tied(struct ranking *ranking, const struct entry *a,
			 const struct entry *b)
{
	if (a->level != b->level || a->exact != b->exact)
		return false;
	if (a->exact)
		return true;
	if (a->user && b->user) {
		ranking->ambiguous++;
		return a->rank == b->rank;
	}
	if (ranking->guess == TIE_BY_USAGE)
		return usages_are_equal(ranking->shares, a->assoc, b->assoc);
	return ranking->guess == TIE_ALWAYS;
}

/* Append the children of an account. Returns the new end. */
static size_t list_append(struct ranking *ranking, size_t end, uint32_t account)
{
	for (uint32_t k = ranking->first[account];
	     k < ranking->first[account + 1]; k++)
		ranking->entries[end++] = ranking->of[ranking->child[k]];
	return end;
}

/*
 * Rank the entries from base up to, but not including, end. The children of accounts are
 * appended behind the list and ranked as well. Ranks count down. Tied users share a rank,
 * and the next user has the rank that it would have without the tie.
 */
static void list_rank(struct ranking *ranking, size_t base, size_t end,
		      bool above_tied)
{
	struct entry *entries = ranking->entries;
	size_t next, top;

	qsort(&entries[base], end - base, sizeof(*entries), entries_compare);
	for (size_t i = base; i < end; i = next) {
		bool tied = i > base ? entries_tied(ranking, &entries[i - 1],
						    &entries[i])
				     : above_tied;

		next = i + 1;
		if (entries[i].user) {
			if (!tied)
				ranking->rank = ranking->untied;
			ranking->untied--;
			ranking->ranks[entries[i].assoc] = ranking->rank;
			continue;
		}
		while (!ranking->stock && next < end &&
		       entries_tied(ranking, &entries[next - 1],
				    &entries[next]))
			next++;
		top = end;
		for (size_t k = i; k < next; k++)
			top = list_append(ranking, top, entries[k].assoc);
		list_rank(ranking, end, top, tied);
	}
}

/* Rank all users. Returns how many have another printed rank. */
static size_t ranking_run(struct ranking *ranking)
{
	const struct eqt_sshare *shares = ranking->shares;
	size_t wrong = 0;

	ranking->rank = ranking->untied = eqt_tree_users(shares->tree);
	ranking->ambiguous = 0;
	list_rank(ranking, 0, list_append(ranking, 0, 0), false);
	for (uint32_t i = 0; i < shares->count; i++)
		wrong += shares->assocs[i].user &&
			 ranking->ranks[i] != ranking->of[i].rank;
	return wrong;
}

/* ---- Data of all rankings ------------------------------------------------- */

struct plan {
	uint32_t *first, *child, *ranks, *best_ranks;
	struct entry *of, *entries;
};

static void plan_free(struct plan *plan)
{
	free(plan->first);
	free(plan->child);
	free(plan->ranks);
	free(plan->best_ranks);
	free(plan->of);
	free(plan->entries);
}

static void plan_make(struct plan *plan, size_t count)
{
	*plan = (struct plan){
		.first = eqt_alloc(count + 2, sizeof(*plan->first)),
		.child = eqt_alloc(count + 1, sizeof(*plan->child)),
		.ranks = eqt_alloc(count, sizeof(*plan->ranks)),
		.best_ranks = eqt_alloc(count, sizeof(*plan->best_ranks)),
		.of = eqt_alloc(count, sizeof(*plan->of)),
		.entries = eqt_alloc(count, sizeof(*plan->entries)),
	};
}

static struct entry entry_make(const struct eqt_sshare *shares, uint32_t i)
{
	double users = eqt_tree_users(shares->tree);
	double factor = eqt_verify_cell(shares, i, "FairShare");
	struct entry entry = {
		.assoc = i,
		.level = eqt_verify_cell(shares, i, "LevelFS"),
		.user = shares->assocs[i].user != NULL,
	};

	if (shares->assocs[i].parent_shares)
		entry.level = INFINITY;
	else if (!(eqt_tree_node(shares->tree, i).shares_norm > 0))
		entry.level = 0;
	entry.exact = isinf(entry.level) ||
		      !(eqt_tree_node(shares->tree, i).shares_norm > 0);
	if (entry.user && factor >= 0 && factor <= 1)
		/* FairShare is the rank divided by the number of users. */
		entry.rank = (uint32_t) (factor * users + 0.5);
	return entry;
}

/* Accounts without a user do not count. Children of an account with Fairshare=parent
 * count as children of the account above it. */
static void plan_fill(struct plan *plan, const struct eqt_sshare *shares)
{
	uint32_t *next = plan->ranks; /* borrowed until ranks are computed */

	for (uint32_t i = shares->count; i-- > 0;) {
		struct entry entry = entry_make(shares, i);
		uint32_t above = eqt_sshare_above(shares, i);

		if (entry.user)
			plan->of[i] = entry;
		else
			plan->of[i].level = entry.level,
			plan->of[i].exact = entry.exact, plan->of[i].assoc = i;
		if (i > 0 && plan->of[above].rank < plan->of[i].rank)
			plan->of[above].rank = plan->of[i].rank;
	}
	for (uint32_t i = 1; i < shares->count; i++) {
		if (shares->assocs[i].user || !shares->assocs[i].parent_shares)
			plan->first[eqt_sshare_above(shares, i) + 1]++;
	}
	for (uint32_t i = 0; i < shares->count; i++) {
		plan->first[i + 1] += plan->first[i];
		next[i] = plan->first[i];
	}
	for (uint32_t i = 1; i < shares->count; i++) {
		if (shares->assocs[i].user || !shares->assocs[i].parent_shares)
			plan->child[next[eqt_sshare_above(shares, i)]++] = i;
	}
}

/* Try all guesses. Returns the number of wrong ranks of the best guess, whose ranks are
 * left in best_ranks. */
static size_t plan_rank(struct plan *plan, const struct eqt_sshare *shares,
			bool stock, size_t *ambiguous)
{
	struct ranking ranking = {
		.shares = shares,
		.first = plan->first,
		.child = plan->child,
		.of = plan->of,
		.entries = plan->entries,
		.ranks = plan->ranks,
		.stock = stock,
	};
	size_t best = SIZE_MAX, wrong;

	for (int guess = 0; guess < TIE_GUESSES && best > 0; guess++) {
		ranking.guess = (enum tie_guess) guess;
		wrong = ranking_run(&ranking);
		if (wrong >= best)
			continue;
		best = wrong;
		*ambiguous = ranking.ambiguous;
		memcpy(plan->best_ranks, plan->ranks,
		       shares->count * sizeof(*plan->ranks));
	}
	return best;
}

static void plan_report(struct eqt_verify *verify, const struct plan *plan,
			const struct eqt_sshare *shares)
{
	uint32_t users = eqt_tree_users(shares->tree);

	for (uint32_t i = 0; i < shares->count; i++) {
		double factor = plan->best_ranks[i] / (double) users;

		if (!shares->assocs[i].user ||
		    fabs(eqt_verify_cell(shares, i, "FairShare") - factor) <=
			    EQT_VERIFY_DIGIT)
			continue;
		eqt_verify_add_assoc(verify, shares, i, "FairShare",
				     "%.6f (rank %u of %u)", factor,
				     plan->best_ranks[i], users);
	}
}

void eqt_verify_ranks(struct eqt_verify *verify,
		      const struct eqt_sshare *shares, bool stock)
{
	size_t documented = SIZE_MAX, own;
	struct plan plan;

	plan_make(&plan, shares->count);
	plan_fill(&plan, shares);
	own = plan_rank(&plan, shares, true, &verify->ambiguous);
	verify->rules = EQT_VERIFY_STOCK;
	if (!stock)
		documented =
			plan_rank(&plan, shares, false, &verify->ambiguous);
	if (documented == 0 && own == 0)
		verify->rules = EQT_VERIFY_BOTH;
	else if (documented <= own)
		verify->rules = EQT_VERIFY_DOCUMENTED;
	else if (!stock) /* best_ranks has the ranks by the other rules */
		(void) plan_rank(&plan, shares, true, &verify->ambiguous);
	plan_report(verify, &plan, shares);
	plan_free(&plan);
}
