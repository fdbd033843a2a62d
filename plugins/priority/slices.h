/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices: a walk over slurmctld's jobs that never holds its locks for long.
 * The ids of the jobs are collected once a pass; then they are looked up one
 * by one, and every two milliseconds the locks are let go.
 */
#ifndef EQT_SLICES_H
#define EQT_SLICES_H

#include "../common/slurm_compat.h"
#include "settings.h"

/* Does a pass set this job's priority? 0 is held and stays 0. */
bool eqt_slices_has_priority(const struct eqt_settings *settings,
			     const job_record_t *job);

/*
 * Collect the ids of the jobs that have a priority and of those that run.
 * Takes slurmctld's job lock for reading. Called by the pass thread only, as
 * all here. Short of memory, the rest is left for the next pass.
 */
void eqt_slices_collect(const struct eqt_settings *settings);

/* How many jobs are collected. */
size_t eqt_slices_count(void);

/*
 * Call visit for each collected job that is still there; jobs that are not
 * well-formed are passed over. Takes, and lets go after each slice,
 * slurmctld's locks (jobs for writing, nodes and partitions for reading) and
 * assoc_mgr's (those of points.h); visit runs under them.
 */
void eqt_slices_visit(const struct eqt_settings *settings,
		      void (*visit)(job_record_t *job, void *arg), void *arg);

/* Free what is kept between passes (at fini, when the thread is gone). */
void eqt_slices_clear(void);

#endif
