/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_env: the price in the environment of a job.
 *
 * slurmctld keeps additional variables with each job, which replace those of the user in
 * batch scripts and in the programs that salloc and srun start. Nothing reads them
 * back: the charge is computed from the allocation.
 */
#ifndef EQT_JOB_ENV_H
#define EQT_JOB_ENV_H

#include "slurm/compat.h"
#include "configuration.h"
#include "quote/quote.h"

/*
 * Set EQUITREE_PRICE and the other variables (spank_equitree(8) lists them) in the
 * record of a pending job that has details; without a quote it gets empty ones. Called
 * when a job is submitted or updated, not in passes: it allocates.
 *
 * Locks: slurmctld's jobs for writing.
 */
void eqt_job_env_set(const struct eqt_config *config, job_record_t *job,
		     const struct eqt_quote *quote);

#endif
