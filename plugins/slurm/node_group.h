/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_group: nodes with the same resources and bundles. */
#ifndef EQT_NODE_GROUP_H
#define EQT_NODE_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "slurm/compat.h"

/* Nodes with the same resources and bundles. */
struct eqt_node_group {
	uint64_t cpus, mem_mib, threads, sockets;
	const char *gres; /* borrowed; NULL: they differ */
	uint32_t bundles;
	bool differ; /* others of the group are larger */
	bitstr_t *nodes; /* owned */
};

/* Whether two texts are the same; NULL is one of its own. */
static inline bool eqt_node_text_is(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether nodes of both are priced alike. */
static inline bool eqt_node_group_is(const struct eqt_node_group *group,
				     const struct eqt_node_group *other)
{
	return group->cpus == other->cpus && group->mem_mib == other->mem_mib &&
	       group->threads == other->threads &&
	       group->sockets == other->sockets &&
	       group->bundles == other->bundles &&
	       eqt_node_text_is(group->gres, other->gres);
}

/* Make *least the smaller of both in each respect. */
static inline void eqt_node_group_merge(struct eqt_node_group *least,
					const struct eqt_node_group *other)
{
	if (least->cpus != other->cpus || least->mem_mib != other->mem_mib)
		least->differ = true;
	if (least->cpus > other->cpus)
		least->cpus = other->cpus;
	if (least->mem_mib > other->mem_mib)
		least->mem_mib = other->mem_mib;
	/* Which of their GPUs a job would get is not known. */
	if (least->gres && !eqt_node_text_is(least->gres, other->gres)) {
		least->differ = true;
		least->gres = NULL;
	}
	least->differ = least->differ || other->differ;
	least->bundles |= other->bundles;
}

#endif
