/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict: does a submission, which has no job yet, fit into its budgets? */
#ifndef EQT_BUDGET_VERDICT_H
#define EQT_BUDGET_VERDICT_H

#include "budget/book/budgets.h"
#include "budget/hours.h"
#include "slurm/budget_link.h"

/* Write the name of a budget's hours in the present configuration into buf,
 * such as "GPU-BU-hour". Returns buf. */
char *eqt_verdict_unit(struct eqt_budgets *budgets,
		       const struct eqt_budget *budget,
		       char buf[EQT_HOURS_UNIT]);

/* Judge a submission; see judge() in budget_link.h. The function takes
 * assoc_mgr's assoc lock for reading, and then budgets->lock. */
void eqt_verdict_make(struct eqt_budgets *budgets,
		      struct eqt_budget_verdict *verdict,
		      const struct eqt_budget_applicant *applicant);

#endif
