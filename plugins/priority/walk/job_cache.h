/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_cache: the ids of slurmctld's jobs and the addresses of their records, in
 * the order of slurmctld's list, kept from one pass to the next.
 *
 * Following the linked list costs a pass more than reading each job. So a pass
 * looks up the jobs of the previous pass by id, and reads only new jobs from
 * the list. Counting proves that no job is missing (docs/design/0028). If the
 * counts differ, the pass reads the whole list.
 *
 * Only the pass thread uses the cache.
 */
#ifndef EQT_JOB_CACHE_H
#define EQT_JOB_CACHE_H

#include "slurm/compat.h"

/* One job. slurmctld may free the record whenever its locks are released. From
 * then on the address may be prefetched, but must not be read before the job is
 * looked up again. */
struct eqt_job_at {
	job_record_t *job;
	uint32_t id;
};

/* A cache of jobs. A struct of zeros is empty, and eqt_job_cache_clear() frees
 * its members. */
struct eqt_job_cache {
	/* The positions of jobs stay the same until the next update. */
	struct eqt_job_at *at;
	uint32_t count;
	size_t space;
	/* An iterator after the last job that was read. slurmctld creates its
	   list once, and frees it with its iterators when slurmctld ends. */
	list_itr_t *iterator;
	list_t *list;
};

/* A callback before the first look, without locks. At most `count` looks
 * follow. */
typedef void eqt_job_cache_begin(size_t count, void *arg);

/* A callback for each existing job. The record was prefetched and may be
 * read. */
typedef void eqt_job_cache_look(job_record_t *job, uint32_t position,
				void *arg);

/*
 * Update the cache, and call look for each job in order. begin is called before
 * the first look, and again if all looks are repeated. The function takes
 * slurmctld's job lock for reading and releases it after a limited time each. A
 * job that is submitted meanwhile is not looked at before the next update. If
 * memory is short, some jobs are missing.
 */
void eqt_job_cache_update(struct eqt_job_cache *cache,
			  eqt_job_cache_begin *begin, eqt_job_cache_look *look,
			  void *arg);

/* Free the cache when the plugin is unloaded. */
void eqt_job_cache_clear(struct eqt_job_cache *cache);

#endif
