/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree is stored in slots. Siblings have neighbouring slots, so that a level is
 * read in sequence. Callers number the nodes as they like, and slot[] translates their
 * numbers.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "tree/tree.h"
#include "base/fraction.h"
#include "tree/tree_impl.h"

/* Check one node by itself: whether its parent exists and is not a user. */
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
 * Fill depth[] from node i up to the first node whose depth is known. The root has
 * depth 1, and 0 means that a depth is not yet known. All calls together visit each
 * node twice.
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

/* Check that there is no cycle and no node deeper than EQT_TREE_DEPTH_MAX, because
 * ranking is recursive. */
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

/* Check everything on which the functions below rely. */
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

/* Allocate all memory that ranking needs, because eqt_tree_rank() allocates nothing. */
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

/* Data of a node that are only needed while the tree is built, by the caller's number
 * of the node. */
struct plan {
	/* Parent in the fair-share tree; EQT_TREE_NONE if it is not known. */
	uint32_t parent;
	uint32_t children;
	uint32_t first; /* slot for the next of the node's children */
};

/*
 * Return the next ancestor that has shares of its own, or the root. The result is
 * stored, so that a long chain of accounts with Fairshare=parent is climbed only once.
 * The recursion is not deeper than the tree.
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

/* Give siblings neighbouring slots in the caller's order, and the root slot 0. This is
 * a counting sort by parent. */
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

/* Fill a node after slots_give(), which has moved plan->first past the last child. */
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

/* Mark each user and all its ancestors. The loop stops at an ancestor that another user
 * has marked. */
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
	free(tree->waiting);
	free(tree->matches);
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

/* Store a usage as a finite number that is not negative, because it may come from a
 * file. */
static void node_set_usage(struct eqt_tree_node *node, long double usage)
{
	if (!(usage > 0)) /* the condition is also true for a NaN */
		usage = 0;
	else if (usage > LDBL_MAX)
		usage = LDBL_MAX;
	node->usage = usage;
}

void eqt_tree_usage_set(struct eqt_tree *tree, uint32_t node, long double usage)
{
	node_set_usage(&tree->nodes[tree->slot[node]], usage);
}

/* Add usage, which may be negative, to a node and to all its ancestors. A sum that falls
 * below 0 by rounding becomes 0. */
static void usage_add_up(struct eqt_tree *tree, uint32_t node,
			 long double usage)
{
	for (uint32_t slot = tree->slot[node]; slot != EQT_TREE_NONE;
	     slot = tree->nodes[slot].parent)
		node_set_usage(&tree->nodes[slot],
			       tree->nodes[slot].usage + usage);
}

void eqt_tree_usage_add(struct eqt_tree *tree, uint32_t node, long double usage)
{
	if (usage > 0)
		usage_add_up(tree, node, usage);
}

void eqt_tree_usage_sub(struct eqt_tree *tree, uint32_t node, long double usage)
{
	if (usage > 0)
		usage_add_up(tree, node, -usage);
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
	if (!tree->matches)
		tree->matches = calloc(tree->count, 2 * sizeof(*tree->matches));
	return tree->waiting && tree->matches ? 0 : -1;
}

long double eqt_tree_usage(const struct eqt_tree *tree, uint32_t node)
{
	return tree->nodes[tree->slot[node]].usage;
}

/* Wake an idle slot and its idle ancestors, and add their shares to their levels. The
 * ancestors of an ancestor that is awake are awake as well. */
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

/* ---- Level FS -----------------------------------------------------------------------
 * The Level FS of a node, and the comparison of two of them. Documented mode compares
 * exact products (base/fraction.h). Stock mode compares Slurm's rounded quotients with the
 * same order of operations, so that results agree to the last bit. */

/*
 * The range of finite keys. After the factor of eqt_tree_is_far() they are still
 * neither 0 nor INFINITY, which are the keys of nodes without shares and of nodes
 * without usage.
 */
#define KEY_MIN (DBL_MIN * 4)
#define KEY_MAX (DBL_MAX / 4)

/* Slurm's NO_VAL. In stock mode, as in Slurm, a node without a Level FS is ranked as if
 * this were its Level FS. */
#define STOCK_NO_LEVEL_FS 4294967294.0L

/* Return S of a node. The root belongs to no level, and its S is 0 as in Slurm. */
static double node_shares_norm(const struct eqt_tree *tree, uint32_t i)
{
	const struct eqt_tree_node *nodes = tree->nodes;
	uint64_t level_shares;

	if (tree->mode == EQT_TREE_STOCK && tree->norms && tree->norms[i] >= 0)
		return tree->norms[i];
	if (nodes[i].parent_shares)
		i = nodes[i].parent;
	if (nodes[i].parent == EQT_TREE_NONE)
		return 0;
	level_shares = nodes[nodes[i].parent].level_shares;
	/* An idle node gets the S that it would have if it alone woke up. */
	if (nodes[i].idle)
		level_shares += nodes[i].shares;
	/* The sum has 32 bits in Slurm, too. */
	if (tree->mode == EQT_TREE_STOCK)
		level_shares = (uint32_t) level_shares;
	if (!level_shares)
		return 0;
	return (double) nodes[i].shares / (double) level_shares;
}

/* Return U of a node. That of the root is 1, because the root has all usage. */
static long double node_usage_efctv(const struct eqt_tree *tree, uint32_t i)
{
	const struct eqt_tree_node *node = &tree->nodes[i];
	long double parent_usage;

	if (node->parent == EQT_TREE_NONE)
		return 1;
	parent_usage = tree->nodes[node->parent].usage;
	return parent_usage > 0 ? node->usage / parent_usage : 0;
}

/* Return S / U. The result is INFINITY without usage and 0 without shares. The root and
 * an account with Fairshare=parent have no Level FS, and their result is NAN. */
static long double node_level_fs(const struct eqt_tree_node *node,
				 const struct eqt_tree_result *out)
{
	if (node->parent == EQT_TREE_NONE)
		return NAN;
	if (node->parent_shares)
		return node->user ? INFINITY : NAN;
	if (!(out->shares_norm > 0))
		return 0;
	if (!(out->usage_efctv > 0))
		return INFINITY;
	return out->shares_norm / out->usage_efctv;
}

static double node_fs_factor(const struct eqt_tree *tree,
			     const struct eqt_tree_node *node)
{
	return node->user ? node->rank / (double) tree->users : 0;
}

/* The operations and their order are those of Slurm. */
static struct eqt_tree_result slot_node(const struct eqt_tree *tree, uint32_t i)
{
	const struct eqt_tree_node *node = &tree->nodes[i];
	struct eqt_tree_result out = {
		.shares_norm = node_shares_norm(tree, i),
		.usage_efctv = node_usage_efctv(tree, i),
		.rank = node->rank,
	};

	out.level_fs = node_level_fs(node, &out);
	out.fs_factor = node_fs_factor(tree, node);
	return out;
}

struct eqt_tree_result eqt_tree_node(const struct eqt_tree *tree, uint32_t node)
{
	return slot_node(tree, tree->slot[node]);
}

double eqt_tree_fs_factor(const struct eqt_tree *tree, uint32_t node)
{
	return node_fs_factor(tree, &tree->nodes[tree->slot[node]]);
}

/* Return the Level FS as Slurm stores it, with NO_VAL in place of NAN. */
static long double stock_level_fs(const struct eqt_tree *tree, uint32_t i)
{
	long double fs = slot_node(tree, i).level_fs;

	return isnan(fs) ? STOCK_NO_LEVEL_FS : fs;
}

/* Compare as Slurm does: nodes are tied if their rounded quotients are equal. */
static int stock_compare(const struct eqt_tree *tree, uint32_t a, uint32_t b)
{
	long double x = stock_level_fs(tree, a), y = stock_level_fs(tree, b);

	return x < y ? -1 : x > y;
}

/*
 * Compare S_a / U_a with S_b / U_b by cross-multiplication. Both nodes must have shares
 * and usage.
 */
static int exact_compare(const struct eqt_tree *tree, uint32_t a, uint32_t b)
{
	const struct eqt_tree_node *x = &tree->nodes[a], *y = &tree->nodes[b];
	const struct eqt_tree_node *over_x = &tree->nodes[x->parent];
	const struct eqt_tree_node *over_y = &tree->nodes[y->parent];
	struct eqt_frac_product left, right;

	/* The most frequent tie is found without products of 256 bits. */
	if (over_x == over_y && x->shares == y->shares && x->usage == y->usage)
		return 0;
	left = (struct eqt_frac_product){ { x->shares, over_y->level_shares },
					  { over_x->usage, y->usage } };
	right = (struct eqt_frac_product){ { y->shares, over_x->level_shares },
					   { over_y->usage, x->usage } };
	return eqt_frac_cmp_products(&left, &right);
}

/* Return a number below 0, 0 or above 0 if the Level FS of a is less than, equal to or
 * greater than that of b. */
static int level_compare(const struct eqt_tree *tree,
			 const struct eqt_tree_entry *a,
			 const struct eqt_tree_entry *b)
{
	if (eqt_tree_is_far(tree, a->key, b->key))
		return 1;
	if (eqt_tree_is_far(tree, b->key, a->key))
		return -1;
	if (!(a->key > 0) || isinf(a->key))
		return 0;
	if (tree->mode == EQT_TREE_STOCK)
		return stock_compare(tree, a->slot, b->slot);
	return exact_compare(tree, a->slot, b->slot);
}

/* Does b come before a? A user comes before accounts of the same Level FS, so that such
 * an account finds the user whose rank its users share. */
static bool level_goes_before(const struct eqt_tree *tree,
			      const struct eqt_tree_entry *b,
			      const struct eqt_tree_entry *a)
{
	int order = level_compare(tree, b, a);

	return order > 0 || (order == 0 && b->user && !a->user);
}

/* Return the key of stock mode, which is Slurm's quotient. A quotient that is 0 or
 * infinite is not changed, even if only rounding made it so. */
static double stock_key(const struct eqt_tree *tree, uint32_t i)
{
	long double fs = stock_level_fs(tree, i);

	if (!(fs > 0) || isinf(fs))
		return (double) fs;
	if (fs < KEY_MIN)
		return KEY_MIN;
	return fs > KEY_MAX ? KEY_MAX : (double) fs;
}

/* Return the key of documented mode. Only a node without shares has key 0, and only a
 * node without usage has key INFINITY. A quotient outside of the range of a double
 * becomes the nearest finite key. */
static double documented_key(const struct eqt_tree *tree, uint32_t i)
{
	const struct eqt_tree_node *node = &tree->nodes[i];
	const struct eqt_tree_node *parent = &tree->nodes[node->parent];
	long double fs;

	if (node->parent_shares)
		return INFINITY;
	if (!node->shares)
		return 0;
	if (!(node->usage > 0) || !(parent->usage > 0))
		return INFINITY;
	fs = (long double) node->shares / (long double) parent->level_shares *
	     (parent->usage / node->usage);
	if (fs < KEY_MIN)
		return KEY_MIN;
	return fs > KEY_MAX ? KEY_MAX : (double) fs;
}

/*
 * Append the children of a node to the list that ends at `end`, and return the new end.
 * Documented mode skips accounts without users, because they could only separate tied
 * siblings. Stock mode keeps them, as Slurm does.
 */
static size_t tree_list_add(struct eqt_tree *tree, size_t end, uint32_t parent)
{
	const struct eqt_tree_node *above = &tree->nodes[parent];
	const bool stock = tree->mode == EQT_TREE_STOCK;
	uint32_t behind = above->first + above->children;

	for (uint32_t i = above->first; i < behind; i++) {
		const struct eqt_tree_node *node = &tree->nodes[i];

		if (!node->populated && !stock)
			continue;
		tree->entries[end++] = (struct eqt_tree_entry){
			.key = stock ? stock_key(tree, i)
				     : documented_key(tree, i),
			.slot = i,
			.user = node->user,
		};
	}
	return end;
}

/* Is the Level FS Slurm's NO_VAL, which means that it is not set? Call this in stock
 * mode only. */
static bool tree_level_unset(const struct eqt_tree *tree, uint32_t slot)
{
	return stock_level_fs(tree, slot) == STOCK_NO_LEVEL_FS;
}

/* ---- Ranks --------------------------------------------------------------------------
 * Fair Tree as Slurm documents it (slurm.schedmd.com/fair_tree.html): the tree is
 * walked depth first, and each list of siblings is sorted by Level FS. The children of
 * tied accounts become one list. The first user in this order has the highest rank. */

/* The number of children to prefetch. The hardware prefetcher has recognised the
 * sequence by then. */
#define AHEAD 20

/* The state of one ranking. */
struct walk {
	struct eqt_tree *tree;
	uint32_t rank; /* the last rank that was given */
	uint32_t untied; /* the rank of the next user who is not tied */
};

/* Do entry i and a later entry j have the same Level FS? */
static bool entries_are_equal(const struct eqt_tree *tree, size_t i, size_t j)
{
	const struct eqt_tree_entry *a = &tree->entries[i];
	const struct eqt_tree_entry *b = &tree->entries[j];

	return !eqt_tree_is_far(tree, a->key, b->key) &&
	       level_compare(tree, a, b) == 0;
}

/* Return the end of the tied accounts from entry i on, which are merged. Stock mode
 * does not merge accounts. */
static size_t accounts_merged_end(const struct walk *walk, size_t i, size_t end)
{
	size_t j = i + 1;

	if (walk->tree->mode == EQT_TREE_STOCK)
		return j;
	while (j < end && entries_are_equal(walk->tree, i, j))
		j++;
	return j;
}

/* Give a user a rank. Tied users share a rank, and the next rank is lower by the number
 * of users that share the rank. */
static void user_rank(struct walk *walk, uint32_t slot, bool tied)
{
	if (!tied)
		walk->rank = walk->untied;
	walk->untied--;
	walk->tree->nodes[slot].rank = walk->rank;
}

/* Is entry i of a list tied with the user that was ranked before the entry? The list
 * begins at base. */
static bool entry_is_tied(const struct walk *walk, size_t base, size_t i,
			  bool above_tied)
{
	const struct eqt_tree *tree = walk->tree;

	if (i > base)
		return entries_are_equal(tree, i - 1, i);
	/* Slurm begins each list as if the previous node had NO_VAL. */
	return above_tied || (tree->mode == EQT_TREE_STOCK &&
			      tree_level_unset(tree, tree->entries[i].slot));
}

/*
 * Append the children of the accounts from i to before next to the list that ends at
 * `end`, and return the new end. Also prefetch the children of the account at next,
 * which can be anywhere in memory. The loop is not a function of its own, because gcc
 * removes calls to a function that only prefetches.
 */
static size_t list_add_children(const struct walk *walk, size_t i, size_t next,
				size_t end)
{
	struct eqt_tree *tree = walk->tree;
	const struct eqt_tree_node *node;
	size_t top = end;

	for (; i < next; i++)
		top = tree_list_add(tree, top, tree->entries[i].slot);
	if (next == end)
		return top;
	node = &tree->nodes[tree->entries[next].slot];
	for (uint32_t k = 0; k < node->children && k < AHEAD; k++)
		__builtin_prefetch(&tree->nodes[node->first + k]);
	return top;
}

/*
 * Rank the list from base to end and everything below it. above_tied is true if the
 * parents of the list have the Level FS of the user who was ranked last. The recursion
 * is not deeper than EQT_TREE_DEPTH_MAX.
 */
static void list_rank(struct walk *walk, size_t base, size_t end,
		      bool above_tied)
{
	const struct eqt_tree_entry *entries = walk->tree->entries;
	size_t next;

	eqt_sibling_sort(walk->tree, base, end, level_goes_before);
	for (size_t i = base; i < end; i = next) {
		bool tied = entry_is_tied(walk, base, i, above_tied);

		next = i + 1;
		if (entries[i].user) {
			user_rank(walk, entries[i].slot, tied);
			continue;
		}
		next = accounts_merged_end(walk, i, end);
		list_rank(walk, end, list_add_children(walk, i, next, end),
			  tied);
	}
}

void eqt_tree_rank(struct eqt_tree *tree, enum eqt_tree_mode mode)
{
	struct walk walk = {
		.tree = tree,
		.rank = tree->users,
		.untied = tree->users,
	};

	tree->mode = mode;
	list_rank(&walk, 0, tree_list_add(tree, 0, 0), false);
}
