/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settlement: sets the commitment of a running job by its allocation, charges its use to
 * its budgets, and returns the rest of the commitment.
 */
#ifndef EQT_BUDGET_SETTLEMENT_H
#define EQT_BUDGET_SETTLEMENT_H

#include "budget/book/budgets.h"
#include "slurm/compat.h"
#include "usage/runs/job_run.h"

/* Are there budgets? arg is the struct eqt_budgets. */
bool eqt_settlement_active(void *arg);

/*
 * A stretch of a run ends (struct eqt_stretch_sink): charge it, and return the rest of
 * the commitment unless the run goes on or still holds nodes. arg is the struct
 * eqt_budgets. Locks as in job_run.h.
 */
void eqt_settlement_stretch(void *arg, const struct eqt_config *config,
			    const struct eqt_stretch_end *end);

/* Remember a job whose run has ended, in case it is requeued. Its priority is then 0 until the
 * run is settled and its price is committed again. job: its record, or NULL if that is another
 * run's now. slurmctld's jobs are locked for writing, and budgets->lock is held. */
void eqt_settlement_remember(struct eqt_budgets *budgets, uint32_t job_id,
			     job_record_t *job);

/* Does the job's last run still hold nodes, so that it is not settled yet? slurmctld's
 * jobs are locked. */
bool eqt_settlement_waits(const struct eqt_budgets *budgets,
			  const job_record_t *job);

/*
 * Set the commitment of a running job to the price of its allocation for its
 * time limit. If that does not fit, cut the time limit. Locks as for
 * eqt_admission_set().
 */
void eqt_settlement_adjust(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job);

#endif
