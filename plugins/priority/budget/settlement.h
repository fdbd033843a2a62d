/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settlement: charge the use of a job to its budgets, and return the rest of
 * its commitment.
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

/* The same with budgets->lock held; goes_on: the rest stays committed. */
void eqt_settlement_locked(struct eqt_budgets *budgets,
			   const struct eqt_config *config,
			   const struct eqt_stretch_end *end, bool goes_on);

/* Does the job's last run still hold nodes, so that it is not settled yet? slurmctld's
 * jobs are locked. */
bool eqt_settlement_waits(const struct eqt_budgets *budgets, uint32_t job_id);

/* Commit the wish of one task or, if that does not fit, what is left. budgets->lock is
 * held. */
bool eqt_settlement_commit(struct eqt_budgets *budgets,
			   struct eqt_book_wish *wish);

/* The commitment of a job: the largest sum of its parts in the budgets of one owner.
 * budgets->lock is held. */
uint64_t eqt_settlement_committed_u(const struct eqt_budgets *budgets,
				    const struct eqt_book_job *job);

/* The most that a job's price is times in usage: the QOS's UsageFactor, at the dearest time of
 * the week. assoc_mgr's QOS lock is held for reading. */
double eqt_settlement_factor(const struct eqt_config *config,
			     const job_record_t *job);

/* A rate in millionths of an equivalent, with that factor. Lock as above. */
uint64_t eqt_settlement_rate_u(struct eqt_budgets *budgets,
			       const struct eqt_config *config,
			       const job_record_t *job);

/* The time up to which a run of a job is charged already. budgets->lock is
 * held. */
time_t eqt_settlement_from(const struct eqt_budgets *budgets,
			   const job_record_t *job);

#endif
