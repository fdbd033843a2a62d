/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live_costs: the cost of jobs that run or wait, from the output of squeue. */
#ifndef EQT_BILL_LIVE_COSTS_H
#define EQT_BILL_LIVE_COSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "bill/job_costs.h"
#include "slurm/live_jobs.h"

/*
 * Price the jobs of a list of ids, such as "7", "9_3", or "9" for all tasks of an array.
 * now_s is in seconds since the epoch. Strings are borrowed from jobs. *has_all tells
 * whether squeue lists all of them, so that sacct is not needed. Returns 0, or -1 with
 * err filled and *out empty if resources cannot be read.
 */
int eqt_live_costs_make(struct eqt_job_costs *out,
			const struct eqt_live_jobs *jobs, const char *list,
			const struct eqt_job_pricer *pricer, int64_t now_s,
			bool *has_all, struct eqt_error *err);

#endif
