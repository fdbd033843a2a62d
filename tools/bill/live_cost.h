/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live_cost: the cost of jobs that run or wait, from the output of squeue. */
#ifndef EQT_BILL_LIVE_COST_H
#define EQT_BILL_LIVE_COST_H

#include "bill/job_costs.h"
#include "slurm/live_jobs.h"

/*
 * Price the jobs of a list of ids ("7", "9_3", "9": all tasks). now_s: seconds since the
 * epoch. Strings are borrowed from jobs. 0, or -1 with err filled: out of memory,
 * resources that cannot be read; *out is empty then.
 */
int eqt_job_costs_of_queue(struct eqt_job_costs *out,
			   const struct eqt_live_jobs *jobs, const char *list,
			   const struct eqt_job_pricer *pricer, int64_t now_s,
			   struct eqt_error *err);

/* Does squeue have all of a list, so that sacct need not be asked? The tasks of an
 * array may be known to both. */
bool eqt_job_costs_queue_has_all(const struct eqt_live_jobs *jobs,
				 const char *list);

#endif
