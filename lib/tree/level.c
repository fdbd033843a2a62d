/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Level FS of a node, and which of two is larger. Documented mode compares exact
 * products (base/exact.h); stock mode compares Slurm's rounded quotients in Slurm's
 * order of operations, so that results agree to the last bit.
 */
#include <float.h>
#include <math.h>

#include "base/exact.h"
#include "tree/tree_impl.h"

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
	if (node->user)
		out.fs_factor = node->rank / (double) tree->users;
	return out;
}

struct eqt_tree_result eqt_tree_node(const struct eqt_tree *tree, uint32_t node)
{
	return slot_node(tree, tree->slot[node]);
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

int eqt_tree_level_cmp(const struct eqt_tree *tree,
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

/* Slurm's quotients. 0 and infinity stay as they are, even if only rounding made
 * them so. */
static double stock_key(const struct eqt_tree *tree, uint32_t i)
{
	long double fs = stock_level_fs(tree, i);

	if (!(fs > 0) || isinf(fs))
		return (double) fs;
	if (fs < KEY_MIN)
		return KEY_MIN;
	return fs > KEY_MAX ? KEY_MAX : (double) fs;
}

/* Only a node without shares has key 0, and only one without usage has infinity; a
 * quotient outside the range of a double is clamped between them. */
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

size_t eqt_tree_list_add(struct eqt_tree *tree, size_t end, uint32_t parent)
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

bool eqt_tree_level_unset(const struct eqt_tree *tree, uint32_t slot)
{
	return stock_level_fs(tree, slot) == STOCK_NO_LEVEL_FS;
}
