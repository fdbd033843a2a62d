/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_loss: the CPUs that a job with several CPUs per task may not get.
 *
 * Slurm adds nodes until their CPUs are enough for all tasks, and then puts whole tasks
 * on each node, such as five tasks of three CPUs on 16 CPUs. The remaining tasks get
 * the remaining CPUs of the first nodes, which are fewer. Only job_cpus.c uses this.
 */
#ifndef EQT_TASK_LOSS_H
#define EQT_TASK_LOSS_H

#include <stdint.h>

/*
 * Return the largest number of CPUs that the tasks can lack on `fewest` to `nodes`
 * nodes, each of which has at least the CPUs of one task.
 */
uint64_t eqt_task_loss(uint64_t tasks, uint64_t cpus_per_task, uint64_t fewest,
		       uint64_t nodes);

/* Return the largest number of CPUs that the tasks can lack if all nodes but one may
 * have a single CPU and each node has tasks_per_node tasks. */
uint64_t eqt_task_loss_raised(uint64_t tasks_per_node, uint64_t cpus_per_task,
			      uint64_t nodes);

/*
 * Return the largest number of tasks that get neither CPUs nor GPUs, because nodes have
 * GPUs for fewer tasks than CPUs. Slurm deals such tasks out to all nodes in turn,
 * `core_tasks` tasks for a core at a time, and the tasks for a node without a free CPU
 * are lost (dist_tasks_compute_c_b()).
 */
uint64_t eqt_task_loss_dealt(uint64_t tasks, uint64_t core_tasks,
			     uint64_t nodes);

#endif
