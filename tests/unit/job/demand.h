/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demand: what a request demands, alone. */
#ifndef EQT_TESTS_DEMAND_H
#define EQT_TESTS_DEMAND_H

#include "job/job_totals.h"

/* As eqt_job_spec_compute(). */
static inline int job_demand(struct eqt_demand *out,
			     const struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *spec,
			     struct eqt_error *err)
{
	struct eqt_job_totals totals;

	if (eqt_job_spec_compute(&totals, prices, spec, err) < 0)
		return -1;
	*out = totals.demand;
	return 0;
}

#endif
