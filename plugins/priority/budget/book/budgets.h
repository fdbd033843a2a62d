/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budgets: the budgets of this slurmctld, and the state that the files of this folder
 * share (docs/design/0050).
 *
 * Without a file of budgets these functions do nothing: eqt_budgets_active() reads
 * one flag. Take the lock after all others, those of slurmctld and assoc_mgr. Do not
 * write to disk while you hold it.
 */
#ifndef EQT_BUDGETS_H
#define EQT_BUDGETS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "budget/book/coordinators.h"
#include "budget/book/payers.h"
#include "budget/book/store.h"
#include "budget/book/waiting.h"
#include "configuration.h"
#include "guard.h"
#include "rate/job_rate.h"
#include "slurm/compat.h"
#include "usage/charge/job_charge.h"

struct eqt_budget_request;

/* The highest threshold that a budget has reached with an amount (warning.c). */
struct eqt_budget_warned {
	uint64_t amount_u;
	uint64_t percent;
};

/* Start with EQT_BUDGETS, then set the pointers up to priority_arg, which are not owned. */
struct eqt_budgets {
	atomic_bool active;
	struct eqt_config_store *config;
	struct eqt_guard *guard;
	struct eqt_rate_cache *rates;
	struct eqt_job_charge *charges; /* with the table of runs */
	/* The priority of a job that may start from now on; slurmctld's and
	   assoc_mgr's locks are those of priority_p_set(). */
	uint32_t (*priority_of)(void *arg, const struct eqt_config *config,
				job_record_t *job);
	void *priority_arg;

	/* A value of each thread: the number of tasks of the submission that it works on. */
	pthread_key_t announced;

	pthread_mutex_t lock; /* covers the rest */
	pthread_cond_t wake;
	pthread_t thread;
	bool running;
	bool stop;
	bool woken;
	atomic_bool sweep; /* look at all jobs; may be read without the lock */
	bool tried; /* something was given back since the held jobs were tried */

	struct eqt_book *book; /* NULL: there are no budgets */
	/* With when_damaged = hold: why the file was not used. Then the book has the accounts
	 * whose jobs are held, and nothing is committed, charged or written. "": it was used. */
	struct eqt_error unread;
	struct eqt_bodies lines; /* of entries that are not on disk yet */
	/* A new file must be written from the book; may be read without the lock. */
	atomic_bool lines_lost;
	bool forced; /* some of the lines must not wait for others */
	bool halted; /* nothing is committed: it could not be written */
	struct eqt_waiting waiting;
	struct eqt_ancestry ancestry; /* of accounts of late submissions */
	struct eqt_coordinators coordinators; /* who may see others' budgets */
	bool asked; /* for a list since these were read */
	struct eqt_budget_request *requests; /* a list, oldest first */
	struct eqt_budget_warned *warned; /* by id - 1 */
	uint64_t warned_count;

	/* The thread's own. */
	struct eqt_store store;
	bool ours; /* the store: no other slurmctld writes it */
	struct timespec take; /* when it becomes ours */
	struct eqt_book
		*accounts; /* as the disk has them; NULL: not written yet */
	_Atomic uint64_t
		*on_disk; /* not owned: the last entry that is synced */
	struct timespec
		due; /* when waiting lines are written; {0}: none wait */
	struct timespec limits_due; /* the next look at limits of accounts */
	bool limits_taken; /* out of Slurm's own check */
};

#define EQT_BUDGETS                                \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

static inline bool eqt_budgets_active(struct eqt_budgets *budgets)
{
	return atomic_load_explicit(&budgets->active, memory_order_relaxed);
}

/* Prepare the key and the condition, before any other call here; eqt_budgets_clear() frees
 * them. 0, or -1 with err filled: the process has no thread-specific key left. */
int eqt_budgets_init(struct eqt_budgets *budgets, struct eqt_error *err);

/* The advice to an operator if the file lacks entries that were written. */
#define EQT_BUDGET_REPAIR                                                 \
	"Put the file back; or, to go on with what is there, create the " \
	"empty "                                                          \
	"file " EQT_BUDGET_ACCEPT " in StateSaveLocation"

/* Read the file of budgets, if there is one. 0, or -1 with err filled: it is
 * damaged, and the start must fail. Called by init, without locks. */
int eqt_budgets_load(struct eqt_budgets *budgets, struct eqt_error *err);

/* The lock is held for these. */

/* Begin an empty book if there is none; sites without budgets have neither a file nor a
 * thread. 0, or -1 with err filled. */
int eqt_budgets_begin(struct eqt_budgets *budgets, struct eqt_error *err);

/* Apply an entry and keep its line for the file. -1: the book refuses it
 * (logged). */
int eqt_budgets_do(struct eqt_budgets *budgets, const struct eqt_entry *entry);

/* Wake the thread for a round. */
void eqt_budgets_wake(struct eqt_budgets *budgets);

/* Return all of a job's commitment without a charge; the entry has `why`. */
void eqt_budgets_give_back(struct eqt_budgets *budgets, uint32_t job_id,
			   const char *why);

/* Give a task its share of the commitment of its array, if it has none yet. For an array's
 * record: give all its tasks theirs. slurmctld's jobs are locked. */
void eqt_budgets_adopt(struct eqt_budgets *budgets, const job_record_t *job);

/* The begin of the description of each job that a budget holds. */
#define EQT_BUDGETS_MARK "Budget "

/* Set the description that slurmctld shows for a held job. It also has the priority of an
 * operator that the job gets again (0: none), because slurmctld saves the description, and the
 * record's priority is 0 as long as the job is held. For this and the next two functions
 * slurmctld's jobs are locked; the lock of the budgets is not needed here. */
void eqt_budgets_describe(job_record_t *job, const char *text,
			  uint32_t explicit_priority);

/* The priority that an operator gave to a held job; 0: none. When the job commits, the record
 * has it again, and it is forgotten here. */
uint32_t eqt_budgets_explicit_priority(const struct eqt_budgets *budgets,
				       const job_record_t *job);

/* Is a job's priority 0 because slurmctld, an operator or its user holds it? */
bool eqt_budgets_held_by_others(const job_record_t *job);

/* Free all; the thread does not run. */
void eqt_budgets_clear(struct eqt_budgets *budgets);

#endif
