/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load_job: read one job, or its priority, or requeue it, by libslurm's public calls. Included by the
 * clients in tests and bench. */
#ifndef EQT_COMPAT_LOAD_JOB_H
#define EQT_COMPAT_LOAD_JOB_H

#include "slurm/compat.h"

/* Like slurm_load_job(); from 26.05 on that takes a step instead of a job id. */
static inline int eqt_load_job(job_info_msg_t **answer, uint32_t id,
			       uint16_t flags)
{
#if EQT_HAVE_LOAD_JOB_STEP
	slurm_step_id_t job = SLURM_STEP_ID_INITIALIZER;

	job.job_id = id;
	return slurm_load_job(answer, job, flags);
#else
	return slurm_load_job(answer, id, flags);
#endif
}

/* Like slurm_requeue(), alike. */
static inline int eqt_requeue_job(uint32_t id, uint32_t flags)
{
#if EQT_HAVE_LOAD_JOB_STEP
	slurm_step_id_t job = SLURM_STEP_ID_INITIALIZER;

	job.job_id = id;
	return slurm_requeue(job, flags);
#else
	return slurm_requeue(id, flags);
#endif
}

/* As "sprio -j": from 23.02 on that loads the factors of all jobs, and drops the
 * others. */
static inline int eqt_load_factors(priority_factors_response_msg_t **answer,
				   uint32_t id)
{
#if EQT_HAVE_LOAD_PRIO_FILTER
	List ids = slurm_list_create(NULL);
	int rc;

	slurm_list_append(ids, &id);
	rc = slurm_load_job_prio(answer, ids, NULL, NULL, 0);
	slurm_list_destroy(ids);
	return rc;
#else
	(void) id;
	return slurm_load_job_prio(answer, 0);
#endif
}

#endif
