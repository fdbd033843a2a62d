/* SPDX-License-Identifier: GPL-2.0-or-later */
/* targets: the yearly allocations of accounts, and the titles of their projects,
 * from tables that a site keeps. */
#ifndef EQT_USAGE_TARGETS_H
#define EQT_USAGE_TARGETS_H

#include "slurm/text/columns.h"
#include "usage/price.h"

/* Owned; {0} is empty. */
struct eqt_year_targets {
	struct eqt_columns table;
	size_t account;
	size_t cluster; /* EQT_COLUMNS_NONE: the same for all */
	size_t columns[EQT_YEAR_UNITS];
};

/*
 * Read a table with the column Account and at least one of CoreYears, GPUYears
 * and RGUYears, separated by '|'. With a column Cluster, each line is the target
 * on that cluster. 0, or -1 with err filled: a missing column, not a number, a
 * duplicate account.
 */
int eqt_year_targets_read(struct eqt_year_targets *out, const char *path,
			  struct eqt_error *err);

/* Free the table; *targets is empty then. */
void eqt_year_targets_free(struct eqt_year_targets *targets);

/* The years of an account (on a cluster; NULL: summed over all). NAN: none. */
void eqt_year_targets_of(const struct eqt_year_targets *targets,
			 const char *account, const char *cluster,
			 double out[EQT_YEAR_UNITS]);

/* Titles and owners of accounts. Owned; {0} is empty. */
struct eqt_year_titles {
	struct eqt_columns table;
	size_t account, title, owner;
};

/*
 * Read a table with the column Account and at least one of Title and Owner. 0, or
 * -1 with err filled: a missing column, a duplicate account.
 */
int eqt_year_titles_read(struct eqt_year_titles *out, const char *path,
			 struct eqt_error *err);

/* Free the table and with it all texts that the two functions below returned. */
void eqt_year_titles_free(struct eqt_year_titles *titles);

/* Of an account; borrowed; "" if the table has none. */
const char *eqt_year_title(const struct eqt_year_titles *titles,
			   const char *account);
const char *eqt_year_owner(const struct eqt_year_titles *titles,
			   const char *account);

#endif
