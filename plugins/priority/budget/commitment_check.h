/* SPDX-License-Identifier: GPL-2.0-or-later */
/* commitment_check: the commitment of a job compared with its record. */
#ifndef EQT_BUDGET_COMMITMENT_CHECK_H
#define EQT_BUDGET_COMMITMENT_CHECK_H

#include "budget/book/budgets.h"
#include "slurm/compat.h"

/*
 * Compare the commitment of a job with its record (NULL: slurmctld has none),
 * and correct it: for jobs whose end was not reported, that were cancelled or
 * held while they waited, or that have just started. Locks as for
 * eqt_settlement_job_end().
 */
void eqt_commitment_check(struct eqt_budgets *budgets,
			  const struct eqt_config *config, uint32_t job_id,
			  job_record_t *job);

#endif
