/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_env: the price in the environment of a job.
 *
 * slurmctld keeps additional variables with each job. In batch scripts and in
 * programs that salloc and srun start, they replace the user's variables of the
 * same name. Nothing reads the values back: the charge is computed from the
 * allocation.
 */
#ifndef EQT_JOB_ENV_H
#define EQT_JOB_ENV_H

#include "slurm/compat.h"
#include "configuration.h"
#include "quote/quote.h"

/*
 * Set EQUITREE_PRICE and the other variables that spank_equitree(8) lists, in
 * the record of a pending job with details. Without a quote their values are
 * empty. The function is called when a job is submitted or updated, but not in
 * passes, because it allocates memory. slurmctld's job lock is held for
 * writing.
 */
void eqt_job_env_set(const struct eqt_config *config, job_record_t *job,
		     const struct eqt_quote *quote);

#endif
