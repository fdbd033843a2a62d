/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plot: the histograms of equitree overhead, drawn by gnuplot. */
#ifndef EQT_OVERHEAD_PLOT_H
#define EQT_OVERHEAD_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* One histogram; a plain value. */
struct eqt_overhead_histogram {
	const char *unit; /* its text */
	const uint64_t *nodes, *jobs; /* of each bin */
	bool has_jobs;
	double percent; /* of the capacity that is true overhead */
};

/*
 * Draw the histograms, one below the other, into a file with the suffix .svg or
 * .png. 0, or -1 with err filled: another suffix, no gnuplot, a file that
 * cannot be written.
 */
int eqt_overhead_plot_write(const char *path,
			    const struct eqt_overhead_histogram *plots,
			    int count, struct eqt_error *err);

#endif
