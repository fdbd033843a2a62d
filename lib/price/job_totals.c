/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "price/job_totals.h"
#include "price/memory_limit.h"

/* A request on its way through the steps below. */
struct work {
	const struct eqt_job_spec *spec;
	struct eqt_error *err;
	const struct eqt_gres_rows *rows;
	struct eqt_job_totals totals;
	uint64_t count[EQT_GRES_MAX]; /* of each row, in the whole job */
	uint64_t cpus_per_task; /* 0: not given */
	struct eqt_memory_limit_cpus
		cpus; /* by tasks, nodes and MaxMemPerCPU */
	uint64_t mem_per_cpu; /* MiB; where memory is for each CPU */
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
	/* Whole nodes and CPUs of GPUs have room for more tasks than that. */
	if (spec->tasks > 0 && each > 0 && !spec->exclusive &&
	    !spec->cpus_per_tres)
		raise_to(&totals->nodes,
			 spec->tasks / each + (spec->tasks % each != 0));
	totals->tasks = spec->tasks ? spec->tasks : totals->nodes;
	if (!spec->tasks &&
	    raise_product(&totals->tasks, each, totals->nodes) < 0)
		return too_large(work);
	raise_to(&totals->nodes, spec->least_nodes);
	return 0;
}

/* How often a number of each kind of list counts. */
static int count_times(uint64_t times[EQT_GRES_COUNTS], struct work *work)
{
	uint64_t nodes = work->totals.nodes, sockets = 1;

	/* Those of a node that the job does not ask for may have some, too; and
	   of those that it asks for it gets all only where it names nodes. */
	if (work->spec->max_nodes || work->spec->most)
		raise_to(&sockets, work->spec->sockets_per_node);
	if (work->spec->most)
		raise_to(&sockets, work->spec->node.sockets);
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

/* The cores of tasks and nodes, whatever GPUs add. */
static int cores_without_gpus(struct work *work, uint64_t *cores)
{
	const struct eqt_memory_limit_cpus *cpus = &work->cpus;
	uint64_t per_node = cpus->per_node;

	*cores = cpus->min;
	if (!work->spec->overcommit)
		raise_to(&per_node, cpus->per_task);
	if (raise_product(cores, per_node, work->totals.nodes) < 0)
		return too_large(work);
	/* Slurm gives out so many tasks as those CPUs are enough for. */
	if (!work->spec->overcommit && work->spec->tasks_per_node == 0)
		*cores -= *cores % cpus->per_task;
	if (!work->spec->overcommit &&
	    raise_product(cores, work->totals.tasks, cpus->per_task) < 0)
		return too_large(work);
	return 0;
}

/* Apply MaxMemPerCPU, and note with how much less memory it would do nothing. */
static int limit_cpus(struct work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	const struct eqt_node_offer_limit *limit = &spec->limit;
	uint64_t before, after;

	if (limit->mem_per_cpu == 0)
		return 0;
	if (cores_without_gpus(work, &before) < 0)
		return -1;
	if (eqt_memory_limit_apply(&work->cpus, &work->mem_per_cpu, spec) < 0)
		return too_large(work);
	if (cores_without_gpus(work, &after) < 0)
		return -1;
	if (after <= before)
		return 0;
	work->totals.fair_mem_mib = limit->mem_per_cpu;
	if (spec->mem != EQT_MEM_PER_CPU)
		work->totals.fair_mem_mib *= before / work->totals.nodes;
	return 0;
}

/*
 * The least that each node has: Slurm gives every node the CPUs of all tasks
 * that it may have, even where fewer remain for it.
 */
static int count_cpus(struct work *work)
{
	const struct eqt_job_spec *spec = work->spec;
	struct eqt_memory_limit_cpus *cpus = &work->cpus;

	cpus->per_task = work->cpus_per_task ? work->cpus_per_task : 1;
	cpus->min = spec->min_cpus;
	cpus->per_node = spec->min_cpus_per_node;
	raise_to(&cpus->per_node, spec->overcommit ? 1 : cpus->per_task);
	if (!spec->overcommit && work->totals.tasks > 1 &&
	    raise_product(&cpus->per_node, spec->tasks_per_node,
			  cpus->per_task) < 0)
		return too_large(work);
	work->mem_per_cpu = spec->mem == EQT_MEM_PER_CPU
				    ? spec->mem_mib
				    : spec->defaults.mem_mib;
	if (limit_cpus(work) < 0)
		return -1;
	work->totals.cpus_per_task = cpus->per_task;
	work->totals.cpus_per_node = cpus->per_node;
	return 0;
}

/* So many cores, the CPUs filling each but one; or, on several nodes, one of each
 * node, or of each task where there are fewer. */
static uint64_t divide_cpus(const struct work *work, uint64_t each)
{
	const struct eqt_job_totals *totals = &work->totals;
	uint64_t rest = each - 1, parts = totals->nodes;

	if (work->spec->most) {
		if (totals->cpus_per_task > 1 && parts > totals->tasks)
			parts = totals->tasks;
		if (totals->cpus_per_task % each != 0 &&
		    __builtin_mul_overflow(rest, parts, &rest))
			rest = each - 1;
	}
	return totals->cpus / each + (totals->cpus % each + rest) / each;
}

/* Sockets go to one job: those that its CPUs fill; or all of its nodes, since
 * Slurm deals tasks out to sockets in turn. */
static int whole_sockets(struct work *work)
{
	struct eqt_job_totals *totals = &work->totals;
	const struct eqt_node_offer *node = &work->spec->node;
	uint64_t size, sockets;

	if (!work->spec->whole_sockets || node->sockets == 0 ||
	    node->cpus < node->sockets)
		return 0;
	size = node->cpus / node->sockets;
	sockets = totals->cpus / size + (totals->cpus % size != 0);
	raise_to(&sockets, totals->nodes);
	if (work->spec->most && totals->cpus > totals->nodes &&
	    raise_product(&sockets, totals->nodes, node->sockets) < 0)
		return too_large(work);
	if (raise_product(&totals->cpus, sockets, size) < 0)
		return too_large(work);
	return 0;
}

/* A core goes to one job: its CPUs are all taken, each node having one. */
static int whole_cores(struct work *work)
{
	struct eqt_job_totals *totals = &work->totals;
	uint64_t each = work->spec->cpus_per_core;
	const uint64_t threads = work->spec->node.threads;

	if (whole_sockets(work) < 0)
		return -1;
	totals->demand.cores = totals->cpus;
	if (threads > 1 && (work->spec->exclusive || work->spec->single_cpus ||
			    work->spec->whole_sockets)) {
		totals->demand.cores =
			totals->cpus / threads + (totals->cpus % threads != 0);
		return 0;
	}
	if (each < 2)
		return 0;
	/* A task may want cores for itself. */
	if (work->spec->task_per_core && totals->cpus_per_task > each)
		totals->demand.cores = totals->cpus / totals->cpus_per_task *
				       (totals->cpus_per_task / each +
					(totals->cpus_per_task % each != 0));
	else if (!work->spec->task_per_core || totals->cpus_per_task > 1)
		totals->demand.cores = divide_cpus(work, each);
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
	    count_cpus(work) < 0 || cores_without_gpus(work, cores) < 0)
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
	if (totals->mem == EQT_MEM_PER_CPU) {
		each = work->mem_per_cpu;
		times = totals->cpus;
		/* Of whole nodes, too, one thread of each core. */
		if (work->spec->exclusive && work->spec->cpus_per_core == 1)
			times = totals->demand.cores;
	} else if (totals->mem != EQT_MEM_NOT_GIVEN) {
		times = totals->nodes;
	}
	totals->mem_each = each;
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
	if (!spec->exclusive || each == 0 || spec->node.differ ||
	    spec->least_nodes)
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
