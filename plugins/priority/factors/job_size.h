/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_size: the job-size factor, by CPUs and nodes or by equivalents. */
#ifndef EQT_JOB_SIZE_H
#define EQT_JOB_SIZE_H

#include <pthread.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "rate/job_rate.h"

/* The size of the cluster in core-equivalents and in GPU-equivalents.
 * Initialize it with EQT_JOB_SIZE. It has nothing to free. */
struct eqt_job_size {
	struct eqt_rate_cache *rates;
	pthread_mutex_t lock; /* Protects `equivalents`. */
	double equivalents[2];
};

#define EQT_JOB_SIZE                               \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

/* Compute the current size of the cluster, for size_by = equivalents. Each pass
 * calls this once. The function takes assoc_mgr's TRES lock for reading. */
void eqt_job_size_update(struct eqt_job_size *cluster,
			 const struct eqt_config *config);

/* The factor from 0 to 1, before its weight is applied. Returns 0 if the weight
 * is 0. The locks are those of eqt_priority_make(). */
double eqt_job_size_factor(struct eqt_job_size *cluster,
			   const struct eqt_config *config,
			   const job_record_t *job);

/* The job's time limit in minutes. A job without one has the limit of its
 * partition. */
uint32_t eqt_job_size_time_limit(const job_record_t *job);

#endif
