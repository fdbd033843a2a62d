/* SPDX-License-Identifier: GPL-2.0-or-later */
/* account_limits: GrpTRESMins=billing of an account as the amount of a budget
 * (docs/design/0099). */
#ifndef EQT_BUDGET_ACCOUNT_LIMITS_H
#define EQT_BUDGET_ACCOUNT_LIMITS_H

#include "budget/book/budgets.h"

/*
 * With budget { from_limits = yes }: compare the limits of accounts with their budgets, write
 * an entry for each difference, and take the limit out of Slurm's own check. Without it: return
 * the limits to that check. Called by the budget thread; takes the locks of assoc_mgr and of
 * the budgets.
 */
void eqt_account_limits_follow(struct eqt_budgets *budgets,
			       const struct eqt_config *config);

#endif
