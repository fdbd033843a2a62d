/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_limit: the most that Slurm's limits let one job be billed. Needs Slurm's internal
 * headers. */
#ifndef EQT_JOB_LIMIT_H
#define EQT_JOB_LIMIT_H

#include <stdint.h>

#include "associations.h"

/* A plain value. */
struct eqt_job_limit {
	uint64_t billing; /* UINT64_MAX: none */
	const char *key; /* "MaxTRESPerJob"; static text */
	char owner[EQT_QOS_SIZE]; /* "QOS short", "account physics" */
};

/*
 * Find the smallest limit on the billing of one job, of a user's running jobs, and of all
 * running jobs. Limits of its QOS and of its partition's QOS (NULL: none) come first; if
 * they are not set, those of the owner's association and of the levels above it count. Takes
 * assoc_mgr's locks for reading: hold none.
 */
void eqt_job_limit_read(struct eqt_job_limit *out,
			const struct eqt_owner *owner, const char *qos,
			const part_record_t *part);

/* Does Slurm enforce limits, and is the billing of a job its price? */
bool eqt_job_limit_holds(void);

#endif
