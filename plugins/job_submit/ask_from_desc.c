/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "ask_from_desc.h"

/* The host's configuration; libslurmfull defines it, the type is public. */
extern slurm_conf_t slurm_conf;

/* How Slurm hands the option of our client plugin to slurmctld. */
#define BILL_OPTION "_SLURM_SPANK_OPTION_equitree_bill="

/* Slurm marks "not given" with a number of the field's own width. */
static uint64_t given16(uint16_t value)
{
	return value == NO_VAL16 || value == INFINITE16 ? 0 : value;
}

static uint64_t given32(uint32_t value)
{
	return value == NO_VAL || value == INFINITE ? 0 : value;
}

static uint64_t minutes(uint32_t value)
{
	if (value == INFINITE)
		return EQT_MINUTES_UNLIMITED;
	return value == NO_VAL ? 0 : value;
}

/* An amount that says by its highest bit whether it is for each CPU; 0 stands
 * for all of a node. */
static void split_memory(enum eqt_ask_mem *mem, uint64_t *mem_mib,
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

/* Without a default a job gets all memory, where memory is given out at all. */
static void defaults_of_cluster(struct eqt_ask_defaults *defaults)
{
	split_memory(&defaults->mem, &defaults->mem_mib,
		     slurm_conf.def_mem_per_cpu);
	if (defaults->mem == EQT_MEM_ALL &&
	    !(slurm_conf.select_type_param & CR_MEMORY))
		defaults->mem = EQT_MEM_NOT_GIVEN;
}

void eqt_ask_from_desc(struct eqt_ask *ask, const job_desc_msg_t *desc)
{
	*ask = (struct eqt_ask){
		.tasks = given32(desc->num_tasks),
		.cpus_per_task = given16(desc->cpus_per_task),
		.min_cpus = given32(desc->min_cpus),
		.min_cpus_per_node = given16(desc->pn_min_cpus),
		.min_nodes = given32(desc->min_nodes),
		.max_nodes = given32(desc->max_nodes),
		.tasks_per_node = given16(desc->ntasks_per_node),
		.tasks_per_gpu = given16(desc->ntasks_per_tres),
		.sockets_per_node = given16(desc->sockets_per_node),
		.tres_per_job = desc->tres_per_job,
		.tres_per_node = desc->tres_per_node,
		.tres_per_socket = desc->tres_per_socket,
		.tres_per_task = desc->tres_per_task,
		.cpus_per_tres = desc->cpus_per_tres,
		.mem_per_tres = desc->mem_per_tres,
		.array = desc->array_inx,
		.minutes = minutes(desc->time_limit),
		.cpus_per_core = desc->threads_per_core == 1 ? 1 : 0,
		.task_per_core = desc->ntasks_per_core == 1,
		.exclusive = desc->shared == 0,
		.overcommit = desc->overcommit == 1,
	};
	split_memory(&ask->mem, &ask->mem_mib, desc->pn_min_memory);
	defaults_of_cluster(&ask->defaults);
}

enum eqt_message eqt_message_from_desc(const job_desc_msg_t *desc,
				       enum eqt_message fallback)
{
	const size_t length = strlen(BILL_OPTION);
	enum eqt_message message = fallback;

	for (uint32_t i = 0; i < desc->spank_job_env_size; i++) {
		const char *entry = desc->spank_job_env[i];

		if (entry && strncmp(entry, BILL_OPTION, length) == 0)
			(void) eqt_message_parse(&message, entry + length);
	}
	return message;
}
