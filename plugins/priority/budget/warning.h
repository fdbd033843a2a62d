/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warning: budgets that reach a threshold, in the log and in messages to
 * users. */
#ifndef EQT_BUDGET_WARNING_H
#define EQT_BUDGET_WARNING_H

#include "budget/book/budgets.h"

/* Log each budget in force that has reached a higher threshold since the last
 * call. Thresholds that were reached before the first call are not logged. The
 * budget thread calls this. The function takes budgets->lock. */
void eqt_warning_log(struct eqt_budgets *budgets, const struct eqt_conf *conf);

/* Write a text for the user of a job with this commitment. It names the fullest budget
 * that reaches a threshold because of the commitment, and is empty if there is none.
 * The commitment replaces that of the job instead_of (0: of no job). The lock of the
 * budgets is held. */
void eqt_warning_text(struct eqt_error *out, const struct eqt_book *book,
		      const struct eqt_conf *conf,
		      const struct eqt_entry *commit, uint64_t instead_of);

#endif
