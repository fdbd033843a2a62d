/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import: budgets from a table, of which only differences are applied. */
#ifndef EQT_BUDGET_IMPORT_H
#define EQT_BUDGET_IMPORT_H

#include <stdbool.h>

#include "base/error.h"
#include "budget/budget.h"

struct eqt_import_how {
	const struct eqt_budget_terms
		*like; /* the other terms of new budgets */
	const char *why; /* for the journal */
	bool dry_run; /* print the changes, and make none */
};

/*
 * Read a CSV table with the columns account, pool, amount, start and end, and optionally
 * user; "-" is stdin. A row without its budget (same account, user, pool, start and end)
 * is granted; a budget with another amount is changed by the difference. Each change is
 * printed. Returns 0, or -1 with err filled.
 */
int eqt_import_file(const char *path, const struct eqt_import_how *how,
		    struct eqt_error *err);

#endif
