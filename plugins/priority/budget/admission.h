/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission: a job's priority stays 0 until its price is committed.
 *
 * The caller of a function here holds these locks, unless its comment names others:
 * slurmctld's jobs for writing, nodes and partitions for reading, assoc_mgr's
 * associations and QOS for reading. The function takes the lock of the budgets.
 */
#ifndef EQT_BUDGET_ADMISSION_H
#define EQT_BUDGET_ADMISSION_H

#include "budget/book/budgets.h"
#include "rate/job_quote.h"
#include "slurm/compat.h"

/*
 * slurmctld asks for a job's priority. Commit the job's price and return `priority`, or
 * hold the job and return 0. need: its price if the caller knows it, or NULL. A running job
 * whose time limit has changed commits the difference; if that does not fit, its limit is
 * cut.
 */
uint32_t eqt_admission_set(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job,
			   const struct eqt_job_need *need, uint32_t priority);

/* Somebody is about to change a job: if a budget holds it, the thread tries it again. Needs
 * no lock of slurmctld's. */
void eqt_admission_changed(struct eqt_budgets *budgets, uint32_t job_id);

/* An operator, or its user (by_user), holds a job. If a budget holds it already, the new hold
 * replaces the budget's, and only a release ends it. slurmctld's jobs are locked for
 * writing. */
void eqt_admission_held(struct eqt_budgets *budgets, job_record_t *job,
			bool by_user);

/* Note how many tasks the submission has that this thread works on: its record does not show
 * them when slurmctld asks for its priority. The number is valid until then, or until the
 * thread's next call. Takes no lock. */
void eqt_admission_announce(struct eqt_budgets *budgets, uint64_t tasks);

/* Is the job held by a budget, and by nobody else? */
bool eqt_admission_holds(const struct eqt_budgets *budgets,
			 const job_record_t *job);

/* Release a held job if it fits, or as many tasks of an array as fit. Each try and each task
 * takes 1 from *patience, and none is left when it is 0. Returns whether any may start now. */
bool eqt_admission_retry(struct eqt_budgets *budgets,
			 const struct eqt_config *config, job_record_t *job,
			 unsigned int *patience);

#endif
