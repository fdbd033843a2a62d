/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock_nodes: what nodes have and what is allocated of it, out of what
 * "scontrol -o show node" prints. */
#ifndef EQT_STOCK_NODES_H
#define EQT_STOCK_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "eqt_overhead.h"
#include "stock_text.h"

/* A node; strings are the text's, with their length. */
struct eqt_node {
	const char *name;
	int name_length;
	const char *partitions; /* separated by ',' */
	int partitions_length;
	struct eqt_amounts total; /* without what is kept for the system */
	struct eqt_amounts allocated;
	bool available; /* can take jobs: not down, drained, ... */
};

/* Owned; {0} is an empty one. */
struct eqt_nodes {
	struct eqt_stock_text text;
	size_t count;
	struct eqt_node *nodes;
};

/*
 * Read a file (NULL: ask scontrol). 0, or -1 with err filled: what stock_text
 * refuses, a line that is no node's, a key that is missing or is no number,
 * GPUs of which Slurm does not say how many are allocated.
 */
int eqt_nodes_read(struct eqt_nodes *out, const char *path,
		   struct eqt_error *err);

/* Free what *nodes owns; it is empty then. */
void eqt_nodes_free(struct eqt_nodes *nodes);

/* Is the node in the partition? */
bool eqt_node_in(const struct eqt_node *node, const char *partition);

#endif
