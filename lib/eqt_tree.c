/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <stdlib.h>

#include "eqt_tree_impl.h"

static int check_node(const struct eqt_node_in *nodes, uint32_t count,
		      uint32_t i, struct eqt_error *err)
{
	uint32_t parent = nodes[i].parent;

	if (i == 0 && parent != EQT_NODE_NONE)
		return eqt_error_set(err, "node 0: the root has a parent");
	if (i == 0 && nodes[i].user)
		return eqt_error_set(err, "node 0: the root is a user");
	if (i == 0)
		return 0;
	if (parent == EQT_NODE_NONE)
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
static int climb(const struct eqt_node_in *nodes, uint32_t count,
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

static int check_depths(const struct eqt_node_in *nodes, uint32_t count,
			struct eqt_error *err)
{
	uint32_t *depth = calloc(count, sizeof(*depth));
	int rc = 0;

	if (!depth)
		return eqt_error_set(
			err, "out of memory for a tree of %u nodes", count);
	depth[0] = 1;
	for (uint32_t i = 1; i < count && rc == 0; i++)
		rc = climb(nodes, count, depth, i, err);
	free(depth);
	return rc;
}

static int check_shape(const struct eqt_node_in *nodes, uint32_t count,
		       struct eqt_error *err)
{
	if (!count)
		return eqt_error_set(err, "a tree without nodes");
	for (uint32_t i = 0; i < count; i++) {
		if (check_node(nodes, count, i, err) < 0)
			return -1;
	}
	return check_depths(nodes, count, err);
}

static struct eqt_tree *tree_alloc(uint32_t count, struct eqt_error *err)
{
	struct eqt_tree *tree = calloc(1, sizeof(*tree));

	if (tree) {
		tree->count = count;
		tree->nodes = calloc(count, sizeof(*tree->nodes));
		tree->child = calloc(count, sizeof(*tree->child));
		tree->entries = calloc(count, sizeof(*tree->entries));
		tree->scratch = calloc(count, sizeof(*tree->scratch));
	}
	if (!tree || !tree->nodes || !tree->child || !tree->entries ||
	    !tree->scratch) {
		eqt_error_set(err, "out of memory for a tree of %u nodes",
			      count);
		eqt_tree_free(tree);
		return NULL;
	}
	return tree;
}

/*
 * The next ancestor that has shares of its own, or the root. Remembers what it
 * finds, so that long chains of parent_shares accounts are climbed once. Not
 * deeper than the tree.
 */
static uint32_t find_parent(struct eqt_tree *tree,
			    const struct eqt_node_in *nodes, uint32_t i)
{
	uint32_t direct = nodes[i].parent;

	if (tree->nodes[i].parent != EQT_NODE_NONE)
		return tree->nodes[i].parent;
	if (direct != 0 && nodes[direct].parent_shares)
		direct = find_parent(tree, nodes, direct);
	tree->nodes[i].parent = direct;
	return direct;
}

static void fill_nodes(struct eqt_tree *tree, const struct eqt_node_in *nodes)
{
	for (uint32_t i = 0; i < tree->count; i++) {
		struct eqt_tree_node *node = &tree->nodes[i];

		node->parent = EQT_NODE_NONE;
		node->user = nodes[i].user;
		node->parent_shares = i > 0 && nodes[i].parent_shares;
		node->shares = node->parent_shares ? 0 : nodes[i].shares;
		tree->users += node->user;
	}
	for (uint32_t i = 1; i < tree->count; i++)
		find_parent(tree, nodes, i);
}

static void fill_levels(struct eqt_tree *tree)
{
	uint32_t next = 0;

	for (uint32_t i = 1; i < tree->count; i++) {
		struct eqt_tree_node *node = &tree->nodes[i];

		tree->nodes[node->parent].children++;
		tree->nodes[node->parent].level_shares += node->shares;
	}
	for (uint32_t i = 0; i < tree->count; i++) {
		tree->nodes[i].first = next;
		next += tree->nodes[i].children;
		tree->nodes[i].children = 0;
	}
	for (uint32_t i = 1; i < tree->count; i++) {
		struct eqt_tree_node *parent =
			&tree->nodes[tree->nodes[i].parent];

		tree->child[parent->first + parent->children++] = i;
	}
}

/* Mark each user and all above it; stops where another user has passed. */
static void fill_populated(struct eqt_tree *tree)
{
	for (uint32_t i = 0; i < tree->count; i++) {
		if (!tree->nodes[i].user)
			continue;
		for (uint32_t at = i; at != EQT_NODE_NONE;
		     at = tree->nodes[at].parent) {
			if (tree->nodes[at].populated)
				break;
			tree->nodes[at].populated = true;
		}
	}
}

struct eqt_tree *eqt_tree_new(const struct eqt_node_in *nodes, uint32_t count,
			      struct eqt_error *err)
{
	struct eqt_tree *tree;

	if (check_shape(nodes, count, err) < 0)
		return NULL;
	tree = tree_alloc(count, err);
	if (!tree)
		return NULL;
	fill_nodes(tree, nodes);
	fill_levels(tree);
	fill_populated(tree);
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
	free(tree->child);
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

void eqt_tree_usage_set(struct eqt_tree *tree, uint32_t node, long double usage)
{
	if (!(usage > 0)) /* NaN too */
		usage = 0;
	else if (usage > LDBL_MAX)
		usage = LDBL_MAX;
	tree->nodes[node].usage = usage;
}

void eqt_tree_usage_add(struct eqt_tree *tree, uint32_t node, long double usage)
{
	if (!(usage > 0))
		return;
	for (; node != EQT_NODE_NONE; node = tree->nodes[node].parent)
		eqt_tree_usage_set(tree, node, tree->nodes[node].usage + usage);
}

void eqt_tree_usage_sub(struct eqt_tree *tree, uint32_t node, long double usage)
{
	if (!(usage > 0))
		return;
	for (; node != EQT_NODE_NONE; node = tree->nodes[node].parent)
		eqt_tree_usage_set(tree, node, tree->nodes[node].usage - usage);
}

void eqt_tree_shares_set(struct eqt_tree *tree, uint32_t node, uint32_t shares)
{
	struct eqt_tree_node *changed = &tree->nodes[node];

	if (changed->parent_shares || changed->parent == EQT_NODE_NONE)
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
	tree->norms[node] = shares_norm;
}

int eqt_tree_waiting_make(struct eqt_tree *tree)
{
	if (!tree->waiting)
		tree->waiting = calloc(tree->count, sizeof(*tree->waiting));
	if (!tree->heap)
		tree->heap = calloc(tree->count, sizeof(*tree->heap));
	return tree->waiting && tree->heap ? 0 : -1;
}

long double eqt_tree_usage(const struct eqt_tree *tree, uint32_t node)
{
	return tree->nodes[node].usage;
}

void eqt_tree_idle_all(struct eqt_tree *tree)
{
	for (uint32_t i = 0; i < tree->count; i++) {
		tree->nodes[i].idle = true;
		tree->nodes[i].level_shares = 0;
	}
}

/* Each node that wakes adds its shares to its level, once. */
void eqt_tree_idle_wake(struct eqt_tree *tree, uint32_t node)
{
	for (; node != EQT_NODE_NONE && tree->nodes[node].idle;
	     node = tree->nodes[node].parent) {
		struct eqt_tree_node *woken = &tree->nodes[node];

		woken->idle = false;
		if (woken->parent != EQT_NODE_NONE)
			tree->nodes[woken->parent].level_shares +=
				woken->shares;
	}
}

void eqt_tree_idle_end(struct eqt_tree *tree, long double least)
{
	for (uint32_t i = 0; i < tree->count; i++)
		if (tree->nodes[i].usage >= least)
			eqt_tree_idle_wake(tree, i);
	for (uint32_t i = 0; i < tree->count; i++)
		if (tree->nodes[i].idle)
			tree->nodes[i].usage = 0;
}
