/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rates: what running jobs add to the usage of each association. */
#ifndef EQT_RECOVER_RATES_H
#define EQT_RECOVER_RATES_H

#include "slurm/sshare.h"
#include "slurm/squeue.h"

/*
 * Running equivalents at and below each association, in the order of shares; a
 * job's equivalents are billing / billing_scale. The caller frees *out. *strays
 * counts running jobs without an association. 0, or -1 with err filled: out of
 * memory.
 */
int eqt_rates_of(long double **out, const struct eqt_sshare *shares,
		 const struct eqt_squeue *jobs, uint64_t billing_scale,
		 size_t *strays, struct eqt_error *err);

#endif
