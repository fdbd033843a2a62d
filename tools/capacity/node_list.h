/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_list: the nodes of one partition with one GPU model, and a search for
 * the first with enough room that does not visit every node. */
#ifndef EQT_CAPACITY_NODE_LIST_H
#define EQT_CAPACITY_NODE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/scontrol/nodes.h"

#define EQT_CAPACITY_LIST_END SIZE_MAX

/*
 * bound[] is a binary tree over the nodes with its root at bound[1]: an upper
 * bound of what is left on any node below. A bound may be too high, since
 * another list may have taken from a node; a search corrects it. It is never
 * too low, since nothing is given back.
 */
struct eqt_capacity_list {
	struct eqt_scontrol_value partition; /* borrowed, like model and left */
	struct eqt_scontrol_value model; /* no text: any node */
	const struct eqt_unit_amounts *left; /* of all nodes; only decreases */
	bool any; /* the partition has nodes, of any model */
	size_t count;
	size_t *node; /* their numbers, ascending */
	struct eqt_unit_amounts *bound;
};

/* A list of the nodes for which chosen[] is set, in their order. NULL: out of
 * memory. */
struct eqt_capacity_list *eqt_capacity_list_new(
	const struct eqt_scontrol_nodes *nodes, const bool *chosen,
	const struct eqt_unit_amounts *left,
	struct eqt_scontrol_value partition, struct eqt_scontrol_value model);

/* NULL is allowed. */
void eqt_capacity_list_free(struct eqt_capacity_list *list);

/* The first node at or behind place from that has the wanted amounts left: its
 * place in node[], or EQT_CAPACITY_LIST_END. */
size_t eqt_capacity_list_find(struct eqt_capacity_list *list, size_t from,
			      const struct eqt_unit_amounts *wanted);

#endif
