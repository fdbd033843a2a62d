/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_quote: the price that a waiting job's request may have, from its record. */
#ifndef EQT_JOB_QUOTE_H
#define EQT_JOB_QUOTE_H

#include "slurm/compat.h"
#include "configuration.h"
#include "price/quote.h"

/* slurmctld's jobs are locked, nodes and partitions at least for reading, and
 * assoc_mgr's QOS for reading. Nothing changes. */

/* The quote over all partitions of a job; *prices belongs to it. 0, or -1: it has no
 * price. */
int eqt_job_quote(struct eqt_quote *quote, struct eqt_bundle_table *prices,
		  const struct eqt_config *config, const job_record_t *job);

/* What the job may be charged at most. A plain value. */
struct eqt_job_need {
	uint64_t need_u; /* millionths of equivalent-seconds, for its time
			    limit; UINT64_MAX: it has no time limit */
	bool gpus; /* it belongs to the pool of GPUs */
};

/* In the dearest of its partitions; of an array, one task. 0, or -1: the job has no
 * price. */
int eqt_job_quote_need(struct eqt_job_need *need,
		       const struct eqt_config *config,
		       const job_record_t *job);

#endif
