/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Make the description of a job from its record. slurmctld raises some numbers
 * in the record while it schedules the job, for example because of
 * MaxMemPerCPU. So the orig_ members are read where the record has them: a
 * price of the raised numbers would apply the limits of a partition twice.
 */
#include "slurm/desc_from_job.h"

static void desc_take_layout(job_desc_msg_t *desc,
			     const multi_core_data_t *layout)
{
	if (!layout)
		return;
	desc->ntasks_per_socket = layout->ntasks_per_socket;
	desc->ntasks_per_core = layout->ntasks_per_core;
	desc->threads_per_core = layout->threads_per_core;
	desc->cores_per_socket = layout->cores_per_socket;
	desc->sockets_per_node = layout->sockets_per_node;
	desc->plane_size = layout->plane_size;
}

static void desc_take_details(job_desc_msg_t *desc,
			      const job_details_t *details)
{
	desc->num_tasks = details->num_tasks;
	desc->cpus_per_task = details->orig_cpus_per_task;
	desc->min_cpus = details->orig_min_cpus;
	desc->pn_min_cpus = (uint16_t) details->orig_pn_min_cpus;
	desc->min_nodes = details->min_nodes;
	desc->ntasks_per_node = details->ntasks_per_node;
	desc->ntasks_per_tres = details->ntasks_per_tres;
	desc->overcommit = details->overcommit;
	desc->task_dist = details->task_dist;
	desc->shared = eqt_slurm_shared(details);
	desc->features = details->features;
	desc->prefer = details->prefer;
	desc->contiguous = details->contiguous;
	desc->req_nodes = details->req_nodes;
	desc->exc_nodes = details->exc_nodes;
	desc_take_layout(desc, details->mc_ptr);
}

void eqt_desc_from_job(job_desc_msg_t *desc, const job_record_t *job)
{
	const uint32_t max_nodes = eqt_job_max_nodes(job);

	slurm_init_job_desc_msg(desc);
	EQT_DESC_JOB_ID(desc) = job->job_id;
	desc->user_id = job->user_id;
	desc->account = job->account;
	desc->partition = job->partition;
	desc->time_limit = job->time_limit;
	desc->max_nodes = max_nodes ? max_nodes : NO_VAL;
	desc->tres_per_job = job->tres_per_job;
	desc->tres_per_node = job->tres_per_node;
	desc->tres_per_socket = job->tres_per_socket;
	desc->tres_per_task = job->tres_per_task;
	desc->cpus_per_tres = job->cpus_per_tres;
	desc->mem_per_tres = job->mem_per_tres;
	desc->bitflags = job->bit_flags & GRES_ENFORCE_BIND;
	/* Skip a magnetic reservation, which slurmctld adds although the user
	   did not name it. */
	if (!(job->bit_flags & JOB_MAGNETIC))
		desc->reservation = job->resv_name;
	desc_take_details(desc, job->details);
	/* Only the flag shows whether the user gave the amount or the
	   partition's default filled it in. */
	if (job->bit_flags & JOB_MEM_SET)
		desc->pn_min_memory = job->details->orig_pn_min_memory;
}
