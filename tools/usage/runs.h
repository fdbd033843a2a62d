/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs: the runs of jobs that a report has counted, so that none is counted
 * twice.
 */
#ifndef EQT_USAGE_RUNS_H
#define EQT_USAGE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/sacct.h"

/* How runs that are listed twice are found. */
enum eqt_year_runs_check {
	EQT_YEAR_RUNS_NONE, /* there are none */
	EQT_YEAR_RUNS_ORDER, /* a list in sacct's order has them together */
	EQT_YEAR_RUNS_ALL /* anywhere: 16 bytes for each run, or less */
};

#define EQT_YEAR_RUNS_CLUSTERS_MAX 64

/* Owned; {0} checks nothing; the caller sets check. */
struct eqt_year_runs {
	enum eqt_year_runs_check check;
	uint64_t *slot; /* hashes of runs; 0: empty */
	size_t slots, count;
	/* EQT_YEAR_RUNS_ORDER: the slots hold the runs of one job */
	uint64_t job;
	uint64_t cluster
		[EQT_YEAR_RUNS_CLUSTERS_MAX]; /* hashes, in their order */
	size_t clusters;
};

/* Add a run. 1: it was there already; 0: it is new; -1: out of memory; -2: the
 * list is not in the order of sacct, which EQT_YEAR_RUNS_ORDER needs. */
int eqt_year_runs_add(struct eqt_year_runs *set,
		      const struct eqt_sacct_job *job);

/* Free what *set owns; it checks nothing then. */
void eqt_year_runs_free(struct eqt_year_runs *set);

#endif
