/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scheduler: SchedulerType and SchedulerParameters as a simulation needs them. */
#ifndef EQT_SLURM_SCHEDULER_H
#define EQT_SLURM_SCHEDULER_H

#include "sim/policy.h"

/* Set how backfill works, with Slurm's defaults for what is missing; both texts may be
 * NULL. Names are in any case, as Slurm takes them. NULL, or the word of the list whose
 * number is none; that one keeps its default. */
const char *eqt_scheduler_read(struct eqt_simulation_policy *policy,
			       const char *type, const char *list);

#endif
