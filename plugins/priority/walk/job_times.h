/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_times: a moment or a duration for each of a few jobs, by job id.
 *
 * The owner of a table serialises the calls.
 */
#ifndef EQT_JOB_TIMES_H
#define EQT_JOB_TIMES_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct eqt_job_time {
	uint32_t job_id;
	time_t value;
};

/* {0} is empty; eqt_job_times_clear() frees what it holds. */
struct eqt_job_times {
	struct eqt_job_time *entries; /* sorted by job id */
	size_t count;
	size_t space;
};

/* The job's entry, or NULL; valid until the table is changed. */
struct eqt_job_time *eqt_job_times_find(const struct eqt_job_times *times,
					uint32_t job_id);

/* Short of memory, a job that is new is not remembered. */
void eqt_job_times_set(struct eqt_job_times *times, uint32_t job_id,
		       time_t value);

/* Forget one job; those whose value is not above least; all. */
void eqt_job_times_forget(struct eqt_job_times *times, uint32_t job_id);
void eqt_job_times_prune(struct eqt_job_times *times, time_t least);
void eqt_job_times_clear(struct eqt_job_times *times);

#endif
