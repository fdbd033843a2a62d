/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/whole.h"
#include "job/near_cores.h"
#include "price/gres.h"

/* Return how many GPUs of a row are enough on one node, or 0 if Slurm does not stop at
 * a number. With memory for each GPU, Slurm stops at the number of GPUs of the job. */
static uint64_t row_enough(const struct eqt_job_spec *spec,
			   const struct eqt_gres_row *row)
{
	if (row->count[EQT_GRES_NODE] > 0 ||
	    (row->mem_mib == 0 && spec->defaults.mem_per_gpu == 0))
		return row->count[EQT_GRES_NODE];
	return row->count[EQT_GRES_JOB];
}

/* Return how many sockets of a node Slurm uses for the GPUs of a row, or 0 if the GPUs
 * are not bound to sockets. Slurm takes sockets until they have enough GPUs. The node's
 * list does not say how many GPUs each socket has, so all sockets are assumed to have
 * the same number. */
static uint64_t row_sockets(const struct eqt_job_spec *spec,
			    const struct eqt_gres_row *row,
			    const struct eqt_node_offer *node)
{
	const uint64_t wanted = row_enough(spec, row);
	const char *list = node->gres;
	uint64_t bits = 0, count = 0, sockets;
	struct eqt_gres gres;

	while (eqt_gres_next(&gres, &list, NULL) > 0) {
		if (strcmp(gres.name, row->name) != 0 || gres.count == 0 ||
		    (row->type[0] && strcmp(gres.type, row->type) != 0))
			continue;
		if (gres.sockets == 0)
			return 0;
		bits |= gres.sockets;
		count += gres.count;
	}
	sockets = (uint64_t) __builtin_popcountll(bits);
	if (wanted == 0 || wanted >= count)
		return sockets;
	return eqt_whole_divide_up(wanted, eqt_whole_divide_up(count, sockets));
}

/* Return how many sockets of a node slurmctld leaves to the tasks at first. */
static uint64_t near_sockets(const struct eqt_job_spec *spec,
			     const struct eqt_gres_rows *asked,
			     const struct eqt_node_offer *node)
{
	uint64_t used = node->sockets, sockets;

	if (!asked || asked->count == 0 || used < 2 || !node->gres ||
	    !strchr(node->gres, '(') || spec->linear || spec->overcommit)
		return used;
	for (uint32_t i = 0; i < asked->count; i++) {
		sockets = row_sockets(spec, &asked->row[i], node);
		if (sockets > 0)
			used = eqt_whole_min(used, sockets);
	}
	return used;
}

static uint64_t sockets_cpus(const struct eqt_node_offer *node,
			     uint64_t sockets)
{
	return sockets == node->sockets ? node->cpus
					: node->cpus / node->sockets * sockets;
}

uint64_t eqt_near_cores_cpus(const struct eqt_job_spec *spec,
			     const struct eqt_gres_rows *asked,
			     const struct eqt_node_offer *node)
{
	return sockets_cpus(node, near_sockets(spec, asked, node));
}

uint64_t eqt_near_cores_nodes(const struct eqt_job_spec *spec,
			      const struct eqt_job_totals *totals,
			      const struct eqt_gres_rows *asked,
			      const struct eqt_node_offer *node, uint64_t nodes)
{
	const uint64_t sockets = near_sockets(spec, asked, node);
	struct eqt_node_offer near;
	uint64_t tasks, least;

	if (sockets == node->sockets)
		return nodes;
	near = *node;
	near.sockets = sockets;
	near.cpus = sockets_cpus(node, sockets);
	/* Whole nodes are compared with the CPUs of all their GPUs. The CPUs
	   near the GPUs may be fewer than that. */
	least = eqt_node_offers(spec, totals, asked, &near);
	tasks = least > 0 ? 0 : eqt_node_offer_tasks(spec, totals, &near);
	if (tasks > 0)
		least = eqt_whole_divide_up(totals->tasks, tasks);
	return eqt_whole_max(nodes, least);
}
