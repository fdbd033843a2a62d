/* SPDX-License-Identifier: GPL-2.0-or-later */
/* last: the last jobs of a user, whatever the order in which they come. */
#ifndef EQT_USAGE_LAST_H
#define EQT_USAGE_LAST_H

#include "cli/names.h"
#include "usage/sum.h"

#define EQT_YEAR_LAST 25 /* jobs of a user */

/* A job that ran. Texts are borrowed. */
struct eqt_year_run {
	char id[32];
	const char *account, *partition, *qos, *state;
	int64_t start_s, end_s;
	double rate[EQT_YEAR_UNITS];
	double active_s; /* charged */
	bool stretch; /* of several, by the record of charges */
};

/* A plain value; {0} is empty. */
struct eqt_year_last {
	struct eqt_year_run run[EQT_YEAR_LAST]; /* the newest first */
	size_t count;
};

/* The run of a priced job, whose texts it borrows. */
void eqt_year_run_make(struct eqt_year_run *out,
		       const struct eqt_year_part *part);

/*
 * Add a run if it is one of the last; its texts are copied into the table. A run of
 * the same id and start takes the place of the old one. 0, or -1: out of memory.
 */
int eqt_year_last_add(struct eqt_year_last *last,
		      const struct eqt_year_run *run, struct eqt_names *texts);

#endif
