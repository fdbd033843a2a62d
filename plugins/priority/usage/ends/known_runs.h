/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known_runs: the start, the price and the charged time of each running job.
 * The record of a job that was requeued, resized or purged no longer has them.
 *
 * An array without gaps, and a hash table of places in it. It grows when jobs
 * become known; otherwise nothing is allocated. All calls are made under
 * slurmctld's job write lock, or from init or fini.
 */
#ifndef EQT_KNOWN_RUNS_H
#define EQT_KNOWN_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "walk/job_table.h"

/* One run of a job at one size. */
struct eqt_known_run {
	uint32_t job_id;
	uint32_t assoc_id;
	uint32_t qos_id; /* 0: none */
	uint32_t part_qos_id; /* 0: none */
	uint32_t look; /* the last one that found it running */
	bool is_suspended;
	time_t start; /* of the run */
	time_t resized; /* start of this size; 0: it was never resized */
	time_t until; /* charged up to this time */
	time_t seen; /* the moment of the last look that found it running */
	time_t suspended_s; /* by then, since the start */
	double rate; /* in the unit of usage */
	double factor; /* UsageFactor */
};

/* {0} is empty; eqt_known_runs_free() frees what it holds. */
struct eqt_known_runs {
	struct eqt_job_table places; /* 1 + the place of a job */
	struct eqt_known_run *run;
	size_t count;
	size_t space;
};

/* The run of a job, NULL if none is known; valid until one is added or forgotten. */
struct eqt_known_run *eqt_known_runs_get(const struct eqt_known_runs *runs,
					 uint32_t job_id);

/* The same; if none is known, a new run that is {0} except for its job. NULL:
 * out of memory. */
struct eqt_known_run *eqt_known_runs_add(struct eqt_known_runs *runs,
					 uint32_t job_id);

/* Forget a job's run; the last one of the array takes its place. */
void eqt_known_runs_forget(struct eqt_known_runs *runs, uint32_t job_id);

/* Free what *runs owns; it is empty then. */
void eqt_known_runs_free(struct eqt_known_runs *runs);

#endif
