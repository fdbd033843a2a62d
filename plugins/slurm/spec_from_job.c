/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The request of a job from its record. slurmctld raises some numbers in the record
 * while it schedules (MaxMemPerCPU, for example), so the orig_ members are read where
 * there are any.
 */
#include "slurm/spec_fields.h"
#include "slurm/spec_from_job.h"

/* Copy the options about sockets, cores and threads. */
static void take_layout(struct eqt_job_spec *spec,
			const multi_core_data_t *layout)
{
	if (!layout)
		return;
	spec->sockets_per_node = eqt_spec_field16(layout->sockets_per_node);
	spec->layout_cpus = eqt_spec_field_layout(layout->sockets_per_node,
						  layout->cores_per_socket,
						  layout->threads_per_core);
	spec->tasks_per_socket = eqt_spec_field16(layout->ntasks_per_socket);
	spec->cpus_per_core = layout->threads_per_core == 1 ? 1 : 0;
	spec->tasks_per_core = eqt_spec_field16(layout->ntasks_per_core);
	spec->task_per_core =
		eqt_spec_field_task_per_core(layout->ntasks_per_core);
}

void eqt_spec_from_job(struct eqt_job_spec *spec, const job_record_t *job)
{
	const job_details_t *details = job->details;

	*spec = (struct eqt_job_spec){
		.tasks = eqt_spec_field32(details->num_tasks),
		.cpus_per_task = eqt_spec_field16(details->orig_cpus_per_task),
		.min_cpus = eqt_spec_field32(details->orig_min_cpus),
		.min_cpus_per_node =
			eqt_spec_field32(details->orig_pn_min_cpus),
		.tasks_counted = EQT_TASKS_COUNTED,
		.min_nodes = eqt_spec_field32(details->min_nodes),
		.max_nodes = eqt_spec_field32(eqt_job_max_nodes(job)),
		.tasks_per_node = eqt_spec_field16(details->ntasks_per_node),
		.tasks_per_gpu = eqt_spec_field16(details->ntasks_per_tres),
		.tres_per_job = job->tres_per_job,
		.tres_per_node = job->tres_per_node,
		.tres_per_socket = job->tres_per_socket,
		.tres_per_task = job->tres_per_task,
		.cpus_per_tres = job->cpus_per_tres,
		.mem_per_tres = job->mem_per_tres,
		.constraint = details->features,
		.nodelist = details->req_nodes,
		.exclude = details->exc_nodes,
		.minutes = eqt_spec_field_minutes(job->time_limit),
		.exclusive =
			eqt_spec_field_exclusive(eqt_slurm_shared(details)),
		.keeps_rest =
			eqt_spec_field_keeps_rest(eqt_slurm_shared(details)),
		.overcommit = details->overcommit == 1,
		.gpu_cpus_stay = EQT_GPU_CPUS_STAY,
		.binds_gpus = job->bit_flags & GRES_ENFORCE_BIND,
		.task_per_core = eqt_spec_field_task_per_core(NO_VAL16),
	};
	take_layout(spec, details->mc_ptr);
	/* slurmctld stores the partition's default as if the user had asked for
	 * it; only the flag tells. */
	if (job->bit_flags & JOB_MEM_SET)
		eqt_spec_field_memory(&spec->mem, &spec->mem_mib,
				      details->orig_pn_min_memory);
	eqt_spec_fields_add_cluster(spec);
}
