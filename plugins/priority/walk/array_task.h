/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array_task: a task of a waiting array becomes a job of its own. */
#ifndef EQT_ARRAY_TASK_H
#define EQT_ARRAY_TASK_H

#include <stdbool.h>

#include "slurm/compat.h"

/* Has the record of an array a task that can be taken out, and another one? The job
 * lock is held. */
bool eqt_split_is_possible(const job_record_t *job);

/* Take the first task out: the record becomes that task, with an id of its own.
 * Returns the record of what is left, which has the array's id, or NULL. The job lock
 * is held for writing. */
job_record_t *eqt_split_take(job_record_t *array);

#endif
