/* SPDX-License-Identifier: GPL-2.0-or-later */
/* writer: moves waiting lines to the file. */
#ifndef EQT_BUDGET_WRITER_H
#define EQT_BUDGET_WRITER_H

#include "budget/book/budgets.h"

/* Lines that need not be on the disk at once share a sync for so long. */
#define EQT_WRITER_SYNC_MS 250

/* These are for the thread, without locks. They return 0, or -1 with err filled: memory
 * has all lines, and the next call begins a new file. */

/* Write the waiting lines to the file. now: all are to be on the disk, and not only those
 * that must not wait. */
int eqt_writer_write(struct eqt_budgets *budgets, bool now,
		     struct eqt_error *err);

/* Write the lines of entries, which are not in the book yet, after all waiting lines, and
 * sync them. */
int eqt_writer_write_entries(struct eqt_budgets *budgets,
			     const struct eqt_entry *entry, size_t count,
			     struct eqt_error *err);

#endif
