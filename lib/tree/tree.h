/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree: the share tree and its ranks (Fair Tree).
 *
 * The rule, from the public description of the algorithm (Cox and Morrison,
 * "Fair Tree", Slurm User Group 2014, and Slurm's page on it): among siblings
 * Level FS = S / U, S being the node's part of the level's shares and U its
 * part of the parent's usage. The tree is walked depth first in order of
 * falling Level FS; each user that is met gets the next lower rank; the Fair
 * Share factor is rank / number of users. Ties:
 *	- sibling users with equal Level FS have the same rank;
 *	- sibling accounts with equal Level FS are merged: their children are
 *	  ranked as one level;
 *	- a user with the Level FS of a sibling account has the rank of the
 *	  account's best user.
 * Accounts without a user below them count with their shares only.
 * Orders and ties are decided on the exact quotients, never on rounded ones,
 * so that scaling all usage, or all shares of a level, changes no rank.
 *
 * Opaque. A tree is made once for a shape, then filled and ranked in each pass
 * without allocating. No locks: only one thread at a time may use it.
 */
#ifndef EQT_TREE_H
#define EQT_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define EQT_TREE_NONE UINT32_MAX
#define EQT_TREE_DEPTH_MAX 1024

/* One node as the caller gives it, a plain value. */
struct eqt_tree_input {
	uint32_t parent; /* index of the parent; EQT_TREE_NONE: root */
	uint32_t shares; /* RawShares; not used with parent_shares */
	bool user; /* a user association: a leaf */
	bool parent_shares; /* Fairshare=parent: the node does not compete at
				   its level. A user ranks before all nodes
				   that do; an account's children count as
				   children of the next ancestor that does */
};

/* One node as ranked, a plain value. */
struct eqt_tree_result {
	double shares_norm; /* S; of parent_shares: the ancestor's S; the
				   root's is 0 */
	long double usage_efctv; /* U; the root's is 1 */
	long double level_fs; /* S / U, INFINITY without usage, 0 without
				   shares; NAN for a parent_shares account and
				   for the root */
	double fs_factor; /* users: rank / users; accounts: 0 */
	uint32_t rank; /* users: users .. 1; accounts: 0 */
};

enum eqt_tree_mode {
	EQT_TREE_DOCUMENTED, /* as above */
	EQT_TREE_STOCK /* tied accounts are not merged and equality is
				   == on long double quotients */
};

struct eqt_tree;

/*
 * Make a tree of count nodes. Node 0 is the root and the only one without a
 * parent; children keep the order in which they are given. Copies nodes.
 * Returns NULL with err filled: no nodes, a root that has a parent or is a
 * user, a second root, a parent that is out of range or a user, a cycle, a tree
 * deeper than EQT_TREE_DEPTH_MAX, out of memory.
 */
struct eqt_tree *eqt_tree_new(const struct eqt_tree_input *nodes,
			      uint32_t count, struct eqt_error *err);

/* Free it; NULL is fine. */
void eqt_tree_free(struct eqt_tree *tree);

/* Number of nodes, number of users. */
uint32_t eqt_tree_count(const struct eqt_tree *tree);
uint32_t eqt_tree_users(const struct eqt_tree *tree);

/*
 * Set the usage of a node: its own and that of all below it, in any unit that
 * is the same for all nodes. A negative one or a NaN counts as 0, an infinite
 * one as LDBL_MAX.
 */
void eqt_tree_usage_set(struct eqt_tree *tree, uint32_t node,
			long double usage);

/* The usage of a node. */
long double eqt_tree_usage(const struct eqt_tree *tree, uint32_t node);

/* Add to the usage of a node and of all its ancestors, or subtract from it (not
 * below 0). A usage that is not > 0 changes nothing. */
void eqt_tree_usage_add(struct eqt_tree *tree, uint32_t node,
			long double usage);
void eqt_tree_usage_sub(struct eqt_tree *tree, uint32_t node,
			long double usage);

/*
 * Set S for stock mode. Slurm stores S beside the shares and does not always
 * update it when they change. A value below 0, the initial one, means: computed
 * from the shares. Call eqt_tree_norms_make() before the first; it returns 0, or
 * -1 with err filled when memory is short.
 */
int eqt_tree_norms_make(struct eqt_tree *tree, struct eqt_error *err);
void eqt_tree_norm_set(struct eqt_tree *tree, uint32_t node,
		       double shares_norm);

/*
 * Let idle nodes not count at their level. After the usage is set, call
 * eqt_tree_idle_all(), then eqt_tree_idle_wake() for each node that has jobs
 * (wakes its ancestors as well), then eqt_tree_idle_end(), which wakes all nodes
 * with at least that much usage. A node that stays idle has no usage, and its
 * shares do not count for its siblings, until the next eqt_tree_idle_all().
 * After eqt_tree_idle_none() all nodes count again, as in a new tree.
 */
void eqt_tree_idle_all(struct eqt_tree *tree);
void eqt_tree_idle_wake(struct eqt_tree *tree, uint32_t node);
void eqt_tree_idle_end(struct eqt_tree *tree, long double least);
void eqt_tree_idle_none(struct eqt_tree *tree);

/* Rank all users. Allocates nothing. O(n log n) in the siblings of a level. */
void eqt_tree_rank(struct eqt_tree *tree, enum eqt_tree_mode mode);

/* The result of the last eqt_tree_rank() for a node, by value. Usage, shares and
 * idleness must not have changed since. */
struct eqt_tree_result eqt_tree_node(const struct eqt_tree *tree,
				     uint32_t node);
/* Its fs_factor alone; 0 for an account. */
double eqt_tree_fs_factor(const struct eqt_tree *tree, uint32_t node);

#endif
