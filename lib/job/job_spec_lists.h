/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_spec_lists: the resource lists of one request, which are read once for hundreds
 * of partitions. Nothing is allocated.
 */
#ifndef EQT_JOB_SPEC_LISTS_H
#define EQT_JOB_SPEC_LISTS_H

#include <stdbool.h>

#include "job/job_totals.h"

/*
 * The lists of a request after reading. The caller sets row and room in both structs of
 * rows. If a list cannot be read, the request has no price.
 */
struct eqt_job_spec_lists {
	/* The resources that the request asks for. */
	struct eqt_gres_rows totals;
	/* The CPUs and memory for each GPU, for jobs on whole nodes. */
	struct eqt_gres_rows each;
	/* Whether the members totals and each could be read. eqt_job_spec_lists_read()
	 * sets both. */
	bool asked_read, each_read;
	/* An array of EQT_GRES_MAX rows of the caller, for the resources of one kind of
	 * whole nodes at a time. */
	struct eqt_gres_row *spare;
};

/* Read the lists of a request, which are the same for all partitions. */
void eqt_job_spec_lists_read(struct eqt_job_spec_lists *lists,
			     const struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *spec);

/*
 * Do the same as eqt_parsed_spec_make() for a request whose lists are already read. The
 * time is proportional to the number of rows, not to the length of the lists. `row` has
 * room for EQT_GRES_MAX rows, and *out borrows it if the job takes whole nodes.
 */
int eqt_counted_by_lists(struct eqt_parsed_spec *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 const struct eqt_job_spec_lists *lists,
			 struct eqt_gres_row *row);

#endif
