/* SPDX-License-Identifier: GPL-2.0-or-later */
/* budget: the explanation of jobs that a budget holds. */
#ifndef EQT_WHY_BUDGET_H
#define EQT_WHY_BUDGET_H

#include <stdbool.h>

#include "base/error.h"
#include "budget/budget.h"

/*
 * May a job draw on a budget? reason is the text of squeue: the accounts above
 * the job's own are not known here, but the budget in the reason belongs to one
 * of them.
 */
bool eqt_why_budget_is_of(const struct eqt_budget *budget, const char *reason,
			  const char *account, const char *user);

/* What a budget has left and when that changes, "1 of physics: 0.5 of 1
 * equivalent-hours left (...), refilled on 2027-01-01". Returns buf. */
#define EQT_WHY_BUDGET_TEXT 1024
char *eqt_why_budget_text(char buf[EQT_WHY_BUDGET_TEXT],
			  const struct eqt_budget *budget);

/*
 * Ask squeue and slurmctld for these jobs, and print an explanation of those that a
 * budget holds: what it has left, what the job needs, and when it changes. Returns how
 * many of them there are; -1 with err filled: slurmctld does not list its budgets.
 */
int eqt_why_budgets(const char *const *ids, int count, bool json,
		    struct eqt_error *err);

#endif
