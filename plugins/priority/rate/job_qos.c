/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rate/job_qos.h"

static int qos_id_matches(void *qos, void *id)
{
	return ((slurmdb_qos_rec_t *) qos)->id == *(uint32_t *) id;
}

slurmdb_qos_rec_t *eqt_job_qos_of_id(uint32_t id)
{
	if (!id || !assoc_mgr_qos_list)
		return NULL;
	return list_find_first(assoc_mgr_qos_list, qos_id_matches, &id);
}

/* After a restart, slurmctld sets the pointer only for jobs that may still run.
 * Ended jobs have the id only. */
slurmdb_qos_rec_t *eqt_job_qos(const job_record_t *job)
{
	return job->qos_ptr ? job->qos_ptr : eqt_job_qos_of_id(job->qos_id);
}

double eqt_job_qos_factor(const job_record_t *job)
{
	const slurmdb_qos_rec_t *qos = eqt_job_qos(job);

	/* A negative number marks a factor that is not set. */
	if (qos && qos->usage_factor >= 0)
		return qos->usage_factor;
	return 1.0;
}

slurmdb_qos_rec_t *eqt_job_qos_of_partition(const job_record_t *job)
{
	if (!job->part_ptr || job->part_ptr->qos_ptr == eqt_job_qos(job))
		return NULL;
	return job->part_ptr->qos_ptr;
}
