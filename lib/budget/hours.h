/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hours: amounts of budgets in equivalent-hours, as people write them. */
#ifndef EQT_BUDGET_HOURS_H
#define EQT_BUDGET_HOURS_H

#include <stdint.h>

#include "base/error.h"
#include "price/bundle_table.h"

#define EQT_HOURS_TEXT 40

/* "1200", "12.5": a number above 0. 0, or -1 with err filled. */
int eqt_hours_parse(uint64_t *out_u, const char *text, struct eqt_error *err);

/* The same way, with as many decimals as needed. Returns buf. */
char *eqt_hours_text(uint64_t amount_u, char buf[EQT_HOURS_TEXT]);

/* Shorter texts: what is left, cut to four decimals; and what is needed, rounded up to
 * four decimals. So an amount that does not fit never reads as if it did. Both return
 * buf. */
char *eqt_hours_short(uint64_t amount_u, char buf[EQT_HOURS_TEXT]);
char *eqt_hours_need(uint64_t amount_u, char buf[EQT_HOURS_TEXT]);

/* The nearest double, for JSON. */
double eqt_hours_double(uint64_t amount_u);

#define EQT_HOURS_UNIT (EQT_UNIT_SIZE + 8)

/* The name of an hour of a budget for the jobs of a pool (enum eqt_budget_pool), such
 * as "GPU-BU-hour". It is "equivalent-hour" if the bundles of its jobs have several
 * units or none, and if prices is NULL. Returns buf. */
char *eqt_hours_unit(const struct eqt_bundle_table *prices, uint64_t pool,
		     char buf[EQT_HOURS_UNIT]);

#endif
