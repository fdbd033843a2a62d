/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree is kept in slots: siblings lie next to each other, so that a level is
 * read in a row. Callers number nodes as they like; slot[] translates.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "tree/tree.h"
#include "base/exact.h"
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

/* No cycle, and no deeper than EQT_TREE_DEPTH_MAX: ranking recurses. */
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

/* ---- Level FS -----------------------------------------------------------------------
 * Of a node, and which of two is larger. Documented mode compares exact
 * products (base/exact.h); stock mode compares Slurm's rounded quotients in Slurm's
 * order of operations, so that results agree to the last bit.
 */

/*
 * Finite keys stay clear of 0 and of INFINITY, also after the factor of
 * eqt_tree_is_far(): those are the keys of the classes "no shares" and "no usage".
 */
#define KEY_MIN (DBL_MIN * 4)
#define KEY_MAX (DBL_MAX / 4)

/* Slurm's NO_VAL; Slurm ranks nodes without a Level FS as if they had this one (stock
 * mode). */
#define STOCK_NO_LEVEL_FS 4294967294.0L

/* S. The root belongs to no level: its S is 0, in Slurm as well. */
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
	if (nodes[i].idle) /* the S it would have if it alone woke up */
		level_shares += nodes[i].shares;
	if (tree->mode == EQT_TREE_STOCK)
		level_shares = (uint32_t) level_shares; /* wraps in Slurm */
	if (!level_shares)
		return 0;
	return (double) nodes[i].shares / (double) level_shares;
}

/* U. The root's is 1: it is all of the usage. */
static long double node_usage_efctv(const struct eqt_tree *tree, uint32_t i)
{
	const struct eqt_tree_node *node = &tree->nodes[i];
	long double parent_usage;

	if (node->parent == EQT_TREE_NONE)
		return 1;
	parent_usage = tree->nodes[node->parent].usage;
	return parent_usage > 0 ? node->usage / parent_usage : 0;
}

/* S / U; INFINITY without usage, 0 without shares, NAN for the root and for an
 * account with parent_shares, which have no Level FS. */
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

/* The arithmetic and its order are Slurm's. */
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

/* As Slurm stores it: NO_VAL instead of NAN. */
static long double stock_level_fs(const struct eqt_tree *tree, uint32_t i)
{
	long double fs = slot_node(tree, i).level_fs;

	return isnan(fs) ? STOCK_NO_LEVEL_FS : fs;
}

/* Ties are equal rounded quotients, as in Slurm. */
static int stock_compare(const struct eqt_tree *tree, uint32_t a, uint32_t b)
{
	long double x = stock_level_fs(tree, a), y = stock_level_fs(tree, b);

	return x < y ? -1 : x > y;
}

/*
 * S_a / U_a to S_b / U_b, multiplied crosswise; for nodes that have shares and
 * usage.
 */
static int exact_compare(const struct eqt_tree *tree, uint32_t a, uint32_t b)
{
	const struct eqt_tree_node *x = &tree->nodes[a], *y = &tree->nodes[b];
	const struct eqt_tree_node *over_x = &tree->nodes[x->parent];
	const struct eqt_tree_node *over_y = &tree->nodes[y->parent];
	struct eqt_exact_product left, right;

	/* The most frequent tie needs no products of 256 bits. */
	if (over_x == over_y && x->shares == y->shares && x->usage == y->usage)
		return 0;
	left = (struct eqt_exact_product){ { x->shares, over_y->level_shares },
					   { over_x->usage, y->usage } };
	right = (struct eqt_exact_product){ { y->shares, over_x->level_shares },
					    { over_y->usage, x->usage } };
	return eqt_exact_cmp(&left, &right);
}

/* < 0, 0, > 0 as the Level FS of a is less than, equal to, greater than b's. */
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

/* Users go before accounts of their Level FS, so that an account finds the user
 * whose rank it shares. */
static bool level_goes_before(const struct eqt_tree *tree,
			      const struct eqt_tree_entry *b,
			      const struct eqt_tree_entry *a)
{
	int order = level_compare(tree, b, a);

	return order > 0 || (order == 0 && b->user && !a->user);
}

/* The key in stock mode, Slurm's quotient. 0 and infinity stay as they are, even if
 * only rounding made them so. */
static double stock_key(const struct eqt_tree *tree, uint32_t i)
{
	long double fs = stock_level_fs(tree, i);

	if (!(fs > 0) || isinf(fs))
		return (double) fs;
	if (fs < KEY_MIN)
		return KEY_MIN;
	return fs > KEY_MAX ? KEY_MAX : (double) fs;
}

/* The key in documented mode. Only a node without shares has key 0, and only one
 * without usage has infinity; a quotient outside the range of a double is clamped
 * between them. */
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
 * Append a node's children to the list that ends at entry end; returns the new
 * end. Accounts without users are left out, because they could only separate
 * others' ties. Slurm keeps them, and so does stock mode.
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

/* Is the Level FS Slurm's NO_VAL, which means unset? Stock mode only. */
static bool tree_level_unset(const struct eqt_tree *tree, uint32_t slot)
{
	return stock_level_fs(tree, slot) == STOCK_NO_LEVEL_FS;
}

/* ---- Ranks --------------------------------------------------------------------------
 * Fair Tree as Slurm documents it (slurm.schedmd.com/fair_tree.html): depth first,
 * each list of siblings by Level FS, the children of tied accounts as one list. The
 * first user in that order has the highest rank.
 */

/* Prefetch at most so many children; for the rest, the processor's own prefetcher
 * has noticed the sequence by then. */
#define AHEAD 20

/* State of one ranking. */
struct walk {
	struct eqt_tree *tree;
	uint32_t rank; /* last rank given */
	uint32_t untied; /* rank of the next user if it is not tied */
};

/* Do entry i and a later entry j have the same Level FS? */
static bool entries_are_equal(const struct eqt_tree *tree, size_t i, size_t j)
{
	const struct eqt_tree_entry *a = &tree->entries[i];
	const struct eqt_tree_entry *b = &tree->entries[j];

	return !eqt_tree_is_far(tree, a->key, b->key) &&
	       level_compare(tree, a, b) == 0;
}

/* The end of the run of accounts that are merged with the one at entry i. Stock mode
 * merges none. */
static size_t accounts_merged_end(const struct walk *walk, size_t i, size_t end)
{
	size_t j = i + 1;

	if (walk->tree->mode == EQT_TREE_STOCK)
		return j;
	while (j < end && entries_are_equal(walk->tree, i, j))
		j++;
	return j;
}

/* Tied users share a rank; the next untied rank is lower by the number of users that
 * share it. */
static void user_rank(struct walk *walk, uint32_t slot, bool tied)
{
	if (!tied)
		walk->rank = walk->untied;
	walk->untied--;
	walk->tree->nodes[slot].rank = walk->rank;
}

/* Is entry i of a list that starts at base tied with the user ranked before it? */
static bool entry_is_tied(const struct walk *walk, size_t base, size_t i,
			  bool above_tied)
{
	const struct eqt_tree *tree = walk->tree;

	if (i > base)
		return entries_are_equal(tree, i - 1, i);
	/* Slurm starts each list as if its previous node had NO_VAL. */
	return above_tied || (tree->mode == EQT_TREE_STOCK &&
			      tree_level_unset(tree, tree->entries[i].slot));
}

/*
 * Append the children of the accounts from i to before next to the list that
 * ends at end; returns the new end. Prefetch the children of the account at next,
 * which in the order of ranks can be anywhere in memory. (The loop has no function
 * of its own because gcc removes calls to a function that only prefetches.)
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
 * Rank the list from base to end, and all below it. above_tied: the accounts
 * whose children these are have the Level FS of the user ranked last. Not deeper
 * than EQT_TREE_DEPTH_MAX.
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
