/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settlement: sets the commitment of a running job by its allocation, charges
 * the job's use to its budgets, and returns the rest of the commitment.
 */
#ifndef EQT_BUDGET_SETTLEMENT_H
#define EQT_BUDGET_SETTLEMENT_H

#include "budget/book/budgets.h"
#include "slurm/compat.h"
#include "usage/runs/job_run.h"

/* Are there budgets? arg is the struct eqt_budgets. */
bool eqt_settlement_active(void *arg);

/*
 * Charge a stretch of a run that ends (struct eqt_stretch_sink). The rest of
 * the commitment is returned, unless the run continues or still holds nodes.
 * arg is the struct eqt_budgets. The locks are those of job_run.h.
 */
void eqt_settlement_stretch(void *arg, const struct eqt_config *config,
			    const struct eqt_stretch_end *end);

/* Remember a job whose run has ended, in case it is requeued. Its priority is
 * then 0 until the run is settled and its price is committed again. job is its
 * record, or NULL if the record belongs to another run now. slurmctld's job
 * lock is held for writing, and budgets->lock is held. */
void eqt_settlement_remember(struct eqt_budgets *budgets, uint32_t job_id,
			     job_record_t *job);

/* Does the job's last run still hold nodes, so that it is not settled yet?
 * slurmctld's job lock is held. */
bool eqt_settlement_waits(const struct eqt_budgets *budgets,
			  const job_record_t *job);

/*
 * Set the commitment of a running job to the price of its allocation for its
 * time limit. If that does not fit, cut the time limit. The locks are those of
 * eqt_admission_set().
 */
void eqt_settlement_adjust(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job);

#endif
