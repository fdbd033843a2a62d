/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_task_loss: CPUs that a job of tasks with several CPUs each does not get.
 *
 * Slurm counts the CPUs of nodes until there are enough for all tasks, and then
 * puts whole tasks on each node: of 16 CPUs five tasks of three. The tasks that
 * are left over get what remains of the first nodes, which is fewer CPUs. For
 * job_totals.c alone.
 */
#ifndef EQT_TASK_LOSS_H
#define EQT_TASK_LOSS_H

#include <stdint.h>

/*
 * The most CPUs that so many tasks can lack on up to so many nodes, each of which
 * has the CPUs of a task at least.
 */
uint64_t eqt_task_loss(uint64_t tasks, uint64_t cpus_per_task, uint64_t nodes);

/* The same where all nodes but one may have one CPU, and tasks_per_node tasks
 * each. */
uint64_t eqt_task_loss_raised(uint64_t tasks_per_node, uint64_t cpus_per_task,
			      uint64_t nodes);

#endif
