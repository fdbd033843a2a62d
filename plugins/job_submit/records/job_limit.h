/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_limit: the highest billing of one job that Slurm's limits allow. Needs
 * Slurm's internal headers. */
#ifndef EQT_JOB_LIMIT_H
#define EQT_JOB_LIMIT_H

#include <stdint.h>

#include "associations.h"

/* A limit on the billing of one job. */
struct eqt_job_limit {
	uint64_t billing; /* UINT64_MAX if there is no limit. */
	const char *key; /* A static text such as "MaxTRESPerJob". */
	/* A text such as "QOS short" or "account physics". */
	char owner[EQT_QOS_SIZE];
};

/*
 * Find the smallest limit on the billing of one job, of a user's running jobs,
 * and of all running jobs. Limits of the job's QOS and of the partition's QOS
 * take precedence. If neither has a limit, the limits of the owner's
 * association and of the levels above apply. part is NULL if its QOS does not
 * matter. The function takes assoc_mgr's locks for reading, so the caller must
 * hold none of them.
 */
void eqt_job_limit_read(struct eqt_job_limit *out,
			const struct eqt_owner *owner, const char *qos,
			const part_record_t *part);

/* Does Slurm enforce limits, and is the billing of a job its price? */
bool eqt_job_limit_holds(void);

#endif
