/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of jobs for a ranking. A ranking compares all jobs with each other,
 * which would take too long under slurmctld's locks.
 */
#include <stdlib.h>

#include "base/array.h"
#include "slurm/log.h"
#include "prio/job_order.h"
#include "rank/job_copies.h"
#include "rate/job_rate.h"
#include "walk/job_links.h"

/* The state of one walk over the jobs. */
struct job_copy_walk {
	struct eqt_job_copies *copies;
	const struct eqt_job_copying *copying;
	bool waiting; /* Copy waiting jobs as well. */
};

/* The owner as a number: the id of the user, or of the account's
 * association. */
static uint64_t job_owner(const struct eqt_conf_priority *conf,
			  const job_record_t *job)
{
	const slurmdb_assoc_rec_t *account = NULL;

	if (conf->access_scope == EQT_SCOPE_USER)
		return job->user_id;
	if (job->assoc_ptr && job->assoc_ptr->usage)
		account = job->assoc_ptr->usage->parent_assoc_ptr;
	return account ? account->id : 0;
}

/* The number of an array's tasks that share this record, without the first
 * task. */
static uint32_t job_more_tasks(const job_record_t *job)
{
	if (job->array_recs && job->array_task_id == NO_VAL &&
	    job->array_recs->task_cnt > 1)
		return job->array_recs->task_cnt - 1;
	return 0;
}

static double job_equivalents(struct eqt_rate_cache *rates,
			      const struct eqt_config *config,
			      const job_record_t *job)
{
	const uint64_t *counts = IS_JOB_RUNNING(job) ? job->tres_alloc_cnt
						     : job->tres_req_cnt;
	struct eqt_rate rate;

	if (!counts || eqt_job_rate(&rate, rates, config, job, counts) < 0)
		return 0;
	return rate.equivalents * eqt_job_links_usage_factor(job);
}

static void job_copy_visit(job_record_t *job, void *arg)
{
	const struct job_copy_walk *walk = arg;
	const struct eqt_job_copying *copying = walk->copying;
	const struct eqt_config *config = copying->config;
	struct eqt_job_copies *copies = walk->copies;
	bool running = IS_JOB_RUNNING(job);
	struct eqt_ordered_job *entry;

	if (copies->count == copies->space || !job->details)
		return;
	/* Skip held jobs and jobs whose priority an operator has set: these
	   priorities do not depend on other jobs. */
	if (!running && (!walk->waiting || !IS_JOB_PENDING(job) ||
			 !job->priority || job->direct_set_prio))
		return;
	copies->running += running;
	entry = &copies->jobs[copies->count++];
	*entry = (struct eqt_ordered_job){
		.job_id = job->job_id,
		.assoc_id = job->assoc_ptr ? job->assoc_ptr->id : 0,
		.node = EQT_TREE_NONE,
		.queue = (uintptr_t) job->part_ptr,
		.owner = job_owner(&config->priority, job),
		.running = running,
		.array_id = job->array_job_id,
		.more_tasks = running ? 0 : job_more_tasks(job),
		.eligible = job->details->begin_time &&
			    job->details->begin_time <= copying->now,
		.equivalents = job_equivalents(copies->rates, config, job),
	};
	if (!running)
		entry->rest = copying->rest(job, copying->now, copying->arg);
}

static bool copies_need_waiting(const struct eqt_config *config)
{
	const struct eqt_conf_priority *conf = &config->priority;

	return conf->access_weight || eqt_config_place_jobs(config) ||
	       (eqt_config_has_tree(config) && !conf->idle_shares);
}

static bool copies_need_running(const struct eqt_config *config)
{
	const struct eqt_conf_priority *conf = &config->priority;

	return eqt_config_has_tree(config) &&
	       (conf->allocated_now || conf->rank_by == EQT_RANK_BY_ALLOCATED);
}

/* Find the jobs that were running in the previous copy and are not running now,
 * and keep those that are, for the next copy. If memory is short, no job has
 * ended. */
static void job_copies_compare(struct eqt_job_copies *copies)
{
	struct eqt_job_copies_list before = copies->ran, *now = &copies->ran;
	struct eqt_job_table *ids = &copies->running_ids;

	copies->ran = copies->ended;
	copies->ended = before;
	now->count = 0;
	copies->ended.count = 0;
	if (EQT_ARRAY_RESERVE(now->jobs, now->space, copies->running) < 0 ||
	    eqt_job_table_begin(ids, copies->running) < copies->running)
		return;
	for (size_t i = 0; i < copies->count; i++) {
		if (!copies->jobs[i].running)
			continue;
		now->jobs[now->count++] = copies->jobs[i];
		eqt_job_table_set(ids, copies->jobs[i].job_id, 0);
	}
	for (size_t i = 0; i < before.count; i++)
		if (!eqt_job_table_has(ids, before.jobs[i].job_id))
			before.jobs[copies->ended.count++] = before.jobs[i];
}

void eqt_job_copies_fill(struct eqt_job_copies *copies,
			 const struct eqt_job_copying *copying)
{
	const struct eqt_config *config = copying->config;
	struct job_copy_walk walk = {
		.copies = copies,
		.copying = copying,
		.waiting = copies_need_waiting(config),
	};

	copies->count = copies->running = 0;
	if ((walk.waiting || copies_need_running(config)) &&
	    EQT_ARRAY_RESERVE(copies->jobs, copies->space,
			      eqt_walk_count(copies->walk, EQT_WALK_RANKED)) ==
		    0)
		eqt_walk_visit(copies->walk, EQT_WALK_RANKED, copying->locks,
			       job_copy_visit, &walk);
	if (eqt_config_place_jobs(config))
		job_copies_compare(copies);
	if ((config->priority.access_weight || eqt_config_place_jobs(config)) &&
	    eqt_job_order_by_line(&copies->order, copies->jobs, copies->count) <
		    0)
		eqt_log_error("out of memory: this pass gives jobs no places "
			      "and no equal access");
}

void eqt_job_copies_clear(struct eqt_job_copies *copies)
{
	struct eqt_walk *walk = copies->walk;
	struct eqt_rate_cache *rates = copies->rates;

	free(copies->jobs);
	free(copies->ran.jobs);
	free(copies->ended.jobs);
	eqt_job_table_free(&copies->running_ids);
	eqt_job_order_clear(&copies->order);
	*copies = (struct eqt_job_copies){ .walk = walk, .rates = rates };
}
