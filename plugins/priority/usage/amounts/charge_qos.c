/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The QOS of a job and of its partition, as charges count them. */
#include "rate/job_qos.h"
#include "usage/amounts/charge_qos.h"

double eqt_charge_qos_factor(const job_record_t *job)
{
	const slurmdb_qos_rec_t *qos = eqt_job_qos(job);

	/* Slurm's "not set" is a negative number. */
	if (qos && qos->usage_factor >= 0)
		return qos->usage_factor;
	return 1.0;
}

slurmdb_qos_rec_t *eqt_charge_qos_of_partition(const job_record_t *job)
{
	if (!job->part_ptr || job->part_ptr->qos_ptr == eqt_job_qos(job))
		return NULL;
	return job->part_ptr->qos_ptr;
}
