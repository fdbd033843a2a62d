/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overhead_list: the nodes of one partition that have one GPU model, and the
 * first of them that has room, without a look at each.
 */
#ifndef EQT_CAPACITY_NODE_LIST_H
#define EQT_CAPACITY_NODE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/nodes.h"

#define EQT_CAPACITY_LIST_END SIZE_MAX

/*
 * bound[] is a binary tree over the nodes, bound[1] its root: at least what is
 * left of any node below. It may be more than that, since a node that another
 * list took from is looked at here when its turn comes; never less, since
 * nothing is given back.
 */
struct eqt_capacity_list {
	struct eqt_scontrol_value
		partition; /* borrowed, as model and left are */
	struct eqt_scontrol_value model; /* no text: any node will do */
	const struct eqt_unit_amounts
		*left; /* of all nodes; may fall, not rise */
	bool any; /* nodes of the partition, whatever they have */
	size_t count;
	size_t *node; /* their numbers, rising */
	struct eqt_unit_amounts *bound;
};

/* The nodes for which chosen[] is set, in their order. NULL: memory. */
struct eqt_capacity_list *eqt_capacity_list_new(
	const struct eqt_scontrol_nodes *nodes, const bool *chosen,
	const struct eqt_unit_amounts *left,
	struct eqt_scontrol_value partition, struct eqt_scontrol_value model);

/* NULL is fine. */
void eqt_capacity_list_free(struct eqt_capacity_list *list);

/* The first node, not before the from-th of the list, that has so much left:
 * its place in node[], or EQT_CAPACITY_LIST_END. */
size_t eqt_capacity_list_find(struct eqt_capacity_list *list, size_t from,
			      const struct eqt_unit_amounts *wanted);

#endif
