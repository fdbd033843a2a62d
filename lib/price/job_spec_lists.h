/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_job_spec_lists: the lists of resources of one request, for who counts it in
 * hundreds of partitions: they are read once. Nothing here allocates.
 */
#ifndef EQT_JOB_SPEC_LISTS_H
#define EQT_JOB_SPEC_LISTS_H

#include <stdbool.h>

#include "price/job_totals.h"

/*
 * The lists of a request, read once for all partitions. The caller sets row and
 * room of both; a list that cannot be read is marked, and has no price.
 */
struct eqt_job_spec_lists {
	struct eqt_gres_rows totals; /* what the request counts */
	struct eqt_gres_rows each; /* what each GPU of whole nodes brings */
	bool asked_read, each_read; /* set by eqt_job_spec_lists_read() */
};

/* Read the lists of a request, whatever its partition. */
void eqt_job_spec_lists_read(struct eqt_job_spec_lists *lists,
			     const struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *spec);

/*
 * As eqt_parsed_spec_make(), with lists that were read of the same request. Takes time
 * in proportion to their rows, not to the strings. row, with place for
 * EQT_GRES_MAX of them, is used by *out where nodes are taken whole.
 */
int eqt_counted_by_lists(struct eqt_parsed_spec *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 const struct eqt_job_spec_lists *lists,
			 struct eqt_gres_row *row);

#endif
