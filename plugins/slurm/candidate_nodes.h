/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reach: the nodes that a request could get, by its partition, --constraint,
 * --nodelist, --exclude and the GPUs that it asks for. Needs Slurm's internal headers.
 */
#ifndef EQT_CANDIDATE_NODES_H
#define EQT_CANDIDATE_NODES_H

#include <stdbool.h>

#include "price/job_spec.h"
#include "price/node_class.h"
#include "price/price.h"
#include "slurm/compat.h"

/* Made by eqt_candidate_nodes_open(). */
struct eqt_candidate_nodes {
	const part_record_t *part;
	struct eqt_node_requirement wish;
	struct eqt_name_list *only, *without; /* owned; NULL: none is named */
	bitoff_t end; /* no node is behind it */
	bool by_features; /* what features a node has matters */
	/* Nodes beside each other are mostly alike: what the last one is of,
	   whether such nodes fit, and how many times that has changed. */
	struct eqt_node_class kind;
	bool fits;
	uint32_t kinds;
};

/*
 * Find the nodes of a request in a partition, as eqt_node_requirement_make() has it; longer
 * lists of nodes than anybody means are passed over, too. Every opened reach is
 * to be closed, before slurmctld's part and node locks are released.
 */
void eqt_candidate_nodes_open(struct eqt_candidate_nodes *out,
			      const struct eqt_job_spec *spec,
			      const part_record_t *part);
void eqt_candidate_nodes_close(struct eqt_candidate_nodes *candidates);

/* The next node from *i on, counted on, or NULL after the last. slurmctld's
 * part and node locks are held for reading. */
const node_record_t *eqt_candidate_nodes_next(
	struct eqt_candidate_nodes *candidates, bitoff_t *i);

/*
 * Mark in *prices the bundles that are on none of the nodes, where the price of
 * the request, which *ask comes to, depends on it. Looks at each node of the
 * partition at most; most requests need none of them. Same locks.
 */
void eqt_candidate_nodes_apply(struct eqt_bundle_table *prices,
			       const struct eqt_job_spec *spec,
			       const struct eqt_demand *demand,
			       const part_record_t *part);

#endif
