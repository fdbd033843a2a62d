/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stored_jobs: the jobs of a long trace in little memory, in the order of time.
 *
 * A job is stored as its differences from the previous one, which takes some 11 bytes
 * instead of the 96 bytes of the struct. Jobs may be added in any order. They are
 * sorted in chunks, which a cursor merges, so that a trace that is nearly in order is
 * never sorted as a whole.
 */
#ifndef EQT_STORED_JOBS_H
#define EQT_STORED_JOBS_H

#include "sim/simulation.h"

struct eqt_stored_jobs;
struct eqt_stored_cursor;

/* Make an empty list of jobs, or return NULL if there is no memory. */
struct eqt_stored_jobs *eqt_stored_jobs_new(void);
/* Free a list of jobs. NULL is allowed. */
void eqt_stored_jobs_free(struct eqt_stored_jobs *stored);

/* Add a job. Its member start is not stored, and its pointers are borrowed. Return 0,
 * or -1 if there is no memory. */
int eqt_stored_jobs_add(struct eqt_stored_jobs *stored,
			const struct eqt_simulation_job *job);
/* End adding jobs, which must be done before the first cursor. Return 0, or -1 if there
 * is no memory. */
int eqt_stored_jobs_settle(struct eqt_stored_jobs *stored);

/* Return the number of jobs that were added. */
size_t eqt_stored_jobs_count(const struct eqt_stored_jobs *stored);
/* Return the time of the first or of the last job, or 0 if there are no jobs. */
int64_t eqt_stored_jobs_first(const struct eqt_stored_jobs *stored);
int64_t eqt_stored_jobs_last(const struct eqt_stored_jobs *stored);

/* Begin reading jobs in the order of eqt_workload_compare(). eqt_stored_jobs_settle()
 * must have been called. Return NULL if there is no memory. */
struct eqt_stored_cursor *eqt_stored_cursor_new(
	const struct eqt_stored_jobs *stored);
/* Return the next job, which is valid until the next call, or NULL if there is none. */
struct eqt_simulation_job *eqt_stored_cursor_next(
	struct eqt_stored_cursor *cursor);
/* Free a cursor. NULL is allowed. */
void eqt_stored_cursor_free(struct eqt_stored_cursor *cursor);

#endif
