/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slurm/compat.h"
#include "walk/job_links.h"

slurmdb_assoc_rec_t *eqt_job_links_assoc(uint32_t id)
{
	slurmdb_assoc_rec_t wanted = { .id = id }, *found = NULL;

	if (id)
		(void) assoc_mgr_fill_in_assoc(acct_db_conn, &wanted, 0, &found,
					       true);
	return found;
}

slurmdb_assoc_rec_t *eqt_job_links_account(const char *account)
{
	slurmdb_assoc_rec_t wanted = { .acct = (char *) (uintptr_t) account,
				       .uid = NO_VAL };
	slurmdb_assoc_rec_t *found = NULL;

	(void) assoc_mgr_fill_in_assoc(acct_db_conn, &wanted, 0, &found, true);
	return found;
}

/* A callback that ends the walk, with -1, at the first job whose pointer is
 * outdated. */
static int job_link_check(void *item, void *arg)
{
	const job_record_t *job = item;
	bool *fit = arg;

	if (!job->assoc_ptr)
		return 0;
	*fit = eqt_job_links_assoc(job->assoc_id) == job->assoc_ptr;
	return *fit ? 0 : -1;
}

bool eqt_job_links_fit(void)
{
	slurmctld_lock_t job_lock = { .job = READ_LOCK };
	assoc_mgr_lock_t assoc_lock = { .assoc = READ_LOCK, .user = READ_LOCK };
	bool fit = true;

	lock_slurmctld(job_lock);
	assoc_mgr_lock(&assoc_lock);
	if (job_list)
		list_for_each_ro(job_list, job_link_check, &fit);
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(job_lock);
	return fit;
}

static int qos_id_matches(void *qos, void *id)
{
	return ((slurmdb_qos_rec_t *) qos)->id == *(uint32_t *) id;
}

slurmdb_qos_rec_t *eqt_job_links_qos_of_id(uint32_t id)
{
	if (!id || !assoc_mgr_qos_list)
		return NULL;
	return list_find_first(assoc_mgr_qos_list, qos_id_matches, &id);
}

/* After a restart, slurmctld sets the pointer only for jobs that may still run.
 * Ended jobs have the id only. */
slurmdb_qos_rec_t *eqt_job_links_qos(const job_record_t *job)
{
	return job->qos_ptr ? job->qos_ptr
			    : eqt_job_links_qos_of_id(job->qos_id);
}

double eqt_job_links_usage_factor(const job_record_t *job)
{
	const slurmdb_qos_rec_t *qos = eqt_job_links_qos(job);

	/* A negative number marks a factor that is not set. */
	if (qos && qos->usage_factor >= 0)
		return qos->usage_factor;
	return 1.0;
}

slurmdb_qos_rec_t *eqt_job_links_partition_qos(const job_record_t *job)
{
	if (!job->part_ptr || job->part_ptr->qos_ptr == eqt_job_links_qos(job))
		return NULL;
	return job->part_ptr->qos_ptr;
}

/* Three kinds of arrays are not split: arrays that slurmctld splits itself
 * (burst buffers), jobs of a federation, and jobs that wait for their database
 * index from slurmdbd. */
bool eqt_split_is_possible(const job_record_t *job)
{
	return IS_JOB_PENDING(job) && job->array_recs &&
	       job->array_recs->task_id_bitmap &&
	       job->array_task_id == NO_VAL && job->array_recs->task_cnt > 1 &&
	       !job->burst_buffer && !job->fed_details &&
	       job->db_index != NO_VAL64;
}

/* Call slurmctld's own function, as a change of a single task by an operator
 * does. */
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
