/* SPDX-License-Identifier: GPL-2.0-or-later */
/* account_limits: the limit GrpTRESMins=billing of an account as the amount of
 * a budget (docs/design/0099). */
#ifndef EQT_BUDGET_ACCOUNT_LIMITS_H
#define EQT_BUDGET_ACCOUNT_LIMITS_H

#include "budget/book/budgets.h"

/*
 * With budget { from_limits = yes }, compare the limits of accounts with their
 * budgets, write an entry for each difference, and remove the limit from
 * Slurm's own check. Without it, return the limits to that check. The budget
 * thread calls this. The function takes the locks of assoc_mgr and of the
 * budgets.
 */
void eqt_account_limits_follow(struct eqt_budgets *budgets,
			       const struct eqt_config *config);

#endif
