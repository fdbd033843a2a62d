/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_bits: operations on bitmaps of nodes. Most bitmaps hold the nodes of one
 * line of slurm.conf, which lie in few words of the bitmap. Slurm's own
 * functions visit all words, which would take milliseconds for each submission
 * on a cluster with 50,000 nodes and 50 lines.
 *
 * All bitmaps of one call have the same size. Needs Slurm's internal headers.
 */
#ifndef EQT_NODE_BITS_H
#define EQT_NODE_BITS_H

#include "slurm/compat.h"

/* A set of nodes, stored as the words of a bitmap from the first to the last
 * that is not zero. The nodes of one line of slurm.conf therefore take little
 * memory. A struct of zeros is the empty set. */
struct eqt_node_set {
	uint64_t *word; /* This struct owns the words. */
	/* The indexes of the words in a bitmap of all nodes. */
	uint32_t from, to;
};

/* Free the set, and make it empty. */
void eqt_node_bits_close(struct eqt_node_set *set);

/* Add a node, allocating memory as needed. */
void eqt_node_bits_add(struct eqt_node_set *set, bitoff_t node);

/* Add the nodes of `from`, and make `from` empty. */
void eqt_node_bits_move(struct eqt_node_set *to, struct eqt_node_set *from);

/* The number of nodes that are both in the set and in the bitmap. */
uint64_t eqt_node_bits_count_set(const struct eqt_node_set *set,
				 const bitstr_t *nodes);

/* Are both bitmaps there, and do they have the same size? */
bool eqt_node_bits_fit(const bitstr_t *nodes, const bitstr_t *other);

/* The first node that is in both bitmaps, or -1 if there is none. */
bitoff_t eqt_node_bits_first(const bitstr_t *nodes, const bitstr_t *other);

/* The first node of a bitmap from `from` on, or -1 if there is none. */
bitoff_t eqt_node_bits_next(const bitstr_t *nodes, bitoff_t from);

/* The range from the first to the last word of a bitmap that is not zero. A
 * struct of zeros means that the range is not known yet. */
struct eqt_node_words {
	uint32_t from, to;
};

/* Count the nodes that are in both bitmaps. *first becomes the first of these
 * nodes, if there is one. *words is the range of words of `nodes`: the first
 * call finds it, and later calls visit only these words. */
uint64_t eqt_node_bits_count(const bitstr_t *nodes, const bitstr_t *other,
			     struct eqt_node_words *words, bitoff_t *first);

/* The bitmaps that eqt_node_bits_take() reads and changes. */
struct eqt_node_bits {
	bitstr_t *fresh, *seen; /* Each taken node moves from fresh to seen. */
	/* NULL in `only` allows all nodes; NULL in `without` excludes none. */
	const bitstr_t *only, *without;
};

/* Take all nodes of `nodes` that are in bits->fresh. `first` is the first of
 * them. The taken nodes that are in bits->only and not in bits->without are
 * added to the set, which must be empty. Returns the first node of the set, or
 * -1 if the set stays empty. */
bitoff_t eqt_node_bits_take(const struct eqt_node_bits *bits,
			    struct eqt_node_set *set, const bitstr_t *nodes,
			    bitoff_t first);

#endif
