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

#include <stdbool.h>
#include <time.h>

#include "base/error.h"
#include "budget/book/budgets.h"
#include "budget/entry.h"
#include "slurm/budget_link.h"

/* A request waits for the thread, then for the check of all jobs, and is answered. */
enum eqt_request_state {
	EQT_REQUEST_WAITS,
	EQT_REQUEST_SWEEPS,
	EQT_REQUEST_ANSWERED
};

/* A request in budgets->requests. budgets->lock covers it, except for entry, which belongs to
 * the thread while the request waits. */
struct eqt_budget_request {
	struct eqt_budget_request *next;
	enum eqt_request_state state;
	bool verify; /* otherwise the entry is carried out */
	struct eqt_entry entry;
	struct eqt_error answer; /* without its first word if it failed */
	bool failed;
	time_t answered;
};

/* The answer to a request; its caller frees it. Takes the lock of the budgets, and
 * assoc_mgr's for a moment. */
char *eqt_request_take(struct eqt_budgets *budgets, const char *text,
		       const struct eqt_budget_caller *caller);

/* Free all requests; the thread does not run. */
void eqt_request_clear(struct eqt_budgets *budgets);

#endif
