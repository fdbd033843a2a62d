/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stored_jobs: the jobs of a long trace in little memory, in the order of time.
 *
 * A job is written as its differences from the one before it: some 11 bytes instead of
 * the 96 of the struct. Jobs may be added in any order. They are sorted in chunks, which
 * a cursor merges, so that a trace that is nearly in order is never sorted as a whole.
 */
#ifndef EQT_STORED_JOBS_H
#define EQT_STORED_JOBS_H

#include "sim/simulation.h"

struct eqt_stored_jobs;
struct eqt_stored_cursor;

/* Empty; NULL: out of memory. */
struct eqt_stored_jobs *eqt_stored_jobs_new(void);
/* NULL is none. */
void eqt_stored_jobs_free(struct eqt_stored_jobs *stored);

/* Add a job; its start is not kept. What it points to is borrowed. 0, or -1: out of
 * memory. */
int eqt_stored_jobs_add(struct eqt_stored_jobs *stored,
			const struct eqt_simulation_job *job);
/* End adding jobs, before the first cursor. 0, or -1: out of memory. */
int eqt_stored_jobs_settle(struct eqt_stored_jobs *stored);

/* The number of jobs that have been added. */
size_t eqt_stored_jobs_count(const struct eqt_stored_jobs *stored);
/* The times of the first and the last job; 0 without jobs. */
int64_t eqt_stored_jobs_first(const struct eqt_stored_jobs *stored);
int64_t eqt_stored_jobs_last(const struct eqt_stored_jobs *stored);

/* Read settled jobs in the order of eqt_workload_compare(). NULL: out of memory. */
struct eqt_stored_cursor *eqt_stored_cursor_new(
	const struct eqt_stored_jobs *stored);
/* The next job, valid until the next call; NULL: there is none. */
struct eqt_simulation_job *eqt_stored_cursor_next(
	struct eqt_stored_cursor *cursor);
/* NULL is none. */
void eqt_stored_cursor_free(struct eqt_stored_cursor *cursor);

#endif
