/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_group: nodes with the same resources and bundles, so that a request has the same
 * price on all of them. Only candidate_nodes.c uses it. */
#ifndef EQT_NODE_GROUP_H
#define EQT_NODE_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/whole.h"
#include "job/job_spec.h"
#include "slurm/node_bits.h"

/* Nodes with the same resources and bundles. */
struct eqt_node_group {
	uint64_t cpus, mem_mib, system_mib, threads, hw_threads, sockets;
	/* Borrowed from a node; NULL if the GRES of the nodes differ. */
	const char *gres;
	uint32_t bundles;
	bool differ; /* Some nodes are larger than the smallest one. */
	struct eqt_node_set nodes; /* Owned by the group. */
	uint64_t count; /* The group's nodes in the survey's partition. */
};

/* Are the texts equal? NULL equals only NULL. */
static inline bool eqt_node_group_text_is(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Does a request have the same price on the nodes of both groups? */
static inline bool eqt_node_group_is(const struct eqt_node_group *group,
				     const struct eqt_node_group *other)
{
	return group->cpus == other->cpus && group->mem_mib == other->mem_mib &&
	       group->system_mib == other->system_mib &&
	       group->threads == other->threads &&
	       group->sockets == other->sockets &&
	       group->bundles == other->bundles &&
	       eqt_node_group_text_is(group->gres, other->gres);
}

/* Reduce each resource of *least to that of *other, if *other has less. */
static inline void eqt_node_group_merge(struct eqt_node_group *least,
					const struct eqt_node_group *other)
{
	if (least->cpus != other->cpus || least->mem_mib != other->mem_mib)
		least->differ = true;
	eqt_whole_lower(&least->cpus, other->cpus);
	eqt_whole_lower(&least->mem_mib, other->mem_mib);
	eqt_whole_raise(&least->system_mib, other->system_mib);
	/* The GPUs of the group differ, and it is unknown which of them the job
	   would get. */
	if (least->gres && !eqt_node_group_text_is(least->gres, other->gres)) {
		least->differ = true;
		least->gres = NULL;
	}
	least->differ = least->differ || other->differ;
	least->bundles |= other->bundles;
}

/* The resources of a group's nodes, without their number. */
static inline struct eqt_node_offer eqt_node_group_offer(
	const struct eqt_node_group *group)
{
	return (struct eqt_node_offer){
		.cpus = group->cpus,
		.mem_mib = group->mem_mib,
		.system_mib = group->system_mib,
		.gres = group->gres ? group->gres : "",
		.differ = group->differ,
		.threads = group->threads,
		.hw_threads = group->hw_threads,
		.sockets = group->sockets,
	};
}

#endif
