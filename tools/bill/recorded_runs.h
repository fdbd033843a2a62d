/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorded_runs: the runs of the record of charges that a bill is about. */
#ifndef EQT_BILL_RECORDED_RUNS_H
#define EQT_BILL_RECORDED_RUNS_H

#include <stdint.h>

#include "base/error.h"
#include "bill/job_costs.h"
#include "cli/names.h"

/* What the record is searched for: all runs of a user, or those of the jobs of a list. Set
 * user and since_s, the rest is 0 before. */
struct eqt_recorded_runs {
	struct eqt_names runs, jobs; /* recorded_runs.c only */
	const char *user; /* NULL: jobs */
	int64_t since_s; /* runs that accounting lacks ended after that */
};

/*
 * Give each run of a list that the record has what it was charged there: nodes that it held
 * after its end, each price while it was in force, refunds, and the money of that day. The
 * price is the mean over the charged seconds. Runs that only the record has are added, and
 * rows for sizes of a run are joined; then the list is ordered.
 * Costs point to themselves and into *recorded
 * afterwards: they must not be moved, and it lives as long. 0, or -1 with err filled: the
 * folder cannot be read.
 */
int eqt_recorded_runs_take(struct eqt_recorded_runs *recorded,
			   struct eqt_job_costs *costs, const char *folder,
			   struct eqt_error *err);

/* Free what it owns; the user is the caller's. */
void eqt_recorded_runs_free(struct eqt_recorded_runs *recorded);

#endif
