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

/* Fill in the wish of one task of a job, without its pool and its need. *path must
 * outlive *wish. assoc_mgr's associations and QOS are locked for reading. */
void eqt_payers_wish(struct eqt_book_wish *wish, struct eqt_book_path *path,
		     const job_record_t *job);

/* The wish for all tasks of an array, from that for one. */
struct eqt_book_wish eqt_payers_all_tasks(const struct eqt_book_wish *one,
					  uint64_t tasks);

/* A hash of path, need, tasks, pool and QOS; never 0. */
uint64_t eqt_payers_hash(const struct eqt_book_wish *wish);

/*
 * ancestry: the accounts above an account, as they were a second ago.
 *
 * assoc_mgr has a thousand hash chains, so with 20,000 associations a search takes more
 * than a microsecond. A submission would search only for its accounts, and these hardly
 * ever change. Names are copied, so that no record of assoc_mgr is needed for them.
 */

struct eqt_ancestors;

/* {0} is empty. */
struct eqt_ancestry {
	struct eqt_ancestors **slot; /* NULL: nothing was put so far */
};

/* Fill the path with the account and those above it. False: they are not known, or too old.
 * The texts are valid until the next put or free. */
bool eqt_ancestry_get(const struct eqt_ancestry *known, const char *account,
		      uint64_t now, struct eqt_book_path *path);

/* Remember the accounts of a path under the name of an account, in the user's spelling. If
 * memory is short, nothing is remembered. */
void eqt_ancestry_put(struct eqt_ancestry *known, const char *account,
		      uint64_t now, const struct eqt_book_path *path);

/* Free what *known owns; it is empty then. */
void eqt_ancestry_free(struct eqt_ancestry *known);

#endif
