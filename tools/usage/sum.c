/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs are cut to the period and, if wanted, to months. A job that appears in
 * two monthly lists is counted in the first one; its seconds are in each.
 */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "usage/sum.h"

static const char *const names[EQT_YEAR_KEYS] = {
	[EQT_YEAR_BY_ACCOUNT] = "account",
	[EQT_YEAR_BY_PROJECT] = "project",
	[EQT_YEAR_BY_SUBMITTER] = "submitter",
	[EQT_YEAR_BY_MONTH] = "month",
	[EQT_YEAR_BY_PARTITION] = "partition",
	[EQT_YEAR_BY_QOS] = "qos",
	[EQT_YEAR_BY_CLUSTER] = "cluster",
};

/* The column of a key that is text. */
static const enum eqt_sacct_column columns[EQT_YEAR_KEYS] = {
	[EQT_YEAR_BY_ACCOUNT] = EQT_SACCT_ACCOUNT,
	[EQT_YEAR_BY_PROJECT] = EQT_SACCT_ACCOUNT,
	[EQT_YEAR_BY_SUBMITTER] = EQT_SACCT_USER,
	[EQT_YEAR_BY_MONTH] = EQT_SACCT_COLUMNS,
	[EQT_YEAR_BY_PARTITION] = EQT_SACCT_PARTITION,
	[EQT_YEAR_BY_QOS] = EQT_SACCT_QOS,
	[EQT_YEAR_BY_CLUSTER] = EQT_SACCT_CLUSTER,
};

/* One run of a job of a cluster, for tsearch(); the text follows. */
struct run {
	int64_t start_s;
	char id[];
};

/* A job, and the part of it that counts. */
struct share {
	const struct eqt_sacct_job *job;
	const struct eqt_year_rate *rate;
	long double active; /* charged seconds per second */
	int64_t from_s, until_s;
	bool new; /* not counted in a previous slice */
};

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

/* ---- Rows ----------------------------------------------------------------- */

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

struct eqt_year_row *eqt_year_row_get(struct eqt_year_sum *sum,
				      const char *const *key)
{
	struct eqt_year_row probe = { .jobs = 0 }, *row;
	struct eqt_year_row *const *found;
	size_t i;

	/* Only compared, never written. */
	for (i = 0; i < sum->key_count; i++)
		memcpy(&probe.key[i], &key[i], sizeof(key[i]));
	found = tfind(&probe, &sum->index, row_compare);
	if (found)
		return *found;
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

static int run_compare(const void *a, const void *b)
{
	const struct run *left = a, *right = b;

	if (left->start_s != right->start_s)
		return left->start_s < right->start_s ? -1 : 1;
	return strcmp(left->id, right->id);
}

void eqt_year_sum_free(struct eqt_year_sum *sum)
{
	struct eqt_year_row *row;
	size_t i;

	while (sum->index) {
		row = *(struct eqt_year_row **) sum->index;
		(void) tdelete(row, &sum->index, row_compare);
	}
	while (sum->runs) {
		struct run *run = *(struct run **) sum->runs;

		(void) tdelete(run, &sum->runs, run_compare);
		free(run);
	}
	for (i = 0; i < sum->count; i++)
		row_free(sum->rows[i]);
	free(sum->rows);
	*sum = (struct eqt_year_sum){ .count = 0 };
}

/* ---- Jobs ----------------------------------------------------------------- */

/* 1: listed before; 0: new; -1: out of memory. */
static int sum_has_run(struct eqt_year_sum *sum,
		       const struct eqt_sacct_job *job)
{
	const char *cluster = job->text[EQT_SACCT_CLUSTER];
	const char *id = job->text[EQT_SACCT_ID];
	size_t size = strlen(id) + strlen(cluster) + 2;
	struct run *run = malloc(sizeof(*run) + size), **found;

	if (!run)
		return -1;
	run->start_s = job->start_s;
	(void) snprintf(run->id, size, "%s@%s", id, cluster);
	found = (struct run **) tsearch(run, &sum->runs, run_compare);
	if (found && *found == run)
		return 0;
	free(run);
	return found ? 1 : -1;
}

/* The account without its pool's suffix; in buf. */
static const char *project_name(const struct eqt_job_pricer *pricer,
				const char *account, char *buf, size_t size)
{
	size_t length;

	(void) eqt_pools_of(&pricer->conf->pools, account, &length);
	(void) snprintf(buf, size, "%.*s", (int) length, account);
	return buf;
}

static void row_add_seconds(struct eqt_year_row *row, const struct share *share,
			    int64_t from_s, int64_t until_s)
{
	long double seconds = (long double) (until_s - from_s) * share->active;
	int unit;

	for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
		row->of[unit] += seconds * (long double) share->rate->of[unit];
}

/* Add to a job's row, or to one row per month. */
static int sum_add_share(struct eqt_year_sum *sum,
			 const struct eqt_job_pricer *pricer,
			 const struct share *share)
{
	const char *key[EQT_YEAR_KEYS_MAX];
	char project[512], month[EQT_YEAR_TEXT];
	int64_t at_s = share->from_s, next_s = share->until_s, end_s;
	struct eqt_year_row *row;
	bool monthly = false;
	size_t i;

	for (i = 0; i < sum->key_count; i++) {
		monthly = monthly || sum->keys[i] == EQT_YEAR_BY_MONTH;
		key[i] = sum->keys[i] == EQT_YEAR_BY_MONTH
				 ? month
				 : share->job->text[columns[sum->keys[i]]];
		if (sum->keys[i] == EQT_YEAR_BY_PROJECT)
			key[i] = project_name(pricer, key[i], project,
					      sizeof(project));
	}
	for (; at_s < share->until_s; at_s = end_s) {
		if (monthly)
			next_s = eqt_year_month(at_s, month);
		end_s = next_s < share->until_s && next_s > at_s
				? next_s
				: share->until_s;
		row = eqt_year_row_get(sum, key);
		if (!row)
			return -1;
		row_add_seconds(row, share, at_s, end_s);
		row->jobs += monthly || share->new;
	}
	return 0;
}

/* The part of a job's time that is charged. When it was suspended is not known,
 * so that is spread evenly. */
static long double job_active_part(const struct eqt_sacct_job *job,
				   const struct eqt_conf *conf)
{
	if (conf->charge_suspended)
		return 1;
	return 1 - (long double) job->suspended_s /
			   (long double) (job->end_s - job->start_s);
}

/* 0, or -1 with err filled. */
static int sum_add_job(struct eqt_year_sum *sum,
		       const struct eqt_job_pricer *pricer,
		       const struct share *share, struct eqt_error *err)
{
	struct eqt_year_rate rate;
	struct share priced = *share;
	int rc = sum->once ? sum_has_run(sum, share->job) : 0;

	if (rc < 0)
		return eqt_error_set(err, "out of memory");
	sum->doubled += rc == 1;
	if (rc == 1)
		return 0;
	rc = eqt_year_price(&rate, pricer, share->job, err);
	if (rc < 0)
		return -1;
	sum->jobs += rc == 1 && share->new;
	if (rc == 0) {
		if (sum->unpriced == 0)
			(void) snprintf(sum->unpriced_why,
					sizeof(sum->unpriced_why),
					"job %.20s: %.400s",
					share->job->text[EQT_SACCT_ID],
					err->text);
		sum->unpriced += share->new;
		return 0;
	}
	sum->uncertain += rate.uncertain && share->new;
	priced.rate = &rate;
	priced.active = job_active_part(share->job, pricer->conf);
	if (sum_add_share(sum, pricer, &priced) < 0)
		return eqt_error_set(err, "out of memory");
	return 0;
}

/* Cut a job to the slice; false: it is outside. */
static bool share_cut(struct share *out, const struct eqt_sacct_job *job,
		      const struct eqt_year_slice *slice)
{
	*out = (struct share){ .job = job,
			       .from_s = slice->from_s,
			       .until_s = slice->until_s,
			       .new = slice->first ||
				      job->start_s >= slice->from_s };
	if (job->start_s > out->from_s)
		out->from_s = job->start_s;
	if (job->end_s < out->until_s)
		out->until_s = job->end_s;
	return out->from_s < out->until_s;
}

int eqt_year_sum_add(struct eqt_year_sum *sum, const struct eqt_sacct *sacct,
		     const struct eqt_job_pricer *pricer,
		     const struct eqt_year_slice *slice, struct eqt_error *err)
{
	struct eqt_progress progress;
	struct eqt_sacct_job job;
	struct eqt_error why;
	struct share share;
	size_t row;
	int rc = 0;

	eqt_progress_begin(&progress, "pricing jobs", sacct->rows);
	for (row = 0; row < sacct->rows && rc == 0; row++) {
		eqt_progress_update(&progress, row);
		rc = eqt_sacct_job(&job, sacct, row, err);
		if (rc <= 0 || !share_cut(&share, &job, slice)) {
			rc = rc < 0 ? -1 : 0;
			continue;
		}
		rc = sum_add_job(sum, pricer, &share, &why);
		if (rc < 0)
			(void) eqt_error_set(err, "%s: line %zu: %.400s",
					     sacct->table.text.name, job.line,
					     why.text);
	}
	eqt_progress_end(&progress);
	return rc;
}
