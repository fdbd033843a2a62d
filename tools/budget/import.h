/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import: apply a table of budgets, changing only what differs. */
#ifndef EQT_BUDGET_IMPORT_H
#define EQT_BUDGET_IMPORT_H

#include <stdbool.h>

#include "base/error.h"
#include "budget/budget.h"

struct eqt_import_how {
	/* all terms of new budgets that the table does not give */
	const struct eqt_budget_terms *like;
	const char *why; /* a text for the journal */
	bool dry_run; /* print the changes without making them */
};

/*
 * Read a CSV table with the columns account, pool, amount, start and end, and optionally
 * user. "-" is stdin. A row belongs to the budget with the same account, user, pool,
 * start and end. If there is no such budget, it is granted. If its amount differs, the
 * difference is applied. Each change is printed. Returns 0, or -1 with err filled.
 */
int eqt_import_file(const char *path, const struct eqt_import_how *how,
		    struct eqt_error *err);

#endif
