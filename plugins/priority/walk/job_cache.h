/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * roster: slurmctld's jobs, by id and where their records are, in the order of
 * slurmctld's list, kept from one pass to the next.
 *
 * The list is chained one by one, which costs a pass more than a look at each
 * job. So a pass looks its jobs of the last one up by their ids, and asks the
 * list for those that came since. That these are all is shown by counting
 * (docs/design/0028); if it cannot be, the pass goes through the list.
 *
 * The pass thread's own.
 */
#ifndef EQT_JOB_CACHE_H
#define EQT_JOB_CACHE_H

#include "slurm/compat.h"

/* One job. Between two holds of the locks it may go away: where its record was
 * is a place to ask for memory from, never one to read, until it is looked up
 * again. */
struct eqt_job_at {
	job_record_t *job;
	uint32_t id;
};

/* Called without locks, before the first of at most so many looks. */
typedef void eqt_job_cache_begin(size_t count, void *arg);

/* Called for each job that there is, which is at hand and may be read. */
typedef void eqt_job_cache_prefetch(job_record_t *job, uint32_t position,
				    void *arg);

/*
 * Bring the roster up to date and look at each job, in its order. begin is
 * called before the first look, and again where all looks are to be made once
 * more. Takes slurmctld's job lock for reading, in slices of bounded time. A
 * job that comes meanwhile is left for the next time. Short of memory, jobs are
 * missing.
 */
void eqt_job_cache_update(eqt_job_cache_begin *begin,
			  eqt_job_cache_prefetch *look, void *arg);

/* The job at a position, until the next update. */
struct eqt_job_at *eqt_job_cache_at(uint32_t position);

/* Free what is kept (at fini). */
void eqt_job_cache_clear(void);

#endif
