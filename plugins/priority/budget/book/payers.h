/* SPDX-License-Identifier: GPL-2.0-or-later */
/* payers: the user and the accounts that pay for a job. */
#ifndef EQT_BUDGET_PAYERS_H
#define EQT_BUDGET_PAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "budget/book_plan.h"
#include "slurm/compat.h"

/* Fill the path from the association of a user or an account upwards. The texts
 * belong to assoc_mgr, whose assoc lock is held for reading as long as they are
 * used. */
void eqt_payers_fill(struct eqt_book_path *path,
		     const slurmdb_assoc_rec_t *assoc);

/* Fill in the wish of one task of a job, without its pool and its need. *path
 * must outlive *wish. assoc_mgr's assoc and QOS locks are held for reading. */
void eqt_payers_wish(struct eqt_book_wish *wish, struct eqt_book_path *path,
		     const job_record_t *job);

/* The wish for all tasks of an array, made from the wish of one task. */
struct eqt_book_wish eqt_payers_all_tasks(const struct eqt_book_wish *one,
					  uint64_t tasks);

/* A hash of path, need, tasks, pool and QOS. It is never 0. */
uint64_t eqt_payers_hash(const struct eqt_book_wish *wish);

/*
 * ancestry: a cache of the accounts above an account, which is valid for a
 * second.
 *
 * assoc_mgr has a thousand hash chains, so with 20,000 associations a search
 * takes more than a microsecond. A submission would make that search only for
 * its accounts, which hardly ever change. Names are copied, so that no record
 * of assoc_mgr is needed for them.
 */

struct eqt_ancestors;

/* A struct of zeros is empty. */
struct eqt_ancestry {
	struct eqt_ancestors **slot; /* NULL until the first put. */
};

/* Fill the path with the account and the accounts above it. Returns false if
 * they are not known or too old. The texts are valid until the next put or
 * free. */
bool eqt_ancestry_get(const struct eqt_ancestry *known, const char *account,
		      uint64_t now, struct eqt_book_path *path);

/* Remember the accounts of a path under the name of an account, in the user's
 * spelling. If memory is short, nothing is remembered. */
void eqt_ancestry_put(struct eqt_ancestry *known, const char *account,
		      uint64_t now, const struct eqt_book_path *path);

/* Free the members of *known, and make it empty. */
void eqt_ancestry_free(struct eqt_ancestry *known);

#endif
