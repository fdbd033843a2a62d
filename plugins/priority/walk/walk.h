/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk: slurmctld's jobs and assoc_mgr's associations, visited one by one in
 * lock holds of bounded time.
 *
 * A pass collects the jobs that a caller's predicates want, then visits them:
 * each is looked up again by its id, and before two milliseconds are over
 * slurmctld's locks are released.
 *
 * There are two implementations with the same results. The usual one
 * (cached.c, job_cache.h, assoc_cache.h, prefetch.h) keeps from one pass to the
 * next where the records are, as long as it can show that Slurm's lists are the
 * same, and prefetches their memory; docs/design/0028 has the proofs. The plain
 * one (plain.c) goes through the lists and does nothing else: it relies on
 * nothing but the documented functions of Slurm's lists.
 *
 * All calls are the pass thread's, and init's and fini's while that does not
 * run; except eqt_walk_visited().
 */
#ifndef EQT_WALK_H
#define EQT_WALK_H

#include "slurm/compat.h"
#include "guard.h"
#include "walk/assoc_at.h"
#include "walk/hold.h"

struct eqt_walk; /* opaque */

/* Memory is short: NULL. guard outlives the walk. */
struct eqt_walk *eqt_walk_new(struct eqt_guard *guard, bool plain);

/* Is it the plain one? Any thread. */
bool eqt_walk_is_plain(const struct eqt_walk *walk);

/* Takes assoc_mgr's assoc lock for reading; NULL is fine. */
void eqt_walk_free(struct eqt_walk *walk);

/* The selections of a collection; each has its own memory prefetched. */
enum eqt_walk_jobs {
	EQT_WALK_CHARGED, /* visits read and write what a charge does */
	EQT_WALK_RANKED, /* visits read and write what a priority does */
	EQT_WALK_SELECTIONS
};

/* Whether a selection has this job; slurmctld's job lock is held for reading. */
typedef bool eqt_walk_wants(const job_record_t *job, void *arg);

/* A predicate for each selection; NULL: it has none. */
struct eqt_walk_wanted {
	eqt_walk_wants *wants[EQT_WALK_SELECTIONS];
	void *arg;
};

/*
 * Select jobs, in place of those before. Takes slurmctld's job lock for
 * reading, in holds of bounded time. Short of memory, the rest is left for the
 * next pass.
 */
void eqt_walk_collect(struct eqt_walk *walk,
		      const struct eqt_walk_wanted *wanted);

/* The number of jobs selected. */
size_t eqt_walk_count(const struct eqt_walk *walk, enum eqt_walk_jobs which);

typedef void eqt_walk_job_visit(job_record_t *job, void *arg);

/*
 * Call visit for each selected job that is still there, in the order of
 * slurmctld's list. Takes, and releases after each hold, slurmctld's locks (jobs
 * for writing, nodes and partitions for reading) and these of assoc_mgr, which
 * are released more often if they are for writing; visit runs under them.
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

/* To be asked for in the lock hold in which it is used. */
struct eqt_assoc_state eqt_walk_assoc_state(struct eqt_walk *walk);

/*
 * From now on it can be shown that the list is the same. To be called in the
 * hold of the write lock in which the root's level_fs was set to NO_VAL: the
 * record of the next list's root has 0.
 */
void eqt_walk_keep_assocs(struct eqt_walk *walk);

#endif
