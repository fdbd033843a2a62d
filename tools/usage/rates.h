/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rates: the rates of jobs that hold the same in the same place, which most
 * jobs of a year do. */
#ifndef EQT_USAGE_RATES_H
#define EQT_USAGE_RATES_H

#include "usage/price.h"

struct eqt_year_rates; /* opaque, of a bounded size */

/* The pricer is borrowed. NULL: out of memory. */
struct eqt_year_rates *eqt_year_rates_new(const struct eqt_job_pricer *pricer);

/* Free the cache, not the pricer. NULL is fine. */
void eqt_year_rates_free(struct eqt_year_rates *cache);

/* eqt_year_price(), computed once for equal jobs. */
int eqt_year_rates_price(struct eqt_year_rates *cache,
			 struct eqt_year_rate *out,
			 const struct eqt_sacct_job *job,
			 struct eqt_error *err);

#endif
