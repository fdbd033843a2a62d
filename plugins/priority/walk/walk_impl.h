/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk_impl: shared by the two implementations of walk.h. Private to this folder.
 */
#ifndef EQT_WALK_IMPL_H
#define EQT_WALK_IMPL_H

#include "walk/assoc_cache.h"
#include "walk/job_cache.h"
#include "walk/job_table.h"
#include "walk/walk.h"

/* One selection, in the order of slurmctld's list. */
struct eqt_walk_list {
	uint32_t
		*entry; /* cached: positions in the job cache; plain: job ids */
	size_t count;
	size_t space;
};

/* The caller's visit and its argument. */
struct eqt_walk_call {
	enum eqt_walk_jobs which;
	eqt_walk_job_visit *visit;
	void *arg;
};

struct eqt_walk {
	struct eqt_guard *guard;
	bool plain;
	struct eqt_walk_list lists[EQT_WALK_SELECTIONS];
	struct eqt_job_table visited; /* of EQT_WALK_CHARGED */
	struct eqt_job_cache jobs; /* walk_cached.c only */
	struct eqt_assoc_cache assocs; /* walk_cached.c only */
};

/* Pass each job of slurmctld to eqt_walk_take(). */
void eqt_walk_cached_collect(struct eqt_walk *walk,
			     const struct eqt_walk_wanted *wanted);
void eqt_walk_plain_collect(struct eqt_walk *walk,
			    const struct eqt_walk_wanted *wanted);

/* Visit the jobs of a selection from entry i on, in one hold of slurmctld's locks, which the
 * caller has; returns the entry after the last one. */
size_t eqt_walk_cached_visit(struct eqt_walk *walk,
			     const struct eqt_walk_call *call, size_t i,
			     assoc_mgr_lock_t *locks);
/* The same for all of them, in as many holds as it takes. */
void eqt_walk_plain_visit(struct eqt_walk *walk,
			  const struct eqt_walk_call *call,
			  assoc_mgr_lock_t locks);

/* The versions of the list of associations, from a hash of all of it. */
struct eqt_assoc_state eqt_walk_plain_assoc_state(void);

/* Empty the selections and make room for this number of jobs, so that nothing is
 * allocated later under slurmctld's lock. */
void eqt_walk_begin(struct eqt_walk *walk, size_t most);

/* Add a job to the selections whose predicates select it. */
void eqt_walk_take(struct eqt_walk *walk, const struct eqt_walk_wanted *wanted,
		   const job_record_t *job, uint32_t entry);

/* Call the visit, and note that the job was visited. */
void eqt_walk_visit_job(struct eqt_walk *walk, const struct eqt_walk_call *call,
			job_record_t *job);

#endif
