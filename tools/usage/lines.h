/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines: usage next to allocations, in the order of printing. */
#ifndef EQT_USAGE_LINES_H
#define EQT_USAGE_LINES_H

#include "slurm/sshare.h"
#include "usage/sum.h"
#include "slurm/text/columns.h"
#include "usage/year_price.h"

/* Owns its memory; {0} is empty. */
struct eqt_year_targets {
	struct eqt_columns table;
	size_t account;
	size_t cluster; /* column of the cluster; EQT_COLUMNS_NONE: there is none */
	size_t columns[EQT_YEAR_UNITS];
};

/*
 * Read a table with the column Account and at least one of CoreYears, GPUYears and
 * RGUYears, separated by '|'. With a column Cluster, each line is a target on that
 * cluster. Returns 0, or -1 with err filled. Possible errors: a missing column, a cell
 * that is not a number, an account that is listed twice.
 */
int eqt_lines_targets_read(struct eqt_year_targets *out, const char *path,
			   struct eqt_error *err);

/* Free the table. *targets is empty afterwards. */
void eqt_lines_targets_free(struct eqt_year_targets *targets);

/* Titles and owners of accounts. Owns its memory; {0} is empty. */
struct eqt_year_titles {
	struct eqt_columns table;
	size_t account, title, owner;
};

/*
 * Read a table with the column Account and at least one of Title and Owner. Returns 0, or
 * -1 with err filled. Possible errors: a missing column, an account that is listed twice.
 */
int eqt_lines_titles_read(struct eqt_year_titles *out, const char *path,
			  struct eqt_error *err);

/* Free the table, and with it all texts that the two functions below returned. */
void eqt_lines_titles_free(struct eqt_year_titles *titles);

/* The title and the owner of an account, borrowed. "" if the table has none. */
const char *eqt_lines_title(const struct eqt_year_titles *titles,
			    const char *account);
const char *eqt_lines_owner(const struct eqt_year_titles *titles,
			    const char *account);

/* A line. Strings and rows are borrowed. Usage is in unit-seconds, and allocations are in
 * years. */
struct eqt_year_line {
	const char *key[EQT_YEAR_KEYS_MAX];
	/* depth in the tree of accounts; 0 without a tree */
	unsigned int depth;
	long double used[EQT_YEAR_UNITS];
	double allocated[EQT_YEAR_UNITS]; /* in years; NAN: not known */
	uint64_t jobs;
	unsigned int sources; /* bits 1 << enum eqt_cost_source */
};

struct eqt_year_lines {
	struct eqt_year_line *line; /* owned */
	size_t count;
};

/* The input for all lines. */
struct eqt_year_basis {
	struct eqt_year_sum *sum;
	const struct eqt_year_targets *targets; /* NULL: there are none */
	/* NULL: no tree; otherwise usage is summed up the tree */
	const struct eqt_sshare *shares;
	const struct eqt_pools *pools;
	double capacity[EQT_YEAR_UNITS]; /* of the cluster, to convert shares */
};

/* Make a line for each row. With targets or shares, also make a line for each account
 * that has some. */
void eqt_lines_make(struct eqt_year_lines *out,
		    const struct eqt_year_basis *basis);

/* The position of "account" or "project" among the keys, or key_count if neither is a
 * key. */
size_t eqt_lines_account_at(const struct eqt_year_sum *sum);

#endif
