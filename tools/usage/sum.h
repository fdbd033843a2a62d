/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sum: what jobs used within a period, summed by keys. */
#ifndef EQT_USAGE_SUM_H
#define EQT_USAGE_SUM_H

#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include "usage/period.h"
#include "usage/year_price.h"
#include "slurm/energy.h"
#include "slurm/sacct.h"
#include "base/fraction.h"
#include "cli/names.h"

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

struct eqt_year_rates; /* opaque, of a bounded size */

/* A new cache, which borrows the pricer; for free(). */
struct eqt_year_rates *eqt_sum_rates_new(const struct eqt_job_pricer *pricer);

enum eqt_year_key {
	EQT_YEAR_BY_ACCOUNT,
	EQT_YEAR_BY_PROJECT, /* the account without the suffix of its pool */
	EQT_YEAR_BY_SUBMITTER,
	EQT_YEAR_BY_MONTH,
	EQT_YEAR_BY_DAY,
	EQT_YEAR_BY_PARTITION,
	EQT_YEAR_BY_QOS,
	EQT_YEAR_BY_CLUSTER,
	EQT_YEAR_BY_COMMENT,
	EQT_YEAR_BY_WCKEY,
	EQT_YEAR_KEYS
};

#define EQT_YEAR_KEYS_MAX 3

/* The part of the period that a list of jobs covers; a plain value. */
struct eqt_year_slice {
	int64_t from_s;
	int64_t until_s;
	bool first; /* no earlier slice has counted its jobs */
	int64_t ended_by_s; /* only jobs that ended before; 0: all */
};

/* A job, and the part of it that counts; borrowed. */
struct eqt_year_part {
	const struct eqt_sacct_job *job;
	const struct eqt_year_rate *rate; /* NULL: energy, of a priced part */
	eqt_u128 of[EQT_YEAR_UNITS]; /* amounts of a second */
	long double active; /* charged seconds per second */
	int64_t from_s, until_s;
	bool new; /* not counted in a previous slice */
	bool more; /* its run has a later part, which counts as the job */
	bool back; /* what was charged is given back */
};

/* Called for each priced job; NULL: a new beginning, all before is void. */
typedef void eqt_year_each(void *with, const struct eqt_year_part *part);

struct eqt_year_row {
	const char *name; /* its keys together */
	const char *key[EQT_YEAR_KEYS_MAX]; /* parts of text */
	char *text; /* owned */
	eqt_u128 of[EQT_YEAR_UNITS]; /* amounts of unit-seconds */
	uint64_t jobs;
	unsigned int sources; /* bits: 1 << enum eqt_cost_source */
};

/* The job of the lowest id without a price. */
struct eqt_year_unpriced {
	uint64_t job;
	int64_t start_s;
	char why[EQT_ERROR_SIZE]; /* "": there is none */
};

/* Owned; the caller sets keys and key_count, the rest is {0}. */
struct eqt_year_sum {
	enum eqt_year_key keys[EQT_YEAR_KEYS_MAX];
	size_t key_count;
	struct eqt_names
		rows; /* struct eqt_year_row; sorted by eqt_sum_sort() */
	char *joined; /* the keys that are looked for */
	size_t joined_size;
	struct eqt_year_runs runs;
	eqt_year_each *each; /* NULL: not wanted */
	void *with;
	struct eqt_year_date date; /* of the job that was added last */
	uint64_t jobs, doubled, unpriced, uncertain;
	uint64_t by_source[EQT_COST_SOURCES]; /* of jobs */
	const struct eqt_energy *energy; /* NULL: not wanted */
	struct eqt_energy_sum used;
	uint64_t measured, unmeasured; /* jobs that ended, with joules or not */
	struct eqt_year_unpriced example;
};

/* The key of that name, or EQT_YEAR_KEYS. */
enum eqt_year_key eqt_sum_key_find(const char *name, size_t length);

/* The name of a key as --by has it; never freed. */
const char *eqt_sum_key_name(enum eqt_year_key key);

/* Are the lines months or days? These are not projected. */
bool eqt_sum_by_date(const struct eqt_year_sum *sum);

/* The column of sacct that a key needs beside EQT_SACCT_RUNS, as a bit; 0:
 * none. */
unsigned int eqt_sum_key_needs(enum eqt_year_key key);

/*
 * Add what all jobs used within the slice. 0; 1: sum->runs.check is
 * EQT_YEAR_RUNS_ORDER, and the list is not in that order, err naming the line; -1
 * with err filled: an invalid row. Jobs without a price, with an
 * uncertain price, and duplicates are counted in *sum.
 */
int eqt_sum_add(struct eqt_year_sum *sum, struct eqt_sacct_reader *sacct,
		struct eqt_year_rates *rates, const struct eqt_conf *conf,
		const struct eqt_year_slice *slice, struct eqt_error *err);

/* Add a part whose rates and amounts are known. */
void eqt_sum_add_part(struct eqt_year_sum *sum, const struct eqt_conf *conf,
		      const struct eqt_year_part *part);

/* Add a unit of a part for some seconds to a sum, or take it back. */
void eqt_sum_part_add(eqt_u128 *sum, const struct eqt_year_part *part, int unit,
		      uint64_t seconds);

/* The row with these keys (in the order of sum->keys), created if needed. */
struct eqt_year_row *eqt_sum_row_get(struct eqt_year_sum *sum,
				     const char *const *key);

/* Sort the rows by their keys; call after the last row is created. */
void eqt_sum_sort(struct eqt_year_sum *sum);

/* Seconds of a unit as they are printed: years of the period, kWh or kgCO2e. */
double eqt_sum_shown(const struct eqt_year_period *period, int unit,
		     long double seconds);

/* Free what *sum owns. */
void eqt_sum_free(struct eqt_year_sum *sum);

/* A rate as an amount for a second. Rates above 2^40 are cut; NaN and negative rates are
 * 0. */
eqt_u128 eqt_sum_amount_of_rate(long double rate);

/* Add the amount of some seconds; a sum that is too large stays at its limit. */
void eqt_sum_amount_add(eqt_u128 *sum, eqt_u128 amount, uint64_t seconds);

/* The amount in units, for example unit-seconds. */
long double eqt_sum_amount_value(eqt_u128 amount);

#endif
