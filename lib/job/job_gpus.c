/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Count the GPUs and the local disk of a request from the lists of its options. A GPU
 * without a price is an error (price/bundle_table.h).
 */
#include <string.h>

#include "base/whole.h"
#include "job/core_tasks.h"
#include "job/job_totals_impl.h"
#include "job/task_loss.h"
#include "price/bundle_table.h"

static bool rows_have_mem(const struct eqt_gres_rows *rows)
{
	for (uint32_t i = 0; i < rows->count; i++) {
		if (rows->row[i].mem_mib > 0)
			return true;
	}
	return false;
}

/* Slurm uses the first of these that is given: the option of the request, memory per
 * GPU from the request or the partition, and the other default of the partition. */
enum eqt_job_spec_mem eqt_job_work_mem(const struct eqt_job_work *work,
				       uint64_t *mib)
{
	const struct eqt_job_spec *spec = work->spec;

	*mib = spec->mem_mib;
	if (spec->mem != EQT_MEM_NOT_GIVEN)
		return spec->mem;
	*mib = spec->defaults.mem_per_gpu;
	if (rows_have_mem(work->rows) || (*mib > 0 && work->totals->gpus > 0))
		return EQT_MEM_PER_GPU;
	*mib = spec->defaults.mem_mib;
	return spec->defaults.mem;
}

/* Return the CPUs that tasks may use on a core of the request. The CPUs of a task are not
 * counted yet. */
static uint64_t cpus_of_core(const struct eqt_job_work *work)
{
	const struct eqt_job_totals one = { .cpus_per_task = eqt_whole_max(
						    work->cpus_per_task, 1) };

	return eqt_core_tasks_cpus(&one, work->spec,
				   eqt_whole_max(work->spec->cpus_per_core, 1));
}

/* Does the job have a single core, so that it has a single socket? */
static bool has_one_core(const struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	uint64_t cpus = work->cpus_per_task;

	/* With --overcommit and -n1, the only task has just its own CPUs. */
	if (!spec->overcommit || spec->tasks != 1) {
		eqt_whole_raise(&cpus, spec->min_cpus);
		eqt_whole_raise(&cpus, spec->min_cpus_per_node);
	}
	return work->totals->tasks == 1 && work->totals->nodes == 1 &&
	       cpus <= cpus_of_core(work) && !spec->cpus_per_tres &&
	       spec->defaults.cpus_per_gpu == 0 &&
	       (spec->limit.mem_per_cpu == 0 ||
		(spec->mem == EQT_MEM_PER_NODE &&
		 spec->mem_mib <= spec->limit.mem_per_cpu)) &&
	       !spec->exclusive && !spec->whole_sockets &&
	       spec->tasks_per_gpu == 0 && spec->layout_cpus <= 1;
}

/* Do GPUs of a row bring CPUs or memory? */
static bool row_brings(const struct eqt_job_work *work,
		       const struct eqt_gres_row *row)
{
	return row->cpus > 0 || row->mem_mib > 0 ||
	       work->spec->defaults.cpus_per_gpu > 0 ||
	       work->spec->defaults.mem_per_gpu > 0;
}

/* Return the number of sockets of a node that get GPUs of a row. --sockets-per-node only
 * selects nodes. On a node that is used in part, the job gets as few sockets as have CPUs
 * for it. On an idle node it gets all sockets for which the node has GPUs. The CPUs and
 * the memory that GPUs bring are those of all sockets. */
static uint64_t sockets_with_gpus(const struct eqt_job_work *work,
				  const struct eqt_gres_row *row)
{
	const uint64_t count = row->count[EQT_GRES_SOCKET];
	uint64_t sockets = 1, has;

	if (!work->spec->most || count == 0 || has_one_core(work))
		return 1;
	has = row_brings(work, row) ? 0 : eqt_job_work_node_has(work, row);
	eqt_whole_raise(&sockets, work->spec->sockets_per_node);
	eqt_whole_raise(&sockets, work->spec->node.sockets);
	return has >= count ? eqt_whole_min(sockets, has / count) : sockets;
}

/*
 * Return the largest number of tasks that get GPUs of a row, if these GPUs bring CPUs.
 * Each of several nodes may have CPUs, and so GPUs, for as many tasks as
 * --ntasks-per-node allows.
 */
static uint64_t tasks_of_nodes(const struct eqt_job_work *work,
			       const struct eqt_gres_row *row)
{
	const uint64_t nodes = work->totals->nodes;
	const uint64_t count = row->count[EQT_GRES_TASK];
	const uint64_t has = eqt_job_work_node_has(work, row);
	uint64_t tasks = work->totals->tasks, each = work->spec->tasks_per_node;

	if (nodes < 2 || count == 0)
		return tasks;
	if (has > 0 && each > has / count)
		each = has / count;
	(void) eqt_whole_raise_product(&tasks, each, nodes);
	return tasks;
}

uint64_t eqt_job_work_cut_nodes(const struct eqt_job_work *work,
				const struct eqt_gres_row *row, uint64_t *tasks)
{
	const struct eqt_job_spec *spec = work->spec;
	const uint64_t count = row->count[EQT_GRES_TASK];
	uint64_t nodes = spec->node.count;
	uint64_t has;

	if (!spec->parts || !spec->least_loaded || count == 0 ||
	    row->cpus > 0 || spec->defaults.cpus_per_gpu == 0 ||
	    work->cpus_per_task || spec->overcommit ||
	    spec->tasks_counted != EQT_TASKS_OF_CPUS)
		return 0;
	if (spec->max_nodes > 0)
		nodes = eqt_whole_min(nodes, spec->max_nodes);
	nodes = eqt_whole_min(nodes, work->totals->tasks);
	has = eqt_job_work_node_has(work, row);
	*tasks = has > 0 ? eqt_whole_max(has / count, 1) : work->totals->tasks;
	return nodes < 3 ? 0
			 : eqt_whole_min(
				   nodes - 2,
				   eqt_whole_divide_up(work->totals->tasks - 2,
						       *tasks));
}

/* Return the number of tasks that get GPUs if so many nodes have one task each. */
static uint64_t tasks_without_cut(const struct eqt_job_work *work,
				  uint64_t nodes, uint64_t each)
{
	const uint64_t tasks = work->totals->tasks;
	uint64_t lost;

	if (__builtin_mul_overflow(nodes, each - 1, &lost) || lost > tasks)
		lost = tasks;
	return eqt_whole_max(tasks - lost, nodes + 2);
}

/* Return the fewest CPUs of each node of the job, which MaxMemPerCPU may raise. */
static uint64_t least_node_cpus(const struct eqt_job_spec *spec)
{
	struct eqt_memory_limit_cpus cpus = { .per_task = 1,
					      .min = spec->min_cpus,
					      .per_node =
						      spec->min_cpus_per_node };
	uint64_t mib = 0;

	return eqt_memory_limit_apply(&cpus, &mib, spec) < 0 ? 0
							     : cpus.per_node;
}

/* Return the number of tasks for which there are enough CPUs, from --cpus-per-gpu or
 * from the CPUs that each node must have, if a GPU of a task needs `each` CPUs. At
 * least one task has its GPUs. */
static uint64_t tasks_of_default(const struct eqt_job_work *work,
				 const struct eqt_gres_row *row, uint64_t each)
{
	const uint64_t count = row->count[EQT_GRES_TASK];
	const uint64_t tasks = work->totals->tasks;
	uint64_t cpus, task_cpus;

	if (__builtin_mul_overflow(count, each, &task_cpus) ||
	    __builtin_mul_overflow(count, row->cpus, &cpus) ||
	    __builtin_mul_overflow(cpus, tasks, &cpus) ||
	    eqt_whole_raise_product(&cpus, least_node_cpus(work->spec),
				    work->totals->nodes) < 0)
		return tasks;
	return eqt_whole_min(tasks, eqt_whole_max(cpus / task_cpus, 1));
}

bool eqt_job_gpus_may_lack_cpus(const struct eqt_job_spec *spec)
{
	return spec->tres_per_task && spec->cpus_per_tres &&
	       spec->cpus_per_task == 0 && spec->defaults.cpus_per_gpu > 0;
}

void eqt_job_spec_add_first_cpus(struct eqt_job_spec_defaults *defaults,
				 uint64_t cpus_per_gpu, uint64_t before)
{
	if (before == 0)
		defaults->first_cpus_least = defaults->first_cpus_most =
			cpus_per_gpu;
	defaults->first_cpus_least =
		eqt_whole_min(defaults->first_cpus_least, cpus_per_gpu);
	eqt_whole_raise(&defaults->first_cpus_most, cpus_per_gpu);
	defaults->other_first = defaults->first_cpus_least <
				defaults->first_cpus_most;
}

/* Return DefCpuPerGPU of the partition at which slurmctld looks first: the least or the
 * most of all partitions of the request, or the value of this partition. */
static uint64_t first_cpus(const struct eqt_job_spec *spec)
{
	const struct eqt_job_spec_defaults *defaults = &spec->defaults;

	if (defaults->other_first && spec->most)
		return defaults->first_cpus_most;
	if (defaults->other_first && spec->parts)
		return defaults->first_cpus_least;
	return defaults->cpus_per_gpu;
}

/*
 * Return the number of tasks that get GPUs of a row if slurmctld counts the CPUs of the
 * first partition for them. A task has the CPUs of its GPUs in this partition, so that
 * the CPUs of the job are those of more or of fewer tasks.
 */
static uint64_t tasks_by_first(const struct eqt_job_work *work,
			       const struct eqt_gres_row *row, uint64_t tasks)
{
	const uint64_t own = work->spec->defaults.cpus_per_gpu;
	const uint64_t first = first_cpus(work->spec);
	const uint64_t count = row->count[EQT_GRES_TASK];
	uint64_t each, held, has;

	if (first == own || count == 0 || row->cpus > 0 ||
	    work->cpus_per_task || __builtin_mul_overflow(count, own, &each) ||
	    __builtin_mul_overflow(count, first, &held) ||
	    __builtin_mul_overflow(work->totals->tasks, eqt_whole_max(held, 1),
				   &held))
		return tasks;
	held /= eqt_whole_max(each, 1);
	if (first < own)
		return eqt_whole_min(tasks,
				     eqt_whole_max(held, work->totals->nodes));
	if (!__builtin_mul_overflow(eqt_job_work_node_has(work, row) / count,
				    work->totals->nodes, &has) &&
	    has > 0)
		held = eqt_whole_min(held, has);
	return eqt_whole_max(tasks, held);
}

bool eqt_job_gpus_limited_by_mem(const struct eqt_job_spec *spec)
{
	return spec->tres_per_task && !spec->cpus_per_tres &&
	       (spec->defaults.cpus_per_gpu == 0 || spec->cpus_per_task > 0) &&
	       !spec->no_memory && !spec->overcommit &&
	       spec->tasks_counted == EQT_TASKS_OF_CPUS &&
	       (spec->mem_per_tres || spec->defaults.mem_per_gpu > 0);
}

uint64_t eqt_job_work_lost_tasks(const struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	const uint64_t each = eqt_whole_max(work->cpus_per_task, 1);
	uint64_t nodes = spec->node.count;

	if (!spec->parts || spec->exclusive || spec->max_nodes == 1 ||
	    !eqt_job_gpus_limited_by_mem(spec))
		return 0;
	if (spec->max_nodes > 0)
		nodes = eqt_whole_min(nodes, spec->max_nodes);
	return eqt_task_loss_dealt(work->totals->tasks,
				   eqt_whole_max(spec->node.threads / each, 1),
				   nodes);
}

bool eqt_job_gpus_may_lack_task(const struct eqt_job_totals *totals,
				const struct eqt_job_spec *spec)
{
	return spec->overcommit && totals->tasks < totals->nodes &&
	       totals->tasks < spec->limit.min_nodes;
}

/*
 * Return the number of tasks that get GPUs of a row. Slurm applies --cpus-per-gpu to
 * GPUs without a model, but DefCpuPerGPU to the CPUs of tasks whose GPUs have a model.
 * So the CPUs that follow from --cpus-per-gpu may be enough for fewer tasks.
 */
static uint64_t tasks_of_partition(const struct eqt_job_work *work,
				   const struct eqt_gres_row *row)
{
	const uint64_t each = work->spec->defaults.cpus_per_gpu;
	const uint64_t tasks = work->totals->tasks;
	uint64_t cut, held;

	if (work->spec->most && (row->cpus > 0 || each > 0))
		return tasks_of_nodes(work, row);
	cut = eqt_job_work_cut_nodes(work, row, &held);
	if (cut > 0)
		return tasks_without_cut(work, cut, held);
	cut = eqt_job_work_lost_tasks(work);
	if (cut > 0)
		return tasks - cut;
	return work->spec->parts && eqt_job_gpus_may_lack_cpus(work->spec) &&
			       !work->cpus_per_task && row->type[0] != '\0' &&
			       row->count[EQT_GRES_TASK] > 0 && row->cpus < each
		       ? tasks_of_default(work, row, each)
		       : tasks;
}

/* Do the same as tasks_of_partition(), whichever partition slurmctld looks at first. */
static uint64_t tasks_with_gpus(const struct eqt_job_work *work,
				const struct eqt_gres_row *row)
{
	return tasks_by_first(work, row, tasks_of_partition(work, row));
}

/* Compute the number of GPUs of a row, which is the largest number of all lists. */
static int count_row(uint64_t *count, const struct eqt_gres_row *row,
		     const uint64_t times[EQT_GRES_COUNTS])
{
	*count = 0;
	for (int i = 0; i < EQT_GRES_COUNTS; i++) {
		if (row->count[i] > 0 &&
		    eqt_whole_raise_product(count, row->count[i], times[i]) < 0)
			return -1;
	}
	return 0;
}

/* Set the factor of each kind of list of a row: 1, or the number of nodes, of sockets or of
 * tasks with GPUs. */
static int count_times(uint64_t times[EQT_GRES_COUNTS],
		       const struct eqt_job_work *work,
		       const struct eqt_gres_row *row)
{
	uint64_t nodes = work->totals->nodes;

	if (work->spec->parts) {
		nodes -= eqt_job_totals_idle_nodes(work->totals, work->spec);
		if (eqt_job_gpus_may_lack_task(work->totals, work->spec))
			nodes = work->totals->tasks;
	}
	times[EQT_GRES_JOB] = 1;
	times[EQT_GRES_NODE] = nodes;
	times[EQT_GRES_SOCKET] = 0;
	if (eqt_whole_raise_product(&times[EQT_GRES_SOCKET], nodes,
				    sockets_with_gpus(work, row)) < 0)
		return -1;
	times[EQT_GRES_TASK] = tasks_with_gpus(work, row);
	/* A node that MinNodes of the partition adds also has the GPUs of a task. */
	if (work->spec->most)
		eqt_whole_raise(&times[EQT_GRES_TASK],
				work->spec->limit.min_nodes);
	return 0;
}

static int count_rows(struct eqt_job_work *work)
{
	uint64_t times[EQT_GRES_COUNTS];

	for (uint32_t i = 0; i < work->rows->count; i++) {
		if (count_times(times, work, &work->rows->row[i]) < 0 ||
		    count_row(&work->count[i], &work->rows->row[i], times) < 0)
			return eqt_job_work_too_large(work);
		/* Each node that Slurm adds has a GPU of the job (gres_sched_add()). */
		if (work->spec->most && work->spec->nodes_pass_tasks &&
		    work->rows->row[i].count[EQT_GRES_JOB] > 0)
			eqt_whole_raise(&work->count[i], work->totals->nodes);
	}
	return 0;
}

/* Is this a row of GPUs? Slurm has CPUs, memory and tasks for each GPU, but not for
 * shares of GPUs or for other GRES. */
static bool row_is_gpu(const struct eqt_gres_row *row)
{
	return strcmp(row->name, "gpu") == 0;
}

uint64_t eqt_job_work_node_cpus(const struct eqt_job_work *work,
				const struct eqt_gres_row *row,
				uint64_t by_default)
{
	const uint64_t others = eqt_whole_max(work->spec->min_nodes, 1) - 1;
	const uint64_t each = row->cpus ? row->cpus : by_default;
	uint64_t gpus = eqt_job_work_node_has(work, row), all, cpus;

	if (!row_is_gpu(row) ||
	    (row->count[EQT_GRES_TASK] == 0 && row->count[EQT_GRES_JOB] == 0))
		return 0;
	all = row->count[EQT_GRES_JOB];
	if (row->count[EQT_GRES_TASK] == 0)
		gpus = eqt_whole_min(gpus, all > others ? all - others : all);
	if (__builtin_mul_overflow(gpus, each, &cpus))
		return work->spec->node.cpus;
	return eqt_whole_min(cpus, work->spec->node.cpus);
}

/* Return the counter to which a row is added: the GPUs of its model, the GPUs without a
 * model, or local disk. Return NULL if no bundle prices the row. */
static uint64_t *row_place(struct eqt_job_work *work,
			   const struct eqt_gres_row *row)
{
	if (row->type[0] == '\0' && row_is_gpu(row))
		return &work->totals->demand.gpus_untyped;
	if (row->disk)
		return &work->disk;
	if (row->model < 0)
		return NULL;
	return &work->totals->demand.gpus[row->model];
}

/* Add the rows to their counters. A GPU that no bundle prices is an error. */
static int add_rows(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = work->totals;

	totals->has_gres = work->rows->unpriced;
	for (uint32_t i = 0; i < work->rows->count; i++) {
		const struct eqt_gres_row *row = &work->rows->row[i];
		uint64_t *place = row_place(work, row);
		uint64_t count = work->count[i];

		if (count == 0)
			continue;
		totals->has_gres = true;
		if (!place)
			return eqt_bundle_table_missing(row->name, row->type,
							work->err);
		if (__builtin_add_overflow(*place, count, place) ||
		    (row_is_gpu(row) &&
		     __builtin_add_overflow(totals->gpus, count,
					    &totals->gpus)))
			return eqt_job_work_too_large(work);
	}
	return 0;
}

/* Tasks have the CPUs of their GPUs in this partition, and there are as many of them as
 * tasks_by_first() says. One task has no CPUs for its GPUs if this partition gives none. */
int eqt_job_work_by_first(struct eqt_job_work *work, uint64_t *by_gpus)
{
	const uint64_t own = work->spec->defaults.cpus_per_gpu;
	const uint64_t first = first_cpus(work->spec);
	uint64_t gpus = 0, part;

	if (first == own || (own == 0 && work->totals->tasks == 1))
		return 0;
	for (uint32_t i = 0; i < work->rows->count; i++) {
		const struct eqt_gres_row *row = &work->rows->row[i];

		if (!row_is_gpu(row) || row->cpus > 0)
			continue;
		if (row->count[EQT_GRES_TASK] == 0)
			gpus += work->count[i];
		else if (own == 0)
			eqt_whole_raise(by_gpus, work->count[i]);
	}
	if (__builtin_mul_overflow(
		    gpus, first < own ? own - first : first - own, &part))
		return eqt_job_work_too_large(work);
	if (first < own)
		*by_gpus -= eqt_whole_min(*by_gpus, part);
	else if (__builtin_add_overflow(*by_gpus, part, by_gpus))
		return eqt_job_work_too_large(work);
	return 0;
}

/* Apply --ntasks-per-gpu. The tasks follow from the GPUs or, if no GPUs are given, the
 * GPUs from the tasks. */
static int apply_tasks_per_gpu(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = work->totals;
	uint64_t each = work->spec->tasks_per_gpu;

	/* Whole nodes may have more GPUs than the tasks use. */
	if (each == 0 || (work->spec->exclusive && work->spec->tasks > 0))
		return 0;
	if (totals->gpus > 0)
		return eqt_whole_raise_product(&totals->tasks, totals->gpus,
					       each) < 0
			       ? eqt_job_work_too_large(work)
			       : 0;
	totals->gpus = totals->tasks / each;
	totals->demand.gpus_untyped = totals->gpus;
	return 0;
}

/* GPUs that follow only from --ntasks-per-gpu are in no row, and each_else applies to
 * them, too. */
int eqt_job_work_sum_gpus(struct eqt_job_work *work, enum eqt_gres_field field,
			  uint64_t each_else, uint64_t *sum)
{
	uint64_t part, rest = work->totals->gpus;

	*sum = 0;
	for (uint32_t i = 0; i < work->rows->count; i++) {
		const struct eqt_gres_row *row = &work->rows->row[i];
		uint64_t each = field == EQT_GRES_CPUS ? row->cpus
						       : row->mem_mib;

		if (!row_is_gpu(row))
			continue;
		if (each == 0)
			each = each_else;
		rest -= work->count[i];
		if (__builtin_mul_overflow(work->count[i], each, &part) ||
		    __builtin_add_overflow(*sum, part, sum))
			return eqt_job_work_too_large(work);
	}
	if (__builtin_mul_overflow(rest, each_else, &part) ||
	    __builtin_add_overflow(*sum, part, sum))
		return eqt_job_work_too_large(work);
	return 0;
}

uint64_t eqt_job_work_nodes_give(const struct eqt_job_work *work,
				 uint64_t by_default, uint64_t by_gpus)
{
	uint64_t most = 0, cpus;

	if (work->spec->node.cpus == 0 || work->spec->node.differ ||
	    __builtin_mul_overflow(work->spec->node.cpus, work->totals->nodes,
				   &cpus) ||
	    cpus >= by_gpus)
		return by_gpus;
	for (uint32_t i = 0; i < work->rows->count; i++) {
		const struct eqt_gres_row *row = &work->rows->row[i];

		if (row_is_gpu(row) &&
		    eqt_whole_raise_product(&most, work->count[i],
					    row->cpus ? row->cpus
						      : by_default) < 0)
			return by_gpus;
	}
	return eqt_whole_max(most, cpus);
}

int eqt_job_work_count_gpus(struct eqt_job_work *work)
{
	if (count_rows(work) < 0 || add_rows(work) < 0 ||
	    apply_tasks_per_gpu(work) < 0)
		return -1;
	work->totals->has_gres |= work->totals->gpus > 0;
	return 0;
}

uint64_t eqt_job_work_node_has(const struct eqt_job_work *work,
			       const struct eqt_gres_row *row)
{
	return eqt_gres_list_count(work->spec->node.gres, row->name, row->type);
}

uint64_t eqt_job_gpus_tasks(const struct eqt_job_totals *totals)
{
	uint64_t tasks = totals->tasks, cpus, wanted, more;

	/*
	 * Slurm counts CPUs that --mincpus or MaxMemPerCPU add as tasks. If the tasks
	 * decide the CPUs of a node, either each node has one more task of several
	 * CPUs, or each CPU counts as one task if nodes give fewer CPUs than wanted.
	 */
	if (!totals->cpus_by_gpu)
		eqt_whole_raise(&tasks,
				totals->cpus_asked / totals->cpus_per_task);
	if (__builtin_mul_overflow(totals->tasks, totals->cpus_per_task,
				   &cpus) ||
	    __builtin_mul_overflow(totals->nodes, totals->cpus_per_node,
				   &wanted) ||
	    wanted <= cpus)
		return tasks;
	eqt_whole_raise(&tasks,
			totals->cpus < wanted
				? totals->cpus
				: eqt_whole_divide_up(wanted,
						      totals->cpus_per_task));
	if (totals->cpus_per_task > 1 &&
	    !__builtin_add_overflow(totals->tasks, totals->nodes, &more))
		eqt_whole_raise(&tasks, more);
	return tasks;
}

/* Return the number of tasks that Slurm makes from the CPUs of the job, each of which
 * gets GPUs of the row. --cpus-per-gpu for a model does not change the CPUs of a
 * task. */
static uint64_t tasks_of_row(const struct eqt_job_work *work,
			     const struct eqt_gres_row *row)
{
	if (!work->spec->cpus_per_tres)
		return eqt_job_gpus_tasks(work->totals);
	return work->cpus_per_task || row->type[0] == '\0' ? 0
							   : work->totals->cpus;
}

int eqt_job_work_widen_gpus(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = work->totals;

	for (uint32_t i = 0; work->spec->most && i < work->rows->count; i++) {
		const struct eqt_gres_row *row = &work->rows->row[i];
		uint64_t *place = row_place(work, row);
		uint64_t more = 0, there = 0;

		if (!place || row->count[EQT_GRES_TASK] == 0)
			continue;
		if (eqt_whole_raise_product(&more, tasks_of_row(work, row),
					    row->count[EQT_GRES_TASK]) < 0 ||
		    eqt_whole_raise_product(&there,
					    eqt_job_work_node_has(work, row),
					    totals->nodes) < 0)
			return eqt_job_work_too_large(work);
		if (there > 0 && more > there)
			more = there;
		eqt_whole_raise(place, more);
	}
	return 0;
}
