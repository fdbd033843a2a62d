/* SPDX-License-Identifier: GPL-2.0-or-later */
/* candidate_nodes: the nodes that a request could get, and hence its bundles. The
 * submission plugin finds the same nodes. */
#ifndef EQT_SLURM_CANDIDATE_NODES_H
#define EQT_SLURM_CANDIDATE_NODES_H

#include "price/bundle_table.h"
#include "job/job_spec.h"
#include "job/node_offer.h"
#include "slurm/scontrol/nodes.h"

/*
 * Mark in *prices the bundles that none of the candidate nodes has. Candidates are the
 * nodes of the partition that match --constraint, --nodelist, --exclude and
 * --reservation. If the partition has no nodes, nothing is marked.
 */
void eqt_scontrol_candidates(struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *spec,
			     const struct eqt_scontrol_nodes *nodes,
			     const char *partition);

/* Store in the request the kinds of nodes of the partition that it could get. The request
 * then borrows texts of the nodes. */
void eqt_scontrol_candidates_offer(struct eqt_job_spec *spec,
				   const struct eqt_scontrol_nodes *nodes,
				   const char *partition);

/* Store in *now which of these nodes are up, and how many are idle. Nodes that other
 * reservations hold within the time limit are left out. *now then borrows texts of the nodes. */
void eqt_scontrol_candidates_now(
	struct eqt_nodes_now *now, const struct eqt_job_spec *spec,
	const struct eqt_scontrol_nodes *nodes, const char *partition,
	const struct eqt_scontrol_records *reservations);

#endif
