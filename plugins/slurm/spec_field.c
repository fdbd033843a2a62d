/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/fraction.h"
#include "slurm/spec_field.h"
#include "slurm/compat.h"
#include "job/job_totals.h"
#include "job/node_class.h"

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

/* Return the cores of each node that --core-spec leaves to the system, or the
 * threads that --thread-spec leaves to it. */
static uint16_t spare_cores(uint16_t core_spec)
{
	return eqt_spec_field_has_core_spec(core_spec) &&
			       !(core_spec & CORE_SPEC_THREAD)
		       ? core_spec
		       : 0;
}

static uint16_t spare_threads(uint16_t core_spec)
{
	return eqt_spec_field_has_core_spec(core_spec) &&
			       (core_spec & CORE_SPEC_THREAD)
		       ? (uint16_t) (core_spec ^ CORE_SPEC_THREAD)
		       : 0;
}

/* Is CR_ONE_TASK_PER_CORE set? That option does not apply to the CPUs that come
 * with GPUs (common_cpus_per_core() of select/cons_tres). */
static bool cluster_has_task_per_core(void)
{
	return slurm_conf.select_type_param & SELECT_ONE_TASK_PER_CORE;
}

/* Does each core run one task? --ntasks-per-core decides; without that option
 * CR_ONE_TASK_PER_CORE does. */
static bool task_per_core(uint16_t given)
{
	/* --hint=multithread sends 0, which means any number of tasks. */
	if (given != NO_VAL16 && given != 0)
		return given == 1;
	return cluster_has_task_per_core();
}

static uint64_t one_or_more(uint16_t value)
{
	const uint64_t given = eqt_spec_field16(value);

	return given ? given : 1;
}

/* The product of sockets, cores and threads. A number that was not given counts
 * as one. */
static uint64_t layout_cpus(uint16_t sockets, uint16_t cores, uint16_t threads)
{
	return one_or_more(sockets) * one_or_more(cores) * one_or_more(threads);
}

/* The number of tasks that --distribution=plane places on a node at once, or 0
 * for another distribution. */
static uint64_t plane_tasks(const job_desc_msg_t *desc)
{
	return desc->task_dist != NO_VAL &&
			       (desc->task_dist & SLURM_DIST_STATE_BASE) ==
				       SLURM_DIST_PLANE
		       ? eqt_spec_field16(desc->plane_size)
		       : 0;
}

/* A time limit in minutes, or 0 if no limit was given. */
static uint64_t limit_minutes(uint32_t value)
{
	if (value == INFINITE)
		return EQT_AMOUNT_UNLIMITED;
	return value == NO_VAL ? 0 : value;
}

/* Convert an amount of memory. Its highest bit marks an amount for each CPU. 0
 * stands for all memory of a node, and NO_VAL64 for an amount that was not
 * given. */
static void convert_memory(enum eqt_job_spec_mem *mem, uint64_t *mem_mib,
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

/* Add the cluster's default memory of slurm.conf to a request that gives none.
 * Without DefMemPerNode and DefMemPerCPU a job gets all memory of its nodes, if
 * memory is a consumable resource (CR_*_Memory). */
static void add_cluster_memory(struct eqt_job_spec *spec)
{
	struct eqt_job_spec_defaults *defaults = &spec->defaults;

	spec->no_memory = !(slurm_conf.select_type_param & SELECT_MEMORY);
	convert_memory(&defaults->mem, &defaults->mem_mib,
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

/* The number of bytes of a script that are searched for options. */
#define OPTIONS_LENGTH 4096

/* Does the text contain --mincpus or an unambiguous abbreviation of it? */
static bool text_names_mincpus(const char *text)
{
	for (size_t i = 0; text && i < OPTIONS_LENGTH && text[i]; i++) {
		if (text[i] == '-' && strncmp(text + i, "--mi", 4) == 0)
			return true;
	}
	return false;
}

/* Did the user give --mincpus? If not, sbatch sends the CPUs of a task in the
 * same field. */
static bool desc_names_mincpus(const job_desc_msg_t *desc)
{
	const uint64_t each = eqt_spec_field16(desc->pn_min_cpus);

	return each > 1 && each <= eqt_spec_field16(desc->cpus_per_task) &&
	       (text_names_mincpus(desc->submit_line) ||
		text_names_mincpus(desc->script));
}

/* Slurm has not checked the description yet, so any number and any text may
 * occur. job_totals.c checks the arithmetic. */
void eqt_spec_field_from_desc(struct eqt_job_spec *spec,
			      const job_desc_msg_t *desc)
{
	*spec = (struct eqt_job_spec){
		.tasks = eqt_spec_field32(desc->num_tasks),
		.cpus_per_task = eqt_spec_field16(desc->cpus_per_task),
		.min_cpus = eqt_spec_field32(desc->min_cpus),
		.min_cpus_per_node = eqt_spec_field16(desc->pn_min_cpus),
		.names_min_cpus = desc_names_mincpus(desc),
		.tasks_counted = EQT_TASKS_COUNTED,
		.min_nodes = eqt_spec_field32(desc->min_nodes),
		.max_nodes = eqt_spec_field32(desc->max_nodes),
		.tasks_per_node = eqt_spec_field16(desc->ntasks_per_node),
		.tasks_per_gpu = eqt_spec_field16(desc->ntasks_per_tres),
		.sockets_per_node = eqt_spec_field16(desc->sockets_per_node),
		.layout_cpus = layout_cpus(desc->sockets_per_node,
					   desc->cores_per_socket,
					   desc->threads_per_core),
		.tasks_per_socket = eqt_spec_field16(desc->ntasks_per_socket),
		.plane = plane_tasks(desc),
		.tres_per_job = desc->tres_per_job,
		.tres_per_node = desc->tres_per_node,
		.tres_per_socket = desc->tres_per_socket,
		.tres_per_task = desc->tres_per_task,
		.cpus_per_tres = desc->cpus_per_tres,
		.mem_per_tres = desc->mem_per_tres,
		.array = desc->array_inx,
		.array_size = slurm_conf.max_array_sz,
		.constraint = desc->features,
		.prefer = desc->prefer,
		.nodelist = desc->req_nodes,
		.list_chooses = EQT_LISTS_CHOOSE && desc->min_nodes != NO_VAL,
		.repeats = EQT_LIST_COUNTS_NAMES &&
			   EQT_DESC_JOB_ID(desc) == NO_VAL,
		.contiguous = desc->contiguous == 1,
		.exclude = desc->exc_nodes,
		.reservation = desc->reservation,
		.minutes = limit_minutes(desc->time_limit),
		.cpus_per_core = eqt_spec_field16(desc->threads_per_core),
		.gpus_share_cores = cluster_has_task_per_core(),
		.task_per_core = task_per_core(desc->ntasks_per_core),
		.tasks_per_core = eqt_spec_field16(desc->ntasks_per_core),
		.exclusive = eqt_spec_field_exclusive(desc->shared) ||
			     eqt_spec_field_has_core_spec(desc->core_spec),
		.keeps_rest = eqt_spec_field_keeps_rest(desc->shared) &&
			      !eqt_spec_field_has_core_spec(desc->core_spec),
		.spare_cores = spare_cores(desc->core_spec),
		.spare_threads = spare_threads(desc->core_spec),
		.overcommit = desc->overcommit == 1,
		.gpu_cpus_stay = EQT_GPU_CPUS_STAY,
		.nodes_pass_tasks = EQT_NODES_PASS_TASKS,
		.binds_gpus = desc->bitflags & GRES_ENFORCE_BIND,
		.spreads = EQT_SPREADS_BY_WEIGHT && desc->bitflags & SPREAD_JOB,
	};
	/* With --spread-job, the job may use one node for each task. */
	if ((desc->bitflags & SPREAD_JOB) && spec->max_nodes == 0)
		spec->max_nodes = spec->tasks ? spec->tasks
					      : spec->tasks_per_node;
	convert_memory(&spec->mem, &spec->mem_mib, desc->pn_min_memory);
	add_cluster_memory(spec);
	eqt_job_spec_take_task_cpus(spec);
	eqt_node_requirement_raise_nodes(spec);
}
