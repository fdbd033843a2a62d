/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "job/core_tasks.h"

uint64_t eqt_core_tasks_most(const struct eqt_job_totals *totals,
			     const struct eqt_job_spec *spec)
{
	if (spec->gpus_share_cores && totals->gpus_have_cpus)
		return 0;
	return spec->task_per_core ? 1 : spec->tasks_per_core;
}

uint64_t eqt_core_tasks_cpus(const struct eqt_job_totals *totals,
			     const struct eqt_job_spec *spec, uint64_t threads)
{
	uint64_t cpus = eqt_core_tasks_most(totals, spec);

	if (cpus == 0 ||
	    __builtin_mul_overflow(cpus, totals->cpus_per_task, &cpus) ||
	    cpus > threads)
		return threads;
	return cpus;
}

bool eqt_core_tasks_dealt(const struct eqt_job_spec *spec)
{
	return spec->tasks_per_core > 0 || spec->tasks_per_socket > 0 ||
	       spec->task_per_core || spec->gpus_share_cores ||
	       spec->binds_gpus;
}
