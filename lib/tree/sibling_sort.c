/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists are sorted twice: first by rounded keys alone, which is quick, and then,
 * wherever the keys of neighbours are too close to decide, by exact comparison. An
 * entry whose key is far from its neighbour's is in its final place after the first
 * sort, and so are the borders of the groups that the second one sorts.
 *
 * Merge sorts: stable, and without the allocation that qsort() may do.
 */
#include <string.h>

#include "tree/tree_impl.h"

/* Entries per run that insertion sort orders before runs are merged. */
#define RUN 32

/* Larger Level FS first. */
static bool key_goes_before(const struct eqt_tree *tree,
			    const struct eqt_tree_entry *b,
			    const struct eqt_tree_entry *a)
{
	(void) tree;
	return b->key > a->key;
}

/* Insertion sort: quickest for so few, and most levels are short. */
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

/* Merge two neighbouring runs; only the left one is copied. */
static inline void runs_merge(struct eqt_tree *tree, size_t low, size_t mid,
			      size_t high, eqt_tree_order *before)
{
	struct eqt_tree_entry *entries = tree->entries;
	struct eqt_tree_entry *left = tree->scratch;
	size_t i = 0, n = mid - low;

	/* Already in order, which is frequent: little changes between passes. */
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

/* Bottom up, without recursion. */
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
	size_t near = low; /* each from here on is close to its neighbour */

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
