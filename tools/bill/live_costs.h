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
 * Price the jobs of a list of ids ("7", "9_3", "9": all tasks). now_s: seconds since the
 * epoch. Strings are borrowed from jobs. *has_all: squeue has all of the list, so that
 * sacct need not be asked. Returns 0, or -1 with err filled: resources that cannot be
 * read; *out is empty then.
 */
int eqt_live_costs_make(struct eqt_job_costs *out,
			const struct eqt_live_jobs *jobs, const char *list,
			const struct eqt_job_pricer *pricer, int64_t now_s,
			bool *has_all, struct eqt_error *err);

#endif
