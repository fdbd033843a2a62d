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
#include "base/hash.h"
#include "cli/names.h"

/* How runs that are listed twice are found. */
enum eqt_year_runs_check {
	EQT_YEAR_RUNS_NONE, /* there are no such runs */
	/* they are next to each other, because the list is in sacct's order */
	EQT_YEAR_RUNS_ORDER,
	/* they may be anywhere; takes up to 16 bytes per run */
	EQT_YEAR_RUNS_ALL
};

#define EQT_YEAR_RUNS_CLUSTERS_MAX 64

/* The runs that were counted. Owns its memory; {0} finds no duplicates. The caller sets
 * check. */
struct eqt_year_runs {
	enum eqt_year_runs_check check;
	struct eqt_hash_set seen; /* hashes of runs */
	/* EQT_YEAR_RUNS_ORDER: the set has the runs of this job. */
	uint64_t job;
	/* hashes of clusters, in the order of the list */
	uint64_t cluster[EQT_YEAR_RUNS_CLUSTERS_MAX];
	size_t clusters;
};

struct eqt_year_rates; /* opaque, with a bounded size */

/* A new cache, which borrows the pricer. The caller frees it with free(). */
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

/* The part of the period that a list of jobs covers. A plain value. */
struct eqt_year_slice {
	int64_t from_s;
	int64_t until_s;
	bool first; /* no earlier slice has counted its jobs */
	/* count only jobs that ended before this time; 0: all */
	int64_t ended_by_s;
};

/* A job, and the part of it that counts. Borrowed. */
struct eqt_year_part {
	const struct eqt_sacct_job *job;
	/* NULL: energy of a part that was added before */
	const struct eqt_year_rate *rate;
	eqt_u128 of[EQT_YEAR_UNITS]; /* amounts per second */
	long double active; /* charged seconds per second */
	int64_t from_s, until_s;
	bool new; /* no earlier slice has counted the job */
	bool more; /* the run has a later part, with which the job is counted */
	bool back; /* a charge is refunded */
};

/* Called for each priced job. part NULL means that the report begins again and that all
 * earlier parts are void. */
typedef void eqt_year_each(void *with, const struct eqt_year_part *part);

struct eqt_year_row {
	const char *name; /* all its keys together */
	const char *key[EQT_YEAR_KEYS_MAX]; /* parts of text */
	char *text; /* owned */
	eqt_u128 of[EQT_YEAR_UNITS]; /* amounts in unit-seconds */
	uint64_t jobs;
	unsigned int sources; /* bits 1 << enum eqt_cost_source */
};

/* The job with the lowest id among those without a price. */
struct eqt_year_unpriced {
	uint64_t job;
	int64_t start_s;
	char why[EQT_ERROR_SIZE]; /* "": there is no such job */
};

/* The sum of the jobs. Owns its memory. The caller sets keys and key_count, and
 * everything else to 0. */
struct eqt_year_sum {
	enum eqt_year_key keys[EQT_YEAR_KEYS_MAX];
	size_t key_count;
	/* entries are struct eqt_year_row; eqt_sum_sort() sorts them */
	struct eqt_names rows;
	char *joined; /* buffer for the keys that are searched for */
	size_t joined_size;
	struct eqt_year_runs runs;
	eqt_year_each *each; /* NULL: not wanted */
	void *with;
	struct eqt_year_date date; /* the date of the last job that was added */
	uint64_t jobs, doubled, unpriced, uncertain;
	uint64_t by_source[EQT_COST_SOURCES]; /* number of jobs by source */
	const struct eqt_energy *energy; /* NULL: not wanted */
	struct eqt_energy_sum used;
	/* jobs that ended, with and without recorded joules */
	uint64_t measured, unmeasured;
	struct eqt_year_unpriced example;
};

/* The key with this name, or EQT_YEAR_KEYS if there is none. */
enum eqt_year_key eqt_sum_key_find(const char *name, size_t length);

/* The name of a key for --by, as static text. */
const char *eqt_sum_key_name(enum eqt_year_key key);

/* Are the lines months or days? Such lines are not projected. */
bool eqt_sum_by_date(const struct eqt_year_sum *sum);

/* The column of sacct that a key needs in addition to EQT_SACCT_RUNS, as a bit; 0 if
 * none. */
unsigned int eqt_sum_key_needs(enum eqt_year_key key);

/*
 * Add what all jobs used within the slice. Jobs without a price, with an uncertain price,
 * and duplicates are counted in *sum. Returns 0. Returns 1 if sum->runs.check is
 * EQT_YEAR_RUNS_ORDER but the list is not in that order; err then names the line. Returns
 * -1 with err filled if a row is invalid.
 */
int eqt_sum_add(struct eqt_year_sum *sum, struct eqt_sacct_reader *sacct,
		struct eqt_year_rates *rates, const struct eqt_conf *conf,
		const struct eqt_year_slice *slice, struct eqt_error *err);

/* Add a part whose rates and amounts are known. */
void eqt_sum_add_part(struct eqt_year_sum *sum, const struct eqt_conf *conf,
		      const struct eqt_year_part *part);

/* Add one unit of a part, for some seconds, to a sum. A refund is subtracted. */
void eqt_sum_part_add(eqt_u128 *sum, const struct eqt_year_part *part, int unit,
		      uint64_t seconds);

/* The row with these keys, which are in the order of sum->keys. It is created if
 * needed. */
struct eqt_year_row *eqt_sum_row_get(struct eqt_year_sum *sum,
				     const char *const *key);

/* Sort the rows by their keys. Must be called after the last row was created. */
void eqt_sum_sort(struct eqt_year_sum *sum);

/* Convert seconds of a unit to what is printed: years of the period, kWh or kgCO2e. */
double eqt_sum_shown(const struct eqt_year_period *period, int unit,
		     long double seconds);

/* Free what *sum owns. */
void eqt_sum_free(struct eqt_year_sum *sum);

/* Convert a rate to an amount per second. A rate above 2^40 is cut. NaN and negative
 * rates become 0. */
eqt_u128 eqt_sum_amount_of_rate(long double rate);

/* Add the amount of some seconds. A sum that would be too large stays at its limit. */
void eqt_sum_amount_add(eqt_u128 *sum, eqt_u128 amount, uint64_t seconds);

/* Convert an amount to units, for example unit-seconds. */
long double eqt_sum_amount_value(eqt_u128 amount);

#endif
