/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory_limit: the CPUs that Slurm adds to a request that wants more memory than
 * MaxMemPerCPU allows for its CPUs, and requests that want more than MaxMemPerNode.
 * job_cpus.c applies the former to a job, and node_offer.c to a task. */
#ifndef EQT_MEMORY_LIMIT_H
#define EQT_MEMORY_LIMIT_H

#include "job/job_spec.h"

/* The CPUs of a request, as slurmctld stores them in the record of a job. */
struct eqt_memory_limit_cpus {
	uint64_t per_task; /* CPUs of a task; at least 1 */
	uint64_t min; /* the fewest CPUs of the job */
	uint64_t per_node; /* the fewest CPUs of each node; at least 1 */
};

/*
 * Raise the CPUs of a request to those that its memory needs. If the memory of the
 * request or of the partition's default is for each CPU, also set *mem_mib to the
 * memory of each CPU after that. Without MaxMemPerCPU nothing changes. Return 0, or -1
 * if a number does not fit 64 bits.
 */
int eqt_memory_limit_apply(struct eqt_memory_limit_cpus *cpus,
			   uint64_t *mem_mib, const struct eqt_job_spec *spec);

/* Does a request want more memory of a node than MaxMemPerNode allows? slurmctld never
 * starts such a job (job_limits_check()). */
bool eqt_memory_limit_passed(const struct eqt_job_spec *spec);

#endif
