/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock_reach: the nodes that a request could get, and so the bundles, as the
 * submission plugin finds them. */
#ifndef EQT_SLURM_CANDIDATE_NODES_H
#define EQT_SLURM_CANDIDATE_NODES_H

#include "price/job_spec.h"
#include "slurm/nodes.h"

/*
 * Mark in *prices the bundles that are on none of the partition's nodes which
 * the request's --constraint, --nodelist and --exclude leave. Without a node
 * nothing is marked.
 */
void eqt_scontrol_candidates(struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *ask,
			     const struct eqt_scontrol_nodes *nodes,
			     const char *partition);

#endif
