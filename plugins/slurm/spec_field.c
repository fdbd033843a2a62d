/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/fraction.h"
#include "slurm/spec_field.h"
#include "slurm/compat.h"

/* The largest factor that equitree.conf accepts. */
#define FACTOR_MAX 1e6

bool eqt_spec_field_topology_excludes(void)
{
	const char *topology = slurm_conf.topology_plugin;

	/* topology/ring came with 26.05. */
	return topology && (strcmp(topology, "topology/block") == 0 ||
			    strcmp(topology, "topology/ring") == 0);
}

/* Does the cluster enforce --exclusive=mcs? Slurm ignores the option without an
 * MCS plugin, and with "noselect" in MCSParameters. */
static bool spec_field_mcs_excludes(void)
{
	return slurm_conf.mcs_plugin &&
	       strcmp(slurm_conf.mcs_plugin, "mcs/none") != 0 &&
	       (!slurm_conf.mcs_plugin_params ||
		!strstr(slurm_conf.mcs_plugin_params, "noselect"));
}

bool eqt_spec_field_keeps_rest(uint16_t shared)
{
	if (shared == JOB_SHARED_USER)
		return true;
	if (shared == JOB_SHARED_MCS)
		return spec_field_mcs_excludes();
	return eqt_slurm_is_topo(shared) && eqt_spec_field_topology_excludes();
}

bool eqt_spec_field_exclusive(uint16_t shared)
{
	return shared == 0 || eqt_spec_field_keeps_rest(shared);
}

bool eqt_spec_field_has_core_spec(uint16_t core_spec)
{
	return core_spec != NO_VAL16 && core_spec != INFINITE16 &&
	       (slurm_conf.conf_flags & EQT_CONF_SPEC_ALLOWED);
}

uint16_t eqt_spec_field_spare_cores(uint16_t core_spec)
{
	return eqt_spec_field_has_core_spec(core_spec) &&
			       !(core_spec & CORE_SPEC_THREAD)
		       ? core_spec
		       : 0;
}

uint16_t eqt_spec_field_spare_threads(uint16_t core_spec)
{
	return eqt_spec_field_has_core_spec(core_spec) &&
			       (core_spec & CORE_SPEC_THREAD)
		       ? (uint16_t) (core_spec ^ CORE_SPEC_THREAD)
		       : 0;
}

bool eqt_spec_field_task_per_core(uint16_t given)
{
	/* --hint=multithread sends 0, which means any number of tasks. */
	if (given != NO_VAL16 && given != 0)
		return given == 1;
	return eqt_spec_field_gpus_share_cores();
}

bool eqt_spec_field_gpus_share_cores(void)
{
	return slurm_conf.select_type_param & SELECT_ONE_TASK_PER_CORE;
}

static uint64_t one_or_more(uint16_t value)
{
	const uint64_t given = eqt_spec_field16(value);

	return given ? given : 1;
}

uint64_t eqt_spec_field_layout(uint16_t sockets, uint16_t cores,
			       uint16_t threads)
{
	return one_or_more(sockets) * one_or_more(cores) * one_or_more(threads);
}

uint64_t eqt_spec_field_plane(const job_desc_msg_t *desc)
{
	return desc->task_dist != NO_VAL &&
			       (desc->task_dist & SLURM_DIST_STATE_BASE) ==
				       SLURM_DIST_PLANE
		       ? eqt_spec_field16(desc->plane_size)
		       : 0;
}

uint64_t eqt_spec_field_minutes(uint32_t value)
{
	if (value == INFINITE)
		return EQT_AMOUNT_UNLIMITED;
	return value == NO_VAL ? 0 : value;
}

void eqt_spec_field_memory(enum eqt_job_spec_mem *mem, uint64_t *mem_mib,
			   uint64_t value)
{
	*mem_mib = value & ~MEM_PER_CPU;
	if (value == NO_VAL64)
		*mem = EQT_MEM_NOT_GIVEN;
	else if (*mem_mib == 0)
		*mem = EQT_MEM_ALL;
	else
		*mem = value & MEM_PER_CPU ? EQT_MEM_PER_CPU : EQT_MEM_PER_NODE;
	if (value == NO_VAL64)
		*mem_mib = 0;
}

/* Without DefMemPerNode and DefMemPerCPU a job gets all memory of its nodes, if
 * memory is a consumable resource (CR_*_Memory). */
void eqt_spec_field_add_cluster(struct eqt_job_spec *spec)
{
	struct eqt_job_spec_defaults *defaults = &spec->defaults;

	spec->no_memory = !(slurm_conf.select_type_param & SELECT_MEMORY);
	eqt_spec_field_memory(&defaults->mem, &defaults->mem_mib,
			      slurm_conf.def_mem_per_cpu);
	if (defaults->mem == EQT_MEM_ALL &&
	    !(slurm_conf.select_type_param & SELECT_MEMORY))
		defaults->mem = EQT_MEM_NOT_GIVEN;
}

uint64_t eqt_spec_field_factor_u(double usage_factor)
{
	/* The comparison also turns NaN into 1. */
	if (!(usage_factor >= 0))
		return EQT_MICRO;
	if (usage_factor > FACTOR_MAX)
		usage_factor = FACTOR_MAX;
	return (uint64_t) (usage_factor * (double) EQT_MICRO + 0.5);
}
