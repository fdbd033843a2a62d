/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of counting a request, shared by job_totals.c, job_gpus.c and job_cpus.c.
 * Private to these. */
#ifndef EQT_JOB_TOTALS_IMPL_H
#define EQT_JOB_TOTALS_IMPL_H

#include "base/whole.h"
#include "job/job_totals.h"
#include "job/memory_limit.h"

/* A request during the steps of these files. */
struct eqt_job_work {
	const struct eqt_job_spec *spec;
	struct eqt_error *err;
	const struct eqt_gres_rows *rows;
	struct eqt_job_totals *totals; /* the result */
	uint64_t count[EQT_GRES_MAX]; /* of each row, in the whole job */
	uint64_t disk; /* Slurm's count of local disk */
	uint64_t cpus_per_task; /* 0: not given */
	struct eqt_memory_limit_cpus
		cpus; /* by tasks, nodes and MaxMemPerCPU */
	uint64_t mem_per_cpu; /* MiB; if memory is for each CPU */
};

/* Fill err: the request is too large to price. Returns -1. */
static inline int eqt_job_work_too_large(struct eqt_job_work *work)
{
	return eqt_error_set(work->err, "the request is too large to price");
}

/* Raise *number to a * b; -1 if the product does not fit. */
static inline int eqt_job_work_raise_product(uint64_t *number, uint64_t a,
					     uint64_t b)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		return -1;
	eqt_whole_raise(number, product);
	return 0;
}

/* Sum the CPUs or memory that come with each GPU: the row's value, or each_else if
 * the row has none. 0, or -1: it does not fit. */
int eqt_job_work_sum_gpus(struct eqt_job_work *work, enum eqt_gres_field field,
			  uint64_t each_else, uint64_t *sum);

/*
 * The nodes of a job of tasks with GPUs that LLN may leave the CPUs of one task, and the tasks
 * that each has GPUs for. slurmctld looks at nodes again and again, and counts all CPUs of one
 * that it sees the second time, where it has left those of DefCpuPerGPU for its GPUs alone:
 * from the third node on too few are left (_eval_nodes_lln()). Up to 24.11.0, as far as is
 * known: 24.11.5 takes nodes with the CPUs of their tasks alone.
 */
uint64_t eqt_job_work_cut_nodes(const struct eqt_job_work *work,
				const struct eqt_gres_row *row,
				uint64_t *tasks);

/* GPUs of a row's model, or of all models, on each node; 0: not known. */
uint64_t eqt_job_work_node_has(const struct eqt_job_work *work,
			       const struct eqt_gres_row *row);

/* Find the option that decides the memory, in Slurm's order; its amount goes
 * into *mib. */
enum eqt_job_spec_mem eqt_job_work_mem(const struct eqt_job_work *work,
				       uint64_t *mib);

/* Count GPUs and local disk, given tasks and nodes; with --ntasks-per-gpu also the tasks
 * that follow from them (job_gpus.c). 0, or -1 with err filled: a GPU that has no price,
 * or a number that does not fit. */
int eqt_job_work_count_gpus(struct eqt_job_work *work);

/* Raise the GPUs to those of all tasks that the CPUs may make, as far as the nodes have
 * GPUs; only for the most that a request may get. 0, or -1 with err filled. */
int eqt_job_work_widen_gpus(struct eqt_job_work *work);

/* Count CPUs and cores, given tasks, nodes and GPUs (job_cpus.c). 0, or -1 with
 * err filled. */
int eqt_job_work_count_cpus(struct eqt_job_work *work);

#endif
