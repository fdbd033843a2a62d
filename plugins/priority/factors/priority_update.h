/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority_update: writes the priorities of all jobs, once a pass. */
#ifndef EQT_PRIORITY_UPDATE_H
#define EQT_PRIORITY_UPDATE_H

#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "factors/priority.h"
#include "walk/walk.h"

/* Does a pass set this job's priority? A priority of 0 means held and stays 0. */
bool eqt_priority_update_wants(const struct eqt_config *config,
			       const job_record_t *job);

/*
 * Set the priorities of the jobs of EQT_WALK_RANKED; returns how many. Takes the locks of
 * eqt_walk_visit(). Only the pass thread calls this.
 */
unsigned int eqt_priority_update_all(const struct eqt_priority *priority,
				     struct eqt_walk *walk,
				     const struct eqt_config *config,
				     time_t now);

#endif
