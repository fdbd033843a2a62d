/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_cache: the ids of slurmctld's jobs and the places of their records, in the
 * order of slurmctld's list, kept from one pass to the next.
 *
 * The list is chained one by one, which costs a pass more than a look at each
 * job. So a pass looks up the jobs of the last one by their ids, and asks the
 * list only for those that came since. That these are all is shown by counting
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

/* {0} is empty; eqt_job_cache_clear() frees what it holds. */
struct eqt_job_cache {
	struct eqt_job_at *at;
	uint32_t count;
	uint32_t space;
	/* Behind the last job that was seen. slurmctld makes its list once and
	 * frees it at its end, with its iterators. */
	list_itr_t *iterator;
	list_t *list;
};

/* Called without locks, before the first of at most so many looks. */
typedef void eqt_job_cache_begin(size_t count, void *arg);

/* Called for each job that there is, which is at hand and may be read. */
typedef void eqt_job_cache_look(job_record_t *job, uint32_t position,
				void *arg);

/*
 * Bring the cache up to date and look at each job, in its order. begin is
 * called before the first look, and again where all looks are to be made once
 * more. Takes slurmctld's job lock for reading, in holds of bounded time. A job
 * that comes meanwhile is left for the next time. Short of memory, jobs are
 * missing.
 */
void eqt_job_cache_update(struct eqt_job_cache *cache,
			  eqt_job_cache_begin *begin, eqt_job_cache_look *look,
			  void *arg);

/* The job at a position, until the next update. */
static inline struct eqt_job_at *eqt_job_cache_at(
	const struct eqt_job_cache *cache, uint32_t position)
{
	return &cache->at[position];
}

/* Free what is kept (at fini). */
void eqt_job_cache_clear(struct eqt_job_cache *cache);

#endif
