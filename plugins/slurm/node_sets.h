/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_sets: the nodes on which a bundle is that of its model, by their names
 * and their features. Needs Slurm's internal headers.
 */
#ifndef EQT_NODE_SETS_H
#define EQT_NODE_SETS_H

#include "slurm/compat.h"

#include "base/error.h"
#include "job/node_class.h"
#include "price/price.h"

#define EQT_NODE_NAME_SIZE 28 /* longer names are left to the sets */

/* A name that bundles have, and which of them: a bit each; "": an empty slot. It
 * stands in the slot itself: a lookup of each node reads one line of memory. */
struct eqt_node_name {
	char name[EQT_NODE_NAME_SIZE];
	uint32_t bundles;
};

/* Made by eqt_node_sets_open(); {0} has none and need not be closed. */
struct eqt_node_sets {
	/* All names of lists that are not too long, found in constant time: a
	   submission may look for each node of a cluster. */
	struct eqt_node_name *slot;
	uint32_t slots; /* a power of two, or 0 */
	uint32_t by_set; /* bundles whose list is too long for that */
	/* owned; of a bundle that names nodes, else NULL */
	struct hostset *set[EQT_MODELS_MAX];
};

/* Read the lists of nodes that bundles have. 0, or -1 with err naming the one
 * that is no list; then there is nothing to close. */
int eqt_node_sets_open(struct eqt_node_sets *out,
		       const struct eqt_bundle_table *prices,
		       struct eqt_error *err);

/* Free the sets; twice is fine. */
void eqt_node_sets_close(struct eqt_node_sets *sets);

/* Which of a model's bundles, by the index of their first, holds on a node, as
 * eqt_node_class_bundle() says. slurmctld's node lock is held for reading. */
uint32_t eqt_node_sets_bundle(const struct eqt_node_sets *sets,
			      const struct eqt_bundle_table *prices,
			      uint32_t model, const node_record_t *node);

/* Which of some bundles, a bit each, name a node. */
uint32_t eqt_node_sets_named(const struct eqt_node_sets *sets, uint32_t bundles,
			     const node_record_t *node);

/* Have what is read of the nodes after one of the table at hand by the time it is:
 * records are a kilobyte each, and their texts lie elsewhere. sets, or NULL: their
 * bundles do not matter. The same lock. */
void eqt_node_sets_prefetch(const struct eqt_node_sets *sets, bitoff_t i);

/* What is known of a node, but for who names it; borrowed from its record while
 * the same lock is held. */
struct eqt_node_class eqt_node_sets_class(const node_record_t *node);

/* A node's features: the active ones where a plugin changes them, else all of them. The
 * same lock is held. */
const char *eqt_node_sets_features(const node_record_t *node);

#endif
