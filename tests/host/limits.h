/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits: the bookkeeping of slurmctld that a priority plugin shares with it:
 * run-seconds are added at a job's start, and the plugin takes them off.
 *
 * All are called under slurmctld's job write lock and no lock of assoc_mgr.
 */
#ifndef EQT_HOST_LIMITS_H
#define EQT_HOST_LIMITS_H

#include "../../plugins/slurm/compat.h"

/* A job has started: its TRES for the whole time limit count as used. */
void limits_job_begin(job_record_t *job);

/* A job has ended; where limits are enforced, the plugin is told. Once only:
 * end_time_exp says whether it has been. */
void limits_job_fini(job_record_t *job);

/* A running job gets another time limit (minutes). */
void limits_job_alter(job_record_t *job, uint32_t time_limit);

#endif
