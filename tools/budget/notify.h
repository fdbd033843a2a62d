/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notify: a command of the site, run once for each threshold that a budget reaches. */
#ifndef EQT_BUDGET_NOTIFY_H
#define EQT_BUDGET_NOTIFY_H

#include "budget/terms.h"

/* Run the command that is the second word for each budget with a new threshold. 0, or
 * -1 with err filled: it failed, and is run again the next time. */
int eqt_notify_run(struct eqt_budget_options *options, struct eqt_error *err);

#endif
