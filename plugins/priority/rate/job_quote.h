/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_quote: the price range of a waiting job, from its record. */
#ifndef EQT_JOB_QUOTE_H
#define EQT_JOB_QUOTE_H

#include "slurm/compat.h"
#include "configuration.h"
#include "quote/quote.h"

/* slurmctld's jobs are locked, nodes and partitions at least for reading, and
 * assoc_mgr's QOS for reading. Nothing changes. */

/* The most that a job may be charged. A plain value. */
struct eqt_job_need {
	uint64_t need_u; /* millionths of equivalent-seconds, for its time
			    limit and OverTimeLimit; UINT64_MAX: without end */
	bool gpus; /* it belongs to the GPU pool */
	uint64_t rate_u; /* need_u for one second */
	uint32_t over; /* minutes of OverTimeLimit in need_u */
};

/* The quote over all partitions of a job. It points into *prices, which must live as long.
 * need: as eqt_job_quote_need(), or NULL. Returns 0, or -1 if the job has no price. */
int eqt_job_quote(struct eqt_quote *quote, struct eqt_bundle_table *prices,
		  struct eqt_job_need *need, const struct eqt_config *config,
		  const job_record_t *job);

/* The need in the partition where it is highest; for an array, the need of one task.
 * Returns 0, or -1 if the job has no price. */
int eqt_job_quote_need(struct eqt_job_need *need,
		       const struct eqt_config *config,
		       const job_record_t *job);

#endif
