/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * carry_out: the budget thread's part of requests. The entry of a request reaches the
 * disk first and counts then; what it takes away is frozen in between.
 */
#ifndef EQT_BUDGET_CARRY_OUT_H
#define EQT_BUDGET_CARRY_OUT_H

#include "budget/budgets.h"

/* Carry out the requests that wait; the budget thread, without locks. */
void eqt_carry_out_serve(struct eqt_budgets *budgets);

/* All jobs were looked at: requests that waited for this are answered. */
void eqt_carry_out_swept(struct eqt_budgets *budgets);

#endif
