/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict: does a submission fit its budgets? It has no job yet. */
#ifndef EQT_BUDGET_VERDICT_H
#define EQT_BUDGET_VERDICT_H

#include "budget/book/budgets.h"
#include "slurm/budget_link.h"

/* See budget_link.h. Takes assoc_mgr's assoc lock for reading, then that of the
 * budgets. */
void eqt_verdict_make(struct eqt_budgets *budgets,
		      struct eqt_budget_verdict *verdict,
		      const struct eqt_budget_applicant *applicant);

#endif
