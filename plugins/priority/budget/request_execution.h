/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request_execution: the budget thread's part of requests. The entry of a request takes
 * effect only after it is on the disk; the amount that it takes is frozen until
 * then.
 */
#ifndef EQT_BUDGET_REQUEST_EXECUTION_H
#define EQT_BUDGET_REQUEST_EXECUTION_H

#include "budget/book/budgets.h"

/* Carry out the waiting requests; for the budget thread, without locks. */
void eqt_request_execution_serve(struct eqt_budgets *budgets);

/* Write an entry of ours and apply it, as one of a request: its line reaches the disk, then it
 * counts. 0; 1: it was done before; -1 with err filled. */
int eqt_request_execution_do(struct eqt_budgets *budgets,
			     struct eqt_entry *entry, struct eqt_error *err);

/* All jobs have been checked: answer the requests that waited for this. */
void eqt_request_execution_swept(struct eqt_budgets *budgets);

#endif
