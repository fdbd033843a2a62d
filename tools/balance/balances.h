/* SPDX-License-Identifier: GPL-2.0-or-later */
/* balances: the budgets that slurmctld shows to the caller. */
#ifndef EQT_BALANCE_BALANCES_H
#define EQT_BALANCE_BALANCES_H

#include <stddef.h>

#include "base/error.h"
#include "budget/book.h"

/* {0} has none. */
struct eqt_balances {
	struct eqt_budget *row;
	size_t count;
	/* For joint grants: transfers to and from other clusters and, from slurmctld, the
	 * first waiting jobs with the hours that they need of a budget (taken_u). */
	struct eqt_budget_peer *peer;
	size_t peers;
	struct eqt_entry_part *want;
	size_t wants;
};

/* All budgets that the caller may see, by id. Returns 0, or -1 with err filled. */
int eqt_balances_read(struct eqt_balances *rows, struct eqt_error *err);

/* The same from a journal, with all balances computed again; slurmctld is not
 * asked. */
int eqt_balances_read_journal(struct eqt_balances *rows, const char *path,
			      struct eqt_error *err);

/* Called after each entry of a journal that was applied to the book. */
typedef void (*eqt_balances_visitor)(const struct eqt_book *book,
				     const struct eqt_entry *entry, void *arg);

/* Apply a journal to a book, which is new, and audit it. The last line is left out if it
 * is not complete: slurmctld may be writing it. visitor may be NULL. Returns 0, or -1
 * with err filled. */
int eqt_balances_apply(struct eqt_book *book, const char *path,
		       eqt_balances_visitor visitor, void *arg,
		       struct eqt_error *err);

/* Have slurmctld read its journal once more and compare it with its memory. The answer,
 * a text for people, for free(); NULL with err filled. */
char *eqt_balances_verify(struct eqt_error *err);

/* The clusters of a list "a,b" that have the account of an owner, and its user if it has
 * one, as "a,b,". For free(); NULL with err filled. */
char *eqt_balances_owner_clusters(const struct eqt_budget_terms *owner,
				  const char *clusters, struct eqt_error *err);

/* The budget with an id, or NULL. */
struct eqt_budget *eqt_balances_find(const struct eqt_balances *rows,
				     uint64_t id);

/* Free what *rows owns; it has none then. */
void eqt_balances_free(struct eqt_balances *rows);

#endif
