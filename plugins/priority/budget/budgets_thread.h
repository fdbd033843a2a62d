/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budgets_thread: the thread of the budgets. It writes what was decided to the file,
 * carries out the requests of operators, refills budgets, and lets held jobs go that
 * fit.
 */
#ifndef EQT_BUDGETS_THREAD_H
#define EQT_BUDGETS_THREAD_H

#include "budget/book/budgets.h"

/* Start the thread, if there are budgets. Takes the lock of the budgets alone; may be
 * called again. 0, or -1 (logged). */
int eqt_budgets_thread_start(struct eqt_budgets *budgets);

/* The same for the first budget of all. budgets->lock is held. */
int eqt_budgets_thread_begin(struct eqt_budgets *budgets);

/* Prices may have changed: all jobs are to commit what they need now. */
void eqt_budgets_thread_reconfigured(struct eqt_budgets *budgets);

/* End the thread; what was decided is on disk, unless that fails. */
void eqt_budgets_thread_stop(struct eqt_budgets *budgets);

#endif
