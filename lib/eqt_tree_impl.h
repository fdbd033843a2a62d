/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_tree_impl: what eqt_tree.c builds and eqt_tree_rank.c works on. Private
 * to these two.
 *
 * "Parent" and "children" are those of the fair-share tree: a node's parent is
 * the next ancestor that is not parent_shares, or the root. So a parent_shares
 * account has no children and its own children are its siblings.
 */
#ifndef EQT_TREE_IMPL_H
#define EQT_TREE_IMPL_H

#include "eqt_tree.h"

struct eqt_tree_node {
	long double usage; /* finite, >= 0 */
	uint64_t level_shares; /* sum of its children's shares; cannot wrap:
				   fewer than 2^32 times less than 2^32 */
	double shares_norm; /* S in stock mode; < 0: by shares */
	uint32_t parent; /* EQT_NODE_NONE: the root */
	uint32_t shares; /* 0 with parent_shares */
	uint32_t first; /* its children are child[first] and on, */
	uint32_t children; /* so many, in the order of their indices */
	bool user;
	bool parent_shares; /* never the root */
	bool populated; /* is a user, or has one below */
};

/* A node in a list of siblings that is being ranked. */
struct eqt_tree_entry {
	double key; /* Level FS rounded: orders most pairs */
	uint32_t node;
	bool user;
};

struct eqt_tree {
	uint32_t count;
	uint32_t users;
	struct eqt_tree_node *nodes;
	struct eqt_node_out *out;
	uint32_t *child;
	/*
	 * A stack of sibling lists, one for each level of the walk. Every node
	 * is in one list only, so count entries are enough.
	 */
	struct eqt_tree_entry *entries;
	struct eqt_tree_entry *scratch; /* for merging, count entries */
};

#endif
