/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_rate: the rate of a job, from Slurm's TRES arrays. */
#ifndef EQT_JOB_RATE_H
#define EQT_JOB_RATE_H

#include <stdint.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "rate/rate_cache.h"

/*
 * The rate of a job with these TRES counts, by the rules of its partition and QOS.
 * counts is its tres_alloc_cnt or, without an allocation, its tres_req_cnt. A GPU of
 * unknown model is priced as the most expensive model. If the partition's bundles
 * cannot price the job, all bundles are used. Returns 0, or -1 (out untouched) when no
 * bundle can. Allocates nothing.
 *
 * Locks: slurmctld's jobs for writing (they cover the cache, too), nodes and
 * partitions for reading, assoc_mgr's QOS for reading.
 */
int eqt_job_rate(struct eqt_rate *out, struct eqt_rate_cache *cache,
		 const struct eqt_config *config, const job_record_t *job,
		 const uint64_t *counts);

/* The same for the part of an allocation on these nodes of the job, or on all of them
 * (job->node_bitmap itself); counts are those of the part (held.h). */
int eqt_job_rate_of_nodes(struct eqt_rate *out, struct eqt_rate_cache *cache,
			  const struct eqt_config *config,
			  const job_record_t *job, const uint64_t *counts,
			  bitstr_t *nodes);

/* The rate of all that a reservation keeps from others: its nodes with all they have, or its
 * cores. Locks as above. */
int eqt_job_rate_reserved(struct eqt_rate *out, struct eqt_rate_cache *cache,
			  const struct eqt_config *config,
			  const slurmctld_resv_t *reservation);

#endif
