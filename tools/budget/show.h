/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show: budgets as a table, as JSON and as CSV. */
#ifndef EQT_BUDGET_SHOW_H
#define EQT_BUDGET_SHOW_H

#include "balance/balances.h"
#include "price/bundle_table.h"

/* prices: the site's units, or NULL. */

/* Print a table; now decides the state and the projected end. */
void eqt_show_table(const struct eqt_balances *rows,
		    const struct eqt_bundle_table *prices, uint64_t now,
		    bool headings);

/* Print an object "budgets" with a list, or CSV, with a first line of names if headings
 * is set. */
void eqt_show_json(const struct eqt_balances *rows,
		   const struct eqt_bundle_table *prices, uint64_t now);
void eqt_show_csv(const struct eqt_balances *rows,
		  const struct eqt_bundle_table *prices, uint64_t now,
		  bool headings);

/* Print the balance file of Open OnDemand's dashboard, version 1: for each user and
 * account of the share tree the whole hours left in budgets. pool: count only budgets for
 * its jobs, or EQT_BUDGET_ALL. Returns 0, or -1 with err filled. Possible errors: what
 * eqt_sshare_read() refuses. */
int eqt_show_ondemand(const struct eqt_balances *rows,
		      const struct eqt_bundle_table *prices, uint64_t pool,
		      uint64_t now, struct eqt_error *err);

/* Print all that is known of a budget, a line for each member. */
void eqt_show_one(const struct eqt_budget *budget,
		  const struct eqt_balances *rows,
		  const struct eqt_bundle_table *prices, uint64_t now);

#endif
