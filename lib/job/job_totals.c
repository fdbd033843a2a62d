/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Count a request in total, as Slurm would do. The steps are nodes and tasks, GPUs (in
 * job_gpus.c), CPUs (in job_cpus.c) and memory, because each step needs the results of
 * the previous ones. All products are checked for overflow, because the numbers come
 * from users.
 */
#include "base/whole.h"
#include "job/job_totals_impl.h"

/* Do -N and --ntasks-per-node limit the tasks that get CPUs, whatever -n says? slurmctld
 * refuses some of these jobs, but starts others. */
static bool limits_tasks(const struct eqt_job_spec *spec)
{
	return spec->tasks_counted == EQT_TASKS_OF_NODE &&
	       spec->tasks_per_node > 0 && spec->max_nodes > 0;
}

uint64_t eqt_job_spec_task_nodes(const struct eqt_job_spec *spec)
{
	const uint64_t each = spec->tasks_per_node;
	uint64_t nodes;

	/* The number of nodes does not follow from the tasks if Slurm counts CPUs
	 * instead of tasks. select/linear always does, and other plugins do if the job
	 * has GPUs, because a node may then have CPUs for more tasks. */
	if (each == 0 || spec->linear || spec->cpus_per_tres ||
	    (spec->tres_per_job &&
	     (spec->min_cpus_per_node > 0 || spec->limit.mem_per_cpu > 0 ||
	      (spec->defaults.cpus_per_gpu > 0 && spec->cpus_per_task == 0))))
		return 0;
	nodes = eqt_whole_divide_up(spec->tasks, each);
	return limits_tasks(spec) ? eqt_whole_min(nodes, spec->max_nodes)
				  : nodes;
}

/* Count nodes and tasks. With --ntasks-per-node, the nodes follow from the tasks or the
 * tasks from the nodes. */
static int count_nodes_and_tasks(struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	struct eqt_job_totals *totals = work->totals;
	uint64_t each = spec->tasks_per_node, most;

	totals->nodes = spec->min_nodes ? spec->min_nodes : 1;
	eqt_whole_raise(&totals->nodes, eqt_job_spec_task_nodes(spec));
	totals->tasks = spec->tasks ? spec->tasks : totals->nodes;
	if (!spec->tasks &&
	    eqt_whole_raise_product(&totals->tasks, each, totals->nodes) < 0)
		return eqt_job_work_too_large(work);
	if (limits_tasks(spec) &&
	    __builtin_mul_overflow(each, spec->max_nodes, &most) == 0)
		totals->tasks = eqt_whole_min(totals->tasks, most);
	eqt_whole_raise(&totals->nodes, spec->least_nodes);
	return 0;
}

/* Return the CPUs of whole nodes that the job leaves to the system. Slurm charges them, but
 * wants no memory for them. */
static uint64_t spare_cpus(const struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	const uint64_t threads = eqt_whole_max(spec->node.threads, 1);
	uint64_t cpus;

	if (!spec->exclusive ||
	    __builtin_mul_overflow(spec->spare_cores, threads, &cpus) ||
	    __builtin_add_overflow(cpus, spec->spare_threads, &cpus) ||
	    __builtin_mul_overflow(cpus, work->totals->nodes, &cpus))
		return 0;
	return eqt_whole_min(cpus, work->totals->cpus);
}

static int count_memory(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = work->totals;
	uint64_t *mem_mib = &totals->demand.mem_mib, each, times = 0;

	/* Memory is not charged, and totals.mem stays EQT_MEM_NOT_GIVEN. */
	if (work->spec->no_memory)
		return 0;
	totals->mem = eqt_job_work_mem(work, &each);
	/* The job has all memory of its nodes, of which the memory for its GPUs is a
	 * part. */
	if (totals->mem == EQT_MEM_PER_GPU && work->spec->keeps_rest &&
	    work->spec->node.mem_mib > 0)
		return 0;
	if (totals->mem == EQT_MEM_PER_GPU)
		return eqt_job_work_sum_gpus(work, EQT_GRES_MEM, each, mem_mib);
	if (totals->mem == EQT_MEM_ALL)
		each = work->spec->node.mem_mib;
	if (totals->mem == EQT_MEM_PER_CPU) {
		each = work->mem_per_cpu;
		times = work->spec->keeps_rest
				? totals->cpus_asked
				: totals->cpus - spare_cpus(work);
		/* On whole nodes and sockets, memory is counted only for the threads of
		 * each core that --threads-per-core allows. */
		if (((work->spec->exclusive && !work->spec->keeps_rest) ||
		     (work->spec->whole_sockets && !work->spec->exclusive)) &&
		    (work->spec->cpus_per_core == 1 ||
		     work->spec->cpus_per_core < work->spec->node.threads))
			times = totals->demand.cores *
				(work->spec->cpus_per_core
					 ? work->spec->cpus_per_core
					 : work->spec->node.threads);
	} else if (totals->mem != EQT_MEM_NOT_GIVEN) {
		times = totals->nodes;
	}
	totals->mem_each = each;
	if (eqt_whole_raise_product(mem_mib, each, times) < 0)
		return eqt_job_work_too_large(work);
	return 0;
}

/* Charge all memory of whole nodes, because no other job can use it. If memory is
 * wanted for each CPU of the nodes, the nodes may have less than that. */
static int raise_to_nodes(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = work->totals;
	const uint64_t before = totals->demand.mem_mib;
	uint64_t all = 0;
	bool lacks;

	if (!work->spec->exclusive || work->spec->node.mem_mib == 0)
		return 0;
	if (eqt_whole_raise_product(&all, work->spec->node.mem_mib,
				    totals->nodes) < 0)
		return eqt_job_work_too_large(work);
	lacks = before > all && totals->mem == EQT_MEM_PER_CPU;
	/* With --exclusive=user, memory is wanted only for the CPUs of the job
	 * itself. */
	totals->lacks_mem = lacks && !work->spec->keeps_rest;
	if (all > before)
		totals->mem = EQT_MEM_ALL;
	if (all > before || lacks)
		totals->demand.mem_mib = all;
	return 0;
}

static int count_all(struct eqt_job_totals *out,
		     const struct eqt_job_spec *spec,
		     const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	struct eqt_job_work work;

	/* An initialiser would also clear count[], which is large. It is filled for
	 * each row later. */
	work.spec = spec;
	work.err = err;
	work.rows = rows;
	work.totals = out;
	*out = (struct eqt_job_totals){ .nodes = 0 };
	work.disk = 0;
	work.cpus_per_task = spec->cpus_per_task;
	eqt_whole_raise(&work.cpus_per_task, rows->cpus_per_task);
	if (count_nodes_and_tasks(&work) < 0 ||
	    eqt_job_work_count_gpus(&work) < 0 ||
	    eqt_job_work_count_cpus(&work) < 0 || count_memory(&work) < 0 ||
	    eqt_job_work_widen_gpus(&work) < 0 || raise_to_nodes(&work) < 0)
		return -1;
	out->demand.nodes = out->nodes;
	out->demand.disk = eqt_bundle_table_disk(work.disk, rows->disk_shift);
	return 0;
}

/* Count a request again on more nodes. This is a function of its own, because its copy of
 * the request takes stack that only whole nodes need. */
static __attribute__((noinline)) int count_on_nodes(
	struct eqt_job_totals *out, const struct eqt_job_spec *spec,
	uint64_t nodes, const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	struct eqt_job_spec more = *spec;

	more.min_nodes = nodes;
	return count_all(out, &more, rows, err);
}

int eqt_job_spec_count(struct eqt_job_totals *out,
		       const struct eqt_job_spec *spec,
		       const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	uint64_t each = spec->node.cpus, nodes;

	if (count_all(out, spec, rows, err) < 0)
		return -1;
	if (!spec->exclusive || spec->linear || each == 0 ||
	    spec->node.differ || spec->least_nodes)
		return 0;
	/* The job needs more whole nodes than the request says. Count again with enough
	 * nodes for all its CPUs. */
	nodes = eqt_whole_divide_up(out->cpus, each);
	if (nodes <= out->nodes ||
	    (spec->max_nodes > 0 && nodes > spec->max_nodes))
		return 0;
	return count_on_nodes(out, spec, nodes, rows, err);
}

void eqt_job_spec_raise_nodes(struct eqt_job_spec *spec, uint64_t nodes)
{
	/* Slurm treats a minimum of one node as not given. */
	if (nodes > 1 && nodes > spec->min_nodes &&
	    (spec->max_nodes == 0 || spec->max_nodes >= nodes))
		spec->min_nodes = nodes;
}

void eqt_job_spec_take_least_nodes(struct eqt_job_spec *spec, uint64_t nodes)
{
	const uint64_t before = spec->min_nodes;

	spec->limit.min_nodes = nodes;
	eqt_job_spec_raise_nodes(spec, nodes);
	spec->nodes_changed |= spec->min_nodes != before;
}

void eqt_job_spec_take_task_cpus(struct eqt_job_spec *spec)
{
	uint64_t cpus = 0;

	if (!spec->tres_per_task ||
	    !eqt_gres_has_cpus_only(spec->tres_per_task, &cpus))
		return;
	eqt_whole_raise(&spec->cpus_per_task, cpus);
	spec->tres_per_task = NULL;
}

bool eqt_job_spec_nodes_pass_tasks(const struct eqt_job_spec *spec)
{
	return spec->nodes_pass_tasks && spec->tres_per_job;
}

bool eqt_job_spec_is_least(const struct eqt_job_spec *spec)
{
	bool all_mem = !spec->no_memory &&
		       (spec->mem == EQT_MEM_ALL ||
			(spec->mem == EQT_MEM_NOT_GIVEN &&
			 spec->defaults.mem == EQT_MEM_ALL));

	if (spec->exclusive && (spec->node.cpus == 0 || spec->node.differ))
		return true;
	return all_mem && (spec->node.mem_mib == 0 || spec->node.differ);
}
