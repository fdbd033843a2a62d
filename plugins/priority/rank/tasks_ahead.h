/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tasks_ahead: array tasks get their own records before they start, as they do
 * when an operator changes a single task. Tasks that share a record also share
 * its priority. After the scheduler has started one of them it continues with
 * the next, even if another user's job has a higher rank (docs/design/0018).
 */
#ifndef EQT_TASKS_AHEAD_H
#define EQT_TASKS_AHEAD_H

#include <stddef.h>

#include "prio/job_order.h"
#include "configuration.h"
#include "guard.h"

/*
 * Split tasks off the arrays among the first tasks_ahead places, so that after
 * a few rankings each of these places belongs to a single job. The jobs must
 * have their places. The function takes slurmctld's job lock for writing, for a
 * few tasks at a time.
 */
void eqt_tasks_ahead_take(struct eqt_guard *guard,
			  const struct eqt_config *config,
			  struct eqt_ordered_job *jobs, size_t count);

#endif
