/* SPDX-License-Identifier: GPL-2.0-or-later */
/* commitment: the commitment of a running job, by its allocation. */
#ifndef EQT_BUDGET_COMMITMENT_H
#define EQT_BUDGET_COMMITMENT_H

#include "budget/book/budgets.h"
#include "slurm/compat.h"

/*
 * Set the commitment of a running job to the price of its allocation for its
 * time limit. If that does not fit, cut the time limit. Locks as for
 * eqt_admission_set().
 */
void eqt_commitment_adjust(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job);

#endif
