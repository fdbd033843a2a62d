/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demand_most: the most resources that a request could hold on any nodes, for callers
 * that price it in a few steps. Nothing is allocated. */
#ifndef EQT_DEMAND_MOST_H
#define EQT_DEMAND_MOST_H

#include "job/job_totals.h"

/* The largest amount of each resource that any node of a cluster has. {0} means that
 * the nodes are not known. */
struct eqt_node_most {
	uint64_t nodes; /* the number of nodes in the cluster */
	/* CPUs, MiB of memory, and GPUs of all models. */
	uint64_t cpus, mem_mib, gpus;
	uint64_t disk; /* local disk in the units of eqt_bundle_table_disk() */
	bool some_without; /* whether some nodes have no GPU */
};

/* Add a node to the maxima. The prices name the GRES that is local disk. */
void eqt_node_most_add(struct eqt_node_most *most,
		       const struct eqt_bundle_table *prices, uint64_t cpus,
		       uint64_t mem_mib, const char *gres);

/*
 * Make a demand that is at least as large, in each resource, as the request in any
 * partition. It assumes that the job gets as many whole nodes as it could get, and that
 * each of them has the most of each resource. `totals` is the request as it was counted
 * in one partition. The GPUs have no model. Return 0, or -1 if a number does not fit 64
 * bits.
 */
int eqt_demand_most(struct eqt_demand *out, const struct eqt_job_spec *spec,
		    const struct eqt_job_totals *totals,
		    const struct eqt_node_most *most);

#endif
