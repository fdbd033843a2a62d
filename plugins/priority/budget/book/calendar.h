/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calendar: when a budget is refilled, in local time. */
#ifndef EQT_BUDGET_CALENDAR_H
#define EQT_BUDGET_CALENDAR_H

#include "budget/budget.h"

/* The first refill after a time: the begin of a month or of a quarter, or a date of
 * the list; 0: none. */
uint64_t eqt_calendar_next(const struct eqt_budget_terms *terms,
			   uint64_t after);

#endif
