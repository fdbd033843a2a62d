/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "usage/job_charge.h"
#include "factors/priority.h"
#include "rank/job_copies.h"
#include "rate/job_rate.h"
#include "walk/job_walk.h"

static struct {
	struct eqt_ordered_job *jobs;
	size_t count;
	size_t space;
	struct eqt_ordered_job *ran; /* the time before, by job id */
	size_t ran_count;
	size_t ran_space;
	struct eqt_ordered_job *ended; /* of those */
	size_t ended_count;
	size_t ended_space;
} queue;

/* One walk over the jobs. */
struct filling {
	const struct eqt_config *config;
	time_t now;
	bool waiting; /* those that wait, too */
};

/* What its owner is known by: the user, or the association of the account. */
static uint64_t owner_of(const struct eqt_conf_priority *conf,
			 const job_record_t *job)
{
	const slurmdb_assoc_rec_t *account = NULL;

	if (conf->access_scope == EQT_SCOPE_USER)
		return job->user_id;
	if (job->assoc_ptr && job->assoc_ptr->usage)
		account = job->assoc_ptr->usage->parent_assoc_ptr;
	return account ? account->id : 0;
}

/* Tasks of an array that share this record, but for the first. */
static uint32_t more_tasks_of(const job_record_t *job)
{
	if (job->array_recs && job->array_task_id == NO_VAL &&
	    job->array_recs->task_cnt > 1)
		return job->array_recs->task_cnt - 1;
	return 0;
}

static double equivalents_of(const struct eqt_config *config,
			     const job_record_t *job)
{
	const uint64_t *counts = IS_JOB_RUNNING(job) ? job->tres_alloc_cnt
						     : job->tres_req_cnt;
	struct eqt_rate rate;

	if (!counts || eqt_job_rate(&rate, config, job, counts) < 0)
		return 0;
	return rate.equivalents * eqt_job_charge_usage_factor(job);
}

static void fill_one(job_record_t *job, void *arg)
{
	const struct filling *filling = arg;
	const struct eqt_config *config = filling->config;
	bool running = IS_JOB_RUNNING(job);
	struct eqt_ordered_job *entry;

	if (queue.count == queue.space || !job->details)
		return;
	/* Held jobs, and those with a priority of an operator, have none that
	 * depends on others. */
	if (!running && (!filling->waiting || !IS_JOB_PENDING(job) ||
			 !job->priority || job->direct_set_prio))
		return;
	entry = &queue.jobs[queue.count++];
	*entry = (struct eqt_ordered_job){
		.job_id = job->job_id,
		.assoc_id = job->assoc_ptr ? job->assoc_ptr->id : 0,
		.node = EQT_TREE_NONE,
		.queue = (uintptr_t) job->part_ptr,
		.owner = owner_of(&config->priority, job),
		.running = running,
		.array_id = job->array_job_id,
		.more_tasks = running ? 0 : more_tasks_of(job),
		.eligible = job->details->begin_time &&
			    job->details->begin_time <= filling->now,
		.equivalents = equivalents_of(config, job),
	};
	if (!running)
		entry->rest = eqt_priority_rest(config, job, filling->now);
}

static bool needs_waiting(const struct eqt_config *config)
{
	const struct eqt_conf_priority *conf = &config->priority;

	return conf->access_weight || eqt_config_place_jobs(config) ||
	       (eqt_config_has_tree(config) && !conf->idle_shares);
}

static bool needs_running(const struct eqt_config *config)
{
	const struct eqt_conf_priority *conf = &config->priority;

	return eqt_config_has_tree(config) &&
	       (conf->allocated_now || conf->rank_by == EQT_RANK_BY_ALLOCATED);
}

static int make_space(struct eqt_ordered_job **list, size_t *space,
		      size_t count)
{
	struct eqt_ordered_job *jobs;

	if (count <= *space)
		return 0;
	jobs = realloc(*list, 2 * count * sizeof(*jobs));
	if (!jobs)
		return -1;
	*list = jobs;
	*space = 2 * count;
	return 0;
}

/* Those that run first, by job id. */
static int compare_running(const void *x, const void *y)
{
	const struct eqt_ordered_job *a = x, *b = y;

	if (a->running != b->running)
		return a->running ? -1 : 1;
	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

/* Keep of what ran the time before only what does not run now. */
static void find_ended(void)
{
	size_t ended = 0, at = 0;

	for (size_t i = 0; i < queue.ran_count; i++) {
		while (at < queue.count && queue.jobs[at].running &&
		       queue.jobs[at].job_id < queue.ran[i].job_id)
			at++;
		if (at == queue.count || !queue.jobs[at].running ||
		    queue.jobs[at].job_id != queue.ran[i].job_id)
			queue.ended[ended++] = queue.ran[i];
	}
	queue.ended_count = ended;
}

/* Remember what runs for the next time. */
static void keep_running(void)
{
	size_t count = 0;

	while (count < queue.count && queue.jobs[count].running)
		count++;
	queue.ran_count = 0;
	if (!count || make_space(&queue.ran, &queue.ran_space, count) < 0)
		return;
	memcpy(queue.ran, queue.jobs, count * sizeof(*queue.ran));
	queue.ran_count = count;
}

static void compare_with_before(void)
{
	if (queue.count)
		qsort(queue.jobs, queue.count, sizeof(*queue.jobs),
		      compare_running);
	if (make_space(&queue.ended, &queue.ended_space, queue.ran_count) == 0)
		find_ended();
	keep_running();
}

const struct eqt_ordered_job *eqt_job_copies_ended(size_t *count)
{
	*count = queue.ended_count;
	return queue.ended;
}

struct eqt_ordered_job *eqt_job_copies_fill(const struct eqt_config *config,
					    time_t now, size_t *count)
{
	struct filling filling = {
		.config = config,
		.now = now,
		.waiting = needs_waiting(config),
	};

	queue.count = 0;
	if ((filling.waiting || needs_running(config)) &&
	    make_space(&queue.jobs, &queue.space,
		       eqt_job_walk_count(EQT_JOB_WALK_RANKED)) == 0)
		eqt_job_walk_visit(EQT_JOB_WALK_RANKED,
				   (assoc_mgr_lock_t) EQT_PRIORITY_LOCKS,
				   fill_one, &filling);
	queue.ended_count = 0;
	if (eqt_config_place_jobs(config))
		compare_with_before();
	*count = queue.count;
	return queue.jobs;
}

void eqt_job_copies_clear(void)
{
	free(queue.jobs);
	free(queue.ran);
	free(queue.ended);
	memset(&queue, 0, sizeof(queue));
}
