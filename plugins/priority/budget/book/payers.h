/* SPDX-License-Identifier: GPL-2.0-or-later */
/* payers: the user and the accounts that pay for a job. */
#ifndef EQT_BUDGET_PAYERS_H
#define EQT_BUDGET_PAYERS_H

#include "slurm/compat.h"
#include "budget/book.h"

/* From the association of a user or an account upwards. The texts belong to
 * assoc_mgr, whose assoc lock is held for reading as long as they are used. */
void eqt_payers_fill(struct eqt_book_path *path,
		     const slurmdb_assoc_rec_t *assoc);

/* Path, need, pool and QOS as one number, never 0. */
uint64_t eqt_payers_hash(const struct eqt_book_wish *wish);

#endif
