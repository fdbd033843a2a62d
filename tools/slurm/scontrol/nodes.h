/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes: the resources of nodes, total and allocated, from the output of "scontrol show
 * node". */
#ifndef EQT_SLURM_NODES_H
#define EQT_SLURM_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "price/canonical_unit.h"
#include "cli/names.h"
#include "slurm/scontrol/record.h"

/* A node. Strings are borrowed from the text; "" means none. */
struct eqt_scontrol_node {
	const char *name;
	const char *partitions; /* separated by commas */
	/* without what is reserved for the system */
	struct eqt_unit_amounts total;
	uint64_t system_mib; /* memory reserved for the system */
	struct eqt_unit_amounts allocated;
	const char *gres; /* such as "gpu:p100:4(S:0)"; "" means none */
	const char *features; /* active features, "a,b" */
	uint64_t threads; /* CPUs per core; 0: not known */
	/* threads of a core; Slurm may use only one of them */
	uint64_t hw_threads;
	uint64_t sockets; /* 0: not known */
	size_t number; /* its line number */
	/* Slurm does not count how many of its GPUs are allocated */
	bool gpus_untold;
	bool available; /* takes jobs, so it is not down, drained or the like */
	bool idle; /* available, and no job runs on it */
	uint64_t weight; /* Slurm allocates nodes of smaller weight first */
};

/* Owns its memory except disk; {0} is empty. */
struct eqt_scontrol_nodes {
	const char *disk; /* TRES of local disk; NULL: disk is not counted */
	/* disk is counted in bytes, because the amount of some node is a GiB or more */
	bool disk_bytes;
	struct eqt_scontrol_records records;
	size_t count;
	struct eqt_scontrol_node *nodes;
};

/*
 * Read a file, with or without -o, or run scontrol if path is NULL. Returns 0, or -1 with
 * err filled. Possible errors: an error of eqt_listing_read(), a line that is not a node,
 * a key that is missing or not a number.
 */
int eqt_scontrol_nodes_read(struct eqt_scontrol_nodes *out, const char *path,
			    struct eqt_error *err);

/*
 * Count local disk as well. disk, which is borrowed, is "gres/NAME", EQT_UNIT_TMP_DISK,
 * or "" for none. Slurm allocates no TmpDisk, so all of it counts as free. Returns 0, or
 * -1 with err filled if a node has the GRES but Slurm does not count how much of it is
 * allocated.
 */
int eqt_scontrol_nodes_count_disk(struct eqt_scontrol_nodes *nodes,
				  const char *disk, struct eqt_error *err);

/* Check that Slurm counts the allocated GPUs of all nodes. Returns 0, or -1 with err
 * filled if it does not. */
int eqt_scontrol_nodes_check_gpus(const struct eqt_scontrol_nodes *nodes,
				  struct eqt_error *err);

/* Free what *nodes owns. *nodes is empty afterwards. */
void eqt_scontrol_nodes_free(struct eqt_scontrol_nodes *nodes);

/* Is the node in the partition? */
bool eqt_scontrol_node_in(const struct eqt_scontrol_node *node,
			  const char *partition);

/* Does the node have GPUs of this type, according to its Gres=
 * ("gpu:p100:4(S:0-1),gpu:v100:2")? True for the type "". */
bool eqt_scontrol_node_has_model(const struct eqt_scontrol_node *node,
				 const char *model);

/* Make a table of the nodes' names. Each entry is a struct eqt_numbered_name with the
 * index of the node. The caller frees *out with eqt_names_free(). */
void eqt_scontrol_nodes_index(struct eqt_names *out,
			      const struct eqt_scontrol_nodes *nodes);

/* Nodes that lists of names have marked. Owns its memory. */
struct eqt_scontrol_marks {
	struct eqt_names index;
	bool *mark; /* of each node */
	size_t count; /* number of nodes */
};

/* Begin without a mark. The caller frees *out with eqt_scontrol_nodes_marks_free(). */
void eqt_scontrol_nodes_marks_make(struct eqt_scontrol_marks *out,
				   const struct eqt_scontrol_nodes *nodes);
void eqt_scontrol_nodes_marks_free(struct eqt_scontrol_marks *marks);

/* Mark the nodes of a list as well. Names without a node are ignored, because a list may
 * name nodes that were removed from slurm.conf. A list that cannot be read marks none. */
void eqt_scontrol_nodes_mark(struct eqt_scontrol_marks *marks,
			     const char *list);

#endif
