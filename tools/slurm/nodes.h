/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock_nodes: what nodes have and what is allocated of it, out of what
 * "scontrol show node" prints. */
#ifndef EQT_SLURM_NODES_H
#define EQT_SLURM_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "price/canonical_unit.h"
#include "slurm/records.h"

/* A node; strings are the text's, with their length. */
struct eqt_scontrol_node {
	const char *name;
	int name_length;
	const char *partitions; /* separated by ',' */
	int partitions_length;
	struct eqt_unit_amounts total; /* without what is kept for the system */
	struct eqt_unit_amounts allocated;
	struct eqt_scontrol_value gres; /* as "gpu:p100:4(S:0)" */
	struct eqt_scontrol_value features; /* the active ones, "a,b" */
	uint64_t threads; /* CPUs of a core; 0: not told */
	size_t number; /* its line */
	bool gpus_untold; /* GPUs of which Slurm does not count allocations */
	bool available; /* can take jobs: not down, drained, ... */
};

/* Owned; {0} is an empty one. */
struct eqt_scontrol_nodes {
	struct eqt_scontrol_records records;
	size_t count;
	struct eqt_scontrol_node *nodes;
};

/*
 * Read a file (NULL: ask scontrol). 0, or -1 with err filled: what stock_text
 * refuses, a line that is no node's, a key that is missing or is no number.
 * Both forms of "scontrol show node" are read.
 */
int eqt_scontrol_nodes_read(struct eqt_scontrol_nodes *out, const char *path,
			    struct eqt_error *err);

/* 0 if it is told of all nodes what is allocated of their GPUs; or -1 with err
 * filled. */
int eqt_scontrol_nodes_check_gpus(const struct eqt_scontrol_nodes *nodes,
				  struct eqt_error *err);

/* Free what *nodes owns; it is empty then. */
void eqt_scontrol_nodes_free(struct eqt_scontrol_nodes *nodes);

/* Its GRES as a request would have them, "gpu:p100:4", without sockets; buf,
 * cut to size. */
const char *eqt_scontrol_node_gres(const struct eqt_scontrol_node *node,
				   char *buf, size_t size);

/* Is the node in the partition? */
bool eqt_scontrol_node_in(const struct eqt_scontrol_node *node,
			  const char *partition);

#endif
