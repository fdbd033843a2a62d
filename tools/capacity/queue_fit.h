/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_fit: how much of the queue would fit into the true overhead. */
#ifndef EQT_CAPACITY_QUEUE_FIT_H
#define EQT_CAPACITY_QUEUE_FIT_H

#include "price/canonical_unit.h"
#include "slurm/squeue.h"
#include "slurm/scontrol/nodes.h"

#define EQT_CAPACITY_BINS 65 /* 0, and [2^(i-1), 2^i) */

/* Pending jobs compared with the chosen nodes; a plain value. */
struct eqt_capacity_fit {
	uint64_t pending; /* could start, and use such units */
	uint64_t waiting_else; /* held, dependent, ...: not counted */
	uint64_t units; /* requested by the pending ones */
	uint64_t fit_units; /* fit by units, highest priority first */
	uint64_t fit_request; /* fit by their requests */
	uint64_t bins[EQT_CAPACITY_BINS]; /* pending jobs by units per node */
};

/* Units that a job takes on a node: rounded up; 0 when it uses nothing that the
 * unit counts. */
uint64_t eqt_capacity_job_units(const struct eqt_unit_amounts *amounts,
				const struct eqt_unit_amounts *unit);

/* The histogram bin of a number. */
int eqt_capacity_bin(uint64_t units);

/*
 * Place all pending jobs on the nodes for which chosen[] is set, once by units
 * and once by request, highest priority first; a job that does not fit takes
 * nothing. 0, or -1: out of memory.
 */
int eqt_capacity_fit(struct eqt_capacity_fit *out,
		     const struct eqt_squeue *jobs,
		     const struct eqt_scontrol_nodes *nodes, const bool *chosen,
		     const struct eqt_unit_amounts *unit);

#endif
