/* SPDX-License-Identifier: GPL-2.0-or-later */
/* size: the job-size factor, of CPUs and nodes or of equivalents. */
#ifndef EQT_JOB_SIZE_H
#define EQT_JOB_SIZE_H

#include "slurm/compat.h"
#include "configuration.h"

/* Look how large the cluster is now (size_by = equivalents). Takes assoc_mgr's
 * TRES lock for reading. Called by each pass. */
void eqt_job_size_update(const struct eqt_config *config);

/* The factor, 0 .. 1, without its weight; 0 without one. Locks as for
 * eqt_priority_priority(). */
double eqt_job_size_factor(const struct eqt_config *config,
			   const job_record_t *job);

/* The job's time limit in minutes: its own, or its partition's. */
uint32_t eqt_job_size_time_limit(const job_record_t *job);

#endif
