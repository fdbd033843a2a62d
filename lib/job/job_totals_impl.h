/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of counting a request. Only job_totals.c, job_gpus.c and job_cpus.c share
 * it. */
#ifndef EQT_JOB_TOTALS_IMPL_H
#define EQT_JOB_TOTALS_IMPL_H

#include "base/whole.h"
#include "job/job_totals.h"
#include "job/memory_limit.h"

/* The state of a request while it is counted. */
struct eqt_job_work {
	const struct eqt_job_spec *spec;
	struct eqt_error *err;
	const struct eqt_gres_rows *rows;
	struct eqt_job_totals *totals; /* the result of counting */
	/* The GRES of each row in the whole job. */
	uint64_t count[EQT_GRES_MAX];
	uint64_t disk; /* local disk in Slurm's count of its GRES */
	/* CPUs of each task; 0 if the request does not give them. */
	uint64_t cpus_per_task;
	/* The CPUs that follow from tasks, nodes and MaxMemPerCPU. */
	struct eqt_memory_limit_cpus cpus;
	uint64_t mem_per_cpu; /* MiB of each CPU, if memory is given for it */
};

/* Write the error that the price of a request does not fit 64 bits. Returns -1. */
static inline int eqt_job_work_too_large(struct eqt_job_work *work)
{
	return eqt_error_set(work->err, "the request is too large to price");
}

/* Add up the CPUs or the memory of all GPUs. A GPU has the value of its row or, if the
 * row has none, each_else. Return 0, or -1 on overflow. */
int eqt_job_work_sum_gpus(struct eqt_job_work *work, enum eqt_gres_field field,
			  uint64_t each_else, uint64_t *sum);

/*
 * Return the number of nodes on which LLN may leave a job of tasks with GPUs the CPUs of
 * one task. *tasks is the number of tasks for which each of them has GPUs. slurmctld looks
 * at a node several times. The second time it counts all CPUs of the node, although it has
 * left only those of DefCpuPerGPU for its GPUs. From the third node on, too few are left
 * (_eval_nodes_lln()). This is known up to 24.11.0; 24.11.5 takes nodes with the CPUs of
 * their tasks alone.
 */
uint64_t eqt_job_work_cut_nodes(const struct eqt_job_work *work,
				const struct eqt_gres_row *row,
				uint64_t *tasks);

/* Return the number of tasks that may get neither CPUs nor GPUs, because a node has CPUs
 * for more tasks than it has memory for their GPUs. */
uint64_t eqt_job_work_lost_tasks(const struct eqt_job_work *work);

/* Change the CPUs that GPUs bring by default to those of the partition at which slurmctld
 * looks first. Return 0, or -1 with err filled. */
int eqt_job_work_by_first(struct eqt_job_work *work, uint64_t *by_gpus);

/* Return the number of GPUs of a row's model, or of all models, on each node. 0 means that
 * it is not known. */
uint64_t eqt_job_work_node_has(const struct eqt_job_work *work,
			       const struct eqt_gres_row *row);

/*
 * Return the CPUs that each of several nodes may give for GPUs that bring CPUs. If tasks
 * have the GPUs, these are the CPUs for all GPUs of the node. If the job has them, they are
 * the CPUs for the GPUs that the other nodes of the request leave
 * (gres_filter_sock_core()). A GPU without CPUs of its own has `by_default`. Return 0 if
 * the row has no such GPUs.
 */
uint64_t eqt_job_work_node_cpus(const struct eqt_job_work *work,
				const struct eqt_gres_row *row,
				uint64_t by_default);

/* Return the CPUs that GPUs of several models bring, as far as the nodes have them.
 * slurmctld compares a node with the CPUs of each model separately. A node that has too
 * few CPUs for all of its models gives the job all its CPUs. */
uint64_t eqt_job_work_nodes_give(const struct eqt_job_work *work,
				 uint64_t by_default, uint64_t by_gpus);

/* Return the unit for which memory is given, and store the amount in *mib. The option
 * is chosen in the same order as in Slurm. */
enum eqt_job_spec_mem eqt_job_work_mem(const struct eqt_job_work *work,
				       uint64_t *mib);

/* Count GPUs and local disk, for known numbers of tasks and nodes. With
 * --ntasks-per-gpu, also count the tasks that follow from the GPUs. Return 0, or -1
 * with err filled if a GPU has no price or a number does not fit 64 bits. */
int eqt_job_work_count_gpus(struct eqt_job_work *work);

/* Raise the GPUs to those of all tasks that the CPUs are enough for, as far as the
 * nodes have GPUs. Only the highest price of a request needs this. Return 0, or -1 with
 * err filled. */
int eqt_job_work_widen_gpus(struct eqt_job_work *work);

/* Count CPUs and cores, for known numbers of tasks, nodes and GPUs. Return 0, or -1
 * with err filled. */
int eqt_job_work_count_cpus(struct eqt_job_work *work);

#endif
