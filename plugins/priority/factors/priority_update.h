/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority_update: the priorities that a pass writes to jobs. */
#ifndef EQT_PRIORITY_UPDATE_H
#define EQT_PRIORITY_UPDATE_H

#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "factors/priority.h"
#include "walk/walk.h"

/* Does a pass set this job's priority? 0 is held and stays 0. */
bool eqt_priority_update_wants(const struct eqt_config *config,
			       const job_record_t *job);

/*
 * Give the jobs of EQT_WALK_RANKED their priorities; returns to how many. Locks
 * are those of eqt_walk_visit(). Called by the pass thread only.
 */
unsigned int eqt_priority_update_all(const struct eqt_priority *priority,
				     struct eqt_walk *walk,
				     const struct eqt_config *config,
				     time_t now);

#endif
