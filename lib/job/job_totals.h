/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_totals: the resources of a request in total. */
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
 * The total of a request, and the intermediate numbers that explain it. A plain
 * value.
 */
struct eqt_job_totals {
	struct eqt_demand demand;
	uint64_t nodes; /* priced for this number; at least 1 */
	uint64_t tasks; /* at least 1 */
	uint64_t gpus; /* of all models */
	uint64_t cpus; /* threads; a core has one or more */
	uint64_t
		cpus_asked; /* without those that whole cores, sockets and nodes
			        add */
	uint64_t cpus_wanted; /* in all, whatever nodes give: at least 1 */
	enum eqt_job_spec_mem mem; /* where the memory comes from */
	uint64_t cpus_per_task; /* at least 1 */
	uint64_t cpus_per_node; /* each node must have at least these */
	uint64_t mem_each; /* MiB of a node, CPU or GPU, as mem says */
	bool cpus_by_gpu; /* the cores come from CPUs per GPU */
	bool gpus_have_cpus; /* they bring CPUs, be these more or fewer */
	bool lacks_mem; /* whole nodes have less than it wants for each of their
			   CPUs: it never starts on them */
	uint64_t fair_mem_mib; /* memory per node or CPU up to which
				  MaxMemPerCPU adds no CPUs; 0: it added none */
};

struct eqt_job_spec_lists;

#define EQT_PARSED_SPEC_ROWS 4 /* more than nearly all requests have */

/* A request that has been read and counted. Do not copy it: rows may point into
 * it. */
struct eqt_parsed_spec {
	struct eqt_job_totals totals;
	struct eqt_gres_rows
		rows; /* room is 0 if there were more than fit row[] */
	struct eqt_gres_row row[EQT_PARSED_SPEC_ROWS];
	/* The lists by which it was counted, and place for EQT_GRES_MAX rows of
	   another count; both NULL: none were read before. Borrowed. */
	const struct eqt_job_spec_lists *lists;
	struct eqt_gres_row *spare;
};

/*
 * Compute a request for its least number of nodes. Returns 0, or -1 with err
 * filled and *out untouched: a GRES list that Slurm would refuse too, a GPU model
 * that no bundle prices, GPUs with and without a model, a product that does not fit
 * 64 bits. The time grows with the length of the strings; nothing is allocated.
 */
int eqt_job_spec_compute(struct eqt_job_totals *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 struct eqt_error *err);

/*
 * The same in two steps, to count one request for several numbers of nodes. First
 * read the lists of *spec into *rows, whose row and room the caller has set; then
 * count with them. The strings, exclusive and node.gres must not change between the
 * two.
 */
int eqt_job_spec_read(struct eqt_gres_rows *rows,
		      const struct eqt_bundle_table *prices,
		      const struct eqt_job_spec *spec, struct eqt_error *err);
int eqt_job_spec_count(struct eqt_job_totals *out,
		       const struct eqt_job_spec *spec,
		       const struct eqt_gres_rows *rows, struct eqt_error *err);

/* Read only what the request itself names, whatever whole nodes have besides. */
int eqt_job_spec_read_asked(struct eqt_gres_rows *rows,
			    const struct eqt_bundle_table *prices,
			    const struct eqt_job_spec *spec,
			    struct eqt_error *err);

/* Both steps; keeps the rows for eqt_quote_count(). *out need not be initialized.
 * Errors as in eqt_job_spec_compute(), but *out is then undefined. */
int eqt_parsed_spec_make(struct eqt_parsed_spec *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 struct eqt_error *err);

/* The most tasks that have GPUs of --gpus-per-task: CPUs that nodes must have beyond
 * those of the tasks make Slurm give GPUs to more. */
uint64_t eqt_job_gpus_tasks(const struct eqt_job_totals *totals);

/* The number of nodes that follows from --ntasks-per-node; 0: it is not given. */
uint64_t eqt_job_spec_task_nodes(const struct eqt_job_spec *spec);

/* Make it a request for at least so many nodes, unless it allows fewer only: Slurm refuses
 * that. */
void eqt_job_spec_raise_nodes(struct eqt_job_spec *spec, uint64_t nodes);

/* The same by MinNodes of a partition, which leaves the numbers of the request alone. */
void eqt_job_spec_take_least_nodes(struct eqt_job_spec *spec, uint64_t nodes);

/* Does it say how its tasks or its GPUs are dealt out to the cores and sockets of a node?
 * Then a node with GPUs may give it more CPUs than those of its tasks. */
bool eqt_job_spec_deals_cores(const struct eqt_job_spec *spec);

/* Can a node give the job a GPU and no task? */
bool eqt_job_spec_nodes_pass_tasks(const struct eqt_job_spec *spec);

/* The tasks that may share a core, be it by --ntasks-per-core or by
 * CR_ONE_TASK_PER_CORE; 0: any number. */
uint64_t eqt_job_cpus_core_tasks(const struct eqt_job_totals *totals,
				 const struct eqt_job_spec *spec);

/* The number of CPUs that tasks may use of a core with that many threads. */
uint64_t eqt_job_cpus_of_core(const struct eqt_job_totals *totals,
			      const struct eqt_job_spec *spec,
			      uint64_t threads);

/* The nodes that --distribution=plane leaves without a task. Slurm gives them none of the
 * GPUs, and all their free cores. */
static inline uint64_t eqt_job_totals_idle_nodes(
	const struct eqt_job_totals *totals, const struct eqt_job_spec *spec)
{
	uint64_t used;

	if (spec->plane == 0 || spec->exclusive || spec->linear)
		return 0;
	used = eqt_whole_divide_up(totals->tasks, spec->plane);
	return totals->nodes > used ? totals->nodes - used : 0;
}

/* May the job get more than is computed? True for whole nodes, and for all memory of
 * nodes, if the size of the nodes is unknown or differs. */
bool eqt_job_spec_is_least(const struct eqt_job_spec *spec);

#endif
