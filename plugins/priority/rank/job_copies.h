/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_copies: copies of running and waiting jobs, for a pass that compares jobs
 * (section "priority" of equitree.conf). Only the pass thread uses them.
 */
#ifndef EQT_JOB_COPIES_H
#define EQT_JOB_COPIES_H

#include <time.h>

#include "prio/job_order.h"
#include "configuration.h"
#include "rate/job_rate.h"
#include "walk/job_table.h"
#include "walk/walk.h"

struct eqt_job_copies_list {
	struct eqt_ordered_job *jobs;
	size_t count;
	size_t space;
};

/* Copies of jobs. They are empty if all members except walk and rates are 0.
 * eqt_job_copies_clear() frees them. */
struct eqt_job_copies {
	struct eqt_walk *walk;
	struct eqt_rate_cache *rates;

	/* The caller fills in the members that eqt_job_copies_fill() does not
	   know. */
	struct eqt_ordered_job *jobs;
	size_t count;
	size_t space;
	/* The copies by line, if waiting jobs are compared. */
	struct eqt_job_order order;
	size_t running; /* The number of running jobs. */
	struct eqt_job_table running_ids;
	/* The running jobs of the last copy. */
	struct eqt_job_copies_list ran;
	/* The jobs that ran in the copy before and are not running now. The
	   caller sets their nodes. */
	struct eqt_job_copies_list ended;
};

/* The inputs of a copy. */
struct eqt_job_copying {
	const struct eqt_config *config;
	time_t now;
	/* The locks of assoc_mgr that the callback rest() needs. */
	assoc_mgr_lock_t locks;
	/* The priority of a waiting job without fair share and equal access. */
	double (*rest)(const job_record_t *job, time_t now, void *arg);
	void *arg;
};

/*
 * Copy those jobs of EQT_WALK_RANKED that the configuration compares: none, the
 * running jobs, or all. The function takes the locks of eqt_walk_visit(). The
 * copies are valid until the next call.
 */
void eqt_job_copies_fill(struct eqt_job_copies *copies,
			 const struct eqt_job_copying *copying);

/* Free the copies when the plugin is unloaded. */
void eqt_job_copies_clear(struct eqt_job_copies *copies);

#endif
