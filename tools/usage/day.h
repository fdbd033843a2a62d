/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * day: what the jobs that ended on a day used, on that day and on the days before. A
 * job that has ended does not change any more, however long it ran; and each job ends
 * on one day.
 */
#ifndef EQT_USAGE_DAY_H
#define EQT_USAGE_DAY_H

#include <stdio.h>

#include "usage/last.h"

/* One more bit of columns: the last jobs of each user. */
#define EQT_YEAR_DAY_LAST (1u << 31)

/* Owned; {0} is empty. The sum has one row for each set of equal texts, and each day on
 * which such jobs ran; its only key is that as a line of text. */
struct eqt_year_day {
	int64_t from_s; /* without it, and with until_s */
	int64_t until_s;
	unsigned int columns; /* texts beside those of EQT_SACCT_RUNS: bits */
	struct eqt_year_sum sum;
	struct eqt_year_unpriced example;
	struct eqt_names
		users; /* with their last jobs; none without that bit */
	struct eqt_names texts; /* of those */
};

/*
 * Add the jobs of a list that ended on the day; from_s, until_s and columns are set.
 * 0; 1: the day cannot be kept, because a job ran for years or has very long texts;
 * -1 with err filled as eqt_year_sum_add().
 */
int eqt_year_day_read(struct eqt_year_day *day, struct eqt_sacct_reader *sacct,
		      struct eqt_year_rates *rates, const struct eqt_conf *conf,
		      struct eqt_error *err);

/* Add the day to the sum of a period that begins at from_s. 0, or -1 with err
 * filled: out of memory. */
int eqt_year_day_add(const struct eqt_year_day *day, struct eqt_year_sum *sum,
		     const struct eqt_conf *conf, int64_t from_s,
		     struct eqt_error *err);

/* Write the day as lines to a stream that grows in memory. */
void eqt_year_day_print(const struct eqt_year_day *day, FILE *to);

/* Read such lines, which are cut at their ends. 0, or -1 with err filled: out of
 * memory, lines that eqt_year_day_print() does not write. */
int eqt_year_day_parse(struct eqt_year_day *day, char *text,
		       struct eqt_error *err);

/* Free what *day owns; it is empty then. */
void eqt_year_day_free(struct eqt_year_day *day);

#endif
