/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_impl: the internal structs of a share tree, for tree.c, sibling_sort.c and
 * prio/job_order.c only.
 *
 * Nodes are stored by slot, and siblings have neighbouring slots, so that a level is
 * contiguous in memory. Most of the time that ranking a million users takes is waiting
 * for memory. Slots are internal; slot[] translates the caller's numbers of nodes.
 *
 * Parents and children are those of the fair-share tree: the parent of a node is the
 * next ancestor without Fairshare=parent, or the root. So an account with
 * Fairshare=parent has no children, and the children of its association are its
 * siblings.
 */
#ifndef EQT_TREE_IMPL_H
#define EQT_TREE_IMPL_H

#include <stddef.h>

#include "tree/tree.h"

struct eqt_tree_node {
	long double usage; /* usage of the node, finite and not negative */
	/* The sum of the shares of its children. It cannot overflow, because there are
	 * fewer than 2^32 children with less than 2^32 shares each. */
	uint64_t level_shares;
	uint32_t parent; /* slot of the parent; EQT_TREE_NONE for the root */
	uint32_t shares; /* shares of the node; 0 with Fairshare=parent */
	uint32_t first; /* slot of the first child */
	/* Number of children, which are in the order of the caller's numbers. */
	uint32_t children;
	/* Rank of a user in the last ranking; 0 for an account. */
	uint32_t rank;
	bool user;
	bool parent_shares; /* Fairshare=parent, which the root never has */
	bool populated; /* whether the node is a user or has a user below it */
	bool idle; /* whether the node does not count at its level */
};

/* The waiting jobs below a node. Only prio/job_order.c uses them. */
struct eqt_tree_waiting {
	/* The first job of the list, or EQT_TREE_NONE. */
	uint32_t first;
	/* Equivalents of the user's jobs that have ended since the last placing. */
	double ended;
	/* The running mean of the member ended over several placings. */
	double ending;
};

/* A node among siblings whose lists are being merged. */
struct eqt_tree_match {
	uint64_t key;
	/* The slot and, in the upper half, the number of the node among these
	 * siblings. */
	uint64_t child;
};

/* A node in a list of siblings that is being ranked. */
struct eqt_tree_entry {
	/* The rounded Level FS, which is enough to order most pairs. */
	double key;
	uint32_t slot;
	bool user;
};

struct eqt_tree {
	uint32_t count;
	uint32_t users;
	bool idling; /* whether some nodes may be idle */
	enum eqt_tree_mode mode; /* the mode of the last ranking */
	struct eqt_tree_node *nodes; /* all nodes by slot; slot 0 is the root */
	uint32_t *slot; /* slots by the caller's numbers of nodes */
	/* S in stock mode, by slot. A number below 0 means that S follows from the
	 * shares. NULL means the same for all nodes. */
	double *norms;
	/*
	 * A stack of lists of siblings, one for each level of the walk. Each node is in
	 * one list only, so that `count` entries are enough.
	 */
	struct eqt_tree_entry *entries;
	/* Room for `count` entries while lists are merged. */
	struct eqt_tree_entry *scratch;
	/* The next two members are NULL until jobs are placed. */
	/* The waiting jobs of each node, by slot. */
	struct eqt_tree_waiting *waiting;
	/* The losers of matches, and from index `count` on the siblings that play. */
	struct eqt_tree_match *matches;
};

/*
 * Are two keys so far apart that their order is that of the exact Level FS? A key
 * differs from the exact number by fewer than ten roundings of a double (2^-53 each).
 * Stock mode has the order of Slurm's rounded quotients.
 */
static inline bool eqt_tree_is_far(const struct eqt_tree *tree, double high,
				   double low)
{
	return high > low * (tree->mode == EQT_TREE_STOCK ? 1 : 1 + 0x1p-48);
}

/* Does entry b come before entry a, which was added earlier? */
typedef bool eqt_tree_order(const struct eqt_tree *tree,
			    const struct eqt_tree_entry *b,
			    const struct eqt_tree_entry *a);

/* Sort the entries from low to before high by falling Level FS in the mode of the tree.
 * Entries are compared by their keys and, if these are too close, by `before`. The sort
 * is stable except for tied quotients in documented mode. */
void eqt_sibling_sort(struct eqt_tree *tree, size_t low, size_t high,
		      eqt_tree_order *before);

/* Allocate the members for waiting jobs, unless they exist. Return -1 if there is no
 * memory. */
int eqt_tree_waiting_make(struct eqt_tree *tree);

#endif
