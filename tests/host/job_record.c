/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "../compat/stand_in.h"
#include "queue/arrays.h"
#include "assocs.h"
#include "cluster.h"
#include "fail.h"
#include "jobs.h"
#include "plugin.h"

/*
 * slurmctld has a hash table; an array does for the small numbers of a history.
 */
static struct {
	job_record_t **by_id; /* [JOBS_MAX]; pages without jobs cost nothing */
	uint32_t lowest_prio;
} jobs = { .lowest_prio = 4294901759u };

/* Variables that a plugin may have put into the environment of a job. */
static void free_environment(job_details_t *details)
{
	for (uint16_t i = 0; i < details->env_cnt; i++)
		xfree(details->env_sup[i]);
	xfree(details->env_sup);
}

static void free_job(void *item)
{
	job_record_t *job = item;

	list_t *qos = eqt_job_qos_list(job);

	jobs.by_id[job->job_id] = NULL;
	free_environment(job->details);
	FREE_NULL_LIST(job->part_ptr_list);
	FREE_NULL_LIST(qos);
	eqt_factors_free(job->prio_factors);
	eqt_job_priorities_free(job);
	xfree(job->tres_req_cnt);
	xfree(job->tres_req_str);
	xfree(job->tres_fmt_req_str);
	xfree(job->tres_alloc_str);
	xfree(job->tres_alloc_cnt);
	arrays_free(job);
	FREE_NULL_BITMAP(job->node_bitmap);
	xfree(job->nodes);
	xfree(job->account);
	xfree(job->partition);
	xfree(job->state_desc);
	xfree(job->details);
	xfree(job);
}

void jobs_begin(void)
{
	job_list = list_create(free_job);
	jobs.by_id = calloc(JOBS_MAX, sizeof(*jobs.by_id));
	if (!jobs.by_id)
		fail("out of memory");
}

void jobs_free(void)
{
	FREE_NULL_LIST(job_list);
	free(jobs.by_id);
	jobs.by_id = NULL;
}

job_record_t *find_job_record(uint32_t job_id)
{
	return job_id < JOBS_MAX ? jobs.by_id[job_id] : NULL;
}

job_record_t *jobs_named(const struct words *words)
{
	int64_t id = words_int_at(words, 1, "the job");
	job_record_t *job =
		id > 0 && id < JOBS_MAX ? find_job_record((uint32_t) id) : NULL;

	if (!job)
		fail("there is no job %lld", (long long) id);
	return job;
}

static int same_pointer(void *item, void *key)
{
	return item == key;
}

void jobs_delete(job_record_t *job)
{
	(void) list_delete_all(job_list, same_pointer, job);
}

/* Append the record of each name of "a,b". */
static void take_names(list_t *list, const char *names,
		       void *(*find)(char *name))
{
	char *copy = xstrdup(names), *last = NULL;

	for (char *name = strtok_r(copy, ",", &last); name;
	     name = strtok_r(NULL, ",", &last))
		list_append(list, find(name));
	xfree(copy);
}

static void *find_partition(char *name)
{
	part_record_t *part = find_part_record(name);

	if (!part)
		fail("there is no partition %s", name);
	return part;
}

static void *find_qos(char *name)
{
	return assocs_qos(name);
}

/* "a,b": a list of records, the highest tier first. */
static void set_partitions(job_record_t *job, const char *names)
{
	list_t *found = list_create(NULL);

	job->partition = xstrdup(names);
	take_names(found, names, find_partition);
	list_sort(found, priority_sort_part_tier);
	job->part_ptr = list_peek(found);
	if (list_count(found) > 1)
		job->part_ptr_list = found;
	else
		FREE_NULL_LIST(found);
}

/* "a,b": any of them, the highest priority first. */
static void set_qos(job_record_t *job, const char *names)
{
	list_t *found = list_create(NULL);

	take_names(found, names, find_qos);
	if (list_count(found) > 1 && !eqt_job_qos_list_set(job, found))
		fail("a job has one QOS in this release of Slurm");
	job->qos_ptr = list_peek(found);
	job->qos_id = job->qos_ptr->id;
	if (list_count(found) == 1)
		FREE_NULL_LIST(found);
}

static void set_owner(job_record_t *job, const struct words *words)
{
	const char *user = words_text(words, "user", NULL);
	const char *account = words_text(words, "account", "root");
	const char *qos = words_text(words, "qos", NULL);
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };

	if (!user)
		fail("a job has a user");
	job->user_id = assocs_uid(user);
	job->account = xstrdup(account);
	assoc_mgr_lock(&locks);
	job->assoc_ptr = assocs_find(account, user);
	job->assoc_id = job->assoc_ptr->id;
	assoc_mgr_unlock(&locks);
	if (qos)
		set_qos(job, qos);
}

/* The same request in the options of sbatch: a task for each CPU, memory by node. */
static void set_options(job_record_t *job, const uint64_t *counts)
{
	job_details_t *details = job->details;
	const uint64_t nodes = counts[TRES_ARRAY_NODE];

	details->orig_min_cpus = details->num_tasks = details->min_cpus;
	details->orig_cpus_per_task = 1;
	if (!counts[TRES_ARRAY_MEM] || !nodes)
		return;
	details->orig_pn_min_memory = (counts[TRES_ARRAY_MEM] + nodes - 1) / nodes;
	job->bit_flags |= JOB_MEM_SET;
}

static void set_request(job_record_t *job, const struct words *words)
{
	uint64_t *counts = xcalloc(g_tres_count, sizeof(*counts));

	counts[TRES_ARRAY_CPU] = 1;
	counts[TRES_ARRAY_NODE] = 1;
	cluster_counts(words, counts);
	job->tres_req_cnt = counts;
	job->details->min_cpus = (uint32_t) counts[TRES_ARRAY_CPU];
	job->details->max_cpus = NO_VAL;
	job->details->min_nodes = (uint32_t) counts[TRES_ARRAY_NODE];
	set_options(job, counts);
	counts[TRES_ARRAY_BILLING] = (uint64_t) assoc_mgr_tres_weighted(
		counts, job->part_ptr->billing_weights,
		slurm_conf.priority_flags, false);
	set_job_tres_req_str(job, false);
}

static void set_times(job_record_t *job, const struct words *words)
{
	job_details_t *details = job->details;
	time_t now = time(NULL);

	details->submit_time = now;
	details->begin_time = now + words_int(words, "begin", 0);
	/* slurmctld sets it when the job becomes eligible. Until then it is 0,
	 * or a time in the future, which counts as little as 0. */
	details->accrue_time =
		slurm_conf.priority_flags & PRIORITY_FLAGS_ACCRUE_ALWAYS
			? now
			: details->begin_time;
	job->time_limit = (uint32_t) words_int(words, "time", NO_VAL);
}

job_record_t *jobs_new(const struct words *words)
{
	int64_t id = words_int_at(words, 1, "the job");
	job_record_t *job;

	if (id < 1 || id >= JOBS_MAX || jobs.by_id[id])
		fail("job number %lld cannot be given", (long long) id);
	job = xmalloc(sizeof(*job));
	job->magic = JOB_MAGIC;
	eqt_job_set_id(job, (uint32_t) id);
	job->array_task_id = NO_VAL;
	job->job_state = JOB_PENDING;
	job->billable_tres = NO_VAL;
	job->batch_flag = 1;
	job->db_index = (uint64_t) id;
	job->site_factor =
		(uint32_t) (NICE_OFFSET + words_int(words, "site", 0));
	job->prio_factors = xmalloc(sizeof(*job->prio_factors));
	job->details = xmalloc(sizeof(*job->details));
	job->details->magic = DETAILS_MAGIC;
	job->details->nice =
		(uint32_t) (NICE_OFFSET + words_int(words, "nice", 0));
	set_owner(job, words);
	set_partitions(job, words_text(words, "partition", "main"));
	set_request(job, words);
	set_times(job, words);
	jobs.by_id[id] = job;
	list_append(job_list, job);
	return job;
}

void jobs_set_id(job_record_t *job, uint32_t id)
{
	if (id >= JOBS_MAX || jobs.by_id[id])
		fail("job number %u cannot be given", id);
	jobs.by_id[job->job_id] = NULL;
	eqt_job_set_id(job, id);
	jobs.by_id[id] = job;
}

static uint64_t *copy_counts(const uint64_t *counts)
{
	uint64_t *copy = xcalloc(g_tres_count, sizeof(*copy));

	memcpy(copy, counts, g_tres_count * sizeof(*copy));
	return copy;
}

job_record_t *jobs_copy(const job_record_t *job, uint32_t id)
{
	job_record_t *copy = xmalloc(sizeof(*copy));

	if (job->part_ptr_list || eqt_job_qos_list(job))
		fail("an array has one partition and one QOS here");
	if (jobs.by_id[id])
		fail("job number %u cannot be given", id);
	*copy = *job;
	eqt_job_set_id(copy, id);
	copy->prio_factors = xmalloc(sizeof(*copy->prio_factors));
	copy->details = xmalloc(sizeof(*copy->details));
	*copy->details = *job->details;
	copy->details->env_sup = NULL;
	copy->details->env_cnt = 0;
	copy->tres_req_cnt = copy_counts(job->tres_req_cnt);
	copy->tres_req_str = xstrdup(job->tres_req_str);
	copy->tres_fmt_req_str = xstrdup(job->tres_fmt_req_str);
	copy->account = xstrdup(job->account);
	copy->partition = xstrdup(job->partition);
	copy->state_desc = xstrdup(job->state_desc);
	copy->db_index = id;
	jobs.by_id[id] = copy;
	list_append(job_list, copy);
	return copy;
}

double calc_job_billable_tres(job_record_t *job, time_t start_time,
			      bool assoc_mgr_locked)
{
	if (!job->tres_alloc_cnt)
		return 0;
	/* Keep it, unless the job is new or has been resized since. */
	if (!fuzzy_equal(job->billable_tres, NO_VAL) &&
	    job->resize_time < start_time)
		return job->billable_tres;
	if (!job->part_ptr || !job->part_ptr->billing_weights)
		job->billable_tres = job->total_cpus;
	else
		job->billable_tres = assoc_mgr_tres_weighted(
			job->tres_alloc_cnt, job->part_ptr->billing_weights,
			slurm_conf.priority_flags, assoc_mgr_locked);
	return job->billable_tres;
}

/* The texts of the counts, in slurmctld's form. */
void set_job_tres_req_str(job_record_t *job, bool assoc_mgr_locked)
{
	xfree(job->tres_req_str);
	job->tres_req_str = assoc_mgr_make_tres_str_from_array(
		job->tres_req_cnt, TRES_STR_FLAG_SIMPLE, assoc_mgr_locked);
	xfree(job->tres_fmt_req_str);
	job->tres_fmt_req_str = assoc_mgr_make_tres_str_from_array(
		job->tres_req_cnt, TRES_STR_CONVERT_UNITS, assoc_mgr_locked);
}

void set_job_tres_alloc_str(job_record_t *job, bool assoc_mgr_locked)
{
	xfree(job->tres_alloc_str);
	job->tres_alloc_str = assoc_mgr_make_tres_str_from_array(
		job->tres_alloc_cnt, TRES_STR_FLAG_SIMPLE, assoc_mgr_locked);
}

void jobs_set_alloc(job_record_t *job, const struct words *words)
{
	uint64_t *counts = job->tres_alloc_cnt;

	if (!counts) {
		counts = xcalloc(g_tres_count, sizeof(*counts));
		memcpy(counts, job->tres_req_cnt,
		       g_tres_count * sizeof(*counts));
	}
	cluster_counts(words, counts);
	counts[TRES_ARRAY_ENERGY] = NO_VAL64;
	job->tres_alloc_cnt = counts;
	job->total_cpus = (uint32_t) counts[TRES_ARRAY_CPU];
	job->node_cnt = (uint32_t) counts[TRES_ARRAY_NODE];
	counts[TRES_ARRAY_BILLING] = (uint64_t) calc_job_billable_tres(
		job, job->start_time, false);
	set_job_tres_alloc_str(job, false);
}

static void check_text(const job_record_t *job, const char *text,
		       uint32_t flags)
{
	char *anew = assoc_mgr_make_tres_str_from_array(job->tres_req_cnt,
							flags, false);

	if (xstrcmp(text, anew) != 0)
		fail("job %u asks for %s by its text, and for %s", job->job_id,
		     text, anew);
	xfree(anew);
}

void jobs_check_texts(const job_record_t *job)
{
	check_text(job, job->tres_req_str, TRES_STR_FLAG_SIMPLE);
	check_text(job, job->tres_fmt_req_str, TRES_STR_CONVERT_UNITS);
}

void jobs_set_priority(job_record_t *job)
{
	if (IS_JOB_FINISHED(job))
		return;
	job->priority = host_plugin_set(jobs.lowest_prio, job);
	jobs_check_texts(job);
	if (job->priority && !job->direct_set_prio &&
	    job->priority < jobs.lowest_prio)
		jobs.lowest_prio = job->priority;
}
