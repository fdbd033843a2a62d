/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * het_sum: the price of all components of a heterogeneous job together.
 *
 * slurmctld passes the components to job_submit() one after another in one
 * thread, without saying how many there are. So each component after the first
 * gets the sum up to itself, and the sum of the last component is that of the
 * job. Several threads may submit such jobs at the same time. A description
 * does not say to which job it belongs, so the thread identifies the job.
 */
#ifndef EQT_JOB_SUBMIT_HET_SUM_H
#define EQT_JOB_SUBMIT_HET_SUM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "quote/quote.h"
#include "slurm/compat.h"

/* The most requests that slurmctld serves at the same time
 * (MAX_SERVER_THREADS). */
#define EQT_HET_SUMS 256

/* The sum up to one component. A struct of zeros has no text. Units are copied,
 * because a reconfigure may free the configuration between two components. */
struct eqt_het_sum {
	pthread_t thread; /* The thread that passes the components. */
	/* When the sum was last used, as a count of uses; 0 if the sum was
	   never used. */
	uint64_t turn;
	uint32_t components; /* The number of components added so far. */
	bool known; /* All components have a price, in the same unit. */
	bool least;
	struct eqt_frac low, high;
	char one[EQT_UNIT_SIZE], many[EQT_UNIT_SIZE];
};

/* The sums of all threads. Starts as EQT_HET_SUMS_NONE and has nothing to free.
 * The lock protects all members. */
struct eqt_het_sums {
	pthread_mutex_t lock;
	uint64_t turn;
	struct eqt_het_sum of[EQT_HET_SUMS]; /* One sum for each thread. */
};

#define EQT_HET_SUMS_NONE                          \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

/* Add an accepted component, and return the sum up to it. Component 0 starts a
 * new job. quote is NULL if the component has no price. The result is a struct
 * of zeros if the job is not heterogeneous. */
struct eqt_het_sum eqt_het_sum_add(struct eqt_het_sums *sums,
				   const job_desc_msg_t *desc,
				   const struct eqt_quote *quote);

/* Write a text such as "components 0 to 2 together: cost 7 core-equivalents",
 * cut to size. Returns false and does not change buf if only one component was
 * added, if a component has no price, or if the components have different
 * units. */
bool eqt_het_sum_text(const struct eqt_het_sum *sum, char *buf, size_t size);

#endif
