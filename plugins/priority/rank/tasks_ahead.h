/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tasks_ahead: array tasks get records of their own before they start, as when an
 * operator changes a single task. Tasks that share a record share its priority, and
 * when the scheduler has started one of them, it goes on with the next one even if
 * another user's job ranks higher (docs/design/0018).
 */
#ifndef EQT_TASKS_AHEAD_H
#define EQT_TASKS_AHEAD_H

#include <stddef.h>

#include "prio/job_order.h"
#include "configuration.h"
#include "guard.h"

/*
 * Split tasks off the arrays among the first tasks_ahead places, as many as are needed
 * so that after a few rankings all these places belong to single jobs. The jobs have
 * their places. Takes slurmctld's job lock for writing, for a few tasks at a time.
 */
void eqt_tasks_ahead_take(struct eqt_guard *guard,
			  const struct eqt_config *config,
			  struct eqt_ordered_job *jobs, size_t count);

#endif
