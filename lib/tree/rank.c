/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fair Tree as Slurm documents it (slurm.schedmd.com/fair_tree.html): depth first,
 * each list of siblings by Level FS, the children of tied accounts as one list. The
 * first user in that order has the highest rank.
 */
#include "tree/tree_impl.h"

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
	       eqt_tree_level_cmp(tree, a, b) == 0;
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
	return above_tied ||
	       (tree->mode == EQT_TREE_STOCK &&
		eqt_tree_level_unset(tree, tree->entries[i].slot));
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
		top = eqt_tree_list_add(tree, top, tree->entries[i].slot);
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

	eqt_tree_list_sort(walk->tree, base, end);
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
	list_rank(&walk, 0, eqt_tree_list_add(tree, 0, 0), false);
}
