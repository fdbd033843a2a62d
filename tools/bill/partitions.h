/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partitions: what a request would cost in each partition of the cluster. */
#ifndef EQT_BILL_PARTITIONS_H
#define EQT_BILL_PARTITIONS_H

#include "bill/estimate.h"
#include "bill/options.h"

/*
 * Print a table of all partitions that are up, the cheapest first, with when Slurm would
 * start the job there; or with --json an array. A partition whose job sbatch refuses has
 * its words. 0, or -1 with err filled: a job of several components, no partition that takes
 * it, out of memory.
 */
int eqt_bill_partitions_print(const struct eqt_estimate_site *site,
			      const struct eqt_bill_options *options,
			      struct eqt_error *err);

#endif
