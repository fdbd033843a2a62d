/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array_task: split a task off a waiting array, so that it has a record of its own. */
#ifndef EQT_ARRAY_TASK_H
#define EQT_ARRAY_TASK_H

#include <stdbool.h>

#include "slurm/compat.h"

/* Can a task be split off this record, with another task left? The job lock is held. */
bool eqt_split_is_possible(const job_record_t *job);

/* Split off the first task: the record becomes that task's, with a new job id. Returns
 * the new record of the rest, which keeps the array's id, or NULL on failure. The job
 * lock is held for writing. */
job_record_t *eqt_split_take(job_record_t *array);

#endif
