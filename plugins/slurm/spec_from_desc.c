/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copy the request of a submission from its description. Slurm has not checked
 * the description yet, so any number and any text may occur. job_totals.c
 * checks the arithmetic. */
#include <string.h>

#include "job/job_totals.h"
#include "job/node_class.h"
#include "slurm/compat.h"
#include "slurm/spec_field.h"
#include "slurm/spec_from_desc.h"

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

void eqt_spec_from_desc(struct eqt_job_spec *spec, const job_desc_msg_t *desc)
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
		.layout_cpus = eqt_spec_field_layout(desc->sockets_per_node,
						     desc->cores_per_socket,
						     desc->threads_per_core),
		.tasks_per_socket = eqt_spec_field16(desc->ntasks_per_socket),
		.plane = eqt_spec_field_plane(desc),
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
		.minutes = eqt_spec_field_minutes(desc->time_limit),
		.cpus_per_core = eqt_spec_field16(desc->threads_per_core),
		.gpus_share_cores = eqt_spec_field_gpus_share_cores(),
		.task_per_core =
			eqt_spec_field_task_per_core(desc->ntasks_per_core),
		.tasks_per_core = eqt_spec_field16(desc->ntasks_per_core),
		.exclusive = eqt_spec_field_exclusive(desc->shared) ||
			     eqt_spec_field_has_core_spec(desc->core_spec),
		.keeps_rest = eqt_spec_field_keeps_rest(desc->shared) &&
			      !eqt_spec_field_has_core_spec(desc->core_spec),
		.spare_cores = eqt_spec_field_spare_cores(desc->core_spec),
		.spare_threads = eqt_spec_field_spare_threads(desc->core_spec),
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
	eqt_spec_field_memory(&spec->mem, &spec->mem_mib, desc->pn_min_memory);
	eqt_spec_field_add_cluster(spec);
	eqt_job_spec_take_task_cpus(spec);
	eqt_node_requirement_raise_nodes(spec);
}
