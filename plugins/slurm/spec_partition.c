/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slurm/spec_partition.h"
#include "slurm/compat.h"
#include "slurm/threads_per_core.h"
#include "slurm/whole_nodes.h"

/* A default of slurm.conf's JobDefaults kind; 0 without one. */
static uint64_t find_default(list_t *list, uint16_t type)
{
	uint64_t value = 0;
	list_itr_t *iterator;
	job_defaults_t *one;

	if (!list)
		return 0;
	iterator = list_iterator_create(list);
	while ((one = list_next(iterator))) {
		if (one->type == type)
			value = one->value;
	}
	list_iterator_destroy(iterator);
	return value;
}

/* The partition's own default, else the cluster's. */
static uint64_t job_default(const part_record_t *part, uint16_t type)
{
	uint64_t value = find_default(part->job_defaults_list, type);

	return value ? value : find_default(slurm_conf.job_defaults_list, type);
}

static void take_defaults(struct eqt_job_spec_defaults *defaults,
			  const part_record_t *part)
{
	uint64_t mem = part->def_mem_per_cpu;
	uint32_t limit = part->default_time;

	if (mem) {
		defaults->mem = mem & MEM_PER_CPU ? EQT_MEM_PER_CPU
						  : EQT_MEM_PER_NODE;
		defaults->mem_mib = mem & ~MEM_PER_CPU;
	}
	defaults->mem_per_gpu = job_default(part, JOB_DEF_MEM_PER_GPU);
	defaults->cpus_per_gpu = job_default(part, JOB_DEF_CPU_PER_GPU);
	if (limit == NO_VAL)
		limit = part->max_time;
	defaults->minutes = limit == INFINITE ? EQT_MINUTES_UNLIMITED : limit;
}

/* The nodes matter only where all of one is taken: there may be thousands. */
static bool takes_whole_nodes(const struct eqt_job_spec *spec)
{
	return spec->exclusive || spec->mem == EQT_MEM_ALL ||
	       (spec->mem == EQT_MEM_NOT_GIVEN &&
		spec->defaults.mem == EQT_MEM_ALL);
}

void eqt_spec_add_partition(struct eqt_job_spec *spec,
			    const part_record_t *part,
			    struct eqt_candidate_nodes *candidates)
{
	take_defaults(&spec->defaults, part);
	spec->node.count = part->total_nodes;
	if (part->max_nodes < part->total_nodes)
		spec->node.count = part->max_nodes;
	if (spec->cpus_per_core == 0)
		spec->cpus_per_core = eqt_threads_per_core(part);
	if (eqt_whole_nodes(part))
		spec->exclusive = true;
	if (takes_whole_nodes(spec))
		eqt_candidate_nodes_least(candidates, spec, part);
}
