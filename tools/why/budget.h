/* SPDX-License-Identifier: GPL-2.0-or-later */
/* budget: the explanation of jobs that a budget holds. */
#ifndef EQT_WHY_BUDGET_H
#define EQT_WHY_BUDGET_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Ask squeue and slurmctld for these jobs, and print an explanation of those that a
 * budget holds: what it has left, what the job needs, and when it changes. Returns how
 * many of them there are; -1 with err filled: slurmctld does not list its budgets.
 */
int eqt_why_budgets(const char *const *ids, int count, bool json,
		    struct eqt_error *err);

#endif
