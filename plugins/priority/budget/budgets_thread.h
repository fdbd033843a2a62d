/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budgets_thread: the thread of the budgets. It writes entries to the file,
 * carries out the requests of operators, refills budgets, and releases held
 * jobs that fit.
 */
#ifndef EQT_BUDGETS_THREAD_H
#define EQT_BUDGETS_THREAD_H

#include "budget/book/budgets.h"

/* Start the thread, if there are budgets. The function takes only budgets->lock
 * and may be called again. Returns 0, or -1 after logging the error. */
int eqt_budgets_thread_start(struct eqt_budgets *budgets);

/* Start the thread for the first budget, after its book was made. budgets->lock
 * is held. Returns 0, or -1 after logging the error. */
int eqt_budgets_thread_begin(struct eqt_budgets *budgets);

/* Let all jobs commit their prices again, because the prices may have changed.
 * The function starts the thread if limits become budgets now. */
void eqt_budgets_thread_reconfigured(struct eqt_budgets *budgets);

/* End the thread. It writes all entries to the disk first. An error is
 * logged. */
void eqt_budgets_thread_stop(struct eqt_budgets *budgets);

#endif
