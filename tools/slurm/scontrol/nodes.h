/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes: the resources of nodes, total and allocated, from the output of "scontrol show
 * node". */
#ifndef EQT_SLURM_NODES_H
#define EQT_SLURM_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "price/canonical_unit.h"
#include "cli/names.h"
#include "slurm/scontrol/records.h"

/* A node; strings are borrowed from the text, "" for none. */
struct eqt_scontrol_node {
	const char *name;
	const char *partitions; /* separated by commas */
	struct eqt_unit_amounts total; /* without the system's reserve */
	uint64_t system_mib; /* memory reserved for the system */
	struct eqt_unit_amounts allocated;
	const char *gres; /* as "gpu:p100:4(S:0)" */
	const char *features; /* active ones, "a,b" */
	uint64_t threads; /* CPUs per core; 0: not known */
	uint64_t sockets; /* 0: not known */
	size_t number; /* its line number */
	bool gpus_untold; /* Slurm does not count which of its GPUs are allocated */
	bool available; /* takes jobs: not down, drained, ... */
	bool idle; /* available, and no job has a part of it */
	uint64_t weight; /* Slurm takes light ones first */
};

/* Owned, but for disk; {0} is empty. */
struct eqt_scontrol_nodes {
	const char *disk; /* the TRES of local disk; NULL: not counted */
	bool disk_bytes; /* its counts are bytes: some node has a GiB or more */
	struct eqt_scontrol_records records;
	size_t count;
	struct eqt_scontrol_node *nodes;
};

/*
 * Read a file (NULL: run scontrol), with or without -o. 0, or -1 with err
 * filled: an error of eqt_listing_read(), a line that is not a node, a key that
 * is missing or not a number.
 */
int eqt_scontrol_nodes_read(struct eqt_scontrol_nodes *out, const char *path,
			    struct eqt_error *err);

/*
 * Count local disk as well; disk is "gres/NAME", EQT_UNIT_TMP_DISK or "" for none, and is
 * borrowed. Slurm allocates no TmpDisk, so all of it is free. 0, or -1 with err filled: a
 * node has the GRES, but Slurm does not count how much is allocated.
 */
int eqt_scontrol_nodes_count_disk(struct eqt_scontrol_nodes *nodes,
				  const char *disk, struct eqt_error *err);

/* Check that Slurm counts the allocated GPUs of all nodes. 0, or -1 with err
 * filled. */
int eqt_scontrol_nodes_check_gpus(const struct eqt_scontrol_nodes *nodes,
				  struct eqt_error *err);

/* Free what *nodes owns; it is empty then. */
void eqt_scontrol_nodes_free(struct eqt_scontrol_nodes *nodes);

/* Write the node's GRES in the form of a request, "gpu:p100:4", without sockets, cut to
 * size. Returns buf. */
const char *eqt_scontrol_node_gres(const struct eqt_scontrol_node *node,
				   char *buf, size_t size);

/* Is the node in the partition? */
bool eqt_scontrol_node_in(const struct eqt_scontrol_node *node,
			  const char *partition);

/* Has the node GPUs of that type, by its Gres= ("gpu:p100:4(S:0-1),gpu:v100:2")? True for
 * the type "". */
bool eqt_scontrol_node_has_model(const struct eqt_scontrol_node *node,
				 const char *model);

/* Make a table of the nodes' names, in which each struct eqt_numbered_name has the node's
 * index. *out is for eqt_names_free(). */
void eqt_scontrol_nodes_index(struct eqt_names *out,
			      const struct eqt_scontrol_nodes *nodes);

#endif
