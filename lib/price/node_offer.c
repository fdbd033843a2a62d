/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of nodes that a request could get, and how many of one kind it needs. A
 * request has at most EQT_NODE_OFFER_KINDS of them, so searches are linear. */
#include <string.h>

#include "base/whole.h"
#include "price/node_offer.h"

static bool same_gres(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_kind(const struct eqt_node_offer *a,
		      const struct eqt_node_offer *b)
{
	return a->cpus == b->cpus && a->mem_mib == b->mem_mib &&
	       a->threads == b->threads && same_gres(a->gres, b->gres);
}

bool eqt_node_offer_add(struct eqt_job_spec *spec,
			const struct eqt_node_offer *node)
{
	uint32_t i;

	for (i = 0; i < spec->kinds; i++) {
		if (same_kind(&spec->kind[i], node)) {
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
	return order ? order
		     : strcmp(a->gres ? a->gres : "", b->gres ? b->gres : "");
}

/* Insertion sort: there are at most EQT_NODE_OFFER_KINDS entries. */
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

static void raise_to(uint64_t *number, uint64_t least)
{
	if (*number < least)
		*number = least;
}

/* The GPUs of a node, of all models. */
static uint64_t node_gpus(const struct eqt_node_offer *node)
{
	const char *list = node->gres ? node->gres : "";
	uint64_t count = 0;
	struct eqt_gres gres;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, "gpu") == 0 &&
		    __builtin_add_overflow(count, gres.count, &count))
			return UINT64_MAX;
	}
	return count;
}

/* The GPUs of a list, of all models; the list has the form of a node's Gres=. */
static uint64_t list_gpus(const char *list)
{
	const struct eqt_node_offer all = { .gres = list };

	return list ? node_gpus(&all) : 0;
}

/* The CPUs that select/linear takes a node to have for tasks of so many CPUs:
 * --ntasks-per-core lets each core take so many of them. */
static uint64_t linear_cpus(const struct eqt_job_spec *spec,
			    const struct eqt_node_offer *node, uint64_t each)
{
	const uint64_t cores = node->threads > 1 ? node->cpus / node->threads
						 : node->cpus;
	uint64_t cpus;

	if (__builtin_mul_overflow(cores, spec->tasks_per_core, &cpus) ||
	    __builtin_mul_overflow(cpus, each, &cpus))
		return UINT64_MAX;
	return cpus > node->cpus ? cpus : node->cpus;
}

/* The CPUs of a node that the job can use: with --mem-per-cpu, those that the node's
 * memory is enough for. */
static uint64_t offer_cpus(const struct eqt_job_spec *spec,
			   const struct eqt_node_offer *node)
{
	const uint64_t each = spec->mem_mib;

	if (spec->linear)
		return linear_cpus(spec, node,
				   spec->cpus_per_task ? spec->cpus_per_task
						       : 1);
	if (spec->mem != EQT_MEM_PER_CPU || each == 0 || spec->no_memory ||
	    node->cpus < node->mem_mib / each)
		return node->cpus;
	return node->mem_mib / each;
}

struct eqt_node_offer_gpus eqt_node_offer_gpus(const struct eqt_job_spec *spec)
{
	return (struct eqt_node_offer_gpus){
		.per_job = list_gpus(spec->tres_per_job),
		.per_task = list_gpus(spec->tres_per_task),
	};
}

bool eqt_node_offer_may_split(const struct eqt_job_spec *spec)
{
	return spec->max_nodes == 0 &&
	       (!spec->exclusive || spec->shares_elsewhere) &&
	       (spec->tasks > 1 || (spec->tasks == 0 && spec->tres_per_job));
}

bool eqt_node_offer_has_room(const struct eqt_job_spec *spec,
			     const struct eqt_node_offer_gpus *wanted)
{
	const uint64_t tasks = spec->tasks ? spec->tasks : 1;
	const uint64_t each = spec->cpus_per_task ? spec->cpus_per_task : 1;
	uint64_t cpus = 0, gpus = 0, i;

	for (i = 0; i < spec->kinds; i++) {
		const struct eqt_node_offer *kind = &spec->kind[i];

		cpus += offer_cpus(spec, kind) * kind->count;
		gpus += node_gpus(kind) * kind->count;
	}
	return cpus / each >= tasks && gpus >= wanted->per_job &&
	       (wanted->per_task == 0 || gpus / wanted->per_task >= tasks);
}

bool eqt_node_offer_number_has_room(const struct eqt_job_spec *spec,
				    const struct eqt_node_offer_gpus *wanted)
{
	const uint64_t tasks = spec->tasks ? spec->tasks : 1;
	const uint64_t each = spec->cpus_per_task ? spec->cpus_per_task : 1;
	uint64_t nodes = spec->max_nodes, cpus = 0, gpus = 0;
	uint32_t i;

	if (nodes == 0 || spec->linear)
		return true;
	raise_to(&nodes, spec->min_nodes);
	for (i = 0; i < spec->kinds; i++) {
		raise_to(&cpus, offer_cpus(spec, &spec->kind[i]));
		raise_to(&gpus, node_gpus(&spec->kind[i]));
	}
	if (__builtin_mul_overflow(cpus, nodes, &cpus) ||
	    __builtin_mul_overflow(gpus, nodes, &gpus))
		return true;
	return (spec->overcommit || cpus / each >= tasks) &&
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
	uint32_t i;

	for (i = 0; spec->exclusive && i < spec->kinds; i++) {
		if (has_priced_gpus(&spec->kind[i], prices))
			return true;
	}
	return false;
}

/* The CPUs that a job can have on a node: only one thread of each core if it asked for
 * that. */
static uint64_t node_cpus(const struct eqt_job_spec *spec,
			  const struct eqt_node_offer *node)
{
	bool one = spec->cpus_per_core == 1 ||
		   (spec->task_per_core && spec->cpus_per_task <= 1);

	return one && node->threads > 1 ? node->cpus / node->threads
					: node->cpus;
}

uint64_t eqt_node_offer_tasks(const struct eqt_job_spec *spec,
			      const struct eqt_job_totals *totals,
			      const struct eqt_node_offer *node)
{
	uint64_t cpus = spec->linear
				? linear_cpus(spec, node, totals->cpus_per_task)
				: node_cpus(spec, node);

	if (totals->mem == EQT_MEM_PER_CPU && totals->mem_each > 0 &&
	    cpus > node->mem_mib / totals->mem_each)
		cpus = node->mem_mib / totals->mem_each;
	if (cpus < totals->cpus_per_node)
		return 0;
	if (spec->tasks_per_socket > 0 && node->sockets > 0 && !spec->linear &&
	    !spec->overcommit &&
	    cpus / totals->cpus_per_task / node->sockets >=
		    spec->tasks_per_socket)
		return node->sockets * spec->tasks_per_socket;
	return spec->overcommit ? UINT64_MAX : cpus / totals->cpus_per_task;
}

/*
 * The nodes that select/linear gives to a job: it counts the CPUs of all tasks, not whole
 * tasks, and one thread of a core as much as all.
 */
static uint64_t linear_nodes(const struct eqt_job_spec *spec,
			     const struct eqt_job_totals *totals,
			     const struct eqt_node_offer *node)
{
	const uint64_t each = totals->cpus_per_task;
	uint64_t cpus = linear_cpus(spec, node, each), wanted, most;

	if (totals->mem == EQT_MEM_PER_CPU && totals->mem_each > 0 &&
	    node->cpus > node->mem_mib / totals->mem_each)
		return 0;
	if (cpus < totals->cpus_per_node)
		return 0;
	if (spec->overcommit)
		return totals->nodes;
	if (spec->tasks_per_node > 0 &&
	    !__builtin_mul_overflow(spec->tasks_per_node, each, &most) &&
	    most < cpus)
		cpus = most;
	wanted = eqt_whole_divide_up(totals->cpus_wanted, cpus);
	raise_to(&wanted, totals->nodes);
	return wanted;
}

/* The GPUs of a node that are of a model, or of any model if none is wanted. */
static uint64_t node_gpus_of(const struct eqt_node_offer *node,
			     const char *model)
{
	const char *list = node->gres ? node->gres : "";
	uint64_t count = 0;
	struct eqt_gres gres;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, "gpu") == 0 &&
		    (model[0] == '\0' || strcmp(gres.type, model) == 0) &&
		    __builtin_add_overflow(count, gres.count, &count))
			return UINT64_MAX;
	}
	return count;
}

/* Raise *nodes to those that have the GPUs of the job. Nodes of another kind may have
 * those of a model that these nodes have none of. */
static void raise_to_job_gpus(uint64_t *nodes,
			      const struct eqt_node_offer *node,
			      const char *list)
{
	struct eqt_gres gres;

	while (list && eqt_gres_next(&gres, &list, NULL) > 0) {
		uint64_t has = node_gpus_of(node, gres.type);

		if (strcmp(gres.name, "gpu") == 0 && has > 0)
			raise_to(nodes, eqt_whole_divide_up(gres.count, has));
	}
}

/* The same for the GPUs of each task, which are on one node; false if a node has fewer
 * than that. */
static bool raise_to_task_gpus(uint64_t *nodes,
			       const struct eqt_node_offer *node,
			       const char *list, uint64_t tasks)
{
	struct eqt_gres gres;

	while (list && eqt_gres_next(&gres, &list, NULL) > 0) {
		uint64_t has = node_gpus_of(node, gres.type);

		if (strcmp(gres.name, "gpu") != 0 || gres.count == 0)
			continue;
		if (has < gres.count)
			return false;
		raise_to(nodes, eqt_whole_divide_up(tasks, has / gres.count));
	}
	return true;
}

uint64_t eqt_node_offers(const struct eqt_job_spec *spec,
			 const struct eqt_job_totals *totals,
			 const struct eqt_node_offer *node)
{
	uint64_t tasks = eqt_node_offer_tasks(spec, totals, node);
	uint64_t nodes = totals->nodes;
	uint64_t gpus = node_gpus(node);

	if (totals->mem == EQT_MEM_PER_NODE && totals->mem_each > node->mem_mib)
		return 0;
	if (spec->linear)
		return linear_nodes(spec, totals, node);
	if (tasks == 0)
		return 0;
	raise_to(&nodes, eqt_whole_divide_up(totals->tasks, tasks));
	if (!spec->exclusive && node_cpus(spec, node) > 0)
		raise_to(&nodes,
			 eqt_whole_divide_up(
				 totals->demand.cores,
				 node->threads > 1 ? node->cpus / node->threads
						   : node->cpus));
	if (!spec->exclusive && totals->gpus > 0) {
		if (gpus == 0 || (spec->tres_per_node && !spec->tres_per_job &&
				  totals->gpus / totals->nodes > gpus))
			return 0;
		raise_to(&nodes, eqt_whole_divide_up(totals->gpus, gpus));
	}
	if (!spec->exclusive)
		return nodes;
	raise_to_job_gpus(&nodes, node, spec->tres_per_job);
	return raise_to_task_gpus(&nodes, node, spec->tres_per_task,
				  totals->tasks)
		       ? nodes
		       : 0;
}

uint64_t eqt_node_offers_limit(const struct eqt_job_spec *spec,
			       const struct eqt_node_offer *node)
{
	const uint64_t most = spec->node.count ? spec->node.count : node->count;

	return spec->max_nodes > 0 && spec->max_nodes < most ? spec->max_nodes
							     : most;
}
