/* SPDX-License-Identifier: GPL-2.0-or-later */
/* offers: the price and the start of a request in each partition of the cluster, and
 * which partitions are marked as cheapest and as soonest. */
#ifndef EQT_BILL_OFFERS_H
#define EQT_BILL_OFFERS_H

#include "bill/estimate.h"

/*
 * Print a table of all partitions that are up, the cheapest first, with the time at which
 * Slurm would start the job. With --json, print an array. A partition in which sbatch
 * refuses the job has the text of the refusal. Returns 0, or -1 with err filled if the
 * job has several components or if no partition takes it.
 */
int eqt_offers_print(const struct eqt_estimate_site *site,
		     const struct eqt_sbatch_options *request,
		     struct eqt_error *err);

#endif
