/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core_tasks: the tasks of a job that may share a core. */
#ifndef EQT_CORE_TASKS_H
#define EQT_CORE_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "job/job_totals.h"

/* Return the number of tasks that may share a core, from --ntasks-per-core or
 * CR_ONE_TASK_PER_CORE. 0 means any number. */
uint64_t eqt_core_tasks_most(const struct eqt_job_totals *totals,
			     const struct eqt_job_spec *spec);

/* Return the number of CPUs that tasks may use on a core with this many threads. */
uint64_t eqt_core_tasks_cpus(const struct eqt_job_totals *totals,
			     const struct eqt_job_spec *spec, uint64_t threads);

/* Does the request say how its tasks or its GPUs are distributed to the cores and
 * sockets of a node? A node with GPUs may then give the job more CPUs than its tasks
 * need. */
bool eqt_core_tasks_dealt(const struct eqt_job_spec *spec);

#endif
