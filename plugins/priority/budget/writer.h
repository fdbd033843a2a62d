/* SPDX-License-Identifier: GPL-2.0-or-later */
/* writer: the lines that wait, on their way to the file. */
#ifndef EQT_BUDGET_WRITER_H
#define EQT_BUDGET_WRITER_H

#include "budget/budgets.h"

/* Write what waits to the file; the thread, without locks. 0, or -1 with err filled:
 * memory has it, and the file will begin again with it. */
int eqt_budgets_write(struct eqt_budgets *budgets, struct eqt_error *err);

#endif
