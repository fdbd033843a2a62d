/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show: budgets as a table, as JSON and as CSV. */
#ifndef EQT_BUDGET_SHOW_H
#define EQT_BUDGET_SHOW_H

#include <stdbool.h>
#include <stdint.h>

#include "balance/rows.h"

/* Print a table; now decides the state and the projected end. */
int eqt_show_table(const struct eqt_rows *rows, uint64_t now, bool headings,
		   struct eqt_error *err);

/* The same as an object "budgets", a list, and as CSV, with a first line of names if
 * headings is set. */
void eqt_show_json(const struct eqt_rows *rows, uint64_t now);
void eqt_show_csv(const struct eqt_rows *rows, uint64_t now, bool headings);

/* All that is known of one, a line for each member. */
void eqt_show_one(const struct eqt_budget *budget, uint64_t now);

#endif
