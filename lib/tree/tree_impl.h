/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_impl: the inside of a share tree. tree.c builds and ranks it; sibling_sort.c and
 * prio/job_order.c work on it. Private to these.
 *
 * Nodes are stored by slot, and siblings have slots in a row, so that a level is
 * read from one stretch of memory: ranking a million users is mostly waiting for
 * memory. Slots are internal; slot[] translates the caller's node numbers.
 *
 * "Parent" and "children" mean the fair-share tree: a node's parent is the next
 * ancestor that is not parent_shares, or the root. So a parent_shares account has
 * no children, and its own children are its siblings.
 */
#ifndef EQT_TREE_IMPL_H
#define EQT_TREE_IMPL_H

#include <stddef.h>

#include "tree/tree.h"

struct eqt_tree_node {
	long double usage; /* finite, >= 0 */
	uint64_t level_shares; /* sum of its children's shares; cannot wrap:
				   fewer than 2^32 times less than 2^32 */
	uint32_t parent; /* its slot; EQT_TREE_NONE: the root */
	uint32_t shares; /* 0 with parent_shares */
	uint32_t first; /* slot of the first of its children, */
	uint32_t children; /* so many, in the order of the caller's numbers */
	uint32_t rank; /* of a user, by the last ranking; else 0 */
	bool user;
	bool parent_shares; /* never the root */
	bool populated; /* is a user, or has one below */
	bool idle; /* counts for nothing at its level */
};

/* The waiting jobs below a node; used by prio/job_order.c only. */
struct eqt_tree_waiting {
	size_t jobs; /* of a user, or of all users below */
	size_t next; /* of a user: the first of them */
	uint32_t *heap; /* the children with jobs; points into tree->heap */
	uint32_t heap_count;
	double ended; /* of a user: equivalents ended since the last placing */
	double ending; /* the running mean of that over placings */
};

/* A node in a list of siblings that is being ranked. */
struct eqt_tree_entry {
	double key; /* Level FS rounded: orders most pairs */
	uint32_t slot;
	bool user;
};

struct eqt_tree {
	uint32_t count;
	uint32_t users;
	bool idling; /* some nodes may be idle */
	enum eqt_tree_mode mode; /* of the last ranking */
	struct eqt_tree_node *nodes; /* by slot; the root's is 0 */
	uint32_t *slot; /* by the caller's numbers */
	double *norms; /* by slot: S in stock mode, < 0: by shares; NULL: of
			   all */
	/*
	 * A stack of sibling lists, one for each level of the walk. Every node
	 * is in one list only, so count entries are enough.
	 */
	struct eqt_tree_entry *entries;
	struct eqt_tree_entry *scratch; /* for merging, count entries */
	/* Both are NULL until jobs are placed. */
	struct eqt_tree_waiting *waiting; /* by slot */
	uint32_t *heap; /* slots; each level has the stretch of its nodes */
};

/* Add usage (negative: subtract) to a slot and to all its ancestors. */
void eqt_tree_slot_add(struct eqt_tree *tree, uint32_t slot, long double usage);

/*
 * A key differs from the true Level FS by fewer than ten roundings of a double
 * (2^-53 each), so keys further apart than this are in the true order. Stock
 * mode's order is that of Slurm's own, rounded quotients.
 */
static inline bool eqt_tree_is_far(const struct eqt_tree *tree, double high,
				   double low)
{
	return high > low * (tree->mode == EQT_TREE_STOCK ? 1 : 1 + 0x1p-48);
}

/* Does b go before a, which was given earlier? */
typedef bool eqt_tree_order(const struct eqt_tree *tree,
			    const struct eqt_tree_entry *b,
			    const struct eqt_tree_entry *a);

/* Sort the entries from low to before high by falling Level FS, in the tree's
 * mode: by their keys, and where these are too close by before. Stable but for ties of
 * quotients in documented mode. */
void eqt_sibling_sort(struct eqt_tree *tree, size_t low, size_t high,
		      eqt_tree_order *before);

/* Make waiting and heap, unless they are there; -1 when memory is short. */
int eqt_tree_waiting_make(struct eqt_tree *tree);

#endif
