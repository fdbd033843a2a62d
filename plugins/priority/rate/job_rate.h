/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request: what Slurm's TRES arrays say, in the core's words. */
#ifndef EQT_JOB_RATE_H
#define EQT_JOB_RATE_H

#include <stdint.h>

#include "slurm/compat.h"
#include "configuration.h"

/* What a job takes per second. */
struct eqt_rate {
	double equivalents; /* for usage_raw, with the factors of
			       partition and QOS: exact but for the last bit */
	uint64_t billing; /* for the integer billing TRES */
	double size; /* equivalents without any factor, */
	bool gpu_pool; /* which are GPU-equivalents */
};

/*
 * The rate of a job with these TRES counts, which are its tres_alloc_cnt or,
 * of a job that has nothing yet, its tres_req_cnt, by the rules of its
 * partition and its QOS. A GPU whose model Slurm does not tell is priced as
 * the dearest model. Where the partition's bundles cannot price the job all of
 * them hold. Returns 0, or -1 (out untouched) when no bundle can. Allocates
 * nothing.
 *
 * Locks: slurmctld's jobs for writing (rates that were worked out are kept in
 * one table), nodes and partitions for reading, assoc_mgr's QOS for reading.
 */
int eqt_job_rate(struct eqt_rate *out, const struct eqt_config *config,
		 const job_record_t *job, const uint64_t *counts);

#endif
