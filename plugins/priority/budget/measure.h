/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure: the commitment of a running job, measured by what it holds. */
#ifndef EQT_BUDGET_MEASURE_H
#define EQT_BUDGET_MEASURE_H

#include "budget/budgets.h"
#include "slurm/compat.h"

/* The commitment of a running job becomes that of its allocation and its time
 * limit, and its limit what fits. Locks as for eqt_admission_set(). */
void eqt_admission_measure(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job);

#endif
