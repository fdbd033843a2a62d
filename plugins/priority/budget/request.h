/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request: the requests of operators for budgets (docs/design/0050). A request
 * arrives while slurmctld's locks are held, and waits for the budget thread.
 * Its caller repeats it until it is answered. An answer is lines of text, and
 * the first line begins with a word:
 *   ok: the request was carried out, or the rows follow.
 *   wait: there is no answer yet.
 *   error: the request was refused, and nothing has changed.
 */
#ifndef EQT_BUDGET_REQUEST_H
#define EQT_BUDGET_REQUEST_H

#include "budget/book/budgets.h"
#include "slurm/budget_link.h"

/* Answer a request. The caller frees the answer. The function takes
 * budgets->lock, and assoc_mgr's locks for a short time. */
char *eqt_request_take(struct eqt_budgets *budgets, const char *text,
		       const struct eqt_budget_caller *caller);

/* Free all requests. The thread must not run. */
void eqt_request_clear(struct eqt_budgets *budgets);

#endif
