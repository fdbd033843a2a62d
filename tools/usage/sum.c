/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs are cut to the period and, if needed, to months. A job in two monthly lists is
 * counted once, for the first list, but its seconds in each list are added.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "cli/alloc.h"
#include "usage/sum.h"
#include "base/text.h"

/* ---- Amount -------------------------------------------------------------------------
 * Sums that do not depend on their order. A rate is rounded once, to a multiple of 2^-52.
 * Everything else is exact, so the sum of days equals the sum of their jobs. Rates up to
 * 2^40 for the seconds of 1,000 years stay below 2^128. Most rates are small and take a
 * faster path, because a report adds several amounts for each job of a year. */

#define BITS 52
#define ONE 0x1p52L /* a rate of 1 */
#define RATE_MAX 0x1p40L
#define RATE_SMALL 0x1p10L /* below this an amount has at most 63 bits */

eqt_u128 eqt_sum_amount_of_rate(long double rate)
{
	if (!(rate > 0))
		return 0;
	if (rate < RATE_SMALL)
		return (uint64_t) (int64_t) (rate * ONE + 0.5L);
	if (rate > RATE_MAX)
		rate = RATE_MAX;
	return (eqt_u128) (rate * ONE + 0.5L);
}

void eqt_sum_amount_add(eqt_u128 *sum, eqt_u128 amount, uint64_t seconds)
{
	eqt_u128 product;

	if (amount == 0)
		return;
	if (amount <= UINT64_MAX) {
		product = (eqt_u128) (uint64_t) amount * seconds;
		if (__builtin_add_overflow(*sum, product, sum))
			*sum = ~(eqt_u128) 0;
		return;
	}
	if (__builtin_mul_overflow(amount, (eqt_u128) seconds, &product) ||
	    __builtin_add_overflow(*sum, product, sum))
		*sum = ~(eqt_u128) 0;
}

long double eqt_sum_amount_value(eqt_u128 amount)
{
	return ldexpl((long double) amount, -BITS);
}

double eqt_sum_shown(const struct eqt_year_period *period, int unit,
		     long double seconds)
{
	if (unit == EQT_YEAR_ENERGY)
		return (double) (seconds / EQT_ENERGY_KWH);
	if (unit == EQT_YEAR_CO2E)
		return (double) (seconds / 1000);
	return (double) (seconds /
			 (long double) (period->until_s - period->from_s));
}

/* ---- Runs ---------------------------------------------------------------------------
 * The runs of jobs that a report has counted, so that none is counted twice. A run is a
 * cluster, a job id and a start. Among ten million runs, two have the same hash in one of
 * 370,000 reports. */

/* Begin the set of the next job, unless the job is the current one. Returns 0, or -1 if
 * the list is not in the order of sacct, in which clusters follow each other and ids
 * ascend. */
static int set_begin_job(struct eqt_year_runs *set, uint64_t cluster,
			 uint64_t id)
{
	if (set->clusters > 0 && set->cluster[set->clusters - 1] == cluster) {
		if (id < set->job)
			return -1;
		if (id == set->job)
			return 0;
	} else {
		for (size_t i = 0; i < set->clusters; i++) {
			if (set->cluster[i] == cluster)
				return -1;
		}
		if (set->clusters == EQT_YEAR_RUNS_CLUSTERS_MAX)
			return -1;
		set->cluster[set->clusters++] = cluster;
	}
	set->job = id;
	eqt_hash_set_clear(&set->seen);
	return 0;
}

/* Add a run. Returns 1 if it was there already, or 0 if it is new. With
 * EQT_YEAR_RUNS_ORDER, returns -1 if the list is not in the order of sacct. */
static int year_runs_add(struct eqt_year_runs *set,
			 const struct eqt_sacct_job *job)
{
	const char *name = job->text[EQT_SACCT_CLUSTER];
	uint64_t cluster = eqt_hash_bytes(EQT_HASH_START, name, strlen(name));
	uint64_t id = strtoull(job->text[EQT_SACCT_ID], NULL, 10);
	uint64_t hash;
	int rc = 0;

	if (set->check == EQT_YEAR_RUNS_NONE)
		return 0;
	if (set->check == EQT_YEAR_RUNS_ORDER)
		rc = set_begin_job(set, cluster, id);
	if (rc < 0)
		return rc;
	hash = eqt_hash_mix(eqt_hash_mix(cluster ^ eqt_hash_mix(id)) +
			    (uint64_t) job->start_s);
	rc = eqt_hash_set_add(&set->seen, hash);
	if (rc < 0)
		eqt_alloc_failed();
	return rc == 0;
}

/* Free what *set owns. Afterwards it finds no duplicates. */
static void year_runs_free(struct eqt_year_runs *set)
{
	eqt_hash_set_free(&set->seen);
	*set = (struct eqt_year_runs){ .check = EQT_YEAR_RUNS_NONE };
}

/* ---- Rates --------------------------------------------------------------------------
 * A cache of the rates of jobs. Most jobs of a year have the same rates as many others. A
 * price depends on partition, QOS, AllocTRES without energy, and the span of time in
 * which equitree wrote the billing. If a GPU model has several bundles or cores have
 * several threads, it also depends on the nodes. With factors by the time of the week, it
 * also depends on the times of the job. Each slot holds the last job with its hash. */

#define SLOTS 8192
#define KEY_MAX 440 /* a job with a longer key is priced each time */

struct slot {
	char key[KEY_MAX]; /* "": the slot is empty */
	struct eqt_year_rate rate;
};

struct eqt_year_rates {
	const struct eqt_job_pricer *pricer;
	bool nodes; /* the price depends on the nodes */
	struct slot slot[SLOTS];
};

struct eqt_year_rates *eqt_sum_rates_new(const struct eqt_job_pricer *pricer)
{
	struct eqt_year_rates *cache = eqt_alloc(1, sizeof(*cache));

	cache->pricer = pricer;
	cache->nodes = eqt_pricer_by_nodes(pricer);
	return cache;
}

/* Write the key of a job, without energy, because nearly all jobs have different amounts
 * of energy. Energy that is not a number stays in the key, so that pricing reports it.
 * Returns false if the key is too long. */
static bool key_make(struct eqt_text *key, const struct eqt_year_rates *cache,
		     const struct eqt_sacct_job *job)
{
	static const char energy[] = "energy=";
	const char span = (char) ('a' + eqt_cost_span(cache->pricer, job));
	const char *tres = job->text[EQT_SACCT_TRES];
	const char *rest = strstr(tres, energy);
	char times[64] = "";
	const char *cells[] = { "", job->text[EQT_SACCT_PARTITION],
				job->text[EQT_SACCT_QOS],
				cache->nodes ? job->text[EQT_SACCT_NODES] : "",
				times };

	if (cache->pricer->conf->prices.week)
		(void) snprintf(times, sizeof(times), "%jd-%jd",
				(intmax_t) job->start_s, (intmax_t) job->end_s);
	eqt_text_bytes(key, &span, 1);
	if (rest && isdigit((unsigned char) rest[sizeof(energy) - 1])) {
		eqt_text_bytes(key, tres, (size_t) (rest - tres));
		cells[0] = rest + strcspn(rest, ",");
	} else {
		cells[0] = tres;
	}
	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
		eqt_text_put(key, cells[i]);
		eqt_text_put(key, "|");
	}
	return !key->full;
}

/* Like eqt_year_price_make(), but computed only once for equal jobs. */
static int year_rates_price(struct eqt_year_rates *cache,
			    struct eqt_year_rate *out,
			    const struct eqt_sacct_job *job,
			    struct eqt_error *err)
{
	char text[KEY_MAX];
	struct eqt_text key = { .data = text, .space = sizeof(text) };
	struct slot *slot;
	int rc;

	if (!key_make(&key, cache, job))
		return eqt_year_price_make(out, cache->pricer, job, err);
	slot = &cache->slot[eqt_hash_bytes(EQT_HASH_START, text, key.length) %
			    SLOTS];
	if (strcmp(slot->key, text) == 0) {
		*out = slot->rate;
		return 1;
	}
	rc = eqt_year_price_make(out, cache->pricer, job, err);
	/* The reason why a job has no price is not kept, so such a job is priced each
	 * time. */
	if (rc == 1) {
		memcpy(slot->key, text, key.length + 1);
		slot->rate = *out;
	}
	return rc;
}

/* ---- The sum -------------------------------------------------------------- */

static const struct {
	const char *name;
	enum eqt_sacct_column column; /* EQT_SACCT_COLUMNS: the key is a date */
} keys[EQT_YEAR_KEYS] = {
	[EQT_YEAR_BY_ACCOUNT] = { "account", EQT_SACCT_ACCOUNT },
	[EQT_YEAR_BY_PROJECT] = { "project", EQT_SACCT_ACCOUNT },
	[EQT_YEAR_BY_SUBMITTER] = { "submitter", EQT_SACCT_USER },
	[EQT_YEAR_BY_MONTH] = { "month", EQT_SACCT_COLUMNS },
	[EQT_YEAR_BY_DAY] = { "day", EQT_SACCT_COLUMNS },
	[EQT_YEAR_BY_PARTITION] = { "partition", EQT_SACCT_PARTITION },
	[EQT_YEAR_BY_QOS] = { "qos", EQT_SACCT_QOS },
	[EQT_YEAR_BY_CLUSTER] = { "cluster", EQT_SACCT_CLUSTER },
	[EQT_YEAR_BY_COMMENT] = { "comment", EQT_SACCT_COMMENT },
	[EQT_YEAR_BY_WCKEY] = { "wckey", EQT_SACCT_WCKEY },
};

#define PROJECT_SIZE 512 /* bytes of a name, with the NUL */
#define KEY_END '\x1f'

/* EQT_YEAR_KEYS means that there is no such key. */
enum eqt_year_key eqt_sum_key_find(const char *name, size_t length)
{
	int key;

	for (key = 0; key < EQT_YEAR_KEYS; key++) {
		if (strlen(keys[key].name) == length &&
		    strncmp(keys[key].name, name, length) == 0)
			break;
	}
	return (enum eqt_year_key) key;
}

const char *eqt_sum_key_name(enum eqt_year_key key)
{
	return keys[key].name;
}

static bool key_is_date(enum eqt_year_key key)
{
	return keys[key].column == EQT_SACCT_COLUMNS;
}

/* sacct is asked for Comment and WCKey only if a key needs them, because they make its
 * answers long. */
unsigned int eqt_sum_key_needs(enum eqt_year_key key)
{
	if (key == EQT_YEAR_BY_COMMENT || key == EQT_YEAR_BY_WCKEY)
		return EQT_SACCT_BIT(keys[key].column);
	return 0;
}

bool eqt_sum_by_date(const struct eqt_year_sum *sum)
{
	for (size_t i = 0; i < sum->key_count; i++) {
		if (key_is_date(sum->keys[i]))
			return true;
	}
	return false;
}

/* ---- Rows ----------------------------------------------------------------- */

/* A key that is not used is NULL in all rows, and ends the comparison. */
static int row_compare(const void *a, const void *b)
{
	const struct eqt_year_row *left = *(struct eqt_year_row *const *) a;
	const struct eqt_year_row *right = *(struct eqt_year_row *const *) b;
	int i, order = 0;

	for (i = 0; i < EQT_YEAR_KEYS_MAX && order == 0 && left->key[i]; i++)
		order = strcmp(left->key[i], right->key[i]);
	return order;
}

/* Write the keys as one name. After each key there is a character that no key has. */
static const char *row_name(struct eqt_year_sum *sum, const char *const *key)
{
	size_t length = 1, used = 0;

	for (size_t i = 0; i < sum->key_count; i++)
		length += strlen(key[i]) + 1;
	if (length > sum->joined_size) {
		sum->joined = eqt_alloc_again(sum->joined, length, 1);
		sum->joined_size = length;
	}
	for (size_t i = 0; i < sum->key_count; i++) {
		length = strlen(key[i]);
		memcpy(sum->joined + used, key[i], length);
		used += length;
		sum->joined[used++] = KEY_END;
	}
	sum->joined[used] = '\0';
	return sum->joined;
}

struct eqt_year_row *eqt_sum_row_get(struct eqt_year_sum *sum,
				     const char *const *key)
{
	const char *name = row_name(sum, key);
	int new;
	struct eqt_year_row *row =
		eqt_names_get(&sum->rows, name, sizeof(*row), &new);
	char *at;

	if (!new)
		return row;
	at = row->text = eqt_alloc_text(name);
	for (size_t i = 0; i < sum->key_count; i++) {
		row->key[i] = at;
		at += strlen(key[i]);
		*at++ = '\0';
	}
	return row;
}

void eqt_sum_sort(struct eqt_year_sum *sum)
{
	if (sum->rows.count > 0)
		qsort(sum->rows.list, sum->rows.count, sizeof(void *),
		      row_compare);
}

void eqt_sum_free(struct eqt_year_sum *sum)
{
	year_runs_free(&sum->runs);
	for (size_t i = 0; i < sum->rows.count; i++)
		free(((struct eqt_year_row *) sum->rows.list[i])->text);
	eqt_names_free(&sum->rows);
	free(sum->joined);
	*sum = (struct eqt_year_sum){ .key_count = 0 };
}

/* ---- Jobs ----------------------------------------------------------------- */

/* Write the account without its pool's suffix. Returns buf. */
static const char *project_name(const struct eqt_conf *conf,
				const char *account, char buf[PROJECT_SIZE])
{
	size_t length;

	(void) eqt_pools_of(&conf->pools, account, &length);
	(void) snprintf(buf, PROJECT_SIZE, "%.*s", (int) length, account);
	return buf;
}

/* A refund subtracts what was added before. The sum never falls below 0, because the
 * charge may be outside the period. */
void eqt_sum_part_add(eqt_u128 *sum, const struct eqt_year_part *part, int unit,
		      uint64_t seconds)
{
	eqt_u128 back = 0;

	if (!part->back) {
		eqt_sum_amount_add(sum, part->of[unit], seconds);
		return;
	}
	eqt_sum_amount_add(&back, part->of[unit], seconds);
	*sum -= back < *sum ? back : *sum;
}

/* Find the keys of a job. A date is the text of sum->date. Returns whether days are a
 * key. */
static bool share_keys(struct eqt_year_sum *sum, const struct eqt_conf *conf,
		       const struct eqt_sacct_job *job,
		       const char *key[EQT_YEAR_KEYS_MAX],
		       char project[PROJECT_SIZE])
{
	bool by_day = false;

	for (size_t i = 0; i < sum->key_count; i++) {
		by_day = by_day || sum->keys[i] == EQT_YEAR_BY_DAY;
		key[i] = key_is_date(sum->keys[i])
				 ? sum->date.text
				 : job->text[keys[sum->keys[i]].column];
		if (sum->keys[i] == EQT_YEAR_BY_PROJECT)
			key[i] = project_name(conf, key[i], project);
	}
	return by_day;
}

/* Add a part to its job's row, or to one row per month or day. */
static void sum_add_share(struct eqt_year_sum *sum, const struct eqt_conf *conf,
			  const struct eqt_year_part *share)
{
	const bool dated = eqt_sum_by_date(sum);
	const char *key[EQT_YEAR_KEYS_MAX];
	char project[PROJECT_SIZE];
	const bool by_day = share_keys(sum, conf, share->job, key, project);
	int64_t at_s = share->from_s, end_s;
	struct eqt_year_row *row;

	for (; at_s < share->until_s; at_s = end_s) {
		end_s = share->until_s;
		if (dated) {
			eqt_period_date_set(&sum->date, at_s, by_day);
			end_s = eqt_whole_earlier(end_s, sum->date.until_s);
		}
		row = eqt_sum_row_get(sum, key);
		for (int unit = 0; unit < EQT_YEAR_UNITS; unit++)
			eqt_sum_part_add(&row->of[unit], share, unit,
					 (uint64_t) (end_s - at_s));
		row->jobs += (dated && !share->more) || share->new;
		if (share->rate)
			row->sources |= 1u << share->rate->source;
	}
}

/* The part of a job's time that is charged. It is not known when the job was suspended,
 * so its suspended seconds are spread evenly. */
static long double job_active(const struct eqt_sacct_job *job,
			      const struct eqt_conf *conf)
{
	if (conf->charge_suspended)
		return 1;
	return 1 - (long double) job->suspended_s /
			   (long double) (job->end_s - job->start_s);
}

/* Keep the job with the lowest id as the example, so that it does not depend on the order
 * of the jobs. */
static void unpriced_note(struct eqt_year_unpriced *example,
			  const struct eqt_sacct_job *job, const char *why)
{
	const uint64_t id = strtoull(job->text[EQT_SACCT_ID], NULL, 10);

	if (example->why[0] != '\0' &&
	    (id > example->job ||
	     (id == example->job && job->start_s >= example->start_s)))
		return;
	example->job = id;
	example->start_s = job->start_s;
	(void) snprintf(example->why, sizeof(example->why), "job %.20s: %.400s",
			job->text[EQT_SACCT_ID], why);
}

void eqt_sum_add_part(struct eqt_year_sum *sum, const struct eqt_conf *conf,
		      const struct eqt_year_part *part)
{
	sum->jobs += part->new;
	sum->by_source[part->rate->source] += part->new;
	sum_add_share(sum, conf, part);
	if (sum->each)
		sum->each(sum->with, part);
}

/* Joules are spread evenly over the run, and cut at each change of the carbon
 * intensity. */
static void sum_add_energy(struct eqt_year_sum *sum,
			   const struct eqt_conf *conf,
			   const struct eqt_year_part *share)
{
	struct eqt_energy_piece piece = { .until_s = share->from_s };
	struct eqt_year_part part = { .job = share->job, .more = true };

	while (eqt_energy_next(&piece, sum->energy, share->job,
			       share->until_s)) {
		part.from_s = piece.from_s;
		part.until_s = piece.until_s;
		part.of[EQT_YEAR_ENERGY] = eqt_sum_amount_of_rate(piece.watts);
		part.of[EQT_YEAR_CO2E] = eqt_sum_amount_of_rate(piece.grams);
		eqt_energy_add(&sum->used, &piece);
		sum_add_share(sum, conf, &part);
		if (sum->each)
			sum->each(sum->with, &part);
	}
	sum->measured += piece.watts > 0 && share->new;
	sum->unmeasured += piece.watts == 0 && share->job->ended && share->new;
}

/* Price a job, and add it to the sum. Returns 0, or -1 with err filled. */
static int sum_price_job(struct eqt_year_sum *sum, struct eqt_year_rates *rates,
			 const struct eqt_conf *conf,
			 const struct eqt_year_part *share,
			 struct eqt_error *err)
{
	struct eqt_year_rate rate;
	struct eqt_year_part priced = *share;
	int unit, rc = year_rates_price(rates, &rate, share->job, err);

	if (rc < 0)
		return -1;
	if (rc == 0) {
		unpriced_note(&sum->example, share->job, err->text);
		sum->unpriced += share->new;
		return 0;
	}
	sum->uncertain += rate.uncertain && share->new;
	priced.rate = &rate;
	priced.active = job_active(share->job, conf);
	for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
		priced.of[unit] = eqt_sum_amount_of_rate(
			(long double) rate.of[unit] * priced.active);
	eqt_sum_add_part(sum, conf, &priced);
	return 0;
}

/* Add a job. Returns 0, 1 if the list is not in the order of sacct, or -1. err is filled
 * unless the result is 0. */
static int sum_add_job(struct eqt_year_sum *sum, struct eqt_year_rates *rates,
		       const struct eqt_conf *conf,
		       const struct eqt_year_part *share, bool recorded,
		       struct eqt_error *err)
{
	int rc = year_runs_add(&sum->runs, share->job);

	if (rc < 0) {
		(void) eqt_error_set(err, "not in the order of sacct");
		return 1;
	}
	sum->doubled += rc == 1;
	if (rc == 1)
		return 0;
	rc = recorded ? 0 : sum_price_job(sum, rates, conf, share, err);
	if (rc == 0 && sum->energy)
		sum_add_energy(sum, conf, share);
	return rc;
}

/* Cut a job to the slice. Returns false if it is outside of the slice. */
static bool share_cut(struct eqt_year_part *out,
		      const struct eqt_sacct_job *job,
		      const struct eqt_year_slice *slice)
{
	*out = (struct eqt_year_part){ .job = job,
				       .from_s = slice->from_s,
				       .until_s = slice->until_s,
				       .new = slice->first ||
					      job->start_s >= slice->from_s };
	return eqt_whole_cut_span(&out->from_s, &out->until_s, job->start_s,
				  job->end_s);
}

/* Errors name the file and the line of sacct's list. */
int eqt_sum_add(struct eqt_year_sum *sum, struct eqt_sacct_reader *sacct,
		struct eqt_year_rates *rates, const struct eqt_conf *conf,
		const struct eqt_year_slice *slice, struct eqt_error *err)
{
	struct eqt_sacct_job job;
	struct eqt_error why;
	struct eqt_year_part share;
	bool recorded;
	int rc;

	while ((rc = eqt_sacct_reader_next(sacct, &job, err)) > 0) {
		/* The record has the charge of such a job, so only its energy is
		 * added. */
		recorded = slice->ended_by_s &&
			   (!job.ended || job.end_s >= slice->ended_by_s);
		if (!share_cut(&share, &job, slice) ||
		    (recorded && !sum->energy))
			continue;
		rc = sum_add_job(sum, rates, conf, &share, recorded, &why);
		if (rc == 0)
			continue;
		(void) eqt_error_set(err, "%s: line %zu: %.400s",
				     sacct->lines.name, job.line, why.text);
		return rc;
	}
	return rc;
}
