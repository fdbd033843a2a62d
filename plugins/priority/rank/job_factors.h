/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_factors: the factors that depend on other jobs. Each pass computes them,
 * and priorities use them until the next pass.
 *
 * The struct has its own lock, which is held only to copy data. The caller may
 * hold any other lock.
 */
#ifndef EQT_JOB_FACTORS_H
#define EQT_JOB_FACTORS_H

#include <pthread.h>

#include "rank/job_copies.h"

/* The factors of one job. A new job has a struct of zeros. */
struct eqt_job_factor {
	double fairshare; /* The rank of the job as a number from 0 to 1. */
	double access; /* Equal access, from 0 to 1. */
};

struct eqt_job_factor_entry {
	uint32_t job_id;
	struct eqt_job_factor factor;
};

struct eqt_job_factor_list {
	struct eqt_job_factor_entry *entries; /* Sorted by job id. */
	size_t count;
	size_t space;
};

/* The factors of all jobs. Initialize the struct with EQT_JOB_FACTORS;
 * eqt_job_factors_clear() frees its memory. */
struct eqt_job_factors {
	pthread_mutex_t lock;
	struct eqt_job_factor_list now;
	size_t next_read; /* The index after the entry that was read last. */
	/* Filled without the lock, and then exchanged with `now`. */
	struct eqt_job_factor_list next;
};

#define EQT_JOB_FACTORS                            \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

/* The factors of a job, which are 0 if the last pass did not see the job. */
struct eqt_job_factor eqt_job_factors_of(struct eqt_job_factors *factors,
					 uint32_t job_id);

/* Publish the results of a pass. If memory is short, the previous results
 * remain. */
void eqt_job_factors_set(struct eqt_job_factors *factors,
			 struct eqt_job_copies *copies);

/* Free all factors when the plugin is unloaded. */
void eqt_job_factors_clear(struct eqt_job_factors *factors);

#endif
