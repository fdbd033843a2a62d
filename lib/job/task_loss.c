/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each node first holds as many whole tasks as fit. If t tasks then remain, they get
 * the remaining CPUs of the first t nodes. They lack
 *	- at most all of their CPUs, and
 *	- at most the remaining CPUs of the other nodes. A node has fewer of these than
 *	  a task wants, because all nodes together have CPUs for all tasks.
 * Each node has a whole task, so there are at most tasks - t nodes. The first bound
 * rises with t, and the second one falls. So the maximum is where they meet.
 */
#include <math.h>

#include "base/whole.h"
#include "job/task_loss.h"

/* Return the CPUs that t remaining tasks can lack, which is the smaller of the two
 * bounds. */
static uint64_t loss_of(uint64_t t, uint64_t tasks, uint64_t cpus,
			uint64_t nodes)
{
	nodes = t < tasks ? eqt_whole_min(nodes, tasks - t) : 0;
	return t < nodes ? eqt_whole_min(t * cpus, (nodes - t) * (cpus - 1))
			 : 0;
}

uint64_t eqt_task_loss(uint64_t tasks, uint64_t cpus_per_task, uint64_t fewest,
		       uint64_t nodes)
{
	const uint64_t cpus = cpus_per_task;
	uint64_t most = 0, meet[2], i, t;

	/* The more nodes have whole tasks, the fewer tasks remain. */
	const uint64_t left = fewest < tasks ? tasks - fewest : 0;

	/* Slurm stores the CPUs of a task in 16 bits and the other numbers in 32
	 * bits. */
	if (tasks > UINT32_MAX || cpus > UINT16_MAX)
		return 0;
	nodes = eqt_whole_min(nodes, tasks);
	/* Find where the bounds meet, once for nodes < tasks - t and once for nodes ==
	 * tasks - t. Because of rounding, that is at one of two neighbours. */
	meet[0] = nodes * (cpus - 1) / (2 * cpus - 1);
	meet[1] = tasks * (cpus - 1) / (3 * cpus - 2);
	for (i = 0; i < 2; i++) {
		for (t = meet[i]; t <= meet[i] + 1; t++)
			eqt_whole_raise(&most, loss_of(eqt_whole_min(t, left),
						       tasks, cpus, nodes));
	}
	return most;
}

uint64_t eqt_task_loss_raised(uint64_t tasks_per_node, uint64_t cpus_per_task,
			      uint64_t nodes)
{
	uint64_t loss;

	if (nodes < 2 || tasks_per_node == 0 ||
	    __builtin_mul_overflow(tasks_per_node, cpus_per_task, &loss) ||
	    __builtin_mul_overflow(loss - 1, nodes - 1, &loss))
		return 0;
	return loss;
}

/* Return the fewest tasks that get CPUs on k nodes, of which only the last has more CPUs
 * than GPUs. Each node has one task before the others are dealt out, and the last node may
 * get nothing in the last turn. */
static uint64_t tasks_dealt(uint64_t tasks, uint64_t core_tasks, uint64_t k)
{
	const uint64_t turns = (tasks - k) / k, lost = core_tasks - 1;

	return k + (turns > lost ? turns - lost : 0);
}

/* The tasks with CPUs are least if there are as many nodes as each of them gets tasks. */
uint64_t eqt_task_loss_dealt(uint64_t tasks, uint64_t core_tasks,
			     uint64_t nodes)
{
	uint64_t least = tasks, root, k;

	nodes = eqt_whole_min(nodes, tasks);
	if (nodes < 2 || core_tasks == 0 || tasks > UINT32_MAX ||
	    core_tasks > UINT16_MAX)
		return 0;
	root = (uint64_t) sqrt((double) tasks);
	for (k = root > 3 ? root - 1 : 2; k <= nodes && k <= root + 2; k++)
		least = eqt_whole_min(least, tasks_dealt(tasks, core_tasks, k));
	if (nodes < root)
		least = eqt_whole_min(least,
				      tasks_dealt(tasks, core_tasks, nodes));
	return tasks - least;
}
