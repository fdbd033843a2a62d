/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * het_sum: what the components of a heterogeneous job cost together.
 *
 * slurmctld hands the components to job_submit() one after another, in one thread,
 * without their number. So each but the first has the sum up to it, and the sum of the
 * last is that of the job. Several threads may do so at a time, and nothing in a
 * description says which job it is a component of: the thread does.
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
	uint64_t turn; /* when it was used last; 0: never */
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

/* The sum with a component that is taken, of a job that begins with component 0; quote
 * NULL: it has no price. That of a job without components is {0}. */
struct eqt_het_sum eqt_het_sum_add(struct eqt_het_sums *sums,
				   const job_desc_msg_t *desc,
				   const struct eqt_quote *quote);

/* "components 0 to 2 together: cost 7 core-equivalents", cut to size. False, and
 * nothing, if the component that was added last is the first, if one of them has no
 * price, or if they have different units. */
bool eqt_het_sum_text(const struct eqt_het_sum *sum, char *buf, size_t size);

#endif
