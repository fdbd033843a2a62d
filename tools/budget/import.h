/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import: budgets from a table, of which only differences are applied. */
#ifndef EQT_BUDGET_IMPORT_H
#define EQT_BUDGET_IMPORT_H

#include <stdbool.h>

#include "base/error.h"
#include "budget/budget.h"

/*
 * Read a CSV table with the columns account, pool, amount, start and end, and
 * optionally user; "-" is stdin. A row without its budget (same account, user,
 * pool, start and end) is granted; a budget with another amount is changed by
 * the difference. Each change is printed; with dry_run it is not made. like has
 * the other terms of new budgets. 0, or -1 with err filled.
 */
int eqt_import_run(const char *path, const struct eqt_budget_terms *like,
		   const char *why, bool dry_run, struct eqt_error *err);

#endif
