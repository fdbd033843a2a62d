/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree: the share tree and its ranks (Fair Tree).
 *
 * The rule comes from the public descriptions of the algorithm (Cox and Morrison, "Fair
 * Tree", Slurm User Group 2014, and Slurm's page about it). Among siblings, Level FS =
 * S / U, where S is the node's part of the shares of its level and U is its part of the
 * usage of the parent. The tree is walked depth first in order of falling Level FS.
 * Each user on the way gets the next lower rank. The fair-share factor is rank / number
 * of users. Ties are resolved as follows.
 *	- Sibling users with equal Level FS have the same rank.
 *	- Sibling accounts with equal Level FS are merged: their children are
 *	  ranked as one level.
 *	- A user with the Level FS of a sibling account has the rank of the
 *	  best user of the account.
 * An account without users below it only adds its shares to its level. Orders and ties
 * are decided on the exact quotients, not on rounded ones. So the ranks do not change
 * if all usage, or all shares of a level, are scaled.
 *
 * The type is opaque. A tree is made once for a set of associations, and then filled
 * and ranked in each pass without allocating memory. There are no locks: only one
 * thread at a time may use a tree.
 */
#ifndef EQT_TREE_H
#define EQT_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define EQT_TREE_NONE UINT32_MAX
#define EQT_TREE_DEPTH_MAX 1024

/* One node of the tree as the caller describes it. A plain value. */
struct eqt_tree_input {
	uint32_t parent; /* index of the parent; EQT_TREE_NONE for the root */
	uint32_t shares; /* RawShares; ignored if parent_shares is true */
	/* Whether this is a user association, which has no children. */
	bool user;
	/* Fairshare=parent. Such a node does not compete at its level. A user with it
	 * ranks before all siblings without it. The children of an account with it
	 * count as children of the next ancestor without it. */
	bool parent_shares;
};

/* One node after ranking. A plain value. */
struct eqt_tree_result {
	/* S. With Fairshare=parent it is the S of the ancestor. It is 0 for the
	 * root. */
	double shares_norm;
	long double usage_efctv; /* U, which is 1 for the root */
	/* S / U. It is INFINITY without usage and 0 without shares. It is NAN for the
	 * root and for an account with Fairshare=parent. */
	long double level_fs;
	/* Rank / number of users for a user; 0 for an account. */
	double fs_factor;
	/* A user's rank is from the number of users down to 1; an account's is 0. */
	uint32_t rank;
};

enum eqt_tree_mode {
	/* The rules of Fair Tree as Slurm documents them. */
	EQT_TREE_DOCUMENTED,
	/* Tied accounts are not merged, and ties are equal quotients of type long
	 * double. */
	EQT_TREE_STOCK
};

struct eqt_tree;

/*
 * Make a tree of count nodes, which are copied. Node 0 is the root and the only node
 * without a parent. Children remain in the given order. Return NULL with err filled if
 * there are no nodes, the root has a parent or is a user, there is a second root, a
 * parent is out of range or a user, there is a cycle, the tree is deeper than
 * EQT_TREE_DEPTH_MAX, or there is no memory.
 */
struct eqt_tree *eqt_tree_new(const struct eqt_tree_input *nodes,
			      uint32_t count, struct eqt_error *err);

/* Free a tree. NULL is allowed. */
void eqt_tree_free(struct eqt_tree *tree);

/* Return the number of nodes, or the number of users. */
uint32_t eqt_tree_count(const struct eqt_tree *tree);
uint32_t eqt_tree_users(const struct eqt_tree *tree);

/*
 * Set the usage of a node, which includes that of all nodes below it. Any unit is
 * possible, if it is the same for all nodes. A negative number or a NaN counts as 0,
 * and infinity counts as LDBL_MAX.
 */
void eqt_tree_usage_set(struct eqt_tree *tree, uint32_t node,
			long double usage);

/* Return the usage of a node. */
long double eqt_tree_usage(const struct eqt_tree *tree, uint32_t node);

/* Add to the usage of a node and of all its ancestors, or subtract from these. No usage
 * falls below 0. Nothing changes if the given usage is not above 0. */
void eqt_tree_usage_add(struct eqt_tree *tree, uint32_t node,
			long double usage);
void eqt_tree_usage_sub(struct eqt_tree *tree, uint32_t node,
			long double usage);

/*
 * Set S for stock mode. Slurm stores S besides the shares and does not always update it
 * when the shares change. A value below 0, which is the initial value, means that S is
 * computed from the shares. Call eqt_tree_norms_make() before the first
 * eqt_tree_norm_set(). It returns 0, or -1 with err filled if there is no memory.
 */
int eqt_tree_norms_make(struct eqt_tree *tree, struct eqt_error *err);
void eqt_tree_norm_set(struct eqt_tree *tree, uint32_t node,
		       double shares_norm);

/*
 * Exclude idle nodes from their levels. After setting the usage, call
 * eqt_tree_idle_all(). Then call eqt_tree_idle_wake() for each node that has jobs,
 * which also wakes its ancestors. Then call eqt_tree_idle_end(), which wakes all nodes
 * with a usage of at least `least`. Until the next eqt_tree_idle_all(), a node that
 * stays idle has no usage, and its shares do not count at its level.
 * eqt_tree_idle_none() wakes all nodes, as in a new tree.
 */
void eqt_tree_idle_all(struct eqt_tree *tree);
void eqt_tree_idle_wake(struct eqt_tree *tree, uint32_t node);
void eqt_tree_idle_end(struct eqt_tree *tree, long double least);
void eqt_tree_idle_none(struct eqt_tree *tree);

/* Rank all users. Nothing is allocated. The time is O(n log n) for n siblings. */
void eqt_tree_rank(struct eqt_tree *tree, enum eqt_tree_mode mode);

/* Return the result of the last eqt_tree_rank() for a node. Usage, shares and idle
 * nodes must not have changed since then. */
struct eqt_tree_result eqt_tree_node(const struct eqt_tree *tree,
				     uint32_t node);
/* Return the member fs_factor of this result. It is 0 for an account. */
double eqt_tree_fs_factor(const struct eqt_tree *tree, uint32_t node);

#endif
