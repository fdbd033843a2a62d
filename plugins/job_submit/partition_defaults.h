/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partition_defaults: what the partition of a request adds to it. Needs
 * Slurm's internal headers; a build without them has the cluster's defaults
 * alone.
 */
#ifndef EQT_PARTITION_DEFAULTS_H
#define EQT_PARTITION_DEFAULTS_H

#include "eqt_ask.h"

/*
 * Fill ask->defaults, ask->node and ask->exclusive from the partition, or from
 * the first of several ("a,b"); names may be NULL for the default partition.
 * Nothing changes when there is none of that name: Slurm refuses the job. The
 * node's string is borrowed from slurmctld. The part and node locks are held
 * for reading, until the last use of *ask.
 */
void eqt_ask_add_partition(struct eqt_ask *ask, const char *names);

/* Mark in *prices the bundles of no node that the request could get there. Same
 * names, same locks. */
void eqt_prices_add_partition(struct eqt_prices *prices,
			      const struct eqt_ask *ask, const char *names);

/* The default partition's name, or NULL. Lives as long as the part lock is
 * held. */
const char *eqt_partition_default(void);

#endif
