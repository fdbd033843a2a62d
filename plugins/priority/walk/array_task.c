/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits array records with slurmctld's own function, as it does when an operator changes
 * a single task. */
#include "walk/array_task.h"

/* Not split are arrays that slurmctld splits itself (burst buffers), jobs of a
 * federation, and jobs that wait for their database index from slurmdbd. */
bool eqt_split_is_possible(const job_record_t *job)
{
	return IS_JOB_PENDING(job) && job->array_recs &&
	       job->array_recs->task_id_bitmap &&
	       job->array_task_id == NO_VAL && job->array_recs->task_cnt > 1 &&
	       !job->burst_buffer && !job->fed_details &&
	       job->db_index != NO_VAL64;
}

job_record_t *eqt_split_take(job_record_t *array)
{
	int64_t first = bit_ffs(array->array_recs->task_id_bitmap);
	job_record_t *rest;

	if (first < 0)
		return NULL;
	array->array_task_id = (uint32_t) first;
	rest = eqt_slurm_array_split(array);
	if (!rest)
		array->array_task_id = NO_VAL;
	return rest;
}
