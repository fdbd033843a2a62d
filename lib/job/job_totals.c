/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts a request in total, as Slurm would: nodes and tasks, GPUs, CPUs (in
 * job_cpus.c), memory, in this order, since each step needs the ones before it. All
 * products are checked, since the numbers come from users.
 */
#include <string.h>

#include "job/job_totals_impl.h"

int eqt_job_work_too_large(struct eqt_job_work *work)
{
	return eqt_error_set(work->err, "the request is too large to price");
}

void eqt_job_work_raise(uint64_t *number, uint64_t least)
{
	if (*number < least)
		*number = least;
}

int eqt_job_work_raise_product(uint64_t *number, uint64_t a, uint64_t b)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		return -1;
	eqt_job_work_raise(number, product);
	return 0;
}

uint64_t eqt_job_spec_task_nodes(const struct eqt_job_spec *spec)
{
	const uint64_t each = spec->tasks_per_node;

	/* select/linear counts CPUs. With GPUs of the job Slurm does, too: a node
	 * may have CPUs for more tasks than that. */
	if (each == 0 || spec->linear || spec->cpus_per_tres ||
	    (spec->tres_per_job &&
	     (spec->min_cpus_per_node > 0 || spec->limit.mem_per_cpu > 0 ||
	      (spec->defaults.cpus_per_gpu > 0 && spec->cpus_per_task == 0))))
		return 0;
	return spec->tasks / each + (spec->tasks % each != 0);
}

/* With --ntasks-per-node, the number of nodes follows from the tasks, or the tasks from
 * the nodes. */
static int count_nodes_and_tasks(struct eqt_job_work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	struct eqt_job_totals *totals = &work->totals;
	uint64_t each = spec->tasks_per_node;

	totals->nodes = spec->min_nodes ? spec->min_nodes : 1;
	eqt_job_work_raise(&totals->nodes, eqt_job_spec_task_nodes(spec));
	totals->tasks = spec->tasks ? spec->tasks : totals->nodes;
	if (!spec->tasks &&
	    eqt_job_work_raise_product(&totals->tasks, each, totals->nodes) < 0)
		return eqt_job_work_too_large(work);
	eqt_job_work_raise(&totals->nodes, spec->least_nodes);
	return 0;
}

/* The multiplier of each kind of list: 1, nodes, tasks or sockets. */
static int count_times(uint64_t times[EQT_GRES_COUNTS],
		       struct eqt_job_work *work)
{
	uint64_t nodes = work->totals.nodes, sockets = 1;

	/* --sockets-per-node only selects nodes. On a node that is used in part
	   the job gets as few sockets as have CPUs for it, on a free one all. */
	if (work->spec->most) {
		eqt_job_work_raise(&sockets, work->spec->sockets_per_node);
		eqt_job_work_raise(&sockets, work->spec->node.sockets);
	}
	times[EQT_GRES_JOB] = 1;
	times[EQT_GRES_NODE] = nodes;
	times[EQT_GRES_TASK] = work->totals.tasks;
	times[EQT_GRES_SOCKET] = 0;
	if (eqt_job_work_raise_product(&times[EQT_GRES_SOCKET], nodes,
				       sockets) < 0)
		return eqt_job_work_too_large(work);
	return 0;
}

/*
 * The most tasks that get GPUs of a row that come with CPUs: each of several nodes may
 * have CPUs, and so GPUs, for all tasks that --ntasks-per-node lets it have.
 */
static uint64_t tasks_of_nodes(const struct eqt_job_work *work,
			       const struct eqt_gres_row *row)
{
	const uint64_t nodes = work->totals.nodes;
	const uint64_t count = row->count[EQT_GRES_TASK];
	const uint64_t has = eqt_job_work_node_has(work, row);
	uint64_t tasks = work->totals.tasks, each = work->spec->tasks_per_node;

	if (nodes < 2 || count == 0)
		return tasks;
	if (has > 0 && each > has / count)
		each = has / count;
	(void) eqt_job_work_raise_product(&tasks, each, nodes);
	return tasks;
}

/*
 * The tasks that get GPUs of a row. Slurm applies --cpus-per-gpu to GPUs without a
 * model, and DefCpuPerGPU to those of a model, whose tasks have so many CPUs then: the
 * CPUs that --cpus-per-gpu gives are enough for fewer of them.
 */
static uint64_t tasks_with_gpus(const struct eqt_job_work *work,
				const struct eqt_gres_row *row)
{
	const uint64_t each = work->spec->defaults.cpus_per_gpu;
	const uint64_t tasks = work->totals.tasks;
	uint64_t cpus;

	if (work->spec->most && (row->cpus > 0 || each > 0))
		return tasks_of_nodes(work, row);
	if (!work->spec->parts || !work->spec->cpus_per_tres ||
	    work->cpus_per_task || row->type[0] == '\0' || row->cpus >= each ||
	    __builtin_mul_overflow(tasks, row->cpus, &cpus))
		return tasks;
	return cpus < each ? 1 : cpus / each;
}

/* The number of GPUs of a row: the largest one of all lists. */
static int count_row(uint64_t *count, const struct eqt_gres_row *row,
		     const uint64_t times[EQT_GRES_COUNTS])
{
	int i;

	*count = 0;
	for (i = 0; i < EQT_GRES_COUNTS; i++) {
		if (row->count[i] > 0 &&
		    eqt_job_work_raise_product(count, row->count[i], times[i]) <
			    0)
			return -1;
	}
	return 0;
}

static int count_rows(struct eqt_job_work *work)
{
	uint64_t times[EQT_GRES_COUNTS];
	uint32_t i;

	if (count_times(times, work) < 0)
		return -1;
	for (i = 0; i < work->rows->count; i++) {
		times[EQT_GRES_TASK] =
			tasks_with_gpus(work, &work->rows->row[i]);
		if (count_row(&work->count[i], &work->rows->row[i], times) < 0)
			return eqt_job_work_too_large(work);
	}
	return 0;
}

/* Whether a row is of GPUs themselves: Slurm knows CPUs, memory and tasks of GPUs, but
 * none of their shares and of other resources. */
static bool row_is_gpu(const struct eqt_gres_row *row)
{
	return strcmp(row->name, "gpu") == 0;
}

/* The counter for a row: of its model's GPUs, of GPUs without a model, of local disk. NULL
 * if no bundle prices it. */
static uint64_t *row_place(struct eqt_job_work *work,
			   const struct eqt_gres_row *row)
{
	if (row->type[0] == '\0' && row_is_gpu(row))
		return &work->totals.demand.gpus_untyped;
	if (row->disk)
		return &work->disk;
	if (row->model < 0)
		return NULL;
	return &work->totals.demand.gpus[row->model];
}

static int count_gpus(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = &work->totals;
	uint32_t i;

	for (i = 0; i < work->rows->count; i++) {
		const struct eqt_gres_row *row = &work->rows->row[i];
		uint64_t *place = row_place(work, row);
		uint64_t count = work->count[i];

		if (count == 0)
			continue;
		if (!place)
			return eqt_error_set(work->err, "%s%s%s has no price",
					     row->name, row->type[0] ? ":" : "",
					     row->type);
		if (__builtin_add_overflow(*place, count, place) ||
		    (row_is_gpu(row) &&
		     __builtin_add_overflow(totals->gpus, count,
					    &totals->gpus)))
			return eqt_job_work_too_large(work);
	}
	return 0;
}

/* --ntasks-per-gpu: tasks follow from GPUs or, without GPUs, GPUs from tasks. */
static int apply_tasks_per_gpu(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = &work->totals;
	uint64_t each = work->spec->tasks_per_gpu;

	/* Whole nodes may have more GPUs than the tasks use. */
	if (each == 0 || (work->spec->exclusive && work->spec->tasks > 0))
		return 0;
	if (totals->gpus > 0)
		return eqt_job_work_raise_product(&totals->tasks, totals->gpus,
						  each) < 0
			       ? eqt_job_work_too_large(work)
			       : 0;
	totals->gpus = totals->tasks / each;
	totals->demand.gpus_untyped = totals->gpus;
	return 0;
}

/* GPUs that only --ntasks-per-gpu implies are in no row; each_else counts for these,
 * too. */
int eqt_job_work_sum_gpus(struct eqt_job_work *work, enum eqt_gres_field field,
			  uint64_t each_else, uint64_t *sum)
{
	uint64_t part, rest = work->totals.gpus;
	uint32_t i;

	*sum = 0;
	for (i = 0; i < work->rows->count; i++) {
		const struct eqt_gres_row *row = &work->rows->row[i];
		uint64_t each = field == EQT_GRES_CPUS ? row->cpus
						       : row->mem_mib;

		if (!row_is_gpu(row))
			continue;
		if (each == 0)
			each = each_else;
		rest -= work->count[i];
		if (__builtin_mul_overflow(work->count[i], each, &part) ||
		    __builtin_add_overflow(*sum, part, sum))
			return eqt_job_work_too_large(work);
	}
	if (__builtin_mul_overflow(rest, each_else, &part) ||
	    __builtin_add_overflow(*sum, part, sum))
		return eqt_job_work_too_large(work);
	return 0;
}

static bool rows_have_mem(const struct eqt_gres_rows *rows)
{
	uint32_t i;

	for (i = 0; i < rows->count; i++) {
		if (rows->row[i].mem_mib > 0)
			return true;
	}
	return false;
}

/* Slurm's order: the option of the request, then memory per GPU from the
 * request or the partition, then the other default of the partition. */
enum eqt_job_spec_mem eqt_job_work_mem(const struct eqt_job_work *work,
				       uint64_t *mib)
{
	const struct eqt_job_spec *spec = work->spec;

	*mib = spec->mem_mib;
	if (spec->mem != EQT_MEM_NOT_GIVEN)
		return spec->mem;
	*mib = spec->defaults.mem_per_gpu;
	if (rows_have_mem(work->rows) || (*mib > 0 && work->totals.gpus > 0))
		return EQT_MEM_PER_GPU;
	*mib = spec->defaults.mem_mib;
	return spec->defaults.mem;
}

static int count_memory(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = &work->totals;
	uint64_t *mem_mib = &totals->demand.mem_mib, each, times = 0;

	if (work->spec->no_memory) {
		totals->mem = EQT_MEM_NOT_GIVEN;
		return 0;
	}
	totals->mem = eqt_job_work_mem(work, &each);
	/* The memory of its own GPUs, which is no more than that of its nodes. */
	if (totals->mem == EQT_MEM_PER_GPU && work->spec->keeps_rest &&
	    work->spec->node.mem_mib > 0)
		return 0;
	if (totals->mem == EQT_MEM_PER_GPU)
		return eqt_job_work_sum_gpus(work, EQT_GRES_MEM, each, mem_mib);
	if (totals->mem == EQT_MEM_ALL)
		each = work->spec->node.mem_mib;
	if (totals->mem == EQT_MEM_PER_CPU) {
		each = work->mem_per_cpu;
		times = work->spec->keeps_rest ? work->asked_cpus
					       : totals->cpus;
		/* Memory counts for one thread of each core, on whole nodes and
		 * sockets as well. */
		if (((work->spec->exclusive && !work->spec->keeps_rest) ||
		     (work->spec->whole_sockets && !work->spec->exclusive)) &&
		    work->spec->cpus_per_core == 1)
			times = totals->demand.cores;
	} else if (totals->mem != EQT_MEM_NOT_GIVEN) {
		times = totals->nodes;
	}
	totals->mem_each = each;
	if (eqt_job_work_raise_product(mem_mib, each, times) < 0)
		return eqt_job_work_too_large(work);
	return 0;
}

/* Nobody else gets the memory that a job leaves on whole nodes, so it is charged. */
static int raise_to_nodes(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = &work->totals;
	uint64_t before = totals->demand.mem_mib;

	if (!work->spec->exclusive)
		return 0;
	if (eqt_job_work_raise_product(&totals->demand.mem_mib,
				       work->spec->node.mem_mib,
				       totals->nodes) < 0)
		return eqt_job_work_too_large(work);
	if (totals->demand.mem_mib > before)
		totals->mem = EQT_MEM_ALL;
	return 0;
}

uint64_t eqt_job_work_node_has(const struct eqt_job_work *work,
			       const struct eqt_gres_row *row)
{
	const char *list = work->spec->node.gres ? work->spec->node.gres : "";
	uint64_t count = 0;
	struct eqt_gres gres;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, row->name) == 0 &&
		    (row->type[0] == '\0' ||
		     strcmp(gres.type, row->type) == 0) &&
		    __builtin_add_overflow(count, gres.count, &count))
			return UINT64_MAX;
	}
	return count;
}

uint64_t eqt_job_totals_gpu_tasks(const struct eqt_job_totals *totals)
{
	uint64_t tasks = totals->tasks, cpus, wanted, more;

	/*
	 * CPUs that --mincpus or MaxMemPerCPU add count as tasks. If the tasks
	 * decide what a node gives, there is one task of several CPUs on each
	 * node.
	 */
	if (!totals->cpus_by_gpu)
		eqt_job_work_raise(&tasks,
				   totals->cpus / totals->cpus_per_task);
	if (totals->cpus_per_task > 1 &&
	    !__builtin_mul_overflow(totals->tasks, totals->cpus_per_task,
				    &cpus) &&
	    !__builtin_mul_overflow(totals->nodes, totals->cpus_per_node,
				    &wanted) &&
	    wanted > cpus &&
	    !__builtin_add_overflow(totals->tasks, totals->nodes, &more))
		eqt_job_work_raise(&tasks, more);
	return tasks;
}

/* The tasks that Slurm makes of the CPUs of the job, each with its GPUs.
 * --cpus-per-gpu for one model does not change the CPUs of a task. */
static uint64_t tasks_of_row(const struct eqt_job_work *work,
			     const struct eqt_gres_row *row)
{
	if (!work->spec->cpus_per_tres)
		return eqt_job_totals_gpu_tasks(&work->totals);
	return work->cpus_per_task || row->type[0] == '\0' ? 0
							   : work->totals.cpus;
}

/* The GPUs of all possible tasks, as far as the nodes have GPUs. */
static int widen_task_gpus(struct eqt_job_work *work)
{
	struct eqt_job_totals *totals = &work->totals;
	uint32_t i;

	for (i = 0; work->spec->most && i < work->rows->count; i++) {
		const struct eqt_gres_row *row = &work->rows->row[i];
		uint64_t *place = row_place(work, row);
		uint64_t more = 0, there = 0;

		if (!place || row->count[EQT_GRES_TASK] == 0)
			continue;
		if (eqt_job_work_raise_product(&more, tasks_of_row(work, row),
					       row->count[EQT_GRES_TASK]) < 0 ||
		    eqt_job_work_raise_product(&there,
					       eqt_job_work_node_has(work, row),
					       totals->nodes) < 0)
			return eqt_job_work_too_large(work);
		if (there > 0 && more > there)
			more = there;
		eqt_job_work_raise(place, more);
	}
	return 0;
}

static int count_all(struct eqt_job_totals *out,
		     const struct eqt_job_spec *spec,
		     const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	struct eqt_job_work work;

	/* All members but count[], which is large and is filled for each row:
	 * an initializer would clear it at every request. */
	work.spec = spec;
	work.err = err;
	work.rows = rows;
	work.totals = (struct eqt_job_totals){ .nodes = 0 };
	work.disk = 0;
	work.cpus_per_task = spec->cpus_per_task;
	eqt_job_work_raise(&work.cpus_per_task, rows->cpus_per_task);
	if (count_nodes_and_tasks(&work) < 0 || count_rows(&work) < 0 ||
	    count_gpus(&work) < 0 || apply_tasks_per_gpu(&work) < 0 ||
	    eqt_job_work_count_cpus(&work) < 0 || count_memory(&work) < 0 ||
	    widen_task_gpus(&work) < 0 || raise_to_nodes(&work) < 0)
		return -1;
	work.totals.demand.disk =
		eqt_bundle_table_disk(work.disk, rows->disk_shift);
	*out = work.totals;
	return 0;
}

int eqt_job_spec_count(struct eqt_job_totals *out,
		       const struct eqt_job_spec *spec,
		       const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	uint64_t each = spec->node.cpus, nodes;
	struct eqt_job_spec more;

	if (count_all(out, spec, rows, err) < 0)
		return -1;
	if (!spec->exclusive || spec->linear || each == 0 ||
	    spec->node.differ || spec->least_nodes)
		return 0;
	/* Whole nodes, but the job needs more of them than it requested: count
	 * again with enough nodes for all its CPUs. */
	nodes = out->cpus / each + (out->cpus % each != 0);
	if (nodes <= out->nodes ||
	    (spec->max_nodes > 0 && nodes > spec->max_nodes))
		return 0;
	more = *spec;
	more.min_nodes = nodes;
	return count_all(out, &more, rows, err);
}

void eqt_job_spec_raise_nodes(struct eqt_job_spec *spec, uint64_t nodes)
{
	/* One node is no number that a request names. */
	if (nodes > 1 && nodes > spec->min_nodes &&
	    (spec->max_nodes == 0 || spec->max_nodes >= nodes))
		spec->min_nodes = nodes;
}

bool eqt_job_spec_deals_cores(const struct eqt_job_spec *spec)
{
	return spec->tasks_per_core > 0 || spec->tasks_per_socket > 0 ||
	       spec->task_per_core || spec->binds_gpus;
}

bool eqt_job_spec_is_least(const struct eqt_job_spec *spec)
{
	bool all_mem = !spec->no_memory &&
		       (spec->mem == EQT_MEM_ALL ||
			(spec->mem == EQT_MEM_NOT_GIVEN &&
			 spec->defaults.mem == EQT_MEM_ALL));

	if (spec->exclusive && (spec->node.cpus == 0 || spec->node.differ))
		return true;
	return all_mem && (spec->node.mem_mib == 0 || spec->node.differ);
}
