/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_factors: the factors that compare a job with the others, as of the last
 * pass, for its priority until the next one.
 *
 * Locked by itself, for copies only; any other lock may be held.
 */
#ifndef EQT_JOB_FACTORS_H
#define EQT_JOB_FACTORS_H

#include <pthread.h>

#include "prio/job_order.h"

/* A plain value, 0 for a job that is new. */
struct eqt_job_factor {
	double fairshare; /* its rank, 0 .. 1 */
	double access; /* equal access, 0 .. 1 */
};

struct eqt_job_factor_entry {
	uint32_t job_id;
	struct eqt_job_factor factor;
};

/* Begun with EQT_JOB_FACTORS; eqt_job_factors_clear() frees what it holds. */
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

/* Put the results of a pass in force; sorts jobs by id. Short of memory, the
 * previous ones stay. */
void eqt_job_factors_set(struct eqt_job_factors *factors,
			 struct eqt_ordered_job *jobs, size_t count);

/* Forget them all (at fini). */
void eqt_job_factors_clear(struct eqt_job_factors *factors);

#endif
