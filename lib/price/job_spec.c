/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "price/job_spec.h"

/* A request on its way through the steps below. */
struct work {
	const struct eqt_job_spec *spec;
	struct eqt_error *err;
	const struct eqt_gres_rows *rows;
	struct eqt_job_totals totals;
	uint64_t count[EQT_GRES_MAX]; /* of each row, in the whole job */
	uint64_t cpus_per_task; /* 0: not given */
};

static int too_large(struct work *work)
{
	return eqt_error_set(work->err, "the request is too large to price");
}

static void raise_to(uint64_t *number, uint64_t least)
{
	if (*number < least)
		*number = least;
}

/* Raise *number to a * b; -1 when that does not fit. */
static int raise_product(uint64_t *number, uint64_t a, uint64_t b)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		return -1;
	raise_to(number, product);
	return 0;
}

/* Either follows from the other where a node has a number of tasks. */
static int count_nodes_and_tasks(struct work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	struct eqt_job_totals *totals = &work->totals;
	uint64_t each = spec->tasks_per_node;

	totals->nodes = spec->min_nodes ? spec->min_nodes : 1;
	if (spec->tasks > 0 && each > 0)
		raise_to(&totals->nodes,
			 spec->tasks / each + (spec->tasks % each != 0));
	totals->tasks = spec->tasks ? spec->tasks : totals->nodes;
	if (!spec->tasks &&
	    raise_product(&totals->tasks, each, totals->nodes) < 0)
		return too_large(work);
	return 0;
}

/* How often a number of each kind of list counts. */
static int count_times(uint64_t times[EQT_GRES_COUNTS], struct work *work)
{
	uint64_t nodes = work->totals.nodes, sockets = 1;

	/* Slurm multiplies by sockets only where nodes are named, too. */
	if (work->spec->min_nodes)
		raise_to(&sockets, work->spec->sockets_per_node);
	times[EQT_GRES_JOB] = 1;
	times[EQT_GRES_NODE] = nodes;
	times[EQT_GRES_TASK] = work->totals.tasks;
	times[EQT_GRES_SOCKET] = 0;
	if (raise_product(&times[EQT_GRES_SOCKET], nodes, sockets) < 0)
		return too_large(work);
	return 0;
}

/* How many a row comes to: the most that one of the lists says. */
static int count_row(uint64_t *count, const struct eqt_gres_row *row,
		     const uint64_t times[EQT_GRES_COUNTS])
{
	int i;

	*count = 0;
	for (i = 0; i < EQT_GRES_COUNTS; i++) {
		if (row->count[i] > 0 &&
		    raise_product(count, row->count[i], times[i]) < 0)
			return -1;
	}
	return 0;
}

static int count_rows(struct work *work)
{
	uint64_t times[EQT_GRES_COUNTS];
	uint32_t i;

	if (count_times(times, work) < 0)
		return -1;
	for (i = 0; i < work->rows->count; i++) {
		if (count_row(&work->count[i], &work->rows->row[i], times) < 0)
			return too_large(work);
	}
	return 0;
}

/* Where a row's GPUs are counted: their model, or those without one. */
static uint64_t *row_place(struct work *work, const struct eqt_gres_row *row)
{
	if (row->type[0] == '\0' && strcmp(row->name, "gpu") == 0)
		return &work->totals.demand.gpus_untyped;
	if (row->model < 0)
		return NULL;
	return &work->totals.demand.gpus[row->model];
}

static int count_gpus(struct work *work)
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
		    __builtin_add_overflow(totals->gpus, count, &totals->gpus))
			return too_large(work);
	}
	return 0;
}

/* --ntasks-per-gpu gives the tasks of GPUs, or the GPUs of tasks. */
static int apply_tasks_per_gpu(struct work *work)
{
	struct eqt_job_totals *totals = &work->totals;
	uint64_t each = work->spec->tasks_per_gpu;

	if (each == 0)
		return 0;
	if (totals->gpus > 0)
		return raise_product(&totals->tasks, totals->gpus, each) < 0
			       ? too_large(work)
			       : 0;
	totals->gpus = totals->tasks / each;
	totals->demand.gpus_untyped = totals->gpus;
	return 0;
}

/*
 * Sum what each GPU brings of one resource: what its row says, else what holds
 * for all. The rows know of no GPUs that only tasks imply.
 */
static int sum_per_gpu(struct work *work, enum eqt_gres_field field,
		       uint64_t each_else, uint64_t *sum)
{
	uint64_t part, rest = work->totals.gpus;
	uint32_t i;

	*sum = 0;
	for (i = 0; i < work->rows->count; i++) {
		const struct eqt_gres_row *row = &work->rows->row[i];
		uint64_t each = field == EQT_GRES_CPUS ? row->cpus
						       : row->mem_mib;

		if (each == 0)
			each = each_else;
		rest -= work->count[i];
		if (__builtin_mul_overflow(work->count[i], each, &part) ||
		    __builtin_add_overflow(*sum, part, sum))
			return too_large(work);
	}
	if (__builtin_mul_overflow(rest, each_else, &part) ||
	    __builtin_add_overflow(*sum, part, sum))
		return too_large(work);
	return 0;
}

/*
 * The least that each node has: Slurm gives every node the CPUs of all tasks
 * that it may have, even where fewer remain for it.
 */
static int cores_per_node(struct work *work, uint64_t *cores)
{
	const struct eqt_job_spec *spec = work->spec;
	uint64_t per_task = work->cpus_per_task ? work->cpus_per_task : 1;

	*cores = 1;
	raise_to(cores, spec->min_cpus_per_node);
	if (spec->overcommit)
		return 0;
	raise_to(cores, per_task);
	if (work->totals.tasks > 1 &&
	    raise_product(cores, spec->tasks_per_node, per_task) < 0)
		return too_large(work);
	return 0;
}

/* The cores of tasks and nodes, whatever GPUs add. */
static int cores_without_gpus(struct work *work, uint64_t *cores)
{
	const struct eqt_job_spec *spec = work->spec;
	uint64_t per_task = work->cpus_per_task ? work->cpus_per_task : 1;
	uint64_t per_node;

	*cores = spec->min_cpus;
	if (cores_per_node(work, &per_node) < 0)
		return -1;
	if (raise_product(cores, per_node, work->totals.nodes) < 0)
		return too_large(work);
	if (!spec->overcommit &&
	    raise_product(cores, work->totals.tasks, per_task) < 0)
		return too_large(work);
	return 0;
}

/* A core goes to one job: its CPUs are all taken, each node having one. */
static int whole_cores(struct work *work)
{
	struct eqt_job_totals *totals = &work->totals;
	uint64_t each = work->spec->cpus_per_core;

	totals->demand.cores = totals->cpus;
	if (each < 2)
		return 0;
	/* A task of one CPU may want a core for itself. */
	if (!work->spec->task_per_core || work->cpus_per_task > 1)
		totals->demand.cores =
			totals->cpus / each + (totals->cpus % each != 0);
	raise_to(&totals->demand.cores, totals->nodes);
	if (raise_product(&totals->cpus, totals->demand.cores, each) < 0)
		return too_large(work);
	return 0;
}

static int count_cores(struct work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	struct eqt_job_totals *totals = &work->totals;
	uint64_t *cores = &totals->cpus, by_gpus, per_gpu = 0;

	/* Slurm's own default steps back behind --cpus-per-task. */
	if (!work->cpus_per_task)
		per_gpu = spec->defaults.cpus_per_gpu;
	if (sum_per_gpu(work, EQT_GRES_CPUS, per_gpu, &by_gpus) < 0 ||
	    cores_without_gpus(work, cores) < 0)
		return -1;
	/* sbatch of 24.11 says what it comes to in all, too. */
	totals->cpus_by_gpu = by_gpus > 0 && by_gpus >= *cores;
	raise_to(cores, by_gpus);
	if (spec->exclusive &&
	    raise_product(cores, spec->node.cpus, totals->nodes) < 0)
		return too_large(work);
	return whole_cores(work);
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

/* What decides the memory, in Slurm's order; its amount into *mib. */
static enum eqt_job_spec_mem mem_source(const struct work *work, uint64_t *mib)
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

static int count_memory(struct work *work)
{
	struct eqt_job_totals *totals = &work->totals;
	uint64_t *mem_mib = &totals->demand.mem_mib, each, times = 0;

	totals->mem = mem_source(work, &each);
	if (totals->mem == EQT_MEM_PER_GPU)
		return sum_per_gpu(work, EQT_GRES_MEM, each, mem_mib);
	if (totals->mem == EQT_MEM_ALL)
		each = work->spec->node.mem_mib;
	if (totals->mem == EQT_MEM_PER_CPU)
		times = totals->cpus;
	else if (totals->mem != EQT_MEM_NOT_GIVEN)
		times = totals->nodes;
	if (raise_product(mem_mib, each, times) < 0)
		return too_large(work);
	return 0;
}

/* What a job leaves of the memory of whole nodes nobody else gets. */
static int raise_to_nodes(struct work *work)
{
	struct eqt_job_totals *totals = &work->totals;
	uint64_t before = totals->demand.mem_mib;

	if (!work->spec->exclusive)
		return 0;
	if (raise_product(&totals->demand.mem_mib, work->spec->node.mem_mib,
			  totals->nodes) < 0)
		return too_large(work);
	if (totals->demand.mem_mib > before)
		totals->mem = EQT_MEM_ALL;
	return 0;
}

static int count_all(struct eqt_job_totals *out,
		     const struct eqt_job_spec *spec,
		     const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	struct work work;

	/* But for the counts of rows, of which there are seldom any. */
	work.spec = spec;
	work.err = err;
	work.rows = rows;
	work.totals = (struct eqt_job_totals){ .nodes = 0 };
	work.cpus_per_task = spec->cpus_per_task;
	raise_to(&work.cpus_per_task, rows->cpus_per_task);
	if (count_nodes_and_tasks(&work) < 0 || count_rows(&work) < 0 ||
	    count_gpus(&work) < 0 || apply_tasks_per_gpu(&work) < 0 ||
	    count_cores(&work) < 0 || count_memory(&work) < 0 ||
	    raise_to_nodes(&work) < 0)
		return -1;
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
	if (!spec->exclusive || each == 0 || spec->node.differ)
		return 0;
	/* Whole nodes, and more of them than asked for: so many hold it all. */
	nodes = out->cpus / each + (out->cpus % each != 0);
	if (nodes <= out->nodes ||
	    (spec->max_nodes > 0 && nodes > spec->max_nodes))
		return 0;
	more = *spec;
	more.min_nodes = nodes;
	return count_all(out, &more, rows, err);
}

bool eqt_job_spec_is_least(const struct eqt_job_spec *spec)
{
	bool all_mem = spec->mem == EQT_MEM_ALL ||
		       (spec->mem == EQT_MEM_NOT_GIVEN &&
			spec->defaults.mem == EQT_MEM_ALL);

	if (spec->exclusive && (spec->node.cpus == 0 || spec->node.differ))
		return true;
	return all_mem && (spec->node.mem_mib == 0 || spec->node.differ);
}
