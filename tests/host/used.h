/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * used: the resources of running jobs, as limits count them, for associations,
 * QOS and the users and accounts of a QOS. slurmctld adds a job's counts at its
 * start and subtracts its counts at its end. So a plugin that changes a job's
 * counts in between must change these sums, too. If it does not, the history
 * fails where slurmctld would log an underflow.
 *
 * All functions are called under slurmctld's job write lock and no lock of
 * assoc_mgr.
 */
#ifndef EQT_HOST_USED_H
#define EQT_HOST_USED_H

#include "../../plugins/slurm/compat.h"

void used_job_begin(const job_record_t *job);
void used_job_fini(const job_record_t *job);

#endif
