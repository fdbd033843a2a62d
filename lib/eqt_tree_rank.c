/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>
#include <string.h>

#include "eqt_exact.h"
#include "eqt_tree_impl.h"

/*
 * A key differs from the true Level FS by fewer than ten roundings of a double
 * (2^-53 each), so keys further apart than this are in the true order.
 */
#define KEY_FAR (1.0 + 0x1p-48)

/*
 * Finite keys stay clear of 0 and of INFINITY, also after KEY_FAR: those are
 * the keys of the classes "no shares" and "no usage".
 */
#define KEY_MIN (DBL_MIN * 4)
#define KEY_MAX (DBL_MAX / 4)

/* Slurm's NO_VAL, which serves its ranking as a Level FS (stock mode). */
#define STOCK_NO_LEVEL_FS 4294967294.0L

/* State of one ranking. */
struct walk {
	struct eqt_tree *tree;
	enum eqt_tree_mode mode;
	uint32_t rank; /* last rank given */
	uint32_t untied; /* rank of the next user if it is not tied */
	size_t top; /* entries in use */
};

/* S. The root belongs to no level: its S is 0, in Slurm as well. */
static double shares_norm(const struct eqt_tree *tree, uint32_t i)
{
	const struct eqt_tree_node *nodes = tree->nodes;
	uint64_t level_shares;

	if (tree->mode == EQT_TREE_STOCK && tree->norms && tree->norms[i] >= 0)
		return tree->norms[i];
	if (nodes[i].parent_shares)
		i = nodes[i].parent;
	if (nodes[i].parent == EQT_NODE_NONE)
		return 0;
	level_shares = nodes[nodes[i].parent].level_shares;
	if (nodes[i].idle) /* as if it were in use alone of those that are not */
		level_shares += nodes[i].shares;
	if (tree->mode == EQT_TREE_STOCK)
		level_shares = (uint32_t) level_shares; /* wraps in Slurm */
	if (!level_shares)
		return 0;
	return (double) nodes[i].shares / (double) level_shares;
}

/* U. The root is all of itself. */
static long double usage_efctv(const struct eqt_tree *tree, uint32_t i)
{
	const struct eqt_tree_node *node = &tree->nodes[i];
	long double parent_usage;

	if (node->parent == EQT_NODE_NONE)
		return 1;
	parent_usage = tree->nodes[node->parent].usage;
	return parent_usage > 0 ? node->usage / parent_usage : 0;
}

static long double level_fs(const struct eqt_tree_node *node,
			    const struct eqt_node_out *out)
{
	if (node->parent == EQT_NODE_NONE)
		return NAN;
	if (node->parent_shares)
		return node->user ? INFINITY : NAN;
	if (!(out->shares_norm > 0))
		return 0;
	if (!(out->usage_efctv > 0))
		return INFINITY;
	return out->shares_norm / out->usage_efctv;
}

/* The arithmetic and its order are Slurm's. */
struct eqt_node_out eqt_tree_node(const struct eqt_tree *tree, uint32_t i)
{
	const struct eqt_tree_node *node = &tree->nodes[i];
	struct eqt_node_out out = {
		.shares_norm = shares_norm(tree, i),
		.usage_efctv = usage_efctv(tree, i),
		.rank = node->rank,
	};

	out.level_fs = level_fs(node, &out);
	if (node->user)
		out.fs_factor = node->rank / (double) tree->users;
	return out;
}

static long double stock_level_fs(const struct eqt_tree *tree, uint32_t i)
{
	long double fs = eqt_tree_node(tree, i).level_fs;

	return isnan(fs) ? STOCK_NO_LEVEL_FS : fs;
}

static int stock_cmp(const struct eqt_tree *tree, uint32_t a, uint32_t b)
{
	long double x = stock_level_fs(tree, a), y = stock_level_fs(tree, b);

	return x < y ? -1 : x > y;
}

/*
 * S_a / U_a to S_b / U_b, multiplied crosswise; for nodes that have shares and
 * usage.
 */
static int exact_cmp(const struct eqt_tree *tree, uint32_t a, uint32_t b)
{
	const struct eqt_tree_node *x = &tree->nodes[a], *y = &tree->nodes[b];
	const struct eqt_tree_node *over_x = &tree->nodes[x->parent];
	const struct eqt_tree_node *over_y = &tree->nodes[y->parent];
	struct eqt_product left, right;

	if (over_x == over_y && x->shares == y->shares && x->usage == y->usage)
		return 0;
	left = (struct eqt_product){ { x->shares, over_y->level_shares },
				     { over_x->usage, y->usage } };
	right = (struct eqt_product){ { y->shares, over_x->level_shares },
				      { over_y->usage, x->usage } };
	return eqt_product_cmp(&left, &right);
}

/* < 0, 0, > 0 as the Level FS of a is less than, equal to, greater than b's. */
static int level_cmp(const struct walk *walk, const struct eqt_tree_entry *a,
		     const struct eqt_tree_entry *b)
{
	double far = walk->mode == EQT_TREE_STOCK ? 1.0 : KEY_FAR;

	if (a->key > b->key * far)
		return 1;
	if (b->key > a->key * far)
		return -1;
	if (!(a->key > 0) || isinf(a->key))
		return 0;
	if (walk->mode == EQT_TREE_STOCK)
		return stock_cmp(walk->tree, a->node, b->node);
	return exact_cmp(walk->tree, a->node, b->node);
}

/*
 * Does b go before a, which was given earlier? Users go before accounts of
 * their Level FS, so that an account finds the user whose rank it shares.
 */
static bool goes_before(const struct walk *walk, const struct eqt_tree_entry *b,
			const struct eqt_tree_entry *a)
{
	int order = level_cmp(walk, b, a);

	return order > 0 || (order == 0 && b->user && !a->user);
}

static void merge_runs(struct walk *walk, size_t low, size_t mid, size_t high)
{
	struct eqt_tree_entry *entries = walk->tree->entries;
	struct eqt_tree_entry *left = walk->tree->scratch;
	size_t i = 0, n = mid - low;

	if (!goes_before(walk, &entries[mid], &entries[mid - 1]))
		return;
	memcpy(left, &entries[low], n * sizeof(*left));
	while (i < n) {
		if (mid < high && goes_before(walk, &entries[mid], &left[i]))
			entries[low++] = entries[mid++];
		else
			entries[low++] = left[i++];
	}
}

/* A merge sort: stable, and without the allocation that qsort() may do. */
static void sort_entries(struct walk *walk, size_t low, size_t high)
{
	for (size_t width = 1; width < high - low; width *= 2) {
		for (size_t at = low; high - at > width;) {
			size_t mid = at + width;
			size_t end = high - mid > width ? mid + width : high;

			merge_runs(walk, at, mid, end);
			at = end;
		}
	}
}

/* Slurm's quotients: 0 and infinity are what they came to. */
static double stock_key(const struct eqt_tree *tree, uint32_t i)
{
	long double fs = stock_level_fs(tree, i);

	if (!(fs > 0) || isinf(fs))
		return (double) fs;
	if (fs < KEY_MIN)
		return KEY_MIN;
	return fs > KEY_MAX ? KEY_MAX : (double) fs;
}

/* Only who has no shares has 0, and only who has no usage infinity, however far
 * out of floating range the quotient is. */
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
 * Append a node's children to the list at the top of the stack. Accounts
 * without users are left out, as they could only separate the ties of others:
 * Slurm does not, and stock mode has to.
 */
static void push_children(struct walk *walk, uint32_t i)
{
	const struct eqt_tree *tree = walk->tree;
	const struct eqt_tree_node *node = &tree->nodes[i];

	for (uint32_t c = node->first; c < node->first + node->children; c++) {
		uint32_t child = tree->child[c];

		if (!tree->nodes[child].populated &&
		    walk->mode == EQT_TREE_DOCUMENTED)
			continue;
		tree->entries[walk->top++] = (struct eqt_tree_entry){
			.key = walk->mode == EQT_TREE_STOCK
				       ? stock_key(tree, child)
				       : documented_key(tree, child),
			.node = child,
			.user = tree->nodes[child].user,
		};
	}
}

/* The end of the accounts that are merged with the one at entry i. */
static size_t merged_end(const struct walk *walk, size_t i, size_t end)
{
	const struct eqt_tree_entry *entries = walk->tree->entries;
	size_t j = i + 1;

	if (walk->mode == EQT_TREE_STOCK)
		return j;
	while (j < end && level_cmp(walk, &entries[i], &entries[j]) == 0)
		j++;
	return j;
}

static void rank_user(struct walk *walk, uint32_t i, bool tied)
{
	if (!tied)
		walk->rank = walk->untied;
	walk->untied--;
	walk->tree->nodes[i].rank = walk->rank;
}

/* Is entry i, of a list that starts at base, tied with what is before it? */
static bool is_tied(const struct walk *walk, size_t base, size_t i,
		    bool above_tied)
{
	const struct eqt_tree_entry *entry = &walk->tree->entries[i];

	if (i > base)
		return level_cmp(walk, entry - 1, entry) == 0;
	/* Slurm starts each list as if after a node of that Level FS. */
	return above_tied ||
	       (walk->mode == EQT_TREE_STOCK &&
		stock_level_fs(walk->tree, entry->node) == STOCK_NO_LEVEL_FS);
}

/*
 * Rank the list from base to the top of the stack, and all below it.
 * above_tied: the accounts whose children these are have the Level FS of the
 * user ranked last. Not deeper than EQT_TREE_DEPTH_MAX.
 */
static void rank_list(struct walk *walk, size_t base, bool above_tied)
{
	const struct eqt_tree_entry *entries = walk->tree->entries;
	size_t end = walk->top, next;

	sort_entries(walk, base, end);
	for (size_t i = base; i < end; i = next) {
		bool tied = is_tied(walk, base, i, above_tied);

		next = i + 1;
		if (entries[i].user) {
			rank_user(walk, entries[i].node, tied);
			continue;
		}
		next = merged_end(walk, i, end);
		for (size_t j = i; j < next; j++)
			push_children(walk, entries[j].node);
		rank_list(walk, end, tied);
		walk->top = end;
	}
}

void eqt_tree_rank(struct eqt_tree *tree, enum eqt_tree_mode mode)
{
	struct walk walk = {
		.tree = tree,
		.mode = mode,
		.rank = tree->users,
		.untied = tree->users,
	};

	tree->mode = mode;
	push_children(&walk, 0);
	rank_list(&walk, 0, false);
}
