/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocation: what a job holds in Slurm's TRES counts, and the demand for which the job
 * is priced.
 *
 * The plugins fill it from slurmctld's TRES counts, the command from TRES as sacct and
 * squeue print them, and a simulation from its jobs. It is a plain value; {0} is a job
 * that holds nothing.
 */
#ifndef EQT_ALLOCATION_H
#define EQT_ALLOCATION_H

#include "price/price.h"

struct eqt_allocation {
	/* The CPUs as Slurm counts them: cores or hyper-threads. */
	uint64_t cpus;
	/* Hyper-threads of each core, if Slurm counts those as CPUs. 0 and 1 mean that
	 * each CPU is a core. */
	uint64_t threads;
	uint64_t disk; /* local disk in Slurm's count of its GRES */
	/* gres/gpu, which counts all GPUs, also those without a bundle. */
	uint64_t gpus;
	uint64_t typed; /* GPUs that eqt_allocation_add_gpus() has added */
	/* The caller sets the memory, the GPUs of each bundle and the member placed.
	 * eqt_allocation_demand() sets the rest. */
	struct eqt_demand demand;
};

/* Add GPUs to the bundle with this index. Return 0, or -1 if the sum does not fit 64
 * bits. */
int eqt_allocation_add_gpus(struct eqt_allocation *held, uint32_t bundle,
			    uint64_t count);

/* Complete the demand of an allocation and return it, borrowed from *held. GPUs that
 * Slurm counts in gres/gpu but that were not added to a bundle become GPUs of an
 * unknown model. */
struct eqt_demand *eqt_allocation_demand(struct eqt_allocation *held,
					 const struct eqt_bundle_table *prices);

#endif
