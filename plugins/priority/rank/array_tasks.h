/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array_tasks: tasks of arrays that become jobs of their own before they start,
 * as slurmctld makes them when an operator changes a single task. Tasks that
 * share a record share its priority, and once the scheduler has started one of
 * them it goes on with the next one, even when another user's job ranks higher
 * (docs/design/0033).
 */
#ifndef EQT_ARRAY_TASKS_H
#define EQT_ARRAY_TASKS_H

#include <stddef.h>

#include "prio/job_order.h"
#include "configuration.h"
#include "guard.h"

/*
 * Take so many tasks out of the arrays that have a place among the first
 * tasks_ahead that, after a few rankings, all of these are of single jobs. The
 * jobs have their places. Takes slurmctld's job lock, for a few tasks at a time.
 */
void eqt_array_tasks_take(struct eqt_guard *guard,
			  const struct eqt_config *config,
			  struct eqt_ordered_job *jobs, size_t count);

#endif
