/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overhead_queue: how much of the queue would fit into the true overhead. */
#ifndef EQT_CAPACITY_QUEUE_FIT_H
#define EQT_CAPACITY_QUEUE_FIT_H

#include "price/canonical_unit.h"
#include "slurm/squeue.h"
#include "slurm/nodes.h"

#define EQT_CAPACITY_BINS 65 /* 0, and [2^(i-1), 2^i) */

/* Pending jobs beside the nodes that were chosen; a plain value. */
struct eqt_capacity_fit {
	uint64_t pending; /* could start, and are of such units */
	uint64_t waiting_else; /* held, depend, ...: not counted */
	uint64_t units; /* that the pending ones ask for */
	uint64_t fit_units; /* fit by their units, highest priority first */
	uint64_t fit_request; /* fit by their real requests */
	uint64_t bins
		[EQT_CAPACITY_BINS]; /* pending ones by units for each node */
};

/* Units that a job takes of a node that has just as much: the next whole
 * number; 0 when it has nothing that the unit counts. */
uint64_t eqt_capacity_job_units(const struct eqt_unit_amounts *amounts,
				const struct eqt_unit_amounts *unit);

/* The bin of a number. */
int eqt_capacity_bin(uint64_t units);

/*
 * Try all pending jobs against the nodes for which chosen[] is set, once by
 * units and once by request: each takes what it fits into, the one of the
 * highest priority first. 0, or -1: memory.
 */
int eqt_capacity_fit(struct eqt_capacity_fit *out,
		     const struct eqt_squeue *jobs,
		     const struct eqt_scontrol_nodes *nodes, const bool *chosen,
		     const struct eqt_unit_amounts *unit);

#endif
