/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree is kept in slots: siblings lie next to each other, so that a level is
 * read in a row. Callers number nodes as they like; slot[] translates.
 */
#include <float.h>
#include <stdlib.h>

#include "tree/tree_impl.h"

/* Check one node by itself: its parent, and that the parent is no user. */
static int node_check(const struct eqt_tree_input *nodes, uint32_t count,
		      uint32_t i, struct eqt_error *err)
{
	uint32_t parent = nodes[i].parent;

	if (i == 0 && parent != EQT_TREE_NONE)
		return eqt_error_set(err, "node 0: the root has a parent");
	if (i == 0 && nodes[i].user)
		return eqt_error_set(err, "node 0: the root is a user");
	if (i == 0)
		return 0;
	if (parent == EQT_TREE_NONE)
		return eqt_error_set(err, "node %u: a second root", i);
	if (parent >= count)
		return eqt_error_set(err, "node %u: parent %u is out of range",
				     i, parent);
	if (nodes[parent].user)
		return eqt_error_set(err, "node %u: parent %u is a user", i,
				     parent);
	return 0;
}

/*
 * Fill depth[] (the root's is 1, 0 is "not yet known") from node i up to the
 * first node whose depth is known: all calls together pass each node twice.
 */
static int depth_climb(const struct eqt_tree_input *nodes, uint32_t count,
		       uint32_t *depth, uint32_t i, struct eqt_error *err)
{
	uint32_t at, steps = 0;

	for (at = i; !depth[at]; at = nodes[at].parent) {
		if (++steps >= count)
			return eqt_error_set(
				err, "node %u: parents form a cycle", i);
	}
	steps += depth[at];
	if (steps - 1 > EQT_TREE_DEPTH_MAX)
		return eqt_error_set(err, "node %u: deeper than %d levels", i,
				     EQT_TREE_DEPTH_MAX);
	for (at = i; !depth[at]; at = nodes[at].parent)
		depth[at] = steps--;
	return 0;
}

/* No cycle, and no deeper than EQT_TREE_DEPTH_MAX: rank.c recurses. */
static int depths_check(const struct eqt_tree_input *nodes, uint32_t count,
			struct eqt_error *err)
{
	uint32_t *depth = calloc(count, sizeof(*depth));
	int rc = 0;

	if (!depth)
		return eqt_error_set(
			err, "out of memory for a tree of %u nodes", count);
	depth[0] = 1;
	for (uint32_t i = 1; i < count && rc == 0; i++)
		rc = depth_climb(nodes, count, depth, i, err);
	free(depth);
	return rc;
}

/* Check everything that the functions below rely on. */
static int shape_check(const struct eqt_tree_input *nodes, uint32_t count,
		       struct eqt_error *err)
{
	if (!count)
		return eqt_error_set(err, "a tree without nodes");
	for (uint32_t i = 0; i < count; i++) {
		if (node_check(nodes, count, i, err) < 0)
			return -1;
	}
	return depths_check(nodes, count, err);
}

/* Allocate all memory that ranking needs: eqt_tree_rank() allocates nothing. */
static struct eqt_tree *tree_alloc(uint32_t count, struct eqt_error *err)
{
	struct eqt_tree *tree = calloc(1, sizeof(*tree));

	if (tree) {
		tree->count = count;
		tree->nodes = calloc(count, sizeof(*tree->nodes));
		tree->slot = calloc(count, sizeof(*tree->slot));
		tree->entries = calloc(count, sizeof(*tree->entries));
		tree->scratch = calloc(count, sizeof(*tree->scratch));
	}
	if (!tree || !tree->nodes || !tree->slot || !tree->entries ||
	    !tree->scratch) {
		eqt_error_set(err, "out of memory for a tree of %u nodes",
			      count);
		eqt_tree_free(tree);
		return NULL;
	}
	return tree;
}

/* Temporary data of a node while the tree is built, by the caller's number. */
struct plan {
	uint32_t parent; /* in the fair-share tree; EQT_TREE_NONE: not known */
	uint32_t children;
	uint32_t first; /* slot of the next of its children */
};

/*
 * The next ancestor that has shares of its own, or the root. Remembers what it
 * finds, so that long chains of parent_shares accounts are climbed once. Not
 * deeper than the tree.
 */
static uint32_t plan_parent(struct plan *plan,
			    const struct eqt_tree_input *nodes, uint32_t i)
{
	uint32_t direct = nodes[i].parent;

	if (plan[i].parent != EQT_TREE_NONE)
		return plan[i].parent;
	if (direct != 0 && nodes[direct].parent_shares)
		direct = plan_parent(plan, nodes, direct);
	plan[i].parent = direct;
	return direct;
}

/* Give siblings slots in a row, in the caller's order; the root's is 0. A counting
 * sort by parent. */
static void slots_give(struct eqt_tree *tree, struct plan *plan,
		       const struct eqt_tree_input *nodes)
{
	uint32_t next = 1;

	for (uint32_t i = 1; i < tree->count; i++)
		plan[i].parent = EQT_TREE_NONE;
	for (uint32_t i = 1; i < tree->count; i++)
		plan[plan_parent(plan, nodes, i)].children++;
	for (uint32_t i = 0; i < tree->count; i++) {
		plan[i].first = next;
		next += plan[i].children;
	}
	for (uint32_t i = 1; i < tree->count; i++)
		tree->slot[i] = plan[plan[i].parent].first++;
}

/* Fill a node after all slots are given: slots_give() has moved the plan's first
 * behind the last child. */
static void node_fill(struct eqt_tree *tree, const struct plan *plan,
		      const struct eqt_tree_input *in, uint32_t i)
{
	struct eqt_tree_node *node = &tree->nodes[tree->slot[i]];

	node->parent = i ? tree->slot[plan->parent] : EQT_TREE_NONE;
	node->first = plan->first - plan->children;
	node->children = plan->children;
	node->user = in->user;
	node->parent_shares = i > 0 && in->parent_shares;
	node->shares = node->parent_shares ? 0 : in->shares;
	tree->users += node->user;
	if (i)
		tree->nodes[node->parent].level_shares += node->shares;
}

/* Fill all nodes; the plan is freed again. */
static int nodes_fill(struct eqt_tree *tree, const struct eqt_tree_input *nodes,
		      struct eqt_error *err)
{
	struct plan *plan = calloc(tree->count, sizeof(*plan));

	if (!plan)
		return eqt_error_set(err,
				     "out of memory for a tree of %u nodes",
				     tree->count);
	slots_give(tree, plan, nodes);
	for (uint32_t i = 0; i < tree->count; i++)
		node_fill(tree, &plan[i], &nodes[i], i);
	free(plan);
	return 0;
}

/* Mark each user and all above it; stops where another user has passed. */
static void populated_fill(struct eqt_tree *tree)
{
	for (uint32_t i = 1; i < tree->count; i++) {
		if (!tree->nodes[i].user)
			continue;
		for (uint32_t at = i; at != EQT_TREE_NONE;
		     at = tree->nodes[at].parent) {
			if (tree->nodes[at].populated)
				break;
			tree->nodes[at].populated = true;
		}
	}
}

struct eqt_tree *eqt_tree_new(const struct eqt_tree_input *nodes,
			      uint32_t count, struct eqt_error *err)
{
	struct eqt_tree *tree;

	if (shape_check(nodes, count, err) < 0)
		return NULL;
	tree = tree_alloc(count, err);
	if (!tree)
		return NULL;
	if (nodes_fill(tree, nodes, err) < 0) {
		eqt_tree_free(tree);
		return NULL;
	}
	populated_fill(tree);
	return tree;
}

void eqt_tree_free(struct eqt_tree *tree)
{
	if (!tree)
		return;
	free(tree->heap);
	free(tree->waiting);
	free(tree->scratch);
	free(tree->entries);
	free(tree->slot);
	free(tree->norms);
	free(tree->nodes);
	free(tree);
}

uint32_t eqt_tree_count(const struct eqt_tree *tree)
{
	return tree->count;
}

uint32_t eqt_tree_users(const struct eqt_tree *tree)
{
	return tree->users;
}

/* Store a finite number >= 0, whatever the caller gives: usage may come from a
 * file. */
static void node_set_usage(struct eqt_tree_node *node, long double usage)
{
	if (!(usage > 0)) /* NaN too */
		usage = 0;
	else if (usage > LDBL_MAX)
		usage = LDBL_MAX;
	node->usage = usage;
}

void eqt_tree_usage_set(struct eqt_tree *tree, uint32_t node, long double usage)
{
	node_set_usage(&tree->nodes[tree->slot[node]], usage);
}

/* A sum that rounding takes below 0 is 0. */
void eqt_tree_slot_add(struct eqt_tree *tree, uint32_t slot, long double usage)
{
	for (; slot != EQT_TREE_NONE; slot = tree->nodes[slot].parent)
		node_set_usage(&tree->nodes[slot],
			       tree->nodes[slot].usage + usage);
}

void eqt_tree_usage_add(struct eqt_tree *tree, uint32_t node, long double usage)
{
	if (usage > 0)
		eqt_tree_slot_add(tree, tree->slot[node], usage);
}

void eqt_tree_usage_sub(struct eqt_tree *tree, uint32_t node, long double usage)
{
	if (usage > 0)
		eqt_tree_slot_add(tree, tree->slot[node], -usage);
}

/* Update the level's sum as well. Unsigned arithmetic is exact even if the sum wraps
 * in between. */
void eqt_tree_shares_set(struct eqt_tree *tree, uint32_t node, uint32_t shares)
{
	struct eqt_tree_node *changed = &tree->nodes[tree->slot[node]];

	if (changed->parent_shares || changed->parent == EQT_TREE_NONE)
		return;
	tree->nodes[changed->parent].level_shares += shares;
	tree->nodes[changed->parent].level_shares -= changed->shares;
	changed->shares = shares;
}

int eqt_tree_norms_make(struct eqt_tree *tree, struct eqt_error *err)
{
	if (!tree->norms)
		tree->norms = malloc(tree->count * sizeof(*tree->norms));
	if (!tree->norms)
		return eqt_error_set(err, "out of memory");
	for (uint32_t i = 0; i < tree->count; i++)
		tree->norms[i] = -1;
	return 0;
}

void eqt_tree_norm_set(struct eqt_tree *tree, uint32_t node, double shares_norm)
{
	tree->norms[tree->slot[node]] = shares_norm;
}

int eqt_tree_waiting_make(struct eqt_tree *tree)
{
	if (!tree->waiting)
		tree->waiting = calloc(tree->count, sizeof(*tree->waiting));
	if (!tree->heap)
		tree->heap = calloc(tree->count, sizeof(*tree->heap));
	if (!tree->waiting || !tree->heap)
		return -1;
	return 0;
}

long double eqt_tree_usage(const struct eqt_tree *tree, uint32_t node)
{
	return tree->nodes[tree->slot[node]].usage;
}

/* Wake a slot and its ancestors; each that wakes adds its shares to its level. An
 * ancestor that is awake has awake ancestors, so the loop stops there. */
static void slot_wake(struct eqt_tree *tree, uint32_t slot)
{
	for (; slot != EQT_TREE_NONE && tree->nodes[slot].idle;
	     slot = tree->nodes[slot].parent) {
		struct eqt_tree_node *woken = &tree->nodes[slot];

		woken->idle = false;
		if (woken->parent != EQT_TREE_NONE)
			tree->nodes[woken->parent].level_shares +=
				woken->shares;
	}
}

void eqt_tree_idle_all(struct eqt_tree *tree)
{
	for (uint32_t slot = 0; slot < tree->count; slot++) {
		tree->nodes[slot].idle = true;
		tree->nodes[slot].level_shares = 0;
	}
	tree->idling = true;
}

void eqt_tree_idle_wake(struct eqt_tree *tree, uint32_t node)
{
	if (node != EQT_TREE_NONE)
		slot_wake(tree, tree->slot[node]);
}

void eqt_tree_idle_end(struct eqt_tree *tree, long double least)
{
	for (uint32_t slot = 0; slot < tree->count; slot++)
		if (tree->nodes[slot].usage >= least)
			slot_wake(tree, slot);
	for (uint32_t slot = 0; slot < tree->count; slot++)
		if (tree->nodes[slot].idle)
			tree->nodes[slot].usage = 0;
}

void eqt_tree_idle_none(struct eqt_tree *tree)
{
	for (uint32_t slot = 0; tree->idling && slot < tree->count; slot++)
		slot_wake(tree, slot);
	tree->idling = false;
}
