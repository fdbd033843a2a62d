/* SPDX-License-Identifier: GPL-2.0-or-later */
/* balances: the budgets that slurmctld shows to the caller. */
#ifndef EQT_BALANCE_BALANCES_H
#define EQT_BALANCE_BALANCES_H

#include <stddef.h>

#include "base/error.h"
#include "budget/book.h"

/* A list of budgets. {0} has none. */
struct eqt_balances {
	struct eqt_budget *row;
	size_t count;
	/* For joint grants: transfers to and from other clusters. From slurmctld also the
	 * first waiting jobs, with the hours that each needs from a budget (taken_u). */
	struct eqt_budget_peer *peer;
	size_t peers;
	struct eqt_entry_part *want;
	size_t wants;
};

/* Read all budgets that the caller may see, sorted by id. Returns 0, or -1 with err
 * filled. */
int eqt_balances_read(struct eqt_balances *rows, struct eqt_error *err);

/* Write what slurmctld answers to a file, and read such a file like
 * eqt_balances_read(). Return 0, or -1 with err filled. */
int eqt_balances_save(const char *path, struct eqt_error *err);
int eqt_balances_read_saved(struct eqt_balances *rows, const char *path,
			    struct eqt_error *err);

/* Like eqt_balances_read(), but from a journal, whose balances are all computed again.
 * slurmctld is not asked. */
int eqt_balances_read_journal(struct eqt_balances *rows, const char *path,
			      struct eqt_error *err);

/* Called for each entry of a journal, after the entry was applied to the book. */
typedef void (*eqt_balances_visitor)(const struct eqt_book *book,
				     const struct eqt_entry *entry, void *arg);

/* Apply a journal to a new book, and audit the book. An incomplete last line is left out,
 * because slurmctld may be writing it. visitor may be NULL. Returns 0, or -1 with err
 * filled. */
int eqt_balances_apply(struct eqt_book *book, const char *path,
		       eqt_balances_visitor visitor, void *arg,
		       struct eqt_error *err);

/* Make slurmctld read its journal again and compare it with its memory. Returns the
 * answer, a text for people, which the caller frees with free(). Returns NULL with err
 * filled on error. */
char *eqt_balances_verify(struct eqt_error *err);

/* Of a list of clusters "a,b", those that have the account of an owner, and the owner's
 * user if there is one. The result has the form "a,b,"; the caller frees it with free().
 * Returns NULL with err filled on error. */
char *eqt_balances_owner_clusters(const struct eqt_budget_terms *owner,
				  const char *clusters, struct eqt_error *err);

/* The budget with this id, or NULL. */
struct eqt_budget *eqt_balances_find(const struct eqt_balances *rows,
				     uint64_t id);

/* Free what *rows owns. *rows has no budgets afterwards. */
void eqt_balances_free(struct eqt_balances *rows);

#endif
