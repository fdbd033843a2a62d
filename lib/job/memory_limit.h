/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory_limit: the CPUs that Slurm adds to a request for more memory than
 * MaxMemPerCPU allows its CPUs: job_cpus.c for the job, node_offer.c for a task. */
#ifndef EQT_MEMORY_LIMIT_H
#define EQT_MEMORY_LIMIT_H

#include "job/job_spec.h"

/* The CPUs of a request, as slurmctld keeps them in the record of a job. */
struct eqt_memory_limit_cpus {
	uint64_t per_task; /* at least 1 */
	uint64_t min; /* of the job */
	uint64_t per_node; /* at least 1 */
};

/*
 * Raise the CPUs of a request, and set *mem_mib, where its memory or the default
 * is for each CPU, to the memory of each of its new CPUs. Does nothing without a
 * limit. 0, or -1: more than 64 bits hold.
 */
int eqt_memory_limit_apply(struct eqt_memory_limit_cpus *cpus,
			   uint64_t *mem_mib, const struct eqt_job_spec *spec);

#endif
