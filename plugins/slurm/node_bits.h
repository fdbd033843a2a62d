/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_bits: operations on bitmaps of nodes. Most bitmaps have the nodes of one line of
 * slurm.conf, which are in few words, but Slurm's own functions visit all words: with 50,000
 * nodes and 50 lines a submission would take milliseconds.
 *
 * All bitmaps of a call have the same size. Needs Slurm's internal headers.
 */
#ifndef EQT_NODE_BITS_H
#define EQT_NODE_BITS_H

#include "slurm/compat.h"

/* Some nodes: the words of a bitmap from the first to the last that has any, so that the nodes of
 * one line take little memory. {0}: none. */
struct eqt_node_set {
	uint64_t *word; /* owned */
	uint32_t from, to; /* its words, in a bitmap of all nodes */
};

/* Free the set, which is empty then. */
void eqt_node_bits_close(struct eqt_node_set *set);

/* Add a node. */
void eqt_node_bits_add(struct eqt_node_set *set, bitoff_t node);

/* Add the nodes of another set, which is empty then. */
void eqt_node_bits_move(struct eqt_node_set *to, struct eqt_node_set *from);

/* How many of its nodes are in a bitmap. */
uint64_t eqt_node_bits_count_set(const struct eqt_node_set *set,
				 const bitstr_t *nodes);

/* Is there a bitmap, and has it the size of the other one? */
bool eqt_node_bits_fit(const bitstr_t *nodes, const bitstr_t *other);

/* The first node that is in both; -1: none. */
bitoff_t eqt_node_bits_first(const bitstr_t *nodes, const bitstr_t *other);

/* The words of a bitmap from the first to the last that has nodes. {0}: not known. */
struct eqt_node_words {
	uint32_t from, to;
};

/* Count the nodes that are in both, and set *first to the first of them, if there is one. *words
 * are the words of `nodes`: the first call finds them, and later ones visit only these. */
uint64_t eqt_node_bits_count(const bitstr_t *nodes, const bitstr_t *other,
			     struct eqt_node_words *words, bitoff_t *first);

/* Bitmaps from which nodes are taken. */
struct eqt_node_bits {
	bitstr_t *fresh,
		*seen; /* each node that is taken goes from here to there */
	const bitstr_t *only, *without; /* NULL: all, none */
};

/* Take all nodes that are fresh; first is the first of them. Those that are in `only`, and not in
 * `without`, are put into an empty set. Returns the first node of the set; -1: none. */
bitoff_t eqt_node_bits_take(const struct eqt_node_bits *bits,
			    struct eqt_node_set *set, const bitstr_t *nodes,
			    bitoff_t first);

#endif
