/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priorities: what a pass writes to the pending jobs. */
#ifndef EQT_PRIORITY_UPDATE_H
#define EQT_PRIORITY_UPDATE_H

#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"

/*
 * Give the jobs that eqt_job_walk_collect() found their priorities; returns to
 * how many. Locks are those of eqt_job_walk_visit(). Called by the pass thread
 * only.
 */
unsigned int eqt_priority_update_update(const struct eqt_config *config,
					time_t now);

#endif
