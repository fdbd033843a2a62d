/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * standings: how each job stood against the others in the last pass, for
 * whoever works out its priority until the next one.
 *
 * Locked by itself, for copies only; any other lock may be held.
 */
#ifndef EQT_JOB_FACTORS_H
#define EQT_JOB_FACTORS_H

#include "prio/job_order.h"

/* How one job stands; a plain value, 0 for a job that is new. */
struct eqt_job_factor {
	double fairshare; /* its place, 0 .. 1 */
	double access; /* equal access, 0 .. 1 */
};

/* How a job stands. */
struct eqt_job_factor eqt_job_factors_of(uint32_t job_id);

/* Put the results of a pass in force; jobs are sorted by id. Short of memory,
 * those of before stay. */
void eqt_job_factors_set(struct eqt_ordered_job *jobs, size_t count);

/* Forget them all (at fini, or when nothing is compared any more). */
void eqt_job_factors_clear(void);

#endif
