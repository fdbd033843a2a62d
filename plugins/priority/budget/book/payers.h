/* SPDX-License-Identifier: GPL-2.0-or-later */
/* payers: the user and the accounts that pay for a job. */
#ifndef EQT_BUDGET_PAYERS_H
#define EQT_BUDGET_PAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "budget/book.h"
#include "slurm/compat.h"

/* From the association of a user or an account upwards. The texts belong to
 * assoc_mgr, whose assoc lock is held for reading as long as they are used. */
void eqt_payers_fill(struct eqt_book_path *path,
		     const slurmdb_assoc_rec_t *assoc);

/* Path, need, pool and QOS as one number, never 0. */
uint64_t eqt_payers_hash(const struct eqt_book_wish *wish);

/*
 * ancestry: the accounts above an account, as they were a second ago.
 *
 * assoc_mgr has a thousand hash chains, so with 20,000 associations a search takes more
 * than a microsecond. A submission needs one only for its accounts, and these hardly
 * ever change. Names are copied: no record of assoc_mgr is needed for them.
 */

struct eqt_ancestors;

/* {0} is empty. */
struct eqt_ancestry {
	struct eqt_ancestors **slot; /* NULL: none was put here so far */
};

/* Fill the path with the account and those above it. False: they are not known, or no
 * longer. The texts are good until the next call of the other two. */
bool eqt_ancestry_get(const struct eqt_ancestry *known, const char *account,
		      uint64_t now, struct eqt_book_path *path);

/* Remember the accounts of a path for an account, which a user may have spelled
 * otherwise. Nothing is remembered if memory is short. */
void eqt_ancestry_put(struct eqt_ancestry *known, const char *account,
		      uint64_t now, const struct eqt_book_path *path);

/* Free what *known owns; it is empty then. */
void eqt_ancestry_free(struct eqt_ancestry *known);

#endif
