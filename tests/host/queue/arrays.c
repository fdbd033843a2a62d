/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "../../compat/stand_in.h"
#include "arrays.h"
#include "../fail.h"
#include "../jobs.h"
#include "scheduler.h"

/* The new record is always listed here. */
job_record_t *job_array_split(EQT_ARRAY_SPLIT_PARAMETERS(job))
{
	uint32_t array = job->job_id;
	job_record_t *rest;

	jobs_set_id(job, array * ARRAY_TASKS_MAX + job->array_task_id);
	scheduler_copy(job->job_id, array);
	rest = jobs_copy(job, array);
	rest->array_recs = job->array_recs;
	job->array_recs = NULL;
	rest->array_task_id = NO_VAL;
	bit_clear(rest->array_recs->task_id_bitmap, job->array_task_id);
	rest->array_recs->task_cnt--;
	return rest;
}

void arrays_make(job_record_t *job, uint32_t tasks)
{
	if (!tasks || tasks > ARRAY_TASKS_MAX ||
	    job->job_id >= JOBS_MAX / ARRAY_TASKS_MAX)
		fail("job %u cannot be an array of %u tasks", job->job_id,
		     tasks);
	job->array_job_id = job->job_id;
	job->array_recs = xmalloc(sizeof(*job->array_recs));
	job->array_recs->task_cnt = tasks;
	job->array_recs->task_id_bitmap = bit_alloc(tasks);
	bit_set_all(job->array_recs->task_id_bitmap);
}

void arrays_take_task(job_record_t *job)
{
	int64_t first;

	if (!job->array_recs || job->array_task_id != NO_VAL)
		return;
	first = bit_ffs(job->array_recs->task_id_bitmap);
	if (first < 0)
		fail("array %u has no task left", job->job_id);
	job->array_task_id = (uint32_t) first;
	if (job->array_recs->task_cnt > 1) {
		(void) eqt_slurm_array_split(job);
		return;
	}
	job->array_recs->task_cnt = 0;
	FREE_NULL_BITMAP(job->array_recs->task_id_bitmap);
}

void arrays_count_run(const job_record_t *job, int change)
{
	job_record_t *array =
		job->array_job_id ? find_job_record(job->array_job_id) : NULL;

	if (array && array->array_recs)
		array->array_recs->tot_run_tasks += (uint32_t) change;
}

/* slurmctld looks a task up by its number; the record of the array stands for those that
 * wait in it. */
job_record_t *find_job_array_rec(uint32_t array_job_id, uint32_t array_task_id)
{
	job_record_t *array = find_job_record(array_job_id);

	if (array_task_id == NO_VAL || array_task_id >= ARRAY_TASKS_MAX)
		return array;
	if (array && array->array_recs && array->array_task_id == NO_VAL &&
	    array_task_id < bit_size(array->array_recs->task_id_bitmap) &&
	    bit_test(array->array_recs->task_id_bitmap, array_task_id))
		return array;
	if (array && array->array_task_id == array_task_id)
		return array;
	return find_job_record(array_job_id * ARRAY_TASKS_MAX + array_task_id);
}

void arrays_free(job_record_t *job)
{
	if (job->array_recs)
		FREE_NULL_BITMAP(job->array_recs->task_id_bitmap);
	xfree(job->array_recs);
}
