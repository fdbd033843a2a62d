/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_sets: the nodes on which a bundle is that of its model, by their names
 * and their features. Needs Slurm's internal headers.
 */
#ifndef EQT_NODE_SETS_H
#define EQT_NODE_SETS_H

#include "slurm_compat.h"

#include "eqt_error.h"
#include "eqt_price.h"

/* Made by eqt_node_sets_open(); {0} has none and need not be closed. */
struct eqt_node_sets {
	/* owned; of a bundle that names nodes, else NULL */
	struct hostset *set[EQT_MODELS_MAX];
};

/* Read the lists of nodes that bundles have. 0, or -1 with err naming the one
 * that is no list; then there is nothing to close. */
int eqt_node_sets_open(struct eqt_node_sets *out,
		       const struct eqt_prices *prices, struct eqt_error *err);

/* Free the sets; twice is fine. */
void eqt_node_sets_close(struct eqt_node_sets *sets);

/*
 * Which of a model's bundles, by the index of their first, holds on a node:
 * the first that names it or features that it has, else the one that names
 * nothing, else the first of all. slurmctld's node lock is held for reading.
 */
uint32_t eqt_node_sets_bundle(const struct eqt_node_sets *sets,
			      const struct eqt_prices *prices, uint32_t model,
			      const node_record_t *node);

/* Whether a node has a feature, of length bytes. The same lock. */
bool eqt_node_has_feature(const node_record_t *node, const char *name,
			  size_t length);

#endif
