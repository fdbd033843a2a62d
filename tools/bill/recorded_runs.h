/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorded_runs: runs of jobs, with their charges from the record of charges. */
#ifndef EQT_BILL_RECORDED_RUNS_H
#define EQT_BILL_RECORDED_RUNS_H

#include "bill/job_costs.h"
#include "cli/names.h"

/* The runs to search for in the record: all runs of a user, or the runs of the jobs in a
 * list. The caller sets user and since_s, and everything else to 0. */
struct eqt_recorded_runs {
	struct eqt_names runs, jobs; /* used by recorded_runs.c only */
	const char *user; /* NULL: search for the jobs of the list */
	/* add runs that accounting lacks if they ended after this time */
	int64_t since_s;
};

/* Give each run of a list its charge from the record. That includes nodes held after the
 * run's end, changes of the price during the run, and refunds. The price is the mean over
 * the charged seconds, and the rate in money is that of the run's time. Runs that only
 * the record has are added, the rows of a resized run are joined, and the list is sorted.
 * Afterwards costs borrow from themselves and from *recorded. They must not be moved, and
 * must be freed before *recorded. Returns 0, or -1 with err filled if the folder cannot
 * be read. */
int eqt_recorded_runs_take(struct eqt_recorded_runs *recorded,
			   struct eqt_job_costs *costs, const char *folder,
			   struct eqt_error *err);

/* Free what *recorded owns. The user name belongs to the caller. */
void eqt_recorded_runs_free(struct eqt_recorded_runs *recorded);

#endif
