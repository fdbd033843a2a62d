/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budgets_thread: the thread of the budgets. It writes entries to the file, carries out
 * the requests of operators, refills budgets, and releases held jobs that fit.
 */
#ifndef EQT_BUDGETS_THREAD_H
#define EQT_BUDGETS_THREAD_H

#include "budget/book/budgets.h"

/* Start the thread, if there are budgets. Takes the lock of the budgets alone; may be
 * called again. 0, or -1 (logged). */
int eqt_budgets_thread_start(struct eqt_budgets *budgets);

/* Start the thread for the first budget; its book is there. budgets->lock is held. 0, or -1
 * (logged). */
int eqt_budgets_thread_begin(struct eqt_budgets *budgets);

/* Have all jobs commit their prices again, which may have changed. Starts the thread if
 * limits are budgets from now on. */
void eqt_budgets_thread_reconfigured(struct eqt_budgets *budgets);

/* End the thread. It writes all entries to the disk first; an error is logged. */
void eqt_budgets_thread_stop(struct eqt_budgets *budgets);

#endif
