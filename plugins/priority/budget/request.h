/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request: the requests of operators for budgets (docs/design/0050). A request arrives
 * under slurmctld's locks and waits for the budget thread. Its caller repeats it until it
 * is answered. An answer is lines of text; the first begins with a word:
 *
 *	ok ...      carried out, or the rows that were asked for
 *	wait        not yet
 *	error ...   refused, and nothing has changed
 */
#ifndef EQT_BUDGET_REQUEST_H
#define EQT_BUDGET_REQUEST_H

#include "budget/book/budgets.h"
#include "slurm/budget_link.h"

/* The answer to a request; its caller frees it. Takes the lock of the budgets, and
 * assoc_mgr's for a moment. */
char *eqt_request_take(struct eqt_budgets *budgets, const char *text,
		       const struct eqt_budget_caller *caller);

/* Free all requests; the thread does not run. */
void eqt_request_clear(struct eqt_budgets *budgets);

#endif
