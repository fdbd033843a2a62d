/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budgets: the budgets of this slurmctld, and the state that the files of this
 * folder share (docs/design/0050).
 *
 * Without a file of budgets these functions do nothing, because
 * eqt_budgets_active() reads one flag. The lock of the budgets is taken after
 * all others, those of slurmctld and assoc_mgr. A thread that holds it must not
 * write to disk.
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

/* The highest threshold, in percent, that a budget has reached, and the amount
 * that the budget had then (warning.c). */
struct eqt_budget_warned {
	uint64_t amount_u;
	uint64_t percent;
};

/* The budgets. Start with EQT_BUDGETS, and then set the pointers up to
 * priority_arg, which are borrowed. */
struct eqt_budgets {
	atomic_bool active;
	struct eqt_config_store *config;
	struct eqt_guard *guard;
	struct eqt_rate_cache *rates;
	struct eqt_job_charge *charges; /* Includes the table of runs. */
	/* Returns the priority of a job that may start from now on. The locks
	   of slurmctld and assoc_mgr are those of priority_p_set(). */
	uint32_t (*priority_of)(void *arg, const struct eqt_config *config,
				job_record_t *job);
	void *priority_arg;

	/* A thread-specific value: the number of tasks of the submission that
	   the thread is handling. */
	pthread_key_t announced;

	pthread_mutex_t lock; /* Protects the members below. */
	pthread_cond_t wake;
	pthread_t thread;
	bool running;
	bool stop;
	bool woken;
	/* Try all jobs again. This flag may be read without the lock. */
	atomic_bool sweep;
	/* No amount was returned since the held jobs were last tried. */
	bool tried;

	struct eqt_book *book; /* NULL if there are no budgets. */
	/* With when_damaged = hold: why the file was not used, or an empty
	   string if it was used. If it was not, the book has the accounts whose
	   jobs are held, and nothing is committed, charged or written. */
	struct eqt_error unread;
	/* The lines of entries that are not on disk yet. */
	struct eqt_bodies lines;
	/* A new file must be written from the book. This flag may be read
	   without the lock. */
	atomic_bool lines_lost;
	bool forced; /* Some of the lines must not wait for others. */
	/* Nothing is committed, because commitments could not be written. */
	bool halted;
	struct eqt_waiting waiting;
	struct eqt_ancestry ancestry; /* of accounts of late submissions */
	struct eqt_coordinators coordinators; /* who may see others' budgets */
	bool asked; /* whether somebody asked for a list since they were read */
	struct eqt_budget_request *requests; /* a list, oldest first */
	struct eqt_budget_warned *warned; /* by id - 1 */
	uint64_t warned_count;

	/* Only the thread uses the members below. */
	struct eqt_store store;
	bool ours; /* No other slurmctld writes the store. */
	struct timespec take; /* The time at which the store becomes ours. */
	/* The accounts as the disk has them; NULL if they were not written yet
	   by this thread. */
	struct eqt_book *accounts;
	/* Borrowed. The number of the last synced entry. */
	_Atomic uint64_t *on_disk;
	/* When the waiting lines are written; zeros if no line waits. */
	struct timespec due;
	/* When the limits of accounts are compared next. */
	struct timespec limits_due;
	bool limits_taken; /* Limits were removed from Slurm's own check. */
};

#define EQT_BUDGETS                                \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

static inline bool eqt_budgets_active(struct eqt_budgets *budgets)
{
	return atomic_load_explicit(&budgets->active, memory_order_relaxed);
}

/* Prepare the key and the condition, before any other call of this file;
 * eqt_budgets_clear() frees them. Returns 0, or -1 with err filled if the
 * process has no thread-specific key left. */
int eqt_budgets_init(struct eqt_budgets *budgets, struct eqt_error *err);

/* The advice to an operator if the file lacks entries that were written. */
#define EQT_BUDGET_REPAIR                                                 \
	"Put the file back; or, to go on with what is there, create the " \
	"empty "                                                          \
	"file " EQT_BUDGET_ACCEPT " in StateSaveLocation"

/* Read the file of budgets, if there is one. Returns 0, or -1 with err filled
 * if the file is damaged and the start must fail. init() calls this without
 * locks. */
int eqt_budgets_load(struct eqt_budgets *budgets, struct eqt_error *err);

/* budgets->lock is held for the functions below. */

/* Begin an empty book if there is none. Sites without budgets have neither a
 * file nor a thread. Returns 0, or -1 with err filled. */
int eqt_budgets_begin(struct eqt_budgets *budgets, struct eqt_error *err);

/* Apply an entry, and keep its line for the file. Returns 0, or -1 after
 * logging that the book refuses the entry. */
int eqt_budgets_do(struct eqt_budgets *budgets, const struct eqt_entry *entry);

/* Wake the thread for a round. */
void eqt_budgets_wake(struct eqt_budgets *budgets);

/* Return all of a job's commitment without a charge. `why` is stored in the
 * entry. */
void eqt_budgets_give_back(struct eqt_budgets *budgets, uint32_t job_id,
			   const char *why);

/* Give a task its share of the commitment of its array, if it has none yet. For
 * an array's record, give all its tasks their shares. slurmctld's job lock is
 * held. */
void eqt_budgets_adopt(struct eqt_budgets *budgets, const job_record_t *job);

/* The beginning of the description of each job that a budget holds. */
#define EQT_BUDGETS_MARK "Budget "

/* Set the description that slurmctld shows for a held job. If an operator gave
 * the job a priority, the description also has that priority, because
 * slurmctld saves the description, and the record's own priority is 0 while
 * the job is held. For this function and the next two, slurmctld's job lock is
 * held, and budgets->lock is not needed. */
void eqt_budgets_describe(job_record_t *job, const char *text,
			  uint32_t explicit_priority);

/* The priority that an operator gave to a held job, or 0 if there is none. When
 * the job commits, its record gets that priority back, and the priority is
 * forgotten here. */
uint32_t eqt_budgets_explicit_priority(const struct eqt_budgets *budgets,
				       const job_record_t *job);

/* Is a job's priority 0 because slurmctld, an operator or its user holds the
 * job? */
bool eqt_budgets_held_by_others(const job_record_t *job);

/* Free everything. The thread must not run. */
void eqt_budgets_clear(struct eqt_budgets *budgets);

#endif
