/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_loss: the CPUs that a job with several CPUs per task may not get.
 *
 * Slurm adds up the CPUs of nodes until there are enough for all tasks, and then
 * puts whole tasks on each node: five tasks of three CPUs on 16 CPUs. The remaining
 * tasks get the remaining CPUs of the first nodes, which are fewer. For job_totals.c
 * only.
 */
#ifndef EQT_TASK_LOSS_H
#define EQT_TASK_LOSS_H

#include <stdint.h>

/*
 * The most CPUs that the tasks can lack on `fewest` to `nodes` nodes, each of which has
 * at least the CPUs of one task.
 */
uint64_t eqt_task_loss(uint64_t tasks, uint64_t cpus_per_task, uint64_t fewest,
		       uint64_t nodes);

/* The same where all nodes but one may have one CPU, and tasks_per_node tasks
 * each. */
uint64_t eqt_task_loss_raised(uint64_t tasks_per_node, uint64_t cpus_per_task,
			      uint64_t nodes);

#endif
