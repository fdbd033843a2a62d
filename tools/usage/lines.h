/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_lines: what was used beside what was allocated, in the order in which
 * it is shown. */
#ifndef EQT_USAGE_LINES_H
#define EQT_USAGE_LINES_H

#include "slurm/sshare.h"
#include "usage/sum.h"

/* What accounts may use in a year; owned, {0} has none. */
struct eqt_year_targets {
	struct eqt_columns table;
	size_t account;
	size_t columns[EQT_YEAR_UNITS];
};

/*
 * Read a table with the columns Account and one or more of CoreYears, GPUYears
 * and RGUYears, '|' between them. 0, or -1 with err filled: a column that is
 * not there, no number, an account that is there twice.
 */
int eqt_year_targets_read(struct eqt_year_targets *out, const char *path,
			  struct eqt_error *err);
void eqt_year_targets_free(struct eqt_year_targets *targets);

/* A line; strings and rows are borrowed. In unit-seconds and in years. */
struct eqt_year_line {
	const char *key[EQT_YEAR_KEYS_MAX];
	unsigned int depth; /* in the tree of accounts; 0 without one */
	long double used[EQT_YEAR_UNITS];
	double allocated[EQT_YEAR_UNITS]; /* years; NAN: nothing said */
	uint64_t jobs;
};

struct eqt_year_lines {
	struct eqt_year_line *line; /* owned */
	size_t count;
};

/* What lines are made of. */
struct eqt_year_basis {
	struct eqt_year_sum *sum;
	const struct eqt_year_targets *targets; /* NULL: none */
	const struct eqt_sshare *shares; /* NULL: no tree; else summed up it */
	const struct eqt_pools *pools;
	double capacity[EQT_YEAR_UNITS]; /* of the cluster, for shares */
};

/* A line for each row, with a target or with shares one for each account that
 * has any. 0, or -1 when memory is short. */
int eqt_year_lines_make(struct eqt_year_lines *out,
			const struct eqt_year_basis *basis);

#endif
