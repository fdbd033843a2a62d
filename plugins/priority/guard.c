/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdatomic.h>

#include "../common/log.h"
#include "guard.h"

enum verdict { UNKNOWN, FITS, DIFFERS };

static atomic_int verdict = UNKNOWN;

static bool fits(const job_record_t *job)
{
	if (job->magic != JOB_MAGIC)
		return false;
	if (job->details && job->details->magic != DETAILS_MAGIC)
		return false;
	return !job->part_ptr || job->part_ptr->magic == PART_MAGIC;
}

bool eqt_guard_ok(const job_record_t *job)
{
	int now = atomic_load_explicit(&verdict, memory_order_relaxed);

	if (now == FITS)
		return true;
	if (now == DIFFERS)
		return false;
	if (fits(job)) {
		/* A job without details or partition says too little. */
		if (job->details && job->part_ptr)
			atomic_store(&verdict, FITS);
		return true;
	}
	atomic_store(&verdict, DIFFERS);
	eqt_log_error("slurmctld's job records are not laid out as those of "
		      "the headers that this plugin was built with: nothing "
		      "is charged and no priority is changed. Build it again "
		      "with the headers of exactly this Slurm");
	return false;
}
