/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settlement: charge the use of a job to its budgets, and return the rest of
 * its commitment.
 */
#ifndef EQT_BUDGET_SETTLEMENT_H
#define EQT_BUDGET_SETTLEMENT_H

#include "budget/book/budgets.h"
#include "slurm/compat.h"

/* The locks of all functions here: slurmctld's jobs for writing, nodes and
 * partitions for reading; none of assoc_mgr's. */

/* A job ends, is requeued or resized (priority_p_job_end()). */
void eqt_settlement_job_end(struct eqt_budgets *budgets,
			    const struct eqt_config *config, job_record_t *job);

/* Settle one task of a job at a rate, or (goes_on) its use so far. Returns whether
 * there was anything to settle. budgets->lock is held. */
bool eqt_settlement_task(struct eqt_budgets *budgets,
			 const struct eqt_config *config,
			 const job_record_t *job, uint64_t rate, bool goes_on);

/* A rate in millionths of an equivalent, with the QOS's UsageFactor. assoc_mgr's QOS
 * lock is held for reading. */
uint64_t eqt_settlement_rate_u(struct eqt_budgets *budgets,
			       const struct eqt_config *config,
			       const job_record_t *job);

/* The time up to which a run of a job is charged already. budgets->lock is
 * held. */
time_t eqt_settlement_from(const struct eqt_budgets *budgets,
			   const job_record_t *job);

#endif
