/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Apply MaxMemPerCPU as _valid_pn_min_mem() of slurmctld does before each attempt to
 * start a job. */
#include "base/whole.h"
#include "job/memory_limit.h"

/* Handle --mem-per-cpu above the limit: the CPUs of each task are multiplied, and the
 * memory is divided among them. */
static int limit_per_cpu(struct eqt_memory_limit_cpus *cpus, uint64_t *mem_mib,
			 const struct eqt_job_spec *spec)
{
	uint64_t times = eqt_whole_divide_up(*mem_mib, spec->limit.mem_per_cpu);

	if (times < 2)
		return 0;
	if (__builtin_mul_overflow(cpus->per_task, times, &cpus->per_task))
		return -1;
	*mem_mib = eqt_whole_divide_up(*mem_mib, times);
	if (spec->tasks == 0)
		cpus->per_node = cpus->per_task;
	else if (__builtin_mul_overflow(spec->tasks, cpus->per_task,
					&cpus->min))
		return -1;
	return 0;
}

/* Raise the CPUs of each task to fit the raised CPUs of a node, of which memory needs
 * `least`. Slurm has the same three cases: the request has tasks per node, tasks of the
 * job, or neither. */
static int limit_tasks(struct eqt_memory_limit_cpus *cpus,
		       const struct eqt_job_spec *spec, uint64_t least)
{
	const uint64_t added =
		eqt_whole_max(spec->counted_nodes, spec->limit.min_nodes);
	uint64_t nodes = eqt_whole_max(spec->min_nodes, 1), all;

	/* Slurm does not count nodes that features or the partition add. */
	if (!spec->most && added >= nodes)
		nodes = 1;
	if (spec->tasks_per_node > 0) {
		cpus->per_task = eqt_whole_divide_up(cpus->per_node,
						     spec->tasks_per_node);
		if (__builtin_mul_overflow(cpus->per_task, spec->tasks_per_node,
					   &all))
			return -1;
		if (spec->limit.raises_tasks)
			eqt_whole_raise(&cpus->per_node, all);
	} else if (spec->limit.raises_tasks && spec->tasks > 0) {
		if (__builtin_mul_overflow(least, nodes, &all))
			return -1;
		cpus->per_task = eqt_whole_divide_up(all, spec->tasks);
		if (__builtin_mul_overflow(cpus->per_task, spec->tasks, &all))
			return -1;
		cpus->per_node = all / nodes;
		cpus->min = cpus->per_node;
	} else if (spec->limit.raises_tasks) {
		eqt_whole_raise(&cpus->per_task, cpus->per_node);
	}
	return 0;
}

/*
 * Handle --mem above the limit: each node must give as many CPUs as the memory needs.
 */
static int limit_per_node(struct eqt_memory_limit_cpus *cpus, uint64_t mem_mib,
			  const struct eqt_job_spec *spec)
{
	uint64_t least = eqt_whole_divide_up(mem_mib, spec->limit.mem_per_cpu);

	if (cpus->per_node >= least)
		return 0;
	cpus->per_node = least;
	if (spec->limit.raises_tasks)
		eqt_whole_raise(&cpus->min, least);
	return limit_tasks(cpus, spec, least);
}

/* Return the unit of the memory that slurmctld compares with the limits, and set *mib to the
 * memory. The partition's default also applies to a request with --mem-per-gpu. */
static enum eqt_job_spec_mem limited_mem(const struct eqt_job_spec *spec,
					 uint64_t *mib)
{
	const bool given = spec->mem != EQT_MEM_NOT_GIVEN &&
			   spec->mem != EQT_MEM_PER_GPU;
	const enum eqt_job_spec_mem mem = given ? spec->mem
						: spec->defaults.mem;

	*mib = given ? spec->mem_mib : spec->defaults.mem_mib;
	/* If the job wants all memory of a node, that is the memory of the
	 * partition's first node. */
	if (mem != EQT_MEM_PER_NODE && mem != EQT_MEM_PER_CPU)
		*mib = spec->limit.node_mem_mib;
	return mem;
}

int eqt_memory_limit_apply(struct eqt_memory_limit_cpus *cpus,
			   uint64_t *mem_mib, const struct eqt_job_spec *spec)
{
	enum eqt_job_spec_mem mem;
	uint64_t each;

	if (spec->limit.mem_per_cpu == 0)
		return 0;
	mem = limited_mem(spec, &each);
	if (mem == EQT_MEM_PER_CPU) {
		if (limit_per_cpu(cpus, &each, spec) < 0)
			return -1;
		*mem_mib = each;
		return 0;
	}
	return limit_per_node(cpus, each, spec);
}

/* Return the CPUs of a node for which --mem-per-cpu counts. Return 0 for whole nodes,
 * whose CPUs are not known. */
static uint64_t limited_cpus(const struct eqt_job_spec *spec)
{
	uint64_t cpus = eqt_whole_max(spec->tasks_per_node, 1);

	if (spec->exclusive)
		return 0;
	if (spec->max_nodes > 0)
		eqt_whole_raise(&cpus, eqt_whole_divide_up(spec->tasks,
							   spec->max_nodes));
	if (__builtin_mul_overflow(cpus, eqt_whole_max(spec->cpus_per_task, 1),
				   &cpus))
		return UINT64_MAX;
	return eqt_whole_max(cpus, spec->min_cpus_per_node);
}

bool eqt_memory_limit_passed(const struct eqt_job_spec *spec)
{
	uint64_t mib;

	if (spec->limit.mem_per_node == 0)
		return false;
	if (limited_mem(spec, &mib) == EQT_MEM_PER_CPU &&
	    __builtin_mul_overflow(mib, limited_cpus(spec), &mib))
		return true;
	return mib > spec->limit.mem_per_node;
}
