/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_copies: copies of running and waiting jobs, for a pass that compares them (section
 * "priority" of equitree.conf). Only the pass thread uses them.
 */
#ifndef EQT_JOB_COPIES_H
#define EQT_JOB_COPIES_H

#include <time.h>

#include "prio/job_order.h"
#include "configuration.h"
#include "rate/job_rate.h"
#include "walk/walk.h"

/* Empty if everything but walk and rates is 0; eqt_job_copies_clear() frees the rest. */
struct eqt_job_copies {
	struct eqt_walk *walk;
	struct eqt_rate_cache *rates;

	struct eqt_ordered_job *jobs; /* the caller's to fill */
	size_t count;
	size_t space;
	struct eqt_ordered_job *runs; /* scratch: the running jobs, by job id */
	size_t runs_count;
	size_t runs_space;
	struct eqt_ordered_job *ran; /* the running jobs of the previous copy */
	size_t ran_count;
	size_t ran_space;
	struct eqt_ordered_job *ended; /* in ran, but not running now; the
					  caller sets their nodes */
	size_t ended_count;
	size_t ended_space;
};

/* The inputs of a copy. */
struct eqt_job_copying {
	const struct eqt_config *config;
	time_t now;
	assoc_mgr_lock_t locks; /* assoc_mgr's, for rest() */
	/* The priority of a waiting job without fair share and equal access. */
	double (*rest)(const job_record_t *job, time_t now, void *arg);
	void *arg;
};

/*
 * Copy the jobs of EQT_WALK_RANKED that the configuration compares: none, the running
 * ones, or all. Takes the locks of eqt_walk_visit(). The copies are valid until the next
 * call.
 */
void eqt_job_copies_fill(struct eqt_job_copies *copies,
			 const struct eqt_job_copying *copying);

/* Free the copies (at fini). */
void eqt_job_copies_clear(struct eqt_job_copies *copies);

#endif
