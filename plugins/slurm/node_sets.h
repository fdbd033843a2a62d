/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_sets: which bundle of a GPU model applies to a node, if the model has
 * several bundles. The node's name and features decide. Needs Slurm's internal
 * headers.
 */
#ifndef EQT_NODE_SETS_H
#define EQT_NODE_SETS_H

#include "slurm/compat.h"

#include "base/error.h"
#include "job/node_class.h"
#include "price/price.h"

/* The hash table holds shorter names only. Slurm's sets hold longer ones. */
#define EQT_NODE_NAME_SIZE 28

/* A slot of the hash table: the name of a node, and one bit for each bundle
 * that names the node. An empty string marks an empty slot. The name is stored
 * in the slot itself, so that a lookup reads one cache line. */
struct eqt_node_name {
	char name[EQT_NODE_NAME_SIZE];
	uint32_t bundles;
};

/* The nodes that bundles name, read by eqt_node_sets_open(). A struct of zeros
 * names no nodes and need not be closed. */
struct eqt_node_sets {
	/* A hash table of the names in all lists that are not too long, because
	   a submission may look up every node of the cluster. */
	struct eqt_node_name *slot;
	/* The size of the table: a power of two, or 0 without a table. */
	uint32_t slots;
	/* A bit for each bundle whose list is too long for the hash table. */
	uint32_t by_set;
	/* Slurm's set of nodes for each bundle that names nodes; NULL for other
	   bundles. Owned by this struct. */
	struct hostset *set[EQT_MODELS_MAX];
};

/* Read the lists of nodes that the bundles name. Returns 0, or -1 with err
 * filled if a text is not a list of nodes. After an error there is nothing to
 * close. */
int eqt_node_sets_open(struct eqt_node_sets *out,
		       const struct eqt_bundle_table *prices,
		       struct eqt_error *err);

/* Free the sets. A second call does nothing. */
void eqt_node_sets_close(struct eqt_node_sets *sets);

/* The bundle of a GPU model that applies to a node (eqt_node_class_bundle()).
 * `model` is the index of the model's first bundle. slurmctld's node lock is
 * held for reading. */
uint32_t eqt_node_sets_bundle(const struct eqt_node_sets *sets,
			      const struct eqt_bundle_table *prices,
			      uint32_t model, const node_record_t *node);

/* Of the bundles in the bit mask `bundles`, those that name the node.
 * slurmctld's node lock is held for reading. */
uint32_t eqt_node_sets_named(const struct eqt_node_sets *sets, uint32_t bundles,
			     const node_record_t *node);

/* Prefetch the records and texts of the nodes that follow the i-th node of the
 * table. A record takes a kilobyte, and its texts lie elsewhere. `sets` is NULL
 * if bundles do not matter. slurmctld's node lock is held for reading. */
void eqt_node_sets_prefetch(const struct eqt_node_sets *sets, bitoff_t i);

/* The class of a node, without the bundles that name it. The class borrows
 * strings from the node's record, so it is valid while slurmctld's node lock is
 * held. */
struct eqt_node_class eqt_node_sets_class(const node_record_t *node);

/* The features of a node: the active features if a plugin changes them,
 * otherwise all features. slurmctld's node lock is held for reading. */
const char *eqt_node_sets_features(const node_record_t *node);

/* The memory of a node that jobs can use, in MiB. */
uint64_t eqt_node_sets_memory(const node_record_t *node);

#endif
