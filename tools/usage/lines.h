/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_lines: what was used beside what was allocated, in the order in which
 * it is shown. */
#ifndef EQT_USAGE_LINES_H
#define EQT_USAGE_LINES_H

#include "slurm/sshare.h"
#include "usage/sum.h"

/* What accounts may use in a year; owned, {0} has none. */
struct eqt_usage_targets {
	struct eqt_stock_table table;
	size_t account;
	size_t columns[EQT_USAGE_UNITS];
};

/*
 * Read a table with the columns Account and one or more of CoreYears, GPUYears
 * and RGUYears, '|' between them. 0, or -1 with err filled: a column that is
 * not there, no number, an account that is there twice.
 */
int eqt_usage_targets_read(struct eqt_usage_targets *out, const char *path,
			   struct eqt_error *err);
void eqt_usage_targets_free(struct eqt_usage_targets *targets);

/* A line; strings and rows are borrowed. In unit-seconds and in years. */
struct eqt_usage_line {
	const char *key[EQT_USAGE_KEYS_MAX];
	unsigned int depth; /* in the tree of accounts; 0 without one */
	long double used[EQT_USAGE_UNITS];
	double allocated[EQT_USAGE_UNITS]; /* years; NAN: nothing said */
	uint64_t jobs;
};

struct eqt_usage_lines {
	struct eqt_usage_line *line; /* owned */
	size_t count;
};

/* What lines are made of. */
struct eqt_usage_basis {
	struct eqt_usage_sum *sum;
	const struct eqt_usage_targets *targets; /* NULL: none */
	const struct eqt_shares *shares; /* NULL: no tree; else summed up it */
	const struct eqt_pools *pools;
	double capacity[EQT_USAGE_UNITS]; /* of the cluster, for shares */
};

/* A line for each row, with a target or with shares one for each account that
 * has any. 0, or -1 when memory is short. */
int eqt_usage_lines_make(struct eqt_usage_lines *out,
			 const struct eqt_usage_basis *basis);

#endif
