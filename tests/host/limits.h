/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits: slurmctld's accounts of limits that a priority plugin shares with it:
 * slurmctld adds run-seconds at a job's start, and the plugin subtracts them.
 *
 * All functions are called under slurmctld's job write lock and no lock of
 * assoc_mgr.
 */
#ifndef EQT_HOST_LIMITS_H
#define EQT_HOST_LIMITS_H

#include "../../plugins/slurm/compat.h"

/* A job has started: count its TRES for its whole time limit as used. */
void limits_job_begin(job_record_t *job);

/* A job has ended; if limits are enforced, call the plugin, but only once:
 * end_time_exp says whether it was called. */
void limits_job_fini(job_record_t *job);

/* Change the time limit (minutes) of a running job. */
void limits_job_alter(job_record_t *job, uint32_t time_limit);

#endif
