/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_spec_lists: the resource lists of one request, read once for hundreds of
 * partitions. Nothing here allocates.
 */
#ifndef EQT_JOB_SPEC_LISTS_H
#define EQT_JOB_SPEC_LISTS_H

#include <stdbool.h>

#include "job/job_totals.h"

/*
 * The lists of a request, read once for all partitions. The caller sets row and
 * room of both. A request with a list that cannot be read has no price.
 */
struct eqt_job_spec_lists {
	struct eqt_gres_rows totals; /* the resources that it asks for */
	/* CPUs and memory per GPU, for whole nodes */
	struct eqt_gres_rows each;
	bool asked_read, each_read; /* set by eqt_job_spec_lists_read() */
	/* The caller's array of EQT_GRES_MAX rows, for the resources of one kind of whole
	 * nodes at a time */
	struct eqt_gres_row *spare;
};

/* Read the lists of a request; they do not depend on the partition. */
void eqt_job_spec_lists_read(struct eqt_job_spec_lists *lists,
			     const struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *spec);

/*
 * Like eqt_parsed_spec_make(), with the lists of the same request already read. The
 * time grows with their rows, not with the strings. row has room for EQT_GRES_MAX
 * rows; *out points to it when the job takes whole nodes.
 */
int eqt_counted_by_lists(struct eqt_parsed_spec *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 const struct eqt_job_spec_lists *lists,
			 struct eqt_gres_row *row);

#endif
