/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recover_rates: what running jobs add to the usage of each association. */
#ifndef EQT_RECOVER_RATES_H
#define EQT_RECOVER_RATES_H

#include "slurm/sshare.h"
#include "slurm/squeue.h"

/*
 * Equivalents that run now at each association and below it, in the order of
 * shares; a job's are its billing through billing_scale. The caller frees
 * *out. *strays are the running jobs of no association that is listed. 0, or
 * -1 with err: memory.
 */
int eqt_rates_of(long double **out, const struct eqt_sshare *shares,
		 const struct eqt_squeue *jobs, uint64_t billing_scale,
		 size_t *strays, struct eqt_error *err);

#endif
