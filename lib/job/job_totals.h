/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_totals: the sum of all resources that a request asks for. */
#ifndef EQT_JOB_TOTALS_H
#define EQT_JOB_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/whole.h"
#include "price/gres.h"
#include "job/job_spec.h"
#include "price/price.h"

/*
 * The sum of the resources of a request, and the numbers from which it was computed. A
 * plain value.
 */
struct eqt_job_totals {
	struct eqt_demand demand;
	/* The number of nodes for which the request is priced; at least 1. */
	uint64_t nodes;
	uint64_t tasks; /* the number of tasks, which is at least 1 */
	uint64_t gpus; /* the number of GPUs of all models */
	uint64_t cpus; /* threads, of which a core has one or more */
	/* CPUs without those that are added by whole cores, sockets and nodes. */
	uint64_t cpus_asked;
	/* CPUs of the whole request, even if nodes give more or fewer; at least 1. */
	uint64_t cpus_wanted;
	enum eqt_job_spec_mem mem; /* the unit for which memory is given */
	uint64_t cpus_per_task; /* CPUs of each task, at least 1 */
	uint64_t cpus_per_node; /* the fewest CPUs that each node must have */
	/* Memory of a node, CPU or GPU in MiB, as the member mem says. */
	uint64_t mem_each;
	/* Whether the CPUs for each GPU decide the number of cores. */
	bool cpus_by_gpu;
	/* Whether GPUs bring CPUs, even if tasks have more CPUs. */
	bool gpus_have_cpus;
	/* Whether the job gets any GRES. Slurm limits the CPUs of such a job in the same
	 * way for all GRES (gres_select_filter_sock_core()). */
	bool has_gres;
	/* Whether whole nodes have too little memory for all their CPUs, so that the
	 * job never starts on them. */
	bool lacks_mem;
	/* If MaxMemPerCPU added CPUs, the largest memory in MiB per node or CPU for
	 * which it would have added none; otherwise 0. */
	uint64_t fair_mem_mib;
};

struct eqt_job_spec_lists;

/* Nearly all requests have no more rows than this. */
#define EQT_PARSED_SPEC_ROWS 4

/* A request after reading and counting. Do not copy this struct, because rows may point
 * into it. */
struct eqt_parsed_spec {
	struct eqt_job_totals totals;
	/* rows.room is 0 if there were more rows than fit row[]. */
	struct eqt_gres_rows rows;
	struct eqt_gres_row row[EQT_PARSED_SPEC_ROWS];
	/* The lists from which the request was counted, and an array of EQT_GRES_MAX
	 * rows for counting it again, both borrowed. Both are NULL if no lists were
	 * read before. */
	const struct eqt_job_spec_lists *lists;
	struct eqt_gres_row *spare;
};

/*
 * Count a request on its smallest number of nodes. Return 0, or -1 with err filled and
 * *out unchanged. Errors are a list of GRES that Slurm would also refuse, a GPU model
 * that no bundle prices, GPUs with and without a model, and a product that does not fit
 * 64 bits. The time is proportional to the length of the lists. Nothing is allocated.
 */
int eqt_job_spec_compute(struct eqt_job_totals *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 struct eqt_error *err);

/*
 * Do the same as eqt_job_spec_compute() in two steps, to count one request for several
 * numbers of nodes. The first function reads the lists of *spec into *rows, whose row
 * and room the caller has set. The second one counts. The strings, exclusive and
 * node.gres must not change between the two calls.
 */
int eqt_job_spec_read(struct eqt_gres_rows *rows,
		      const struct eqt_bundle_table *prices,
		      const struct eqt_job_spec *spec, struct eqt_error *err);
int eqt_job_spec_count(struct eqt_job_totals *out,
		       const struct eqt_job_spec *spec,
		       const struct eqt_gres_rows *rows, struct eqt_error *err);

/* Read only the lists of the request itself, even if the job gets all GPUs of whole
 * nodes. */
int eqt_job_spec_read_asked(struct eqt_gres_rows *rows,
			    const struct eqt_bundle_table *prices,
			    const struct eqt_job_spec *spec,
			    struct eqt_error *err);

/* Read and count a request, and keep the rows for eqt_quote_count(). *out need not be
 * initialised. Errors are those of eqt_job_spec_compute(), but *out is undefined after
 * an error. */
int eqt_parsed_spec_make(struct eqt_parsed_spec *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 struct eqt_error *err);

/* Return the largest number of tasks that get GPUs of --gpus-per-task. If nodes must
 * have more CPUs than the tasks need, Slurm gives GPUs to more tasks. */
uint64_t eqt_job_gpus_tasks(const struct eqt_job_totals *totals);

/* May tasks that want GPUs of a model get no GPU, because DefCpuPerGPU wants more CPUs
 * for them than --cpus-per-gpu brings? */
bool eqt_job_gpus_may_lack_cpus(const struct eqt_job_spec *spec);

/* May a node have memory for the GPUs of fewer tasks than it has CPUs for? Slurm counts
 * the CPUs when it chooses nodes, and the GPUs only when it deals out the tasks. With
 * CPUs for each GPU, it counts the GPUs first. As far as is known, this is so up to
 * 24.11.0. */
bool eqt_job_gpus_limited_by_mem(const struct eqt_job_spec *spec);

/* Add DefCpuPerGPU of a partition of the request to the least and the most of all;
 * `before` is the number of partitions that were added before. slurmctld computes the
 * CPUs of a job's GPUs once, in the partition at which it looks first, and keeps the
 * value in all others (gres_list_req_accum). */
void eqt_job_spec_add_first_cpus(struct eqt_job_spec_defaults *defaults,
				 uint64_t cpus_per_gpu, uint64_t before);

/* May nodes that MinNodes of the partition adds have no task? With --overcommit Slurm gives
 * the job no GPUs of such nodes. */
bool eqt_job_gpus_may_lack_task(const struct eqt_job_totals *totals,
				const struct eqt_job_spec *spec);

/* Return the number of nodes that follows from --ntasks-per-node, or 0 if it is not
 * given. */
uint64_t eqt_job_spec_task_nodes(const struct eqt_job_spec *spec);

/* Leave out tres_per_task if it has nothing but CPUs. From 24.11 on, sbatch also sends
 * -c as CPUs in this list. A list that has GPUs as well is not changed. */
void eqt_job_spec_take_task_cpus(struct eqt_job_spec *spec);

/* Raise the number of nodes that a request wants at least. The number stays if the
 * request allows only fewer nodes, because Slurm refuses such a request. */
void eqt_job_spec_raise_nodes(struct eqt_job_spec *spec, uint64_t nodes);

/* Raise the fewest nodes of a request to MinNodes of a partition. The member
 * nodes_changed notes that the request did not give this number. */
void eqt_job_spec_take_least_nodes(struct eqt_job_spec *spec, uint64_t nodes);

/* Can a node give the job a GPU but no task? */
bool eqt_job_spec_nodes_pass_tasks(const struct eqt_job_spec *spec);

/* Return the number of nodes that get no task from --distribution=plane. Slurm gives
 * the job no GPUs of such nodes, but all their free cores. */
static inline uint64_t eqt_job_totals_idle_nodes(
	const struct eqt_job_totals *totals, const struct eqt_job_spec *spec)
{
	uint64_t used;

	if (spec->plane == 0 || spec->exclusive || spec->linear)
		return 0;
	used = eqt_whole_divide_up(totals->tasks, spec->plane);
	return totals->nodes > used ? totals->nodes - used : 0;
}

/* May the job get more than is counted? That is so for whole nodes and for all memory
 * of nodes, if the size of the nodes is not known or differs. */
bool eqt_job_spec_is_least(const struct eqt_job_spec *spec);

#endif
