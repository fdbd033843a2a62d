/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk: slurmctld's jobs and assoc_mgr's associations, visited one by one in
 * lock holds of bounded time.
 *
 * A pass collects the jobs that the caller's predicates select, then visits them: each
 * job is looked up again by its id, and slurmctld's locks are released within two
 * milliseconds.
 *
 * Two implementations have the same results. The default one (job_cache.h, assoc_cache.h,
 * prefetch.h) keeps the addresses of records from one pass to the next as long as it can
 * prove that Slurm's lists are unchanged, and prefetches their memory; docs/design/0028 has
 * the proofs. The plain one only walks the lists and relies on nothing but the documented
 * functions of Slurm's lists.
 *
 * Only the pass thread makes these calls, and init() and fini() while it does not run;
 * except for eqt_walk_visited() and, under assoc_mgr's assoc lock for writing,
 * eqt_walk_assocs_are_known().
 */
#ifndef EQT_WALK_H
#define EQT_WALK_H

#include "slurm/compat.h"
#include "guard.h"
#include "walk/visit.h"

struct eqt_walk; /* opaque */

/* Make a walk, or NULL when memory is short. guard must outlive it. */
struct eqt_walk *eqt_walk_new(struct eqt_guard *guard, bool plain);

/* Is it the plain one? Any thread. */
bool eqt_walk_is_plain(const struct eqt_walk *walk);

/* Takes assoc_mgr's assoc lock for reading; NULL is fine. */
void eqt_walk_free(struct eqt_walk *walk);

/* The selections of a collection; each has its own prefetch plan. */
enum eqt_walk_jobs {
	EQT_WALK_CHARGED, /* visits read and write what a charge does */
	EQT_WALK_RANKED, /* visits read and write what a priority does */
	EQT_WALK_SELECTIONS
};

/* Does the job belong to the selection? slurmctld's job lock is held for reading. */
typedef bool eqt_walk_wants(const job_record_t *job, void *arg);

/* A predicate for each selection; NULL: the selection is empty. */
struct eqt_walk_wanted {
	eqt_walk_wants *wants[EQT_WALK_SELECTIONS];
	void *arg;
};

/*
 * Select jobs, instead of the previous ones. Takes slurmctld's job lock for reading, in
 * holds of bounded time. If memory is short, the rest waits for the next pass.
 */
void eqt_walk_collect(struct eqt_walk *walk,
		      const struct eqt_walk_wanted *wanted);

/* The number of jobs selected. */
size_t eqt_walk_count(const struct eqt_walk *walk, enum eqt_walk_jobs which);

typedef void eqt_walk_job_visit(job_record_t *job, void *arg);

/*
 * Call visit for each selected job that still exists, in the order of slurmctld's list.
 * Takes slurmctld's locks (jobs for writing, nodes and partitions for reading) and the
 * given locks of assoc_mgr, and releases them after each hold; write locks of assoc_mgr
 * are released more often. visit runs with all of them held.
 */
void eqt_walk_visit(struct eqt_walk *walk, enum eqt_walk_jobs which,
		    assoc_mgr_lock_t locks, eqt_walk_job_visit *visit,
		    void *arg);

/* Has this job of EQT_WALK_CHARGED been visited since it was collected? Any
 * thread, under assoc_mgr's locks of the visit, before the next collection. */
bool eqt_walk_visited(const struct eqt_walk *walk, uint32_t job_id);

/* Visit all associations in the order of assoc_mgr's list. This and the
 * functions below: assoc_mgr's assoc lock is held. */
void eqt_walk_assocs(struct eqt_walk *walk, enum eqt_assoc_parts parts,
		     eqt_assoc_visit *visit, void *arg);

/*
 * Visit associations from *next on for a part of a millisecond (NULL: visit all); returns
 * whether there are more. The lock may be released between two slices, if the caller makes
 * sure that the list keeps its order. The plain walk visits all at once.
 */
bool eqt_walk_assocs_some(struct eqt_walk *walk, enum eqt_assoc_parts parts,
			  uint32_t *next, eqt_assoc_visit *visit, void *arg);

/* Read the list if it has changed. Returns whether eqt_walk_assocs_are_known() can prove from
 * here on that it has not changed again: never with the plain walk, and not without Fair Tree,
 * because only that leaves a mark. */
bool eqt_walk_assocs_prepare(struct eqt_walk *walk);
bool eqt_walk_assocs_are_known(const struct eqt_walk *walk);

/* The highest id of the list that is known. */
uint32_t eqt_walk_assocs_most_id(const struct eqt_walk *walk);

/* The versions of the list of associations; valid only while the lock is held. */
struct eqt_assoc_state eqt_walk_assocs_state(struct eqt_walk *walk);

/*
 * Start the proof that the list is unchanged, if the root has our mark: its level_fs was
 * set to NO_VAL. The root of a new list has 0.
 */
void eqt_walk_assocs_keep(struct eqt_walk *walk);

/* One step of a walk whose caller keeps its position; false: nothing is left. */
typedef bool eqt_walk_step(void *arg);

/*
 * Call a step until it returns false, with the locks of EQT_WALK_JOB_LOCKS and these of
 * assoc_mgr. Both are released when their time is up; the clock is read after every `every`
 * steps. The caller holds none of them.
 */
void eqt_walk_steps(assoc_mgr_lock_t locks, unsigned int every,
		    eqt_walk_step *step, void *arg);

#endif
