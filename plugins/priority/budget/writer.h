/* SPDX-License-Identifier: GPL-2.0-or-later */
/* writer: writes waiting lines to the file. */
#ifndef EQT_BUDGET_WRITER_H
#define EQT_BUDGET_WRITER_H

#include "budget/book/budgets.h"

/* Lines that may wait are collected for this time, in milliseconds, and share a
 * sync. */
#define EQT_WRITER_SYNC_MS 250

/* The budget thread calls these functions without locks. They return 0, or -1
 * with err filled. An error loses nothing, because memory has all entries and
 * the next call begins a new file. */

/* Write the waiting lines to the file when they are due. If `now` is set, write
 * and sync all of them at once. */
int eqt_writer_write(struct eqt_budgets *budgets, bool now,
		     struct eqt_error *err);

/* Write the lines of entries, which are not in the book yet, after all waiting
 * lines, and sync them. */
int eqt_writer_write_entries(struct eqt_budgets *budgets,
			     const struct eqt_entry *entry, size_t count,
			     struct eqt_error *err);

#endif
