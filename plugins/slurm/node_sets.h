/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_sets: for a model with several bundles, the bundle that applies on a node, by the
 * node's name and its features. Needs Slurm's internal headers.
 */
#ifndef EQT_NODE_SETS_H
#define EQT_NODE_SETS_H

#include "slurm/compat.h"

#include "base/error.h"
#include "job/node_class.h"
#include "price/price.h"

#define EQT_NODE_NAME_SIZE 28 /* longer names are left to the sets */

/* A node's name in the lists of bundles, and a bit for each of these bundles; "": an empty slot.
 * The name is in the slot itself, so that a lookup reads one cache line. */
struct eqt_node_name {
	char name[EQT_NODE_NAME_SIZE];
	uint32_t bundles;
};

/* Made by eqt_node_sets_open(); {0} has none and need not be closed. */
struct eqt_node_sets {
	/* A hash table of all names in lists that are not too long: a submission may
	   look up each node of a cluster. */
	struct eqt_node_name *slot;
	uint32_t slots; /* a power of two, or 0 */
	uint32_t by_set; /* bundles whose list is too long for that */
	/* owned; for each bundle that names nodes, else NULL */
	struct hostset *set[EQT_MODELS_MAX];
};

/* Read the lists of nodes of the bundles. 0, or -1 with err filled if one is no list; then there
 * is nothing to close. */
int eqt_node_sets_open(struct eqt_node_sets *out,
		       const struct eqt_bundle_table *prices,
		       struct eqt_error *err);

/* Free the sets; twice is fine. */
void eqt_node_sets_close(struct eqt_node_sets *sets);

/* The bundle of a model that applies on a node (eqt_node_class_bundle()). model: the index of its
 * first bundle. slurmctld's node lock is held for reading. */
uint32_t eqt_node_sets_bundle(const struct eqt_node_sets *sets,
			      const struct eqt_bundle_table *prices,
			      uint32_t model, const node_record_t *node);

/* Those of some bundles that name a node, a bit for each. */
uint32_t eqt_node_sets_named(const struct eqt_node_sets *sets, uint32_t bundles,
			     const node_record_t *node);

/* Prefetch the records and texts of the nodes after the i-th of the table: a record has a
 * kilobyte, and its texts lie elsewhere. sets: NULL if bundles do not matter. The same lock. */
void eqt_node_sets_prefetch(const struct eqt_node_sets *sets, bitoff_t i);

/* The class of a node, without the bundles that name it; borrowed from its record while the same
 * lock is held. */
struct eqt_node_class eqt_node_sets_class(const node_record_t *node);

/* A node's features: the active ones if a plugin changes them, else all of them. The same lock
 * is held. */
const char *eqt_node_sets_features(const node_record_t *node);

#endif
