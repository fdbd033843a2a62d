/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of nodes that a request could get, and how many nodes of a kind it needs. A
 * request has at most EQT_NODE_OFFER_KINDS kinds, so that linear searches are fast
 * enough. */
#include <string.h>

#include "base/whole.h"
#include "job/core_tasks.h"
#include "job/memory_limit.h"
#include "job/node_offer.h"

static bool same_gres(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

bool eqt_node_offer_same(const struct eqt_node_offer *a,
			 const struct eqt_node_offer *b)
{
	return a->mem_mib == b->mem_mib && a->system_mib == b->system_mib &&
	       a->cpus == b->cpus && a->threads == b->threads &&
	       same_gres(a->gres, b->gres);
}

bool eqt_node_offer_add(struct eqt_job_spec *spec,
			const struct eqt_node_offer *node)
{
	for (uint32_t i = 0; i < spec->kinds; i++) {
		if (eqt_node_offer_same(&spec->kind[i], node)) {
			spec->kind[i].count += node->count;
			return false;
		}
	}
	spec->more_kinds |= spec->kinds == EQT_NODE_OFFER_KINDS;
	if (spec->kinds == EQT_NODE_OFFER_KINDS)
		return false;
	spec->kind[spec->kinds++] = *node;
	return true;
}

bool eqt_node_offer_now_add(struct eqt_nodes_now *now,
			    const struct eqt_node_now *set)
{
	if (set->offer.count == 0)
		return false;
	for (uint32_t i = 0; i < now->sets; i++) {
		struct eqt_node_now *other = &now->set[i];

		if (other->weight != set->weight ||
		    !eqt_node_offer_same(&other->offer, &set->offer))
			continue;
		other->offer.count += set->offer.count;
		other->idle += set->idle;
		return false;
	}
	now->more |= now->sets == EQT_NODES_NOW;
	if (now->more)
		return false;
	now->set[now->sets++] = *set;
	return true;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_offers(const struct eqt_node_offer *a,
			  const struct eqt_node_offer *b)
{
	int order = compare_numbers(a->cpus, b->cpus);

	if (order == 0)
		order = compare_numbers(a->mem_mib, b->mem_mib);
	if (order == 0)
		order = compare_numbers(a->threads, b->threads);
	if (order == 0)
		order = compare_numbers(a->system_mib, b->system_mib);
	return order ? order
		     : strcmp(a->gres ? a->gres : "", b->gres ? b->gres : "");
}

/* An insertion sort is fast enough for EQT_NODE_OFFER_KINDS members. */
void eqt_node_offer_sort(struct eqt_job_spec *spec)
{
	uint32_t i, j;

	for (i = 1; i < spec->kinds; i++) {
		const struct eqt_node_offer one = spec->kind[i];

		for (j = i;
		     j > 0 && compare_offers(&spec->kind[j - 1], &one) > 0; j--)
			spec->kind[j] = spec->kind[j - 1];
		spec->kind[j] = one;
	}
}

static uint64_t node_gpus(const struct eqt_node_offer *node)
{
	return eqt_gres_list_count(node->gres, "gpu", "");
}

/* Return the CPUs that select/linear assumes a node to have for tasks of `each` CPUs.
 * With --ntasks-per-core, each core takes that many tasks, whatever CPUs they want. */
static uint64_t linear_cpus(const struct eqt_job_spec *spec,
			    const struct eqt_node_offer *node, uint64_t each)
{
	const uint64_t cores = node->threads > 1 ? node->cpus / node->threads
						 : node->cpus;
	uint64_t cpus;

	if (__builtin_mul_overflow(cores, spec->tasks_per_core, &cpus) ||
	    __builtin_mul_overflow(cpus, each, &cpus))
		return UINT64_MAX;
	return eqt_whole_max(cpus, node->cpus);
}

/* Return the CPUs that select/linear gives to the tasks of one job on a node.
 * --ntasks-per-node limits the number of these tasks. */
static uint64_t linear_task_cpus(const struct eqt_job_spec *spec,
				 const struct eqt_node_offer *node,
				 uint64_t each)
{
	const uint64_t cpus = linear_cpus(spec, node, each);
	uint64_t most;

	if (spec->tasks_per_node > 0 && !spec->overcommit &&
	    !__builtin_mul_overflow(spec->tasks_per_node, each, &most) &&
	    most < cpus)
		return most;
	return cpus;
}

/* What one task needs on a node after MaxMemPerCPU was applied. */
struct task_need {
	uint64_t cpus; /* CPUs of the task, at least 1 */
	/* MiB of each CPU; 0 if memory is not given for it. */
	uint64_t mem_per_cpu;
};

static struct task_need task_need(const struct eqt_job_spec *spec)
{
	const uint64_t cpus = spec->cpus_per_task ? spec->cpus_per_task : 1;
	struct eqt_memory_limit_cpus limited = {
		.min = spec->min_cpus,
		.per_node = spec->min_cpus_per_node,
		.per_task = cpus,
	};
	struct task_need need = { .cpus = cpus };

	if (spec->mem == EQT_MEM_PER_CPU)
		need.mem_per_cpu = spec->mem_mib;
	if (eqt_memory_limit_apply(&limited, &need.mem_per_cpu, spec) == 0)
		need.cpus = limited.per_task;
	if (spec->mem != EQT_MEM_PER_CPU || spec->no_memory)
		need.mem_per_cpu = 0;
	return need;
}

/* Return the number of cores of a node that jobs of the partition may have. */
static uint64_t node_cores(const struct eqt_job_spec *spec,
			   const struct eqt_node_offer *node)
{
	const uint64_t threads = eqt_whole_max(node->threads, 1);
	const uint64_t all = node->cpus / threads,
		       cores = all - eqt_whole_min(all, spec->spare_cores);
	uint64_t most;

	if (spec->limit.cpus_per_socket == 0 || node->sockets == 0 ||
	    __builtin_mul_overflow(spec->limit.cpus_per_socket / threads,
				   node->sockets, &most))
		return cores;
	return eqt_whole_min(most, cores);
}

/* Return the CPUs that a job can have on a node. If the request says so, only some
 * threads of each core are counted. */
static uint64_t node_cpus(const struct eqt_job_spec *spec,
			  const struct eqt_job_totals *totals,
			  const struct eqt_node_offer *node)
{
	const uint64_t threads = eqt_whole_max(node->threads, 1);
	const uint64_t cores = node_cores(spec, node);
	uint64_t each = threads, cpus;

	if (threads > 1 &&
	    !(spec->gpus_share_cores && totals->gpus_have_cpus)) {
		if (spec->cpus_per_core > 0 && spec->cpus_per_core < each)
			each = spec->cpus_per_core;
		each = eqt_core_tasks_cpus(totals, spec, each);
	}
	cpus = each < threads || cores < node->cpus / threads ? cores * each
							      : node->cpus;
	return eqt_whole_min(cpus,
			     node->cpus - eqt_whole_min(node->cpus,
							spec->spare_threads));
}

void eqt_node_offer_spread(struct eqt_job_spec *spec)
{
	if (!spec->spreads || spec->max_nodes == 1 || spec->kinds < 2)
		return;
	eqt_whole_raise(&spec->max_nodes, eqt_whole_max(spec->min_nodes, 1));
	spec->max_nodes += spec->kinds - 1;
	eqt_whole_raise(&spec->counted_nodes, spec->max_nodes);
	spec->nodes_changed = true;
}

bool eqt_node_offer_is_limited(const struct eqt_job_spec *spec,
			       const struct eqt_node_offer *node)
{
	return spec->limit.cpus_per_node > 0 && !spec->linear &&
	       (node->cpus == 0 || node->cpus > spec->limit.cpus_per_node);
}

/* Limit the CPUs of a node to MaxCPUsPerNode of the partition. MaxMemPerCPU and
 * --mincpus may give the job more CPUs than that; `least` is their number. */
static uint64_t offer_limited_cpus(const struct eqt_job_spec *spec,
				   uint64_t cpus, uint64_t least)
{
	return spec->limit.cpus_per_node > 0 && !spec->linear
		       ? eqt_whole_min(cpus,
				       eqt_whole_max(least,
						     spec->limit.cpus_per_node))
		       : cpus;
}

bool eqt_node_offer_asks_gpus(const struct eqt_job_spec *spec)
{
	return spec->tres_per_job || spec->tres_per_node ||
	       spec->tres_per_task || spec->tres_per_socket ||
	       spec->tasks_per_gpu;
}

bool eqt_node_offer_has_bundles(const struct eqt_job_spec *spec,
				const struct eqt_bundle_table *prices)
{
	return prices->gpu_count > 1 &&
	       (spec->exclusive || eqt_node_offer_asks_gpus(spec));
}

/* Return the CPUs of a node that the job can use. With --mem-per-cpu, these are the
 * CPUs for which the memory of the node is enough. */
static uint64_t offer_cpus(const struct eqt_job_spec *spec,
			   const struct task_need *need,
			   const struct eqt_node_offer *node)
{
	const struct eqt_job_totals totals = {
		.cpus_per_task = need->cpus,
		.gpus_have_cpus = eqt_node_offer_asks_gpus(spec),
	};
	uint64_t cpus;

	if (spec->linear)
		return linear_task_cpus(spec, node, need->cpus);
	cpus = offer_limited_cpus(spec, node_cpus(spec, &totals, node),
				  need->cpus);
	return need->mem_per_cpu == 0
		       ? cpus
		       : eqt_whole_min(cpus, node->mem_mib / need->mem_per_cpu);
}

struct eqt_node_offer_gpus eqt_node_offer_gpus(const struct eqt_job_spec *spec)
{
	return (struct eqt_node_offer_gpus){
		.per_job = eqt_gres_list_count(spec->tres_per_job, "gpu", ""),
		.per_task = eqt_gres_list_count(spec->tres_per_task, "gpu", ""),
	};
}

bool eqt_node_offer_may_split(const struct eqt_job_spec *spec)
{
	return spec->max_nodes == 0 &&
	       (!spec->exclusive || spec->shares_elsewhere) &&
	       (spec->tasks > 1 || (spec->tasks == 0 && spec->tres_per_job));
}

uint64_t eqt_node_offer_most_nodes(const struct eqt_job_spec *spec)
{
	uint64_t nodes = spec->tasks;

	if (nodes == 0 || spec->linear || spec->tasks_per_node > 0 ||
	    eqt_job_spec_nodes_pass_tasks(spec) ||
	    (spec->nodelist && spec->nodelist[0] != '\0'))
		return spec->max_nodes;
	eqt_whole_raise(&nodes, spec->min_nodes);
	return spec->max_nodes > 0 && spec->max_nodes < nodes ? spec->max_nodes
							      : nodes;
}

bool eqt_node_offer_has_room(const struct eqt_job_spec *spec,
			     const struct eqt_node_offer_gpus *wanted)
{
	const uint64_t tasks = spec->tasks ? spec->tasks : 1;
	const struct task_need need = task_need(spec);
	uint64_t cpus = 0, gpus = 0, nodes = 0, i;

	for (i = 0; i < spec->kinds; i++) {
		const struct eqt_node_offer *kind = &spec->kind[i];

		cpus += offer_cpus(spec, &need, kind) * kind->count;
		gpus += node_gpus(kind) * kind->count;
		nodes += kind->count;
	}
	return nodes >= eqt_job_spec_task_nodes(spec) &&
	       cpus / need.cpus >= tasks && gpus >= wanted->per_job &&
	       (wanted->per_task == 0 || gpus / wanted->per_task >= tasks);
}

bool eqt_node_offer_number_has_room(const struct eqt_job_spec *spec,
				    const struct eqt_node_offer_gpus *wanted)
{
	const uint64_t tasks = spec->tasks ? spec->tasks : 1;
	const struct task_need need = task_need(spec);
	uint64_t nodes = eqt_node_offer_most_nodes(spec), cpus = 0, gpus = 0;

	if (nodes == 0 || spec->linear)
		return true;
	eqt_whole_raise(&nodes, spec->min_nodes);
	for (uint32_t i = 0; i < spec->kinds; i++) {
		eqt_whole_raise(&cpus, offer_cpus(spec, &need, &spec->kind[i]));
		eqt_whole_raise(&gpus, node_gpus(&spec->kind[i]));
	}
	if (__builtin_mul_overflow(cpus, nodes, &cpus) ||
	    __builtin_mul_overflow(gpus, nodes, &gpus))
		return true;
	return (spec->overcommit || cpus / need.cpus >= tasks) &&
	       gpus >= wanted->per_job;
}

static bool has_priced_gpus(const struct eqt_node_offer *node,
			    const struct eqt_bundle_table *prices)
{
	const char *list = node->gres ? node->gres : "";
	struct eqt_gres gres;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		if (gres.count > 0 &&
		    eqt_bundle_table_find(prices, gres.name, gres.type) >= 0)
			return true;
	}
	return false;
}

bool eqt_node_offer_takes_gpus(const struct eqt_job_spec *spec,
			       const struct eqt_bundle_table *prices)
{
	for (uint32_t i = 0; spec->exclusive && i < spec->kinds; i++) {
		if (has_priced_gpus(&spec->kind[i], prices))
			return true;
	}
	return false;
}

/* Return the CPUs of all sockets of a node for the tasks that --ntasks-per-socket
 * allows. They are whole cores, because one more task may run on the last core of a
 * socket. */
static uint64_t socket_cpus(const struct eqt_job_spec *spec,
			    const struct eqt_job_totals *totals,
			    const struct eqt_node_offer *node)
{
	uint64_t threads = node->threads, cpus;

	if (spec->tasks_per_socket == 0 || node->sockets == 0 ||
	    spec->overcommit)
		return UINT64_MAX;
	if (threads == 0 || node_cpus(spec, totals, node) < node->cpus)
		threads = 1;
	if (__builtin_mul_overflow(spec->tasks_per_socket,
				   totals->cpus_per_task, &cpus) ||
	    __builtin_mul_overflow(eqt_whole_divide_up(cpus, threads), threads,
				   &cpus) ||
	    __builtin_mul_overflow(cpus, node->sockets, &cpus))
		return UINT64_MAX;
	return cpus;
}

/* Return the CPUs of a node that tasks can use. 0 means that the node has fewer CPUs
 * than each node must have. */
static inline uint64_t usable_cpus(const struct eqt_job_spec *spec,
				   const struct eqt_job_totals *totals,
				   const struct eqt_node_offer *node)
{
	uint64_t cpus = spec->linear
				? linear_cpus(spec, node, totals->cpus_per_task)
				: node_cpus(spec, totals, node);

	if (totals->mem == EQT_MEM_PER_CPU && totals->mem_each > 0 &&
	    cpus > node->mem_mib / totals->mem_each)
		cpus = node->mem_mib / totals->mem_each;
	return cpus < totals->cpus_per_node
		       ? 0
		       : offer_limited_cpus(spec, cpus, totals->cpus_per_node);
}

uint64_t eqt_node_offer_tasks(const struct eqt_job_spec *spec,
			      const struct eqt_job_totals *totals,
			      const struct eqt_node_offer *node)
{
	const uint64_t most = spec->linear ? UINT64_MAX
					   : socket_cpus(spec, totals, node);
	const uint64_t cpus = usable_cpus(spec, totals, node);

	if (cpus < totals->cpus_per_node)
		return 0;
	return spec->overcommit
		       ? UINT64_MAX
		       : eqt_whole_min(cpus, most) / totals->cpus_per_task;
}

uint64_t eqt_node_offers_split(const struct eqt_job_spec *spec,
			       const struct eqt_job_totals *totals,
			       const struct eqt_node_offer *node,
			       uint64_t nodes)
{
	uint64_t split = totals->nodes, cpus;

	if (spec->tasks_counted != EQT_TASKS_OF_CPUS || spec->linear ||
	    spec->overcommit || spec->tasks_per_node > 0 ||
	    spec->tasks_per_socket > 0 || eqt_node_offer_asks_gpus(spec) ||
	    (totals->mem == EQT_MEM_PER_CPU && !spec->no_memory))
		return nodes;
	cpus = usable_cpus(spec, totals, node);
	if (cpus == 0)
		return nodes;
	eqt_whole_raise(&split, eqt_whole_divide_up(totals->cpus_wanted, cpus));
	return eqt_whole_min(split, nodes);
}

/*
 * Return the number of nodes that select/linear gives to a job. It counts the CPUs of
 * all tasks rather than whole tasks, and one thread of a core as much as all threads.
 */
static uint64_t linear_nodes(const struct eqt_job_spec *spec,
			     const struct eqt_job_totals *totals,
			     const struct eqt_node_offer *node)
{
	const uint64_t each = totals->cpus_per_task;
	uint64_t wanted;

	if (totals->mem == EQT_MEM_PER_CPU && totals->mem_each > 0 &&
	    node->cpus > node->mem_mib / totals->mem_each)
		return 0;
	if (linear_cpus(spec, node, each) < totals->cpus_per_node)
		return 0;
	if (spec->overcommit)
		return totals->nodes;
	wanted = eqt_whole_divide_up(totals->cpus_wanted,
				     linear_task_cpus(spec, node, each));
	eqt_whole_raise(&wanted, totals->nodes);
	return wanted;
}

/*
 * Raise *nodes to the number of nodes that have the GPUs of the job and of its tasks.
 * The GPUs of a task are on one node. Return false if such a node has too few GPUs for
 * a task, for a socket or for the number per node. If the job takes whole nodes, GPUs
 * of a model that these nodes lack may be on nodes of another kind.
 */
static bool raise_to_asked_gpus(uint64_t *nodes,
				const struct eqt_node_offer *node,
				const struct eqt_gres_rows *asked,
				uint64_t tasks, bool whole)
{
	for (uint32_t i = 0; i < asked->count; i++) {
		const struct eqt_gres_row *row = &asked->row[i];
		const uint64_t each = row->count[EQT_GRES_TASK];
		uint64_t has;

		if (strcmp(row->name, "gpu") != 0 &&
		    !eqt_gres_is_share(row->name))
			continue;
		has = eqt_gres_list_count(node->gres, row->name, row->type);
		if (has < each || has < row->count[EQT_GRES_NODE] ||
		    has < row->count[EQT_GRES_SOCKET])
			return false;
		if (has == 0 && row->count[EQT_GRES_JOB] > 0 && !whole)
			*nodes = UINT64_MAX;
		if (has > 0)
			eqt_whole_raise(nodes,
					eqt_whole_divide_up(
						row->count[EQT_GRES_JOB], has));
		if (each > 0)
			eqt_whole_raise(nodes,
					eqt_whole_divide_up(tasks, has / each));
	}
	return true;
}

/* Return the CPUs that slurmctld wants of the first node for a job with --gpus and
 * --cpus-per-gpu: those of the tasks, or of all GPUs if these are more
 * (_get_rem_max_cpus()). */
static uint64_t cpus_to_use(const struct eqt_job_totals *totals,
			    const struct eqt_gres_rows *asked)
{
	uint64_t cpus = totals->cpus_wanted, all;

	for (uint32_t i = 0; i < asked->count; i++) {
		const struct eqt_gres_row *row = &asked->row[i];

		if (__builtin_mul_overflow(row->cpus, row->count[EQT_GRES_JOB],
					   &all))
			return UINT64_MAX;
		eqt_whole_raise(&cpus, all);
	}
	return cpus;
}

/*
 * Return the CPUs that slurmctld counts on a node for a job with --gpus and
 * --cpus-per-gpu. It counts only the CPUs of GPUs, as many as the node has GPUs and
 * CPUs for (gres_sched_add()). UINT64_MAX means that all CPUs are counted.
 */
static uint64_t cpus_of_gpus(const struct eqt_job_spec *spec,
			     const struct eqt_job_totals *totals,
			     const struct eqt_gres_rows *asked,
			     const struct eqt_node_offer *node)
{
	uint64_t cpus = node_cpus(spec, totals, node), counted = 0;

	/* If cores have more threads than the job uses, the CPUs of all their
	 * threads count. */
	if (spec->cpus_per_core > 0 && spec->cpus_per_core < node->threads)
		return UINT64_MAX;
	if (!spec->exclusive)
		cpus = eqt_whole_min(cpus, cpus_to_use(totals, asked));
	for (uint32_t i = 0; i < asked->count; i++) {
		const struct eqt_gres_row *row = &asked->row[i];

		if (row->count[EQT_GRES_JOB] == 0 || row->cpus == 0)
			continue;
		eqt_whole_raise(&counted,
				row->cpus * eqt_whole_min(cpus / row->cpus,
							  eqt_gres_list_count(
								  node->gres,
								  row->name,
								  row->type)));
	}
	/* In later releases of Slurm, the GPUs do not lower the CPUs below those that a
	 * node must have. */
	if (counted == 0 ||
	    (spec->nodes_pass_tasks && counted <= totals->cpus_per_node))
		return UINT64_MAX;
	return counted;
}

/* Return the CPUs that each GPU of a row brings: those of the request or, if it gives a
 * task none, of the partition's default. */
static uint64_t row_gpu_cpus(const struct eqt_job_spec *spec,
			     const struct eqt_gres_rows *asked,
			     const struct eqt_gres_row *row)
{
	if (row->cpus > 0 || strcmp(row->name, "gpu") != 0 ||
	    spec->cpus_per_task > 0 || asked->cpus_per_task > 0 ||
	    spec->tasks_per_gpu > 0)
		return row->cpus;
	return spec->defaults.cpus_per_gpu;
}

/* Return the tasks that a node takes because of the CPUs of its GPUs, where releases of
 * Slurm count tasks: no more than these GPUs bring CPUs, on whole cores
 * (gres_filter_sock_core()). UINT64_MAX means that GPUs bring none. */
static uint64_t tasks_of_gpu_cpus(const struct eqt_job_spec *spec,
				  const struct eqt_gres_rows *asked,
				  const struct eqt_node_offer *node)
{
	const uint64_t threads = eqt_whole_max(node->threads, 1);
	uint64_t least = UINT64_MAX, tasks;

	/* A node has all tasks of --ntasks-per-node. */
	if (spec->tasks_counted == EQT_TASKS_OF_CPUS || spec->overcommit ||
	    spec->tasks_per_node > 0)
		return UINT64_MAX;
	for (uint32_t i = 0; i < asked->count; i++) {
		const struct eqt_gres_row *row = &asked->row[i];
		const uint64_t of_job = row->count[EQT_GRES_JOB];
		uint64_t cpus = row_gpu_cpus(spec, asked, row);
		uint64_t gpus = row->count[EQT_GRES_NODE];

		if (gpus == 0 && of_job > 0 && cpus > 0)
			gpus = eqt_whole_min(
				eqt_whole_min(of_job, node->cpus / cpus),
				eqt_gres_list_count(node->gres, row->name,
						    row->type));
		cpus = threads * eqt_whole_divide_up(cpus, threads);
		if (!__builtin_mul_overflow(gpus, cpus, &tasks) && tasks > 0)
			least = eqt_whole_min(least, tasks);
	}
	return least;
}

/* Does a node have less memory than the request names, if memory is not a consumable
 * resource? slurmctld does not use such a node (_build_node_list()). If memory is a
 * consumable resource, other functions compare it. For --mem-per-cpu the memory of one
 * CPU is compared, because only the backfill scheduler compares that of all CPUs which
 * a node must have. */
static bool node_lacks_named_mem(const struct eqt_job_spec *spec,
				 const struct eqt_node_offer *node)
{
	const bool given = spec->mem != EQT_MEM_NOT_GIVEN;
	const enum eqt_job_spec_mem mem = given ? spec->mem
						: spec->defaults.mem;
	uint64_t mib = given ? spec->mem_mib : spec->defaults.mem_mib;
	struct eqt_memory_limit_cpus limited = { .per_task = 1 };

	if (!spec->no_memory ||
	    (mem != EQT_MEM_PER_NODE && mem != EQT_MEM_PER_CPU))
		return false;
	if (mem == EQT_MEM_PER_CPU &&
	    eqt_memory_limit_apply(&limited, &mib, spec) < 0)
		return false;
	return mib > node->mem_mib + node->system_mib;
}

/* Does a whole node have too few CPUs, or too little memory, for all of its GPUs of a model
 * that the request names? The job gets all of these GPUs. For each of them slurmctld counts
 * the CPUs and the memory of the request or of the partition's default. It counts the
 * default memory beside --mem, too (gres_select_filter_remove_unusable()). */
static bool lacks_for_gpus(const struct eqt_job_spec *spec,
			   const struct eqt_gres_rows *asked,
			   const struct eqt_node_offer *node)
{
	/* If the request names sockets, perhaps not all GPUs of the node count. */
	if (!spec->exclusive || spec->keeps_rest || spec->sockets_per_node > 0)
		return false;
	for (uint32_t i = 0; i < asked->count; i++) {
		const struct eqt_gres_row *row = &asked->row[i];
		const uint64_t cpus = row_gpu_cpus(spec, asked, row);
		uint64_t mib = row->mem_mib, has;

		if (strcmp(row->name, "gpu") != 0)
			continue;
		has = eqt_gres_list_count(node->gres, row->name, row->type);
		if (mib == 0)
			mib = spec->defaults.mem_per_gpu;
		if ((spec->tasks_per_gpu == 0 && cpus > 0 &&
		     has > node->cpus / cpus) ||
		    (!spec->no_memory && mib > 0 && has > node->mem_mib / mib))
			return true;
	}
	return false;
}

uint64_t eqt_node_offers(const struct eqt_job_spec *spec,
			 const struct eqt_job_totals *totals,
			 const struct eqt_gres_rows *asked,
			 const struct eqt_node_offer *node)
{
	const uint64_t cores = node->threads > 1 ? node->cpus / node->threads
						 : node->cpus;
	uint64_t tasks = eqt_node_offer_tasks(spec, totals, node);
	uint64_t nodes = totals->nodes;
	uint64_t gpus;

	if ((totals->mem == EQT_MEM_PER_NODE &&
	     totals->mem_each > node->mem_mib) ||
	    node_lacks_named_mem(spec, node))
		return 0;
	if (spec->linear)
		return linear_nodes(spec, totals, node);
	if (tasks == 0)
		return 0;
	/* Slurm gives a job of whole nodes all CPUs of each node, so a node with more
	 * CPUs than MaxCPUsPerNode allows does not fit. */
	if (spec->exclusive && !spec->keeps_rest &&
	    eqt_node_offer_is_limited(spec, node))
		return 0;
	if (asked)
		tasks = eqt_whole_min(tasks,
				      tasks_of_gpu_cpus(spec, asked, node));
	eqt_whole_raise(&nodes, eqt_whole_divide_up(totals->tasks, tasks));
	if (asked && lacks_for_gpus(spec, asked, node))
		return 0;
	if (asked && !raise_to_asked_gpus(&nodes, node, asked,
					  spec->overcommit ? 1 : totals->tasks,
					  spec->exclusive))
		return 0;
	if (asked && spec->cpus_per_tres && !spec->overcommit)
		eqt_whole_raise(&nodes,
				eqt_whole_divide_up(totals->cpus_wanted,
						    cpus_of_gpus(spec, totals,
								 asked, node)));
	if (spec->exclusive)
		return totals->lacks_mem ? 0 : nodes;
	if (cores > 0)
		eqt_whole_raise(&nodes, eqt_whole_divide_up(
						totals->demand.cores, cores));
	if (totals->gpus == 0)
		return nodes;
	gpus = node_gpus(node);
	if (gpus == 0 || (spec->tres_per_node && !spec->tres_per_job &&
			  totals->gpus / totals->nodes > gpus))
		return 0;
	eqt_whole_raise(&nodes, eqt_whole_divide_up(totals->gpus, gpus));
	return nodes;
}

uint64_t eqt_node_offers_limit(const struct eqt_job_spec *spec,
			       const struct eqt_node_offer *node)
{
	const uint64_t most = spec->node.count ? spec->node.count : node->count;
	const uint64_t nodes = eqt_node_offer_most_nodes(spec);

	return nodes > 0 && nodes < most ? nodes : most;
}

/*
 * Return the CPUs that slurmctld counts of each node at least: those of --mincpus,
 * MaxMemPerCPU and --ntasks-per-node (_allocate_sc(), can_job_run_on_node()). 0 means
 * that it may count fewer, because of GPUs, limits of the partition, or tasks that
 * share no core.
 */
static uint64_t counted_cpus(const struct eqt_job_spec *spec,
			     const struct eqt_job_totals *totals)
{
	const uint64_t threads = eqt_whole_max(spec->node.threads, 1);
	uint64_t cpus = totals->cpus_per_node;

	if (eqt_node_offer_asks_gpus(spec) || spec->overcommit ||
	    spec->linear || spec->contiguous || spec->limit.cpus_per_node > 0 ||
	    spec->limit.cpus_per_socket > 0 || spec->tasks_per_socket > 0 ||
	    spec->gpus_share_cores ||
	    (threads > 1 && eqt_core_tasks_most(totals, spec) > 0))
		return 0;
	/* Releases that count tasks give a node the whole tasks that its CPUs hold, and still
	 * use no node with fewer CPUs than --mincpus. */
	if (spec->tasks_counted != EQT_TASKS_OF_CPUS)
		eqt_whole_raise(&cpus, spec->min_cpus_per_node -
					       spec->min_cpus_per_node %
						       totals->cpus_per_task);
	if (totals->mem != EQT_MEM_PER_CPU)
		return cpus;
	/* slurmctld counts whole cores and whole tasks on these cores, as far as the
	 * memory is enough. */
	cpus = cpus < threads ? 0 : cpus - (threads - 1);
	return cpus - cpus % totals->cpus_per_task;
}

uint64_t eqt_node_offer_full_nodes(const struct eqt_job_spec *spec,
				   const struct eqt_job_totals *totals)
{
	const uint64_t each = counted_cpus(spec, totals);
	uint64_t wanted = totals->cpus_wanted, nodes = totals->nodes, all;

	if (each == 0 ||
	    __builtin_mul_overflow(totals->tasks, totals->cpus_per_task, &all))
		return UINT64_MAX;
	eqt_whole_raise(&wanted, all);
	eqt_whole_raise(&nodes, spec->counted_nodes);
	eqt_whole_raise(&nodes, eqt_whole_divide_up(wanted, each));
	return nodes;
}
