/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * het_sum: the price of all components of a heterogeneous job together.
 *
 * slurmctld hands the components to job_submit() one after another, in one thread,
 * without their number. So each component but the first gets the sum up to itself, and the
 * sum of the last one is that of the job. Several threads may do so at a time. A description
 * does not say to which job it belongs, but the thread does.
 */
#ifndef EQT_JOB_SUBMIT_HET_SUM_H
#define EQT_JOB_SUBMIT_HET_SUM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "quote/quote.h"
#include "slurm/compat.h"

/* slurmctld serves at most so many requests at a time (MAX_SERVER_THREADS). */
#define EQT_HET_SUMS 256

/* A plain value; {0} has no text. Units are copied: a reconfigure may free the
 * configuration between two components. */
struct eqt_het_sum {
	pthread_t thread; /* that hands the components over */
	uint64_t turn; /* of its last use; 0: never used */
	uint32_t components; /* that were added; 0: none */
	bool known; /* all of them have a price, in one unit */
	bool least;
	struct eqt_frac low, high;
	char one[EQT_UNIT_SIZE], many[EQT_UNIT_SIZE];
};

/* Starts as EQT_HET_SUMS_NONE, with nothing to free. The lock covers all of it. */
struct eqt_het_sums {
	pthread_mutex_t lock;
	uint64_t turn;
	struct eqt_het_sum of[EQT_HET_SUMS]; /* of each thread */
};

#define EQT_HET_SUMS_NONE                          \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

/* Add a component that is accepted, and return the sum up to it; component 0 begins a job.
 * quote: NULL if it has no price. The result is {0} for a job without components. */
struct eqt_het_sum eqt_het_sum_add(struct eqt_het_sums *sums,
				   const job_desc_msg_t *desc,
				   const struct eqt_quote *quote);

/* "components 0 to 2 together: cost 7 core-equivalents", cut to size. False, and
 * buf is unchanged, if the component that was added last is the first, if one of them has no
 * price, or if they have different units. */
bool eqt_het_sum_text(const struct eqt_het_sum *sum, char *buf, size_t size);

#endif
