/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_env: the price in the environment of a job.
 *
 * slurmctld keeps variables of its own with each job and sets them over those
 * of the user, in batch scripts and in what salloc and srun start. Nothing
 * reads them back: the charge is computed from what is allocated.
 */
#ifndef EQT_JOB_ENV_H
#define EQT_JOB_ENV_H

#include "slurm/compat.h"
#include "configuration.h"

/*
 * Put EQUITREE_PRICE and its like (spank_equitree(8) lists them) into the
 * record of a pending job, in place of what was there; a job without a price
 * gets them empty. Does nothing to others. Called when a job is submitted or
 * updated, not in passes: it looks at each node of a partition where whole
 * nodes are asked for, and allocates.
 *
 * Locks: slurmctld's jobs for writing, its conf, nodes and partitions for
 * reading, assoc_mgr's QOS for reading.
 */
void eqt_job_env_set(const struct eqt_config *config, job_record_t *job);

#endif
