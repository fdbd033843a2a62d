/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overhead: the options of equitree overhead, and how it prints its sums. */
#ifndef EQT_OVERHEAD_OVERHEAD_H
#define EQT_OVERHEAD_OVERHEAD_H

#include "capacity/unit_sum.h"
#include "cli/output_options.h"

struct eqt_overhead_options {
	const char *path;
	const char *jobs_path;
	const char *plot_path;
	const char *partition;
	struct eqt_capacity_units units;
	bool list;
	bool partitions;
	struct eqt_output_options common;
};

/* Print one line per partition and unit, as a table or as JSON. 0, or -1: out
 * of memory. */
int eqt_overhead_partitions(const struct eqt_capacity_cluster *cluster,
			    const struct eqt_overhead_options *options);

/* Print all units as text, or as JSON. 0, or -1: out of memory. */
int eqt_overhead_print(const struct eqt_capacity_cluster *cluster,
		       const struct eqt_overhead_options *options);
int eqt_overhead_json(const struct eqt_capacity_cluster *cluster,
		      const struct eqt_overhead_options *options);

#endif
