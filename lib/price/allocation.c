/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/whole.h"
#include "price/allocation.h"

int eqt_allocation_add_gpus(struct eqt_allocation *held, uint32_t bundle,
			    uint64_t count)
{
	uint64_t *gpus = &held->demand.gpus[bundle];

	return __builtin_add_overflow(*gpus, count, gpus) ||
			       __builtin_add_overflow(held->typed, count,
						      &held->typed)
		       ? -1
		       : 0;
}

struct eqt_demand *eqt_allocation_demand(struct eqt_allocation *held,
					 const struct eqt_bundle_table *prices)
{
	struct eqt_demand *demand = &held->demand;

	demand->cores = held->threads > 1
				? eqt_whole_divide_up(held->cpus, held->threads)
				: held->cpus;
	demand->disk = eqt_bundle_table_disk(held->disk, prices->disk_shift);
	demand->gpus_untyped = held->gpus > held->typed && prices->gpu_count > 0
				       ? held->gpus - held->typed
				       : 0;
	return demand;
}
