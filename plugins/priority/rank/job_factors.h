/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * standings: how each job stood against the others in the last pass, for
 * whoever works out its priority until the next one.
 *
 * Locked by itself, for copies only; any other lock may be held.
 */
#ifndef EQT_STANDINGS_H
#define EQT_STANDINGS_H

#include "prio/job_order.h"

/* How one job stands; a plain value, 0 for a job that is new. */
struct eqt_standing {
	double fairshare; /* its place, 0 .. 1 */
	double access; /* equal access, 0 .. 1 */
};

/* How a job stands. */
struct eqt_standing eqt_standings_of(uint32_t job_id);

/* Put the results of a pass in force; jobs are sorted by id. Short of memory,
 * those of before stay. */
void eqt_standings_set(struct eqt_queued *jobs, size_t count);

/* Forget them all (at fini, or when nothing is compared any more). */
void eqt_standings_clear(void);

#endif
