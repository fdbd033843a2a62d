/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorded_runs: runs of jobs with their charges by the record. */
#ifndef EQT_BILL_RECORDED_RUNS_H
#define EQT_BILL_RECORDED_RUNS_H

#include "bill/job_costs.h"
#include "cli/names.h"

/* The runs that are searched in the record: all of a user, or those of the jobs of a list. The
 * caller sets user and since_s, the rest is 0. */
struct eqt_recorded_runs {
	struct eqt_names runs, jobs; /* recorded_runs.c only */
	const char *user; /* NULL: jobs */
	int64_t since_s; /* runs that accounting lacks count if they ended later */
};

/* Give each run of a list its charge by the record: with nodes that it held after its
 * end, each price while it was in force, refunds, and the money of that day. The price is
 * the mean over the charged seconds. Runs that only the record has are added, rows for
 * sizes of a run are joined, and the list is ordered. Afterwards costs point into
 * themselves and into *recorded: they must not be moved, and must be freed first. 0, or
 * -1 with err filled: the folder cannot be read. */
int eqt_recorded_runs_take(struct eqt_recorded_runs *recorded,
			   struct eqt_job_costs *costs, const char *folder,
			   struct eqt_error *err);

/* Free what it owns; the user is the caller's. */
void eqt_recorded_runs_free(struct eqt_recorded_runs *recorded);

#endif
