/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission: a job's priority stays 0 until its price is committed.
 *
 * Locks of the functions here, where nothing else is said: slurmctld's jobs for
 * writing, nodes and partitions for reading, assoc_mgr's associations and QOS for
 * reading. They take the lock of the budgets.
 */
#ifndef EQT_BUDGET_ADMISSION_H
#define EQT_BUDGET_ADMISSION_H

#include "budget/book/budgets.h"
#include "rate/job_quote.h"
#include "slurm/compat.h"

/*
 * slurmctld asks for a job's priority, which would be `priority`: commit its price,
 * which is `need` if that is not NULL, and return that, or hold it and return 0. A running job whose time limit has
 * changed commits the difference; what does not fit is cut off its limit.
 */
uint32_t eqt_admission_set(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job,
			   const struct eqt_job_need *need, uint32_t priority);

/* Somebody is about to change a job: if a budget holds it, it may fit then. Needs no
 * lock of slurmctld's. */
void eqt_admission_changed(struct eqt_budgets *budgets, uint32_t job_id);

/* An operator or (by_user) a user holds a job: if a budget holds it, that hold takes its
 * place, and only a release ends it. slurmctld's jobs are locked for writing. */
void eqt_admission_held(struct eqt_budgets *budgets, job_record_t *job,
			bool by_user);

/* The submission that this thread works on has so many tasks; its record does not
 * say so when slurmctld asks for its priority. Takes no lock; holds until that, or until
 * the thread's next call. */
void eqt_admission_announce(struct eqt_budgets *budgets, uint64_t tasks);

/* Is the job held by a budget, and by nothing else? */
bool eqt_admission_holds(const struct eqt_budgets *budgets,
			 const job_record_t *job);

/* Let a held job go if it fits; of an array, as many tasks as fit, up to
 * *patience, which decreases. Returns whether any may start now. */
bool eqt_admission_retry(struct eqt_budgets *budgets,
			 const struct eqt_config *config, job_record_t *job,
			 unsigned int *patience);

#endif
