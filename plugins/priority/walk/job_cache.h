/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_cache: the ids of slurmctld's jobs and the addresses of their records, in the
 * order of slurmctld's list, kept from one pass to the next.
 *
 * Following the linked list costs a pass more than looking at each job. So a pass looks
 * up the jobs of the previous pass by id, and reads only new jobs from the list.
 * Counting proves that these are all (docs/design/0028); if the counts differ, the
 * pass reads the whole list.
 *
 * Only the pass thread uses the cache.
 */
#ifndef EQT_JOB_CACHE_H
#define EQT_JOB_CACHE_H

#include "slurm/compat.h"

/* One job. It may be freed whenever the locks are released: from then on its address may
 * be prefetched, but must not be read before the job is looked up again. */
struct eqt_job_at {
	job_record_t *job;
	uint32_t id;
};

/* {0} is empty; eqt_job_cache_clear() frees what it holds. */
struct eqt_job_cache {
	struct eqt_job_at *at; /* positions are stable until the next update */
	uint32_t count;
	size_t space;
	/* Behind the last job that was read. slurmctld creates its list once and
	 * frees it, with its iterators, when it ends. */
	list_itr_t *iterator;
	list_t *list;
};

/* Called without locks before the first look; at most count looks follow. */
typedef void eqt_job_cache_begin(size_t count, void *arg);

/* Called for each existing job; its record has been prefetched and may be read. */
typedef void eqt_job_cache_look(job_record_t *job, uint32_t position,
				void *arg);

/*
 * Update the cache and look at each job in order. begin is called before the first look,
 * and again if all looks start over. Takes slurmctld's job lock for reading, in holds
 * of bounded time. A job that is submitted meanwhile is not looked at before the next
 * update. If memory is short, jobs are missing.
 */
void eqt_job_cache_update(struct eqt_job_cache *cache,
			  eqt_job_cache_begin *begin, eqt_job_cache_look *look,
			  void *arg);

/* Free the cache (at fini). */
void eqt_job_cache_clear(struct eqt_job_cache *cache);

#endif
