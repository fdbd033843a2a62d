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

/* After a restart jobs that have ended keep only the id: slurmctld sets the pointers of
 * jobs that may still run. assoc_mgr's QOS are locked. */
slurmdb_qos_rec_t *eqt_job_qos(const job_record_t *job)
{
	return job->qos_ptr ? job->qos_ptr : eqt_job_qos_of_id(job->qos_id);
}
