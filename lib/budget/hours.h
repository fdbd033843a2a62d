/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hours: the amounts of budgets in equivalent-hours, as people write them. */
#ifndef EQT_BUDGET_HOURS_H
#define EQT_BUDGET_HOURS_H

#include <stdint.h>

#include "base/error.h"
#include "price/bundle_table.h"

#define EQT_HOURS_TEXT 40

/* Read a number above 0 such as "1200" or "12.5". Return 0, or -1 with err filled. */
int eqt_hours_parse(uint64_t *out_u, const char *text, struct eqt_error *err);

/* Write an amount with as many decimals as needed. Return buf. */
char *eqt_hours_text(uint64_t amount_u, char buf[EQT_HOURS_TEXT]);

/* Write an amount with at most four decimals. eqt_hours_short() rounds down, for what
 * is left, and eqt_hours_need() rounds up, for what is needed. So the texts never
 * suggest that an amount fits if it does not. Both return buf. */
char *eqt_hours_short(uint64_t amount_u, char buf[EQT_HOURS_TEXT]);
char *eqt_hours_need(uint64_t amount_u, char buf[EQT_HOURS_TEXT]);

/* Return the nearest double, for JSON. */
double eqt_hours_double(uint64_t amount_u);

#define EQT_HOURS_UNIT (EQT_UNIT_SIZE + 8)

/* Write the name of an hour of a budget for the jobs of a pool (enum eqt_budget_pool),
 * such as "GPU-BU-hour". It is "equivalent-hour" if prices is NULL, or if the bundles
 * of the pool have no unit or several. Return buf. */
char *eqt_hours_unit(const struct eqt_bundle_table *prices, uint64_t pool,
		     char buf[EQT_HOURS_UNIT]);

#endif
