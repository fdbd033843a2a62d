/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each list is sorted twice. The first sort compares only rounded keys, which is fast.
 * The second sort compares exactly, but only those neighbours whose keys are too close
 * to decide. An entry whose key is far from its neighbours' is in its final place after
 * the first sort, and so are the borders of the groups that are sorted again.
 *
 * Both are merge sorts, which are stable and do not allocate memory as qsort() may do.
 */
#include <string.h>

#include "tree/tree_impl.h"

/* The number of entries that are sorted by insertion before runs are merged. */
#define RUN 32

/* Does an entry have a larger Level FS than another? */
static bool key_goes_before(const struct eqt_tree *tree,
			    const struct eqt_tree_entry *b,
			    const struct eqt_tree_entry *a)
{
	(void) tree;
	return b->key > a->key;
}

/* Sort by insertion, which is fastest for so few entries. Most levels are not
 * longer. */
static inline void run_insert(struct eqt_tree *tree, size_t low, size_t high,
			      eqt_tree_order *before)
{
	struct eqt_tree_entry *entries = tree->entries;

	for (size_t i = low + 1; i < high; i++) {
		const struct eqt_tree_entry entry = entries[i];
		size_t at = i;

		for (; at > low && before(tree, &entry, &entries[at - 1]); at--)
			entries[at] = entries[at - 1];
		entries[at] = entry;
	}
}

/* Merge two neighbouring runs. Only the left run is copied. */
static inline void runs_merge(struct eqt_tree *tree, size_t low, size_t mid,
			      size_t high, eqt_tree_order *before)
{
	struct eqt_tree_entry *entries = tree->entries;
	struct eqt_tree_entry *left = tree->scratch;
	size_t i = 0, n = mid - low;

	/* The runs are often in order already, because little changes between two
	 * passes. */
	if (!before(tree, &entries[mid], &entries[mid - 1]))
		return;
	memcpy(left, &entries[low], n * sizeof(*left));
	while (i < n) {
		if (mid < high && before(tree, &entries[mid], &left[i]))
			entries[low++] = entries[mid++];
		else
			entries[low++] = left[i++];
	}
}

/* Merge from the bottom up, without recursion. */
static inline void list_merge_sort(struct eqt_tree *tree, size_t low,
				   size_t high, eqt_tree_order *before)
{
	for (size_t at = low; at < high; at += RUN)
		run_insert(tree, at, high - at > RUN ? at + RUN : high, before);
	for (size_t width = RUN; width < high - low; width *= 2) {
		for (size_t at = low; high - at > width;) {
			size_t mid = at + width;
			size_t end = high - mid > width ? mid + width : high;

			runs_merge(tree, at, mid, end, before);
			at = end;
		}
	}
}

void eqt_sibling_sort(struct eqt_tree *tree, size_t low, size_t high,
		      eqt_tree_order *before)
{
	const struct eqt_tree_entry *entries = tree->entries;
	/* The entries from here on are close to their neighbours. */
	size_t near = low;

	list_merge_sort(tree, low, high, key_goes_before);
	for (size_t i = low + 1; i <= high; i++) {
		if (i < high &&
		    !eqt_tree_is_far(tree, entries[i - 1].key, entries[i].key))
			continue;
		if (i - near > 1)
			list_merge_sort(tree, near, i, before);
		near = i;
	}
}
