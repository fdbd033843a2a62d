/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs are cut to the period and, if wanted, to months. A job that appears in two
 * monthly lists is counted in the first one; its seconds are in each. Rows are found by
 * tsearch(3), whose nodes are the rows themselves, and most jobs find theirs by hash
 * among those found last.
 */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "usage/sum.h"

static const char *const names[EQT_YEAR_KEYS] = {
	[EQT_YEAR_BY_ACCOUNT] = "account",
	[EQT_YEAR_BY_PROJECT] = "project",
	[EQT_YEAR_BY_SUBMITTER] = "submitter",
	[EQT_YEAR_BY_MONTH] = "month",
	[EQT_YEAR_BY_DAY] = "day",
	[EQT_YEAR_BY_PARTITION] = "partition",
	[EQT_YEAR_BY_QOS] = "qos",
	[EQT_YEAR_BY_CLUSTER] = "cluster",
	[EQT_YEAR_BY_COMMENT] = "comment",
	[EQT_YEAR_BY_WCKEY] = "wckey",
};

/* The column of a key that is text. */
static const enum eqt_sacct_column columns[EQT_YEAR_KEYS] = {
	[EQT_YEAR_BY_ACCOUNT] = EQT_SACCT_ACCOUNT,
	[EQT_YEAR_BY_PROJECT] = EQT_SACCT_ACCOUNT,
	[EQT_YEAR_BY_SUBMITTER] = EQT_SACCT_USER,
	[EQT_YEAR_BY_MONTH] = EQT_SACCT_COLUMNS,
	[EQT_YEAR_BY_DAY] = EQT_SACCT_COLUMNS,
	[EQT_YEAR_BY_PARTITION] = EQT_SACCT_PARTITION,
	[EQT_YEAR_BY_QOS] = EQT_SACCT_QOS,
	[EQT_YEAR_BY_CLUSTER] = EQT_SACCT_CLUSTER,
	[EQT_YEAR_BY_COMMENT] = EQT_SACCT_COMMENT,
	[EQT_YEAR_BY_WCKEY] = EQT_SACCT_WCKEY,
};

#define PROJECT_SIZE 512 /* of a name */

/* EQT_YEAR_KEYS: there is no such key. */
enum eqt_year_key eqt_year_key_find(const char *name, size_t length)
{
	int key;

	for (key = 0; key < EQT_YEAR_KEYS; key++) {
		if (strlen(names[key]) == length &&
		    strncmp(names[key], name, length) == 0)
			break;
	}
	return (enum eqt_year_key) key;
}

const char *eqt_year_key_name(enum eqt_year_key key)
{
	return names[key];
}

static bool key_is_date(enum eqt_year_key key)
{
	return key == EQT_YEAR_BY_MONTH || key == EQT_YEAR_BY_DAY;
}

/* Bits of EQT_SACCT_BIT(): Comment and WCKey are asked of sacct only when a key needs
 * them, since they make its answers long. */
unsigned int eqt_year_key_needs(enum eqt_year_key key)
{
	if (key == EQT_YEAR_BY_COMMENT || key == EQT_YEAR_BY_WCKEY)
		return EQT_SACCT_BIT(columns[key]);
	return 0;
}

bool eqt_year_sum_by_date(const struct eqt_year_sum *sum)
{
	size_t i;

	for (i = 0; i < sum->key_count; i++) {
		if (key_is_date(sum->keys[i]))
			return true;
	}
	return false;
}

/* ---- Rows ----------------------------------------------------------------- */

/* Keys that are not used are NULL in all rows, and end the comparison. */
static int row_compare(const void *a, const void *b)
{
	const struct eqt_year_row *left = a, *right = b;
	int i, order = 0;

	for (i = 0; i < EQT_YEAR_KEYS_MAX && order == 0 && left->key[i]; i++)
		order = strcmp(left->key[i], right->key[i]);
	return order;
}

static int row_compare_pointers(const void *a, const void *b)
{
	return row_compare(*(struct eqt_year_row *const *) a,
			   *(struct eqt_year_row *const *) b);
}

static void row_free(struct eqt_year_row *row)
{
	int i;

	for (i = 0; row && i < EQT_YEAR_KEYS_MAX; i++)
		free(row->key[i]);
	free(row);
}

/* Owns copies of its keys. NULL: out of memory. */
static struct eqt_year_row *row_new(size_t count, const char *const *key)
{
	struct eqt_year_row *row = calloc(1, sizeof(*row));
	size_t i;

	for (i = 0; row && i < count; i++) {
		row->key[i] = strdup(key[i]);
		if (!row->key[i]) {
			row_free(row);
			row = NULL;
		}
	}
	return row;
}

/* Twice the room each time. False: out of memory. */
static bool sum_make_room(struct eqt_year_sum *sum)
{
	size_t room = sum->room ? sum->room * 2 : 64;
	struct eqt_year_row **more;

	if (sum->count < sum->room)
		return true;
	more = realloc(sum->rows, room * sizeof(struct eqt_year_row *));
	if (!more)
		return false;
	sum->rows = more;
	sum->room = room;
	return true;
}

/* The row of these keys that was found last. */
static struct eqt_year_row **row_recent(struct eqt_year_sum *sum,
					const char *const *key)
{
	uint64_t hash = 0;
	const char *at;
	size_t i;

	for (i = 0; i < sum->key_count; i++) {
		for (at = key[i]; *at != '\0'; at++)
			hash = (hash ^ (unsigned char) *at) *
			       UINT64_C(0x9e3779b97f4a7c15);
	}
	return &sum->recent[(hash >> 40) % EQT_YEAR_RECENT];
}

struct eqt_year_row *eqt_year_row_get(struct eqt_year_sum *sum,
				      const char *const *key)
{
	struct eqt_year_row probe = { .jobs = 0 }, *row;
	struct eqt_year_row **recent = row_recent(sum, key);
	struct eqt_year_row *const *found;
	size_t i;

	/* Only for comparison, never written. */
	for (i = 0; i < sum->key_count; i++)
		memcpy(&probe.key[i], &key[i], sizeof(key[i]));
	if (*recent && row_compare(*recent, &probe) == 0)
		return *recent;
	found = tfind(&probe, &sum->index, row_compare);
	if (found) {
		*recent = *found;
		return *found;
	}
	row = sum_make_room(sum) ? row_new(sum->key_count, key) : NULL;
	if (!row || !tsearch(row, &sum->index, row_compare)) {
		row_free(row);
		return NULL;
	}
	sum->rows[sum->count++] = row;
	return row;
}

void eqt_year_sum_sort(struct eqt_year_sum *sum)
{
	if (sum->count > 0)
		qsort(sum->rows, sum->count, sizeof(struct eqt_year_row *),
		      row_compare_pointers);
}

void eqt_year_sum_free(struct eqt_year_sum *sum)
{
	struct eqt_year_row *row;
	size_t i;

	while (sum->index) {
		row = *(struct eqt_year_row **) sum->index;
		(void) tdelete(row, &sum->index, row_compare);
	}
	eqt_year_runs_free(&sum->runs);
	for (i = 0; i < sum->count; i++)
		row_free(sum->rows[i]);
	free(sum->rows);
	*sum = (struct eqt_year_sum){ .count = 0 };
}

/* ---- Jobs ----------------------------------------------------------------- */

/* The account without its pool's suffix; in buf. */
static const char *project_name(const struct eqt_conf *conf,
				const char *account, char *buf, size_t size)
{
	size_t length;

	(void) eqt_pools_of(&conf->pools, account, &length);
	(void) snprintf(buf, size, "%.*s", (int) length, account);
	return buf;
}

/* What is given back was added before; a period may have cut it off. */
void eqt_year_part_add(eqt_u128 *sum, const struct eqt_year_part *part,
		       int unit, uint64_t seconds)
{
	eqt_u128 back = 0;

	if (!part->back) {
		eqt_year_amount_add(sum, part->of[unit], seconds);
		return;
	}
	eqt_year_amount_add(&back, part->of[unit], seconds);
	*sum -= back < *sum ? back : *sum;
}

/* Amounts are exact integers: sums of doubles would depend on the order of the jobs. */
static void row_add_seconds(struct eqt_year_row *row,
			    const struct eqt_year_part *share, int64_t from_s,
			    int64_t until_s)
{
	int unit;

	for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
		eqt_year_part_add(&row->of[unit], share, unit,
				  (uint64_t) (until_s - from_s));
}

/* The keys of a job; its date is sum->date's. */
static bool share_keys(struct eqt_year_sum *sum, const struct eqt_conf *conf,
		       const struct eqt_sacct_job *job,
		       const char *key[EQT_YEAR_KEYS_MAX],
		       char project[PROJECT_SIZE])
{
	bool by_day = false;
	size_t i;

	for (i = 0; i < sum->key_count; i++) {
		by_day = by_day || sum->keys[i] == EQT_YEAR_BY_DAY;
		key[i] = key_is_date(sum->keys[i])
				 ? sum->date.text
				 : job->text[columns[sum->keys[i]]];
		if (sum->keys[i] == EQT_YEAR_BY_PROJECT)
			key[i] = project_name(conf, key[i], project,
					      PROJECT_SIZE);
	}
	return by_day;
}

/* Add to a job's row, or to one row for each month or day. */
static int sum_add_share(struct eqt_year_sum *sum, const struct eqt_conf *conf,
			 const struct eqt_year_part *share)
{
	const bool dated = eqt_year_sum_by_date(sum);
	const char *key[EQT_YEAR_KEYS_MAX];
	char project[PROJECT_SIZE];
	const bool by_day = share_keys(sum, conf, share->job, key, project);
	int64_t at_s = share->from_s, end_s;
	struct eqt_year_row *row;

	for (; at_s < share->until_s; at_s = end_s) {
		end_s = share->until_s;
		if (dated) {
			eqt_year_date_set(&sum->date, at_s, by_day);
			if (sum->date.until_s < end_s)
				end_s = sum->date.until_s;
		}
		row = eqt_year_row_get(sum, key);
		if (!row)
			return -1;
		row_add_seconds(row, share, at_s, end_s);
		row->jobs += (dated && !share->more) || share->new;
		if (share->rate)
			row->sources |= 1u << share->rate->source;
	}
	return 0;
}

/* The part of a job's time that is charged. The times of its suspensions are
 * not known, so suspended seconds are spread evenly. */
static long double job_active(const struct eqt_sacct_job *job,
			      const struct eqt_conf *conf)
{
	if (conf->charge_suspended)
		return 1;
	return 1 - (long double) job->suspended_s /
			   (long double) (job->end_s - job->start_s);
}

/* The example does not depend on the order of the jobs. */
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

int eqt_year_sum_add_part(struct eqt_year_sum *sum, const struct eqt_conf *conf,
			  const struct eqt_year_part *part)
{
	sum->jobs += part->new;
	sum->by_source[part->rate->source] += part->new;
	if (sum_add_share(sum, conf, part) < 0)
		return -1;
	return sum->each ? sum->each(sum->with, part) : 0;
}

/* 0; 1: not in the order of sacct; or -1. err is filled unless it is 0. */
static int sum_add_job(struct eqt_year_sum *sum, struct eqt_year_rates *rates,
		       const struct eqt_conf *conf,
		       const struct eqt_year_part *share, struct eqt_error *err)
{
	struct eqt_year_rate rate;
	struct eqt_year_part priced = *share;
	int unit, rc = eqt_year_runs_add(&sum->runs, share->job);

	if (rc == -2) {
		(void) eqt_error_set(err, "not in the order of sacct");
		return 1;
	}
	if (rc < 0)
		return eqt_error_set(err, "out of memory");
	sum->doubled += rc == 1;
	if (rc == 1)
		return 0;
	rc = eqt_year_rates_price(rates, &rate, share->job, err);
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
		priced.of[unit] = eqt_year_amount_of_rate(
			(long double) rate.of[unit] * priced.active);
	return eqt_year_sum_add_part(sum, conf, &priced) < 0
		       ? eqt_error_set(err, "out of memory")
		       : 0;
}

/* Cut a job to the slice; false: it is outside. */
static bool share_cut(struct eqt_year_part *out,
		      const struct eqt_sacct_job *job,
		      const struct eqt_year_slice *slice)
{
	*out = (struct eqt_year_part){ .job = job,
				       .from_s = slice->from_s,
				       .until_s = slice->until_s,
				       .new = slice->first ||
					      job->start_s >= slice->from_s };
	if (job->start_s > out->from_s)
		out->from_s = job->start_s;
	if (job->end_s < out->until_s)
		out->until_s = job->end_s;
	if (slice->ended_by_s &&
	    (!job->ended || job->end_s >= slice->ended_by_s))
		return false;
	return out->from_s < out->until_s;
}

/* Errors name the file and the line of sacct's list. */
int eqt_year_sum_add(struct eqt_year_sum *sum, struct eqt_sacct_reader *sacct,
		     struct eqt_year_rates *rates, const struct eqt_conf *conf,
		     const struct eqt_year_slice *slice, struct eqt_error *err)
{
	struct eqt_sacct_job job;
	struct eqt_error why;
	struct eqt_year_part share;
	int rc;

	while ((rc = eqt_sacct_reader_next(sacct, &job, err)) > 0) {
		if (!share_cut(&share, &job, slice))
			continue;
		rc = sum_add_job(sum, rates, conf, &share, &why);
		if (rc == 0)
			continue;
		(void) eqt_error_set(err, "%s: line %zu: %.400s",
				     sacct->lines.name, job.line, why.text);
		return rc;
	}
	return rc;
}
