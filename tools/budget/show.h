/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show: prints budgets as a table, as JSON and as CSV. */
#ifndef EQT_BUDGET_SHOW_H
#define EQT_BUDGET_SHOW_H

#include "balance/balances.h"
#include "price/bundle_table.h"

/* In all functions, "prices" has the site's units, or is NULL. */

/* Print a table. The state and the projected end are those at "now". */
void eqt_show_table(const struct eqt_balances *rows,
		    const struct eqt_bundle_table *prices, uint64_t now,
		    bool headings);

/* Print a JSON object with the list "budgets", or CSV. With "headings", CSV begins with a
 * line of names. */
void eqt_show_json(const struct eqt_balances *rows,
		   const struct eqt_bundle_table *prices, uint64_t now);
void eqt_show_csv(const struct eqt_balances *rows,
		  const struct eqt_bundle_table *prices, uint64_t now,
		  bool headings);

/* Print the balance file, version 1, of Open OnDemand's dashboard. It has, for each user
 * and account of the share tree, the whole hours left in budgets. "pool" selects the
 * budgets that pay for jobs of one pool; EQT_BUDGET_ALL selects all. Returns 0, or -1
 * with err filled like eqt_sshare_read(). */
int eqt_show_ondemand(const struct eqt_balances *rows,
		      const struct eqt_bundle_table *prices, uint64_t pool,
		      uint64_t now, struct eqt_error *err);

/* Print everything that is known about a budget, one line per member. */
void eqt_show_one(const struct eqt_budget *budget,
		  const struct eqt_balances *rows,
		  const struct eqt_bundle_table *prices, uint64_t now);

#endif
