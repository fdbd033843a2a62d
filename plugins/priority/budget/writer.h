/* SPDX-License-Identifier: GPL-2.0-or-later */
/* writer: moves waiting lines to the file. */
#ifndef EQT_BUDGET_WRITER_H
#define EQT_BUDGET_WRITER_H

#include "budget/book/budgets.h"

/* Write the waiting lines to the file; for the thread, without locks. 0, or -1
 * with err filled: memory has them, and the next call begins a new file. */
int eqt_writer_write(struct eqt_budgets *budgets, struct eqt_error *err);

#endif
