/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_factors: the factors that depend on other jobs, as computed by the last pass; they
 * are used for priorities until the next one.
 *
 * It has its own lock, which is held only to copy. Any other lock may be held.
 */
#ifndef EQT_JOB_FACTORS_H
#define EQT_JOB_FACTORS_H

#include <pthread.h>

#include "prio/job_order.h"

/* A plain value; {0} for a new job. */
struct eqt_job_factor {
	double fairshare; /* its rank, 0 .. 1 */
	double access; /* equal access, 0 .. 1 */
};

struct eqt_job_factor_entry {
	uint32_t job_id;
	struct eqt_job_factor factor;
};

/* Initialize with EQT_JOB_FACTORS; eqt_job_factors_clear() frees its memory. */
struct eqt_job_factors {
	pthread_mutex_t lock;
	struct eqt_job_factor_entry *now; /* by job id */
	size_t count;
	size_t space;
	struct eqt_job_factor_entry *next; /* filled without the lock, then
					      swapped in */
	size_t next_space;
};

#define EQT_JOB_FACTORS                            \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

/* The factors of a job. */
struct eqt_job_factor eqt_job_factors_of(struct eqt_job_factors *factors,
					 uint32_t job_id);

/* Publish the results of a pass. If memory is short, the previous results stay. */
void eqt_job_factors_set(struct eqt_job_factors *factors,
			 const struct eqt_ordered_job *jobs, size_t count);

/* Free all factors (at fini). */
void eqt_job_factors_clear(struct eqt_job_factors *factors);

#endif
