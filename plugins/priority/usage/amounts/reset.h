/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reset: the next time at which PriorityUsageResetPeriod sets all usage to 0. */
#ifndef EQT_RESET_H
#define EQT_RESET_H

#include <stdint.h>
#include <time.h>

/*
 * The first time after last (seconds since the epoch) at which a period
 * (PRIORITY_RESET_*) begins in local time: midnight, Sunday, or the first day of a month,
 * a quarter (January, April, July, October) or a year. 0 for PRIORITY_RESET_NONE and
 * _NOW, and if local time is unknown.
 */
time_t eqt_reset_next(uint16_t period, time_t last);

/*
 * The same as stock computes it at now: a day always has 86400 seconds; if several days
 * or weeks have passed since last, only one reset is made up. Missed months are all made
 * up.
 */
time_t eqt_reset_next_stock(uint16_t period, time_t last, time_t now);

#endif
