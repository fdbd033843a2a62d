/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Count the CPUs of a request, and the cores that have these CPUs. */
#include "base/whole.h"
#include "job/core_tasks.h"
#include "job/job_totals_impl.h"
#include "job/memory_limit.h"
#include "job/task_loss.h"

/* Does -n alone decide which tasks get CPUs? The fewest CPUs of a node then add no
 * tasks. */
static bool job_counts_tasks(const struct eqt_job_spec *spec)
{
	return spec->tasks > 0 && (spec->tasks_counted == EQT_TASKS_OF_JOB ||
				   (spec->tasks_counted == EQT_TASKS_OF_NODE &&
				    spec->tasks_per_node == 0));
}

/* Return the number of nodes that give the job a core. Where -n alone decides which
 * tasks get CPUs, as with --overcommit in all releases of Slurm, nodes beyond the
 * number of tasks give no core (dist_tasks_compute_c_b()). Beside its GPUs such a node
 * may give one. */
static uint64_t nodes_with_cores(const struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	const struct eqt_job_totals *totals = work->totals;
	const bool counted = job_counts_tasks(spec) ||
			     (spec->overcommit && spec->tasks > 0);

	if (!counted || spec->exclusive || (spec->most && totals->has_gres))
		return totals->nodes;
	return eqt_whole_min(totals->nodes, totals->tasks);
}

/* Does the request itself name one node, or as many nodes as tasks? */
static bool names_node_tasks(const struct eqt_job_spec *spec)
{
	return !spec->nodes_changed &&
	       (spec->max_nodes == 1 || (spec->tasks == spec->min_nodes &&
					 spec->tasks == spec->max_nodes));
}

/*
 * Does each node give only the CPUs of its tasks, even if the request wants more CPUs
 * of each node? A node that has GPUs or other GRES for the job does so if the number of
 * its tasks is known.
 */
static bool tasks_decide(const struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	const uint64_t tasks = spec->tasks;

	if (spec->overcommit)
		return false;
	if (job_counts_tasks(spec) && !work->totals->has_gres)
		return true;
	/* On one node, Slurm starts no more tasks than --ntasks-per-gpu allows. */
	if (spec->parts && spec->tasks_per_gpu > 0 && work->totals->gpus > 0)
		return true;
	if (spec->tasks_per_node > 0 &&
	    (work->cpus.per_task > 1 || work->totals->tasks > 1))
		return work->cpus.per_task > 1 || work->totals->has_gres;
	if (!work->totals->has_gres || tasks == 0 ||
	    (spec->most &&
	     (tasks > 1 || (spec->tasks_per_gpu > 0 &&
			    spec->min_cpus > work->cpus.per_task)) &&
	     eqt_core_tasks_dealt(spec)))
		return false;
	/* If the request or the cluster says how many tasks share a core, Slurm does
	 * not cut a node to the CPUs of one task (_select_cores()). But if tasks have
	 * GPUs, few of which may be free, the lowest price must assume that the node is
	 * cut. */
	if (tasks == 1 && (spec->most || !spec->tres_per_task) &&
	    (spec->task_per_core || spec->tasks_per_core > 0 ||
	     spec->gpus_share_cores))
		return false;
	return tasks == 1 ||
	       (spec->tasks_per_gpu == 0 && names_node_tasks(spec));
}

/* Compute the CPUs of all tasks. With --ntasks-per-node, these are all tasks that the
 * nodes may have, but no more CPUs than Slurm wants of the nodes. MaxMemPerCPU may have
 * raised the CPUs that Slurm wants for the job or for each node. */
static int cores_of_tasks(struct eqt_job_work *work, uint64_t *cores)
{
	const struct eqt_memory_limit_cpus *cpus = &work->cpus;
	const uint64_t nodes = work->totals->nodes;
	uint64_t tasks = work->totals->tasks, all = 0, wanted = cpus->min;

	if (work->spec->tasks_per_node > 0 && !job_counts_tasks(work->spec) &&
	    (tasks > 1 || cpus->per_task > 1)) {
		tasks = 0;
		if (eqt_whole_raise_product(&tasks, nodes,
					    work->spec->tasks_per_node) < 0 ||
		    eqt_whole_raise_product(&wanted, nodes, cpus->per_node) < 0)
			return eqt_job_work_too_large(work);
	} else {
		wanted = UINT64_MAX;
	}
	if (work->spec->tasks_counted != EQT_TASKS_OF_CPUS)
		wanted = UINT64_MAX;
	/* Each node has the CPUs that MaxMemPerCPU added for all tasks that the node
	 * may have, which can be all tasks of the job. */
	if (work->spec->most && nodes > 1 &&
	    cpus->per_task > work->cpus_per_task)
		wanted = UINT64_MAX;
	if (eqt_whole_raise_product(&all, tasks, cpus->per_task) < 0)
		return eqt_job_work_too_large(work);
	*cores = eqt_whole_min(all, wanted);
	return 0;
}

/* Do the tasks follow from --ntasks-per-gpu, and does each of them have several
 * CPUs? */
static bool tasks_of_gpus(const struct eqt_job_work *work)
{
	return work->spec->tasks_per_gpu > 0 && work->totals->gpus > 0 &&
	       work->cpus.per_task > 1;
}

/*
 * Return the number of nodes that have the CPUs of a second task with --overcommit. A
 * node has them if threads of the first core are left, and if Slurm has taken CPUs for
 * the second task. These are the CPUs of --mincpus, or those of the sockets, cores and
 * threads that the request names. Only one of several nodes may have the latter.
 */
static uint64_t nodes_of_two_tasks(const struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	const uint64_t each = work->cpus.per_task;
	const uint64_t nodes = nodes_with_cores(work);
	uint64_t least = spec->min_cpus_per_node;

	if (each >= spec->node.threads || spec->tasks_per_node == 1 ||
	    spec->tres_per_task)
		return 0;
	eqt_whole_raise(&least, work->cpus.per_node);
	if (nodes == 1 || spec->most)
		eqt_whole_raise(&least, spec->layout_cpus);
	if (least / 2 < each)
		return 0;
	if (spec->tasks == 0 || spec->tasks / 2 >= nodes)
		return nodes;
	return spec->tasks > nodes ? spec->tasks - nodes : 0;
}

/* Count the CPUs of a job with --overcommit. Each node has the CPUs of one task or of
 * two tasks. */
static int cores_overcommitted(struct eqt_job_work *work, uint64_t *cores)
{
	uint64_t tasks;

	*cores = 0;
	return __builtin_add_overflow(nodes_with_cores(work),
				      nodes_of_two_tasks(work), &tasks) ||
			       eqt_whole_raise_product(cores, tasks,
						       work->cpus.per_task) < 0
		       ? eqt_job_work_too_large(work)
		       : 0;
}

/* Count the CPUs of tasks and nodes, without those that GPUs add. */
static int cores_without_gpus(struct eqt_job_work *work, uint64_t *cores)
{
	const struct eqt_memory_limit_cpus *cpus = &work->cpus;
	uint64_t per_node = cpus->per_node;

	if (work->spec->overcommit)
		return cores_overcommitted(work, cores);
	*cores = cpus->min;
	if (tasks_decide(work))
		return cores_of_tasks(work, cores);
	/* A node gets only as many tasks with GPUs as it has free GPUs for, and
	 * only the CPUs of these tasks (gres_select_filter_sock_core()). */
	if (work->spec->parts && work->spec->tres_per_task)
		per_node = 1;
	eqt_whole_raise(&per_node, cpus->per_task);
	if (eqt_whole_raise_product(cores, per_node, work->totals->nodes) < 0)
		return eqt_job_work_too_large(work);
	/* Slurm may count each task of --ntasks-per-gpu as one CPU. If -n is given as
	 * well, cpus->min has all CPUs of its tasks. */
	if (tasks_of_gpus(work) && !work->spec->most)
		eqt_whole_raise(cores, work->totals->tasks);
	/* Slurm starts as many whole tasks as these CPUs are enough for. */
	if (work->spec->tasks_per_node == 0)
		*cores -= *cores % cpus->per_task;
	if ((work->spec->most || !tasks_of_gpus(work)) &&
	    eqt_whole_raise_product(cores, work->totals->tasks,
				    cpus->per_task) < 0)
		return eqt_job_work_too_large(work);
	return 0;
}

/* Apply MaxMemPerCPU, and note the largest memory for which it adds no CPUs. */
static int limit_cpus(struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	const struct eqt_node_offer_limit *limit = &spec->limit;
	uint64_t before, after;

	if (limit->mem_per_cpu == 0)
		return 0;
	if (cores_without_gpus(work, &before) < 0)
		return -1;
	if (eqt_memory_limit_apply(&work->cpus, &work->mem_per_cpu, spec) < 0)
		return eqt_job_work_too_large(work);
	if (cores_without_gpus(work, &after) < 0)
		return -1;
	if (after <= before)
		return 0;
	work->totals->fair_mem_mib = limit->mem_per_cpu;
	if (spec->mem != EQT_MEM_PER_CPU)
		work->totals->fair_mem_mib *= before / work->totals->nodes;
	return 0;
}

/* Return the CPUs that --mincpus gives each node. In releases of Slurm that count
 * tasks, it gives none if the request has a number of tasks. */
static uint64_t mincpus_allocated(const struct eqt_job_spec *spec)
{
	return spec->tasks_counted == EQT_TASKS_OF_CPUS ||
			       (spec->tasks == 0 && spec->tasks_per_node == 0)
		       ? spec->min_cpus_per_node
		       : 0;
}

/*
 * Count the CPUs of a task, of a node and of the job. Slurm gives each node the CPUs of
 * all tasks that the node may have, even if fewer tasks remain for it.
 */
static int count_cpus(struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	struct eqt_memory_limit_cpus *cpus = &work->cpus;

	cpus->per_task = work->cpus_per_task ? work->cpus_per_task : 1;
	cpus->min = spec->min_cpus;
	cpus->per_node = mincpus_allocated(spec);
	eqt_whole_raise(&cpus->per_node, spec->overcommit ? 1 : cpus->per_task);
	if (!spec->overcommit && work->totals->tasks > 1 &&
	    eqt_whole_raise_product(&cpus->per_node, spec->tasks_per_node,
				    cpus->per_task) < 0)
		return eqt_job_work_too_large(work);
	work->mem_per_cpu = spec->mem == EQT_MEM_PER_CPU
				    ? spec->mem_mib
				    : spec->defaults.mem_mib;
	if (limit_cpus(work) < 0)
		return -1;
	work->totals->cpus_per_task = cpus->per_task;
	work->totals->cpus_per_node = cpus->per_node;
	work->totals->cpus_wanted = cpus->min;
	return eqt_whole_raise_product(
		       &work->totals->cpus_wanted, work->totals->tasks,
		       work->cpus_per_task ? work->cpus_per_task : 1) < 0
		       ? eqt_job_work_too_large(work)
		       : 0;
}

/* Return the number of nodes that a request gives, or that follows from its tasks per
 * node. */
static uint64_t named_nodes(const struct eqt_job_spec *spec)
{
	const uint64_t each = spec->tasks_per_node;
	uint64_t nodes = spec->max_nodes;

	eqt_whole_raise(&nodes, spec->min_nodes);
	if (each > 0)
		eqt_whole_raise(&nodes,
				spec->tasks / each + (spec->tasks % each != 0));
	return nodes;
}

/* Return the unit, in CPUs, in which a node gives its remaining CPUs to tasks of
 * per_task CPUs. Nodes give whole cores, unless jobs may share a core. */
static uint64_t whole_task_unit(const struct eqt_job_work *work,
				uint64_t per_task)
{
	const struct eqt_job_spec *spec = work->spec;
	const uint64_t each = eqt_core_tasks_cpus(
		work->totals, spec, eqt_whole_max(spec->cpus_per_core, 1));

	return spec->single_cpus ? 1
				 : eqt_whole_gcd(eqt_whole_gcd(per_task, each),
						 spec->limit.cpus_per_node);
}

/*
 * Return the largest number of CPUs that a job can lack because its tasks are split.
 * Each of two nodes has whole tasks on the CPUs that a node must have. The result is
 * UINT64_MAX if the number is not known: a node may have fewer CPUs beside GPUs, or if
 * the request gives a number of nodes or of tasks per node.
 */
static uint64_t split_loss_most(const struct eqt_job_work *work, uint64_t cpus)
{
	const uint64_t each =
		work->cpus.per_node - work->cpus.per_node % work->cpus.per_task;

	if (work->totals->has_gres || work->spec->min_nodes > 1 ||
	    work->spec->tasks_per_node > 0)
		return UINT64_MAX;
	return cpus / 2 >= each ? cpus - 2 * each : 0;
}

/* Return the CPUs that the job may lack because its tasks are split among nodes. */
static uint64_t lost_cpus(const struct eqt_job_work *work, uint64_t cpus)
{
	const struct eqt_job_spec *spec = work->spec;
	const uint64_t per_task = work->cpus.per_task, tasks = cpus / per_task;
	const uint64_t given = work->cpus_per_task ? work->cpus_per_task : 1;
	const uint64_t unit = whole_task_unit(work, per_task);
	uint64_t nodes = spec->node.count, loss = 0, each;

	if (!spec->parts || spec->overcommit || spec->exclusive)
		return 0;
	if (spec->max_nodes > 0 && nodes > spec->max_nodes)
		nodes = spec->max_nodes;
	/* If memory is given for each CPU, Slurm counts whole tasks on each node, and
	 * no task is split. */
	if ((spec->no_memory ||
	     eqt_job_work_mem(work, &each) != EQT_MEM_PER_CPU) &&
	    spec->tasks_per_node == 0)
		loss = unit * eqt_task_loss(tasks, per_task / unit,
					    eqt_whole_max(spec->min_nodes, 1),
					    nodes);
	/* If the request gives a number of nodes, Slurm keeps one CPU for each node but
	 * the first. */
	if (!spec->no_memory)
		nodes = named_nodes(spec);
	if (per_task != given)
		eqt_whole_raise(&loss,
				eqt_task_loss_raised(
					eqt_whole_max(spec->tasks_per_node, 1),
					per_task, eqt_whole_min(nodes, tasks)));
	/* Nodes beyond the number of tasks do not get the CPUs that
	 * MaxMemPerCPU adds to tasks. */
	if (per_task != given && spec->tasks > 0 && !job_counts_tasks(spec) &&
	    work->totals->nodes > spec->tasks &&
	    eqt_job_work_mem(work, &each) == EQT_MEM_PER_CPU)
		loss += (work->totals->nodes - spec->tasks) * per_task;
	loss = eqt_whole_min(loss, split_loss_most(work, cpus));
	/* With --distribution=plane, a node gets all tasks of a plane, even if it has
	 * too few CPUs for the last of them. */
	if (spec->plane > 0)
		eqt_whole_raise(&loss,
				(per_task -
				 1) * eqt_whole_divide_up(tasks, spec->plane));
	return loss + per_task * eqt_job_work_lost_tasks(work);
}

/*
 * May the job get fewer CPUs for its GPUs than it wants? On nodes that other jobs use
 * in part, the CPUs are limited by the memory for each CPU or by the tasks, even if the
 * GPUs are free.
 */
static bool gpus_lack_cpus(const struct eqt_job_work *work)
{
	uint64_t each;

	if (!work->spec->parts || work->spec->exclusive)
		return false;
	return work->spec->tasks_per_node > 0 ||
	       (work->spec->tres_per_task &&
		eqt_core_tasks_most(work->totals, work->spec) > 0) ||
	       (!work->spec->no_memory &&
		eqt_job_work_mem(work, &each) == EQT_MEM_PER_CPU);
}

/* Does a job with --overcommit get no CPUs for its GPUs? Slurm gives more CPUs than
 * those of one task only if the cores must be next to the GPUs, or if tasks have
 * GPUs. */
static bool tasks_share_cpus(const struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;

	if (!spec->overcommit || spec->exclusive || spec->gpu_cpus_stay)
		return false;
	return !spec->most || (!spec->binds_gpus && !spec->tres_per_task);
}

/* Does each of several nodes have exactly this many CPUs? */
static bool nodes_have_each(const struct eqt_job_totals *totals, uint64_t cpus)
{
	uint64_t all;

	return totals->nodes > 1 &&
	       !__builtin_mul_overflow(cpus, totals->nodes, &all) &&
	       totals->cpus == all;
}

/*
 * Return the number of nodes that get fewer CPUs than each node must have, and set
 * *rest to the CPUs that such a node lacks. If a node must have more CPUs than the
 * tasks of --ntasks-per-node, Slurm deals the further CPUs out like tasks, one core at
 * a time. A turn counts as a whole core even if a node has room for only a part of the
 * core.
 */
static uint64_t nodes_without_rest(const struct eqt_job_work *work,
				   uint64_t threads, uint64_t *rest)
{
	const struct eqt_job_spec *spec = work->spec;
	const struct eqt_job_totals *totals = work->totals;
	const uint64_t each = totals->cpus_per_node, nodes = totals->nodes;
	const uint64_t tasks = spec->tasks_per_node;
	uint64_t all;

	*rest = 0;
	if (spec->tasks_counted != EQT_TASKS_OF_CPUS || tasks == 0 ||
	    tasks >= each || totals->cpus_per_task > 1 || totals->has_gres ||
	    spec->plane > 0 || spec->overcommit || threads < 2 ||
	    __builtin_mul_overflow(nodes, threads, &all) ||
	    __builtin_add_overflow(all, each, &all))
		return 0;
	/* The first node may have all wanted CPUs, and each other node one core. */
	if (spec->most && totals->cpus_wanted > all - threads)
		return 0;
	*rest = (each - tasks) % threads;
	return nodes - eqt_whole_divide_up(nodes * *rest, threads);
}

/* Return the number of cores for the CPUs of the job, if `each` CPUs fill a core. All
 * cores but one are filled. For the highest price on several nodes, one core of each
 * node may be partly filled, or one core of each task if there are fewer tasks than
 * nodes. */
static uint64_t divide_cpus(const struct eqt_job_work *work, uint64_t each)
{
	const struct eqt_job_totals *totals = work->totals;
	uint64_t rest = each - 1, parts = totals->nodes, less, lacks;

	if (nodes_have_each(totals, totals->cpus_per_task))
		return parts * eqt_whole_divide_up(totals->cpus_per_task, each);
	/* The CPUs that MaxMemPerCPU adds need not be on each node. */
	if ((work->spec->most || work->spec->limit.mem_per_cpu == 0) &&
	    nodes_have_each(totals, totals->cpus_per_node)) {
		less = nodes_without_rest(work, each, &lacks);
		return (parts - less) * eqt_whole_divide_up(
						totals->cpus_per_node, each) +
		       less * eqt_whole_divide_up(totals->cpus_per_node - lacks,
						  each);
	}
	if (work->spec->most) {
		if (totals->cpus_per_task > 1 && parts > totals->tasks)
			parts = totals->tasks;
		if (totals->cpus_per_task % each != 0 &&
		    __builtin_mul_overflow(rest, parts, &rest))
			rest = each - 1;
	}
	return totals->cpus / each + (totals->cpus % each + rest) / each;
}

/* Raise the CPUs to whole sockets, each of which belongs to one job. The lowest price
 * has as many sockets as the CPUs fill. The highest price has all sockets of the nodes,
 * because Slurm distributes tasks to the sockets in turn. */
static int whole_sockets(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = work->totals;
	const struct eqt_node_offer *node = &work->spec->node;
	uint64_t size, sockets;

	if (!work->spec->whole_sockets || node->sockets == 0 ||
	    node->cpus < node->sockets)
		return 0;
	/* If the node has GPUs, other jobs with GPUs may leave a part of a socket, and
	 * the job gets less than a socket. */
	if (!work->spec->most && node->gres && node->gres[0] != '\0')
		return 0;
	size = node->cpus / node->sockets;
	sockets = totals->cpus / size + (totals->cpus % size != 0);
	eqt_whole_raise(&sockets, nodes_with_cores(work));
	if (work->spec->most &&
	    (totals->cpus > totals->nodes || work->spec->tasks_per_node > 1 ||
	     work->spec->binds_gpus) &&
	    eqt_whole_raise_product(&sockets, totals->nodes, node->sockets) < 0)
		return eqt_job_work_too_large(work);
	if (eqt_whole_raise_product(&totals->cpus, sockets, size) < 0)
		return eqt_job_work_too_large(work);
	return 0;
}

/* Return the number of cores for some CPUs if no two tasks share a core. The last task
 * may have fewer CPUs than the others. If the job has GPUs, CPUs beyond those of the
 * tasks may fill the cores of the tasks. */
static uint64_t cores_of_single_tasks(const struct eqt_job_work *work,
				      uint64_t cpus, uint64_t each)
{
	const uint64_t per_task = work->totals->cpus_per_task, all = cpus;
	uint64_t tasks = work->totals->tasks, cores;

	if (!work->spec->most && work->spec->tasks > 0 &&
	    work->totals->gpus > 0 &&
	    !__builtin_mul_overflow(tasks, per_task, &tasks))
		cpus = eqt_whole_min(cpus, tasks);
	cores = cpus / per_task * eqt_whole_divide_up(per_task, each) +
		eqt_whole_divide_up(cpus % per_task, each);
	return eqt_whole_max(cores, eqt_whole_divide_up(all, each));
}

/* Raise the CPUs to whole cores, each of which belongs to one job. Each node has at
 * least one core. */
static int whole_cores(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = work->totals;
	uint64_t each = work->spec->cpus_per_core, lacks;
	const uint64_t threads = work->spec->node.threads;

	/* As in common_cpus_per_core() of select/cons_tres, the job takes all threads
	 * of a core, whatever the request says about threads. */
	if (work->spec->gpus_share_cores && totals->gpus_have_cpus &&
	    threads > 0)
		each = threads;
	if (whole_sockets(work) < 0)
		return -1;
	totals->demand.cores = totals->cpus;
	if (work->spec->single_cpus && !work->spec->exclusive &&
	    nodes_have_each(totals, totals->cpus_per_node)) {
		const uint64_t less = nodes_without_rest(work, threads, &lacks);

		totals->cpus -= less * lacks;
	}
	if (threads > 1 && (work->spec->exclusive || work->spec->single_cpus ||
			    work->spec->whole_sockets)) {
		totals->demand.cores =
			totals->cpus / threads + (totals->cpus % threads != 0);
		/* If the job has GPUs, CR_CPU gives it all threads of its cores. */
		if (work->spec->most && totals->gpus > 0 &&
		    work->spec->single_cpus && !work->spec->exclusive) {
			totals->cpus = totals->demand.cores * threads;
			/* All these CPUs count as CPUs of tasks, each of which has
			 * GPUs. */
			eqt_whole_raise(&totals->cpus_asked, totals->cpus);
		}
		return 0;
	}
	if (each < 2)
		return 0;
	/* Tasks that do not share cores may need more cores than their CPUs fill. */
	if (eqt_core_tasks_most(totals, work->spec) == 1 &&
	    totals->cpus_per_task > each)
		totals->demand.cores =
			cores_of_single_tasks(work, totals->cpus, each);
	else
		totals->demand.cores = divide_cpus(
			work, eqt_core_tasks_cpus(totals, work->spec, each));
	eqt_whole_raise(&totals->demand.cores, nodes_with_cores(work));
	if (eqt_whole_raise_product(&totals->cpus, totals->demand.cores, each) <
	    0)
		return eqt_job_work_too_large(work);
	return 0;
}

/* Lower the CPUs to those of the tasks that --ntasks-per-socket allows. Each node may
 * give only the CPUs of one socket, if other jobs use the rest, even if the node must
 * give more. The CPUs of all tasks remain in any case. */
static int limit_by_sockets(struct eqt_job_work *work, uint64_t *cores)
{
	const struct eqt_job_spec *spec = work->spec;
	const uint64_t each = work->cpus.per_task;
	uint64_t most = 0;

	if (spec->tasks_per_socket == 0 || spec->node.sockets == 0 ||
	    spec->exclusive || spec->most)
		return 0;
	if (eqt_whole_raise_product(&most, spec->tasks_per_socket, each) < 0 ||
	    eqt_whole_raise_product(&most, most, work->totals->nodes) < 0 ||
	    eqt_whole_raise_product(&most, work->totals->tasks, each) < 0)
		return eqt_job_work_too_large(work);
	eqt_whole_lower(cores, most);
	return 0;
}

/* Raise the CPUs to those of all GPUs of the nodes. In releases of Slurm that count
 * tasks, each of several nodes may give the job these CPUs. */
static int raise_to_node_gpus(struct eqt_job_work *work, uint64_t by_default,
			      uint64_t *cores)
{
	const struct eqt_job_spec *spec = work->spec;

	if (!spec->most || spec->tasks_counted == EQT_TASKS_OF_CPUS ||
	    spec->exclusive || work->totals->nodes < 2)
		return 0;
	for (uint32_t i = 0; i < work->rows->count; i++) {
		const uint64_t each = eqt_job_work_node_cpus(
			work, &work->rows->row[i], by_default);

		if (eqt_whole_raise_product(cores, each, work->totals->nodes) <
		    0)
			return eqt_job_work_too_large(work);
	}
	return 0;
}

/* Does the request say how many tasks a node has, directly or by the GPUs of the
 * node? */
static bool node_tasks_known(const struct eqt_job_spec *spec)
{
	return spec->tasks_per_node > 0 || spec->tasks_per_socket > 0 ||
	       spec->tasks_per_core > 0 || spec->tasks_per_gpu > 0 ||
	       spec->tasks == 1 || (spec->tasks > 0 && names_node_tasks(spec));
}

/* Raise the CPUs for --gres-flags=enforce-binding. Each of several nodes may then have
 * the CPUs of as many tasks as its cores or its GPUs are enough for, and so may one node
 * of a request that names no number of tasks. */
static int raise_to_bound_gpus(struct eqt_job_work *work, uint64_t *cores)
{
	const struct eqt_job_spec *spec = work->spec;

	if (!spec->most || !spec->binds_gpus || spec->exclusive ||
	    spec->tasks_counted == EQT_TASKS_OF_CPUS || spec->cpus_per_tres ||
	    (work->totals->nodes < 2 && spec->tasks > 0) ||
	    node_tasks_known(spec))
		return 0;
	for (uint32_t i = 0; i < work->rows->count; i++) {
		const struct eqt_gres_row *row = &work->rows->row[i];
		uint64_t each = spec->node.cpus, tasks;

		if (row->count[EQT_GRES_JOB] > 0 && spec->tasks > 0)
			continue;
		if (row->count[EQT_GRES_TASK] > 0) {
			tasks = eqt_job_work_node_has(work, row) /
				row->count[EQT_GRES_TASK];
			if (!__builtin_mul_overflow(tasks, work->cpus.per_task,
						    &tasks))
				each = eqt_whole_min(each, tasks);
		}
		if (eqt_whole_raise_product(cores, each, work->totals->nodes) <
		    0)
			return eqt_job_work_too_large(work);
	}
	return 0;
}

/* Raise the CPUs to those that each node must have next to its GPUs in releases of Slurm
 * that count tasks. These are the CPUs of the tasks that the request allows a node, a
 * socket or a core, even if the job has fewer (gres_filter_sock_core()). */
static int raise_to_allowed_tasks(struct eqt_job_work *work, uint64_t *cores)
{
	const struct eqt_job_spec *spec = work->spec;
	const struct eqt_job_totals *totals = work->totals;
	uint64_t tasks = spec->tasks_per_node, each;

	if (spec->tasks_counted == EQT_TASKS_OF_CPUS || spec->exclusive ||
	    !((totals->gpus > 0 && totals->gpus_have_cpus) ||
	      (totals->has_gres && spec->binds_gpus)))
		return 0;
	if (tasks == 0)
		tasks = spec->tasks_per_socket ? spec->tasks_per_socket
					       : spec->tasks_per_core;
	if (__builtin_mul_overflow(tasks, work->cpus.per_task, &each) ||
	    each > spec->node.cpus)
		each = spec->node.cpus;
	return eqt_whole_raise_product(cores, each, totals->nodes) < 0
		       ? eqt_job_work_too_large(work)
		       : 0;
}

/* Add all CPUs of the nodes without a task, because a job may get all of them. With
 * CR_CPU it gets only the CPUs of its tasks. */
static int add_idle_nodes(struct eqt_job_work *work, uint64_t *cores)
{
	uint64_t all;

	return work->spec->most && !work->spec->single_cpus &&
			       (__builtin_mul_overflow(
					eqt_job_totals_idle_nodes(work->totals,
								  work->spec),
					work->spec->node.cpus, &all) ||
				__builtin_add_overflow(*cores, all, cores))
		       ? eqt_job_work_too_large(work)
		       : 0;
}

/* Return the CPUs of GPUs that the job does not get, on the nodes that give it only one
 * CPU. */
static uint64_t cut_cpus(const struct eqt_job_work *work)
{
	uint64_t all = 0, cpus, held;

	for (uint32_t i = 0; i < work->rows->count; i++) {
		const struct eqt_gres_row *row = &work->rows->row[i];
		const uint64_t nodes = eqt_job_work_cut_nodes(work, row, &held);

		if (nodes > 0 &&
		    (__builtin_mul_overflow(row->count[EQT_GRES_TASK],
					    work->spec->defaults.cpus_per_gpu,
					    &cpus) ||
		     eqt_whole_raise_product(&all, nodes, cpus - 1) < 0))
			return UINT64_MAX;
	}
	return all;
}

/* Does DefCpuPerGPU apply? It does not if the request gives the CPUs of a task. With
 * --ntasks-per-gpu it applies only if the request or the cluster says how many tasks share
 * a core, and a node with fewer CPUs gives those that it has. */
static bool gpu_has_default_cpus(const struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;

	return !work->cpus_per_task &&
	       (!spec->tasks_per_gpu ||
		(!spec->parts &&
		 (spec->gpus_share_cores || spec->task_per_core ||
		  spec->tasks_per_core)));
}

int eqt_job_work_count_cpus(struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	struct eqt_job_totals *totals = work->totals;
	const bool by_default = gpu_has_default_cpus(work);
	const uint64_t per_gpu = by_default ? spec->defaults.cpus_per_gpu : 0;
	uint64_t *cores = &totals->cpus, by_gpus, lost;

	if (eqt_job_work_sum_gpus(work, EQT_GRES_CPUS, per_gpu, &by_gpus) < 0 ||
	    count_cpus(work) < 0)
		return -1;
	if (work->rows->count > 1)
		by_gpus = eqt_job_work_nodes_give(work, per_gpu, by_gpus);
	if (per_gpu > 0)
		by_gpus -= eqt_whole_min(by_gpus, cut_cpus(work));
	if (by_default && eqt_job_work_by_first(work, &by_gpus) < 0)
		return -1;
	/* CPUs that the request or MaxMemPerCPU gives to tasks take precedence
	 * over DefCpuPerGPU. */
	totals->gpus_have_cpus = by_gpus > 0 ||
				 (totals->gpus > 0 && !work->cpus_per_task &&
				  spec->defaults.cpus_per_gpu > 0);
	if (spec->most && !work->cpus_per_task && !spec->cpus_per_tres &&
	    work->cpus.per_task > 1)
		totals->gpus_have_cpus = false;
	if (cores_without_gpus(work, cores) < 0)
		return -1;
	/* The job has all CPUs of its nodes, so that the GPUs of these nodes add
	 * none. */
	if (spec->exclusive && spec->node.gres && spec->node.cpus > 0)
		by_gpus = 0;
	/* A job has at least one CPU, whatever it loses. */
	lost = lost_cpus(work, *cores);
	*cores -= lost < *cores ? lost : *cores - 1;
	/* The numbers may be equal, because sbatch of Slurm 24.11 also sends the sum of
	 * the CPUs for each GPU. */
	totals->cpus_by_gpu = by_gpus > 0 && by_gpus >= *cores;
	if (!gpus_lack_cpus(work) && !tasks_share_cpus(work))
		eqt_whole_raise(cores, by_gpus);
	if (raise_to_node_gpus(work, per_gpu, cores) < 0 ||
	    raise_to_bound_gpus(work, cores) < 0 ||
	    limit_by_sockets(work, cores) < 0 ||
	    raise_to_allowed_tasks(work, cores) < 0)
		return -1;
	/* Slurm needs a CPU on each node that a feature with a count requires,
	 * unless the job loses CPUs. */
	if (spec->counted_nodes > 0 && lost == 0)
		eqt_whole_raise(cores, totals->nodes);
	totals->cpus_asked = *cores;
	/* select/linear gives the CPUs of whole nodes, which may be fewer than those of
	 * the tasks: with --ntasks-per-core, a node takes tasks that want more CPUs
	 * than it has. */
	if (spec->linear && spec->node.cpus > 0)
		*cores = 0;
	if (spec->exclusive &&
	    eqt_whole_raise_product(cores, spec->node.cpus, totals->nodes) < 0)
		return eqt_job_work_too_large(work);
	return add_idle_nodes(work, cores) < 0 ? -1 : whole_cores(work);
}
