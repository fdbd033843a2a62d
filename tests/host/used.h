/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * used: what running jobs hold, as limits count it, for associations, QOS and
 * the users and accounts of a QOS. slurmctld adds what a job has at its start
 * and takes off what it has at its end; a plugin that changes a job's counts
 * meanwhile must change these, too. Here it is an error if it does not: the
 * history fails where slurmctld would speak of an underflow.
 *
 * All are called under slurmctld's job write lock and no lock of assoc_mgr.
 */
#ifndef EQT_HOST_USED_H
#define EQT_HOST_USED_H

#include "../../plugins/slurm/compat.h"

void used_job_begin(const job_record_t *job);
void used_job_fini(const job_record_t *job);

#endif
