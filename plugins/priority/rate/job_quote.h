/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_quote: the price range of a waiting job, from its record. */
#ifndef EQT_JOB_QUOTE_H
#define EQT_JOB_QUOTE_H

#include "slurm/compat.h"
#include "configuration.h"
#include "quote/quote.h"

/* The caller of both functions holds slurmctld's job, node and part locks at
 * least for reading, and assoc_mgr's QOS lock for reading. The functions change
 * no record. */

/* The most that a job may be charged. */
struct eqt_job_need {
	/* In millionths of equivalent-seconds, for the time limit and
	   OverTimeLimit; UINT64_MAX if the job has no time limit. */
	uint64_t need_u;
	bool gpus; /* The job belongs to the GPU pool. */
	/* The need for one second, in millionths of equivalents. */
	uint64_t rate_u;
	uint32_t over; /* The minutes of OverTimeLimit that need_u includes. */
};

/* Make the quote over all partitions of a job. It points into *prices, which
 * must live as long. *need is set as by eqt_job_quote_need(), unless need is
 * NULL. Returns 0, or -1 if the job has no price. */
int eqt_job_quote(struct eqt_quote *quote, struct eqt_bundle_table *prices,
		  struct eqt_job_need *need, const struct eqt_config *config,
		  const job_record_t *job);

/* The need in the partition where it is highest. For an array that is the need
 * of one task. Returns 0, or -1 if the job has no price. */
int eqt_job_quote_need(struct eqt_job_need *need,
		       const struct eqt_config *config,
		       const job_record_t *job);

#endif
