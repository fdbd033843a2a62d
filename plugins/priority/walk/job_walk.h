/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices: a walk over slurmctld's jobs that never holds its locks for long.
 * The ids of the jobs are collected once a pass; then they are looked up one
 * by one, and before two milliseconds are over the locks are let go.
 *
 * All here is called by the pass thread only, but for eqt_job_walk_charged().
 */
#ifndef EQT_JOB_WALK_H
#define EQT_JOB_WALK_H

#include "slurm/compat.h"
#include "configuration.h"

/* After so long slurmctld's locks are let go: an RPC that waits for them should
 * not notice. The jobs that are looked at before the next look at the clock, and
 * those asked for ahead, are to fit into two milliseconds, too. */
#define EQT_JOB_WALK_HOLD_NS 1700000L

/* Within that, assoc_mgr's lock is let go after so long by who has it for writing.
 * Of associations by the thousand Slurm's own ranking has it hardly longer. */
#define EQT_JOB_WALK_POST_NS 30000L
#define EQT_JOB_WALK_CLOCK_EVERY 8 /* jobs between two looks at the clock */

/* What a pass does with jobs. */
enum eqt_job_walk_of {
	EQT_JOB_WALK_CHARGED,
	EQT_JOB_WALK_RANKED,
	EQT_JOB_WALK_LISTS
};

/* Does a pass set this job's priority? 0 is held and stays 0. */
bool eqt_job_walk_has_priority(const struct eqt_config *config,
			       const job_record_t *job);

/*
 * Collect the ids of the jobs that are to be charged, if a pass charges, and of
 * those that wait, run or have a priority. Takes slurmctld's job lock for reading.
 * Short of memory, the rest is left for the next pass.
 */
void eqt_job_walk_collect(const struct eqt_config *config, bool charge);

/* How many jobs are collected. */
size_t eqt_job_walk_count(enum eqt_job_walk_of of);

/*
 * Call visit for each collected job that is still there, in the order of
 * slurmctld's list. Takes, and lets go after each slice, slurmctld's locks (jobs
 * for writing, nodes and partitions for reading) and these of assoc_mgr, which a
 * slice lets go several times if they are for writing; visit runs under them.
 */
void eqt_job_walk_visit(enum eqt_job_walk_of of, assoc_mgr_lock_t locks,
			void (*visit)(job_record_t *job, void *arg), void *arg);

/* Has this job of EQT_JOB_WALK_CHARGED been visited, since it was collected? Any
 * thread's, under assoc_mgr's locks that the visit had, and before the next
 * collection. */
bool eqt_job_walk_charged(uint32_t job_id);

/* Free what is kept between passes (at fini, when the thread is gone). */
void eqt_job_walk_clear(void);

#endif
