/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reset: when PriorityUsageResetPeriod next sets all usage to 0. */
#ifndef EQT_RESET_H
#define EQT_RESET_H

#include <stdint.h>
#include <time.h>

/*
 * The first moment after last (epoch s) at which a period (PRIORITY_RESET_*)
 * begins, in local time: midnight, Sunday, the first of a month, of a quarter
 * (January, April, July, October), of a year. 0 for PRIORITY_RESET_NONE and
 * _NOW, and when local time is unknown.
 */
time_t eqt_reset_next(uint16_t period, time_t last);

/*
 * The same as stock has it, at now: days and weeks have 86400 seconds each,
 * and of those that have passed since last all but one are left out; months
 * are not.
 */
time_t eqt_reset_next_stock(uint16_t period, time_t last, time_t now);

#endif
