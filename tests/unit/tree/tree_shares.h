/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tree_shares: other shares in a tree, which no part of equitree changes. */
#ifndef EQT_TESTS_TREE_SHARES_H
#define EQT_TESTS_TREE_SHARES_H

#include "tree/tree_impl.h"

/* No effect with parent_shares. Update the level's sum as well. Unsigned arithmetic is exact even if the sum wraps
 * in between. */
static inline void tree_shares_set(struct eqt_tree *tree, uint32_t node, uint32_t shares)
{
	struct eqt_tree_node *changed = &tree->nodes[tree->slot[node]];

	if (changed->parent_shares || changed->parent == EQT_TREE_NONE)
		return;
	tree->nodes[changed->parent].level_shares += shares;
	tree->nodes[changed->parent].level_shares -= changed->shares;
	changed->shares = shares;
}

#endif
