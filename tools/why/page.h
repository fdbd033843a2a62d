/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page: everything about one waiting job, for people and as JSON. */
#ifndef EQT_WHY_PAGE_H
#define EQT_WHY_PAGE_H

#include <stdbool.h>

#include "balance/balances.h"
#include "slurm/sprio.h"
#include "why/wait.h"
#include "base/error.h"

/* The data of a page. Borrowed. */
struct eqt_why_page {
	const struct eqt_why_wait *wait;
	const struct eqt_sprio *pending; /* may be empty */
	const struct eqt_balances *budgets; /* may be empty */
	const struct eqt_bundle_table *prices; /* prices of the site, or NULL */
	const char *forecast; /* a line about the start of the job, or "" */
};

/* Explain the job with an id such as "12" or "12_3". If folder is NULL, ask Slurm.
 * Returns 0, or -1 with err filled. */
int eqt_why_job_page(const char *id, const char *folder, bool json,
		     struct eqt_error *err);

/* Ask squeue and slurmctld about these jobs, and explain the jobs that a budget holds:
 * the hours left, the hours that each job needs, and when these numbers change. Returns
 * the number of such jobs, or -1 with err filled if slurmctld does not list its
 * budgets. */
int eqt_why_budgets(const char *const *ids, int count, bool json,
		    struct eqt_error *err);

#endif
