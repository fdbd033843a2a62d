/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk: slurmctld's jobs and assoc_mgr's associations, visited one by one while
 * locks are held for a limited time.
 *
 * A pass collects the jobs that the caller's predicates select, and then visits
 * them. Each job is looked up again by its id, and slurmctld's locks are
 * released within two milliseconds.
 *
 * Two implementations have the same results. The default walk (job_cache.h,
 * assoc_cache.h, prefetch.h) keeps the addresses of records from one pass to
 * the next as long as it can prove that Slurm's lists are unchanged, and it
 * prefetches their memory. docs/design/0028 has the proofs. The plain walk only
 * follows the lists and relies on nothing but the documented functions of
 * Slurm's lists.
 *
 * Only the pass thread makes these calls, and init() and fini() while that
 * thread does not run. There are two exceptions: any thread may call
 * eqt_walk_visited() and, while it holds assoc_mgr's assoc lock for writing,
 * eqt_walk_assocs_are_known().
 */
#ifndef EQT_WALK_H
#define EQT_WALK_H

#include "slurm/compat.h"
#include "guard.h"
#include "walk/visit.h"

struct eqt_walk; /* opaque */

/* Make a walk. Returns NULL if memory is short. guard must outlive the walk. */
struct eqt_walk *eqt_walk_new(struct eqt_guard *guard, bool plain);

/* Is this the plain walk? Any thread may call this function. */
bool eqt_walk_is_plain(const struct eqt_walk *walk);

/* Free a walk, which may be NULL. The function takes assoc_mgr's assoc lock for
 * reading. */
void eqt_walk_free(struct eqt_walk *walk);

/* The selections of a collection. Each has its own prefetch plan. */
enum eqt_walk_jobs {
	EQT_WALK_CHARGED, /* The visits read and write what a charge needs. */
	EQT_WALK_RANKED, /* The visits read and write what a priority needs. */
	EQT_WALK_SELECTIONS
};

/* Does the job belong to the selection? slurmctld's job lock is held for reading. */
typedef bool eqt_walk_wants(const job_record_t *job, void *arg);

/* A predicate for each selection. The selection is empty if its predicate is
 * NULL. */
struct eqt_walk_wanted {
	eqt_walk_wants *wants[EQT_WALK_SELECTIONS];
	void *arg;
};

/*
 * Select jobs, and forget the previous selections. The function takes
 * slurmctld's job lock for reading and releases it after a limited time each.
 * If memory is short, the remaining jobs wait for the next pass.
 */
void eqt_walk_collect(struct eqt_walk *walk,
		      const struct eqt_walk_wanted *wanted);

/* The number of selected jobs. */
size_t eqt_walk_count(const struct eqt_walk *walk, enum eqt_walk_jobs which);

typedef void eqt_walk_job_visit(job_record_t *job, void *arg);

/*
 * Call visit for each selected job that still exists, in the order of
 * slurmctld's list. The function takes slurmctld's locks (jobs for writing,
 * nodes and partitions for reading) and the given locks of assoc_mgr, and
 * releases all of them after a limited time each. It releases write locks of
 * assoc_mgr more often. visit runs with all locks held.
 */
void eqt_walk_visit(struct eqt_walk *walk, enum eqt_walk_jobs which,
		    assoc_mgr_lock_t locks, eqt_walk_job_visit *visit,
		    void *arg);

/* Has this job of EQT_WALK_CHARGED been visited since it was collected? Any
 * thread may call this function before the next collection, while it holds the
 * locks of assoc_mgr that the visit holds. */
bool eqt_walk_visited(const struct eqt_walk *walk, uint32_t job_id);

/* Visit all associations in the order of assoc_mgr's list. assoc_mgr's assoc
 * lock is held for this function and for the functions below. */
void eqt_walk_assocs(struct eqt_walk *walk, enum eqt_assoc_parts parts,
		     eqt_assoc_visit *visit, void *arg);

/*
 * Visit associations from *next on for a part of a millisecond, or all of them
 * if next is NULL. Returns whether associations are left. The caller may
 * release the lock between two slices if it makes sure that the list keeps its
 * order. The plain walk visits all associations at once.
 */
bool eqt_walk_assocs_some(struct eqt_walk *walk, enum eqt_assoc_parts parts,
			  uint32_t *next, eqt_assoc_visit *visit, void *arg);

/* Read the list if it has changed. Returns whether eqt_walk_assocs_are_known()
 * can prove from now on that the list has not changed again. With the plain
 * walk there is no proof, and without Fair Tree there is none either, because
 * only Fair Tree leaves a mark. */
bool eqt_walk_assocs_prepare(struct eqt_walk *walk);
bool eqt_walk_assocs_are_known(const struct eqt_walk *walk);

/* The highest id in the list that was last read. */
uint32_t eqt_walk_assocs_most_id(const struct eqt_walk *walk);

/* The versions of the list of associations, which are valid only while the lock
 * is held. */
struct eqt_assoc_state eqt_walk_assocs_state(struct eqt_walk *walk);

/*
 * Start the proof that the list is unchanged, if the root has our mark: its
 * level_fs was set to NO_VAL. The root of a new list has 0 instead.
 */
void eqt_walk_assocs_keep(struct eqt_walk *walk);

/* One step of a walk whose caller keeps the position. Returns false if nothing
 * is left. */
typedef bool eqt_walk_step(void *arg);

/*
 * Call a step until it returns false, while holding EQT_WALK_JOB_LOCKS and the
 * given locks of assoc_mgr. The locks are released after a limited time each.
 * The clock is read after every `every` steps. The caller holds none of these
 * locks.
 */
void eqt_walk_steps(assoc_mgr_lock_t locks, unsigned int every,
		    eqt_walk_step *step, void *arg);

#endif
