/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocation: what a job holds, in Slurm's counts, and the demand that it is priced by.
 *
 * The plugin fills it from slurmctld's TRES counts, the command from TRES as sacct and
 * squeue print them, and a simulation from its jobs. A plain value; {0} holds nothing.
 */
#ifndef EQT_ALLOCATION_H
#define EQT_ALLOCATION_H

#include "price/price.h"

struct eqt_allocation {
	uint64_t cpus; /* hyper-threads, if Slurm counts these */
	uint64_t threads; /* CPUs of a core; 0 and 1: they are cores */
	uint64_t disk; /* local disk, in Slurm's count */
	uint64_t gpus; /* gres/gpu: of all models, with a bundle or not */
	uint64_t typed; /* of eqt_allocation_add_gpus() */
	/* Its memory, GPUs by bundle and whether these are placed; the rest is filled by
	   eqt_allocation_demand(). */
	struct eqt_demand demand;
};

/* Add GPUs that have a bundle, by its index. 0, or -1: the sum does not fit. */
int eqt_allocation_add_gpus(struct eqt_allocation *held, uint32_t bundle,
			    uint64_t count);

/* Fill in the demand, and return it, borrowed from *held. gres/gpu counts the GPUs of
 * all models; GPUs beyond those with a bundle have no known model. */
struct eqt_demand *eqt_allocation_demand(struct eqt_allocation *held,
					 const struct eqt_bundle_table *prices);

#endif
