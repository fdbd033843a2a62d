/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hours: amounts of budgets in equivalent-hours, as people write them. */
#ifndef EQT_BALANCE_HOURS_H
#define EQT_BALANCE_HOURS_H

#include <stdint.h>

#include "base/error.h"

#define EQT_HOURS_TEXT 40

/* "1200", "12.5": a number above 0. 0, or -1 with err filled. */
int eqt_hours_parse(uint64_t *out_u, const char *text, struct eqt_error *err);

/* The same way, with as many decimals as needed. Returns buf. */
char *eqt_hours_text(uint64_t amount_u, char buf[EQT_HOURS_TEXT]);

/* The same cut to four decimals: text that people read. */
char *eqt_hours_short(uint64_t amount_u, char buf[EQT_HOURS_TEXT]);

#endif
