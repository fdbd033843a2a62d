/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs: the jobs of an allocation year, from saved lists or from sacct. */
#ifndef EQT_USAGE_JOBS_H
#define EQT_USAGE_JOBS_H

#include "usage/options.h"

/* Add the jobs of the period to *sum, which is {0}. 0, or -1 with err filled. */
int eqt_year_jobs_add(struct eqt_year_sum *sum,
		      const struct eqt_year_period *period,
		      const struct eqt_year_options *options,
		      const struct eqt_job_pricer *pricer,
		      struct eqt_error *err);

#endif
