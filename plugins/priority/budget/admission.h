/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission: a job's priority stays 0 until its price is committed.
 *
 * Unless a comment says otherwise, the caller holds slurmctld's job lock for
 * writing, its node and part locks for reading, and assoc_mgr's assoc and QOS
 * locks for reading. The functions take the lock of the budgets.
 */
#ifndef EQT_BUDGET_ADMISSION_H
#define EQT_BUDGET_ADMISSION_H

#include "budget/book/budgets.h"
#include "rate/job_quote.h"
#include "slurm/compat.h"

/*
 * Answer slurmctld's request for a job's priority: commit the job's price and
 * return `priority`, or hold the job and return 0. `need` is the job's need if
 * the caller knows it, or NULL. A running job whose time limit has changed
 * commits the difference. If the difference does not fit, its limit is cut.
 */
uint32_t eqt_admission_set(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job,
			   const struct eqt_job_need *need, uint32_t priority);

/* Report that a job is about to be changed. If a budget holds the job, the
 * thread tries it again. No lock of slurmctld is needed. */
void eqt_admission_changed(struct eqt_budgets *budgets, uint32_t job_id);

/* Report that an operator, or the job's user if by_user is set, holds a job. If
 * a budget holds it already, the new hold replaces the budget's hold, and only
 * a release ends it. slurmctld's job lock is held for writing. */
void eqt_admission_held(struct eqt_budgets *budgets, job_record_t *job,
			bool by_user);

/* Record how many tasks the submission has that this thread is handling,
 * because its record does not show them when slurmctld asks for its priority.
 * The number is valid until then, or until the thread's next call. The function
 * takes no lock. */
void eqt_admission_announce(struct eqt_budgets *budgets, uint64_t tasks);

/* Is the job held by a budget only? */
bool eqt_admission_holds(const struct eqt_budgets *budgets,
			 const job_record_t *job);

/* Release a held job if it fits, or as many tasks of an array as fit. Each try
 * and each task takes 1 from *patience, and the function stops at 0. Returns
 * whether any job or task may start now. */
bool eqt_admission_retry(struct eqt_budgets *budgets,
			 const struct eqt_config *config, job_record_t *job,
			 unsigned int *patience);

#endif
