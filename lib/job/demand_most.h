/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demand_most: the most that a request could hold, wherever it runs, for callers that
 * price it in a few steps. Nothing here allocates. */
#ifndef EQT_DEMAND_MOST_H
#define EQT_DEMAND_MOST_H

#include "job/job_totals.h"

/* The most that any node of a cluster has of each; {0}: not known. */
struct eqt_node_most {
	uint64_t nodes; /* that there are */
	uint64_t cpus, mem_mib, gpus; /* GPUs of all models */
	uint64_t disk; /* as eqt_bundle_table_disk() counts it */
	bool some_without; /* some nodes have no GPU */
};

/* Add a node; prices say which of its GRES is local disk. */
void eqt_node_most_add(struct eqt_node_most *most,
		       const struct eqt_bundle_table *prices, uint64_t cpus,
		       uint64_t mem_mib, const char *gres);

/*
 * Make a demand that is at least as large, in each resource, as the request in any
 * partition: the largest nodes, whole, and as many of them as it could get. totals: the
 * request in one partition. GPUs have no model. 0, or -1: it does not fit 64 bits.
 */
int eqt_demand_most(struct eqt_demand *out, const struct eqt_job_spec *spec,
		    const struct eqt_job_totals *totals,
		    const struct eqt_node_most *most);

#endif
