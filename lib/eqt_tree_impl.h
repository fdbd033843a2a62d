/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_tree_impl: what eqt_tree.c builds and eqt_tree_rank.c and
 * eqt_queue_place.c work on. Private to these.
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
	uint32_t parent; /* EQT_NODE_NONE: the root */
	uint32_t shares; /* 0 with parent_shares */
	uint32_t first; /* its children are child[first] and on, */
	uint32_t children; /* so many, in the order of their indices */
	uint32_t rank; /* of a user, by the last ranking; else 0 */
	bool user;
	bool parent_shares; /* never the root */
	bool populated; /* is a user, or has one below */
	bool idle; /* counts for nothing at its level */
};

/* What waits below a node; eqt_queue_place.c only. */
struct eqt_tree_waiting {
	size_t jobs; /* of a user, or of all users below */
	size_t next; /* of a user: the first of them */
	uint32_t *heap; /* the children that have some; into tree->heap */
	uint32_t heap_count;
	double ended; /* of a user: equivalents since the last placing */
	double ending; /* the same as a running mean of placings */
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
	enum eqt_tree_mode mode; /* of the last ranking */
	struct eqt_tree_node *nodes;
	double *norms; /* S in stock mode, < 0: by shares; NULL: of all */
	uint32_t *child;
	/*
	 * A stack of sibling lists, one for each level of the walk. Every node
	 * is in one list only, so count entries are enough.
	 */
	struct eqt_tree_entry *entries;
	struct eqt_tree_entry *scratch; /* for merging, count entries */
	/* Both NULL until something is to be placed. */
	struct eqt_tree_waiting *waiting; /* count entries */
	uint32_t *heap; /* as child[] */
};

/* Make waiting and heap, unless they are there; -1 when memory is short. */
int eqt_tree_waiting_make(struct eqt_tree *tree);

#endif
