/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines: usage beside allocations, in the order of printing. */
#ifndef EQT_USAGE_LINES_H
#define EQT_USAGE_LINES_H

#include "slurm/sshare.h"
#include "usage/sum.h"
#include "usage/targets.h"

/* A line; strings and rows are borrowed. In unit-seconds and years. */
struct eqt_year_line {
	const char *key[EQT_YEAR_KEYS_MAX];
	unsigned int depth; /* in the tree of accounts; 0 without a tree */
	long double used[EQT_YEAR_UNITS];
	double allocated[EQT_YEAR_UNITS]; /* years; NAN: unknown */
	uint64_t jobs;
	unsigned int sources; /* bits: 1 << enum eqt_cost_source */
};

struct eqt_year_lines {
	struct eqt_year_line *line; /* owned */
	size_t count;
};

/* The data of all lines. */
struct eqt_year_basis {
	struct eqt_year_sum *sum;
	const struct eqt_year_targets *targets; /* NULL: none */
	const struct eqt_sshare
		*shares; /* NULL: no tree; else usage is summed up the tree */
	const struct eqt_pools *pools;
	double capacity[EQT_YEAR_UNITS]; /* of the cluster, to convert shares */
};

/* Make a line for each row; with targets or shares, for each account that has
 * some. 0, or -1: out of memory. */
int eqt_year_lines_make(struct eqt_year_lines *out,
			const struct eqt_year_basis *basis);

/* The position of account or project among the keys; key_count: neither is. */
size_t eqt_year_sum_account_at(const struct eqt_year_sum *sum);

#endif
