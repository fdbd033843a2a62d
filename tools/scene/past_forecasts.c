/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file is replaced as a whole. If two reports write it at once, one of them adds
 * nothing. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"
#include "cli/alloc.h"
#include "cli/atomic_file.h"
#include "cli/names.h"
#include "scene/past_forecasts.h"
#include "slurm/sacct.h"
#include "slurm/text/timestamp.h"

#define FOLDER "/var/lib/equitree"
#define KEPT_S (INT64_C(60) * 86400)
#define HOURLY 6 /* new forecasts in an hour */
#define HOUR_S 3000 /* less than an hour, because a timer is not exact */
#define AGAIN_S 86400 /* seconds after which a job is forecast again */
#define WAIT_MAX_S (INT64_C(10) * 366 * 86400)

/* ---- The file ------------------------------------------------------------------- */

enum field { JOB, MARK, ASKED, EARLY, MEDIAN, LATE, WAIT, FIELDS };

/* Read a line. Returns false if it is damaged. */
static bool forecast_parse(struct eqt_past_forecast *out, const char *at)
{
	uint64_t of[FIELDS];

	for (int i = 0; i < FIELDS; i++)
		if (eqt_digits_read(&of[i], &at, NULL) < 0 ||
		    *at++ != (i == FIELDS - 1 ? '\n' : ' ') ||
		    (i >= ASKED && of[i] > INT64_MAX / 2) ||
		    (i > ASKED && of[i] > (uint64_t) WAIT_MAX_S))
			return false;
	*out = (struct eqt_past_forecast){
		of[JOB],
		of[MARK],
		{ (int64_t) of[ASKED], (int64_t) of[EARLY],
		  (int64_t) of[MEDIAN], (int64_t) of[LATE],
		  (int64_t) of[WAIT] },
	};
	return of[EARLY] <= of[MEDIAN] && of[MEDIAN] <= of[LATE];
}

static void forecasts_add(struct eqt_past_forecasts *past,
			  const struct eqt_past_forecast *one)
{
	EQT_ALLOC_ROOM(past->list, past->count);
	past->list[past->count++] = *one;
}

void eqt_past_forecasts_read(struct eqt_past_forecasts *out, const char *folder,
			     const struct eqt_conf *conf, const char *cluster)
{
	struct eqt_past_forecast one;
	size_t damaged = 0, room = 0;
	char *line = NULL;
	FILE *file;

	*out = (struct eqt_past_forecasts){
		.named = conf && conf->forecasts[0],
	};
	if (!eqt_live_cluster_path(out->path, folder, "forecasts.txt") &&
	    cluster[0] != '\0' && !strchr(cluster, '/'))
		(void) snprintf(out->path, sizeof(out->path), "%s/%s.forecasts",
				out->named ? conf->forecasts : FOLDER, cluster);
	file = out->path[0] ? fopen(out->path, "re") : NULL;
	if (!file)
		return;
	while (getline(&line, &room, file) > 0) {
		if (forecast_parse(&one, line))
			forecasts_add(out, &one);
		else
			damaged++;
	}
	free(line);
	(void) fclose(file);
	if (damaged)
		fprintf(stderr, "equitree: %s: %zu damaged line%s left out\n",
			out->path, damaged, damaged == 1 ? " is" : "s are");
}

void eqt_past_forecasts_free(struct eqt_past_forecasts *past)
{
	free(past->list);
	*past = (struct eqt_past_forecasts){ .count = 0 };
}

static int forecasts_write(const struct eqt_past_forecasts *past,
			   struct eqt_error *err)
{
	char *text;
	size_t length;
	FILE *to = eqt_alloc_stream(&text, &length);
	int rc;

	for (size_t i = 0; i < past->count; i++) {
		const struct eqt_past_forecast *one = &past->list[i];

		fprintf(to,
			"%" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64
			" %" PRId64 " %" PRId64 " %" PRId64 "\n",
			one->job, one->mark, one->is.asked_s, one->is.early_s,
			one->is.median_s, one->is.late_s, one->is.wait_s);
	}
	eqt_alloc_stream_close(to);
	rc = eqt_atomic_file_write(past->path, text, length, err);
	free(text);
	return rc;
}

/* ---- What is learned --------------------------------------------------------------- */

/* A job that still waits after the late end counts with its wait so far. */
void eqt_past_forecasts_learn(struct eqt_forecast_correction *out,
			      const struct eqt_past_forecasts *past,
			      int64_t now_s)
{
	struct eqt_forecast_past *over = eqt_alloc(past->count, sizeof(*over));
	size_t count = 0;

	for (size_t i = 0; i < past->count; i++) {
		const struct eqt_past_forecast *one = &past->list[i];

		if (one->job ? one->is.wait_s > one->is.late_s
			     : one->is.asked_s + one->is.late_s <= now_s)
			over[count++] = one->is;
	}
	eqt_forecast_correction_make(out, over, count);
	free(over);
}

/* ---- A new forecast --------------------------------------------------------------- */

/* 16 bits of a hash: enough to notice a change, and too few to find the request. */
static uint64_t mark_make(const struct eqt_live_job *job)
{
	const char *const texts[] = { job->partition, job->qos,
				      job->account,   job->tres_text,
				      job->features,  job->req_nodes,
				      job->licenses,  job->reservation };
	uint64_t hash = eqt_hash_bytes(EQT_HASH_START, &job->limit_s,
				       sizeof(job->limit_s));

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		hash = eqt_hash_bytes(hash, texts[i], strlen(texts[i]) + 1);
	return (hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) & 0xffff;
}

/* Has the job been free to start since this moment, as far as its user is concerned? A
 * job that is held and released is eligible only from its release on. */
static bool job_waits_since(const struct eqt_live_job *job, int64_t since_s)
{
	return job->pending && job->priority > 0 && job->eligible_s > 0 &&
	       job->eligible_s <= since_s && job->submit_s <= since_s;
}

/* The tasks of an array that wait together have one id, and those that start get others. */
bool eqt_past_forecast_make(struct eqt_past_forecast *out,
			    const struct eqt_live_job *job, int64_t now_s,
			    struct eqt_forecast_interval interval)
{
	if (interval.late_s >= now_s + WAIT_MAX_S || interval.early_s < now_s ||
	    strchr(job->name, '[') || !job_waits_since(job, now_s))
		return false;
	*out = (struct eqt_past_forecast){
		strtoull(job->id, NULL, 10),
		mark_make(job),
		{ now_s, interval.early_s - now_s, interval.median_s - now_s,
		  interval.late_s - now_s, 0 },
	};
	return true;
}

/* ---- Settlement ------------------------------------------------------------------ */

/* Write the id of a forecast's job. Returns buf. */
static const char *job_name(char buf[EQT_DIGITS + 1],
			    const struct eqt_past_forecast *one)
{
	(void) snprintf(buf, EQT_DIGITS + 1, "%" PRIu64, one->job);
	return buf;
}

/* A job with open forecasts. */
struct open_job {
	const char *name; /* its id */
	const struct eqt_live_job *job; /* NULL: it neither waits nor runs */
	int64_t asked_s; /* when it was forecast first */
	/* the first start since then, and the time from which it was eligible; 0: none */
	int64_t start_s, eligible_s;
};

/* List the jobs with open forecasts, and find those that wait or run. */
static void open_jobs_make(struct eqt_names *open,
			   const struct eqt_past_forecasts *past,
			   const struct eqt_live_jobs *jobs)
{
	struct open_job *one;
	char id[EQT_DIGITS + 1];
	int new;

	for (size_t i = 0; i < past->count; i++) {
		if (past->list[i].job == 0)
			continue;
		one = eqt_names_get(open, job_name(id, &past->list[i]),
				    sizeof(*one), &new);
		if (new)
			one->asked_s = past->list[i].is.asked_s;
	}
	for (size_t i = 0; i < jobs->count; i++) {
		one = eqt_names_find(open, jobs->jobs[i].id);
		if (one)
			one->job = &jobs->jobs[i];
	}
}

/* Keep the first run of a job since it was forecast. */
static void open_job_take(struct open_job *one, const struct eqt_sacct_job *job)
{
	int64_t eligible_s;

	if (job->start_s < one->asked_s ||
	    (one->start_s && one->start_s <= job->start_s) ||
	    eqt_timestamp_parse(&eligible_s, job->text[EQT_SACCT_ELIGIBLE]) <=
		    0)
		return;
	one->start_s = job->start_s;
	one->eligible_s = eligible_s;
}

/* Ask sacct for the starts of the jobs that wait no longer. Returns 0, or -1 with err
 * filled. */
static int open_jobs_ask(struct eqt_names *open, int64_t from_s, int64_t now_s,
			 struct eqt_error *err)
{
	char head[EQT_SACCT_COMMAND], *command;
	struct eqt_sacct_reader sacct;
	struct eqt_sacct_job job;
	struct open_job *one;
	size_t length, count = 0;
	FILE *to = eqt_alloc_stream(&command, &length);
	int rc = 0;

	fputs(eqt_sacct_command(head, from_s, now_s, ",Eligible -j "), to);
	for (size_t i = 0; i < open->count; i++) {
		one = open->list[i];
		if (!one->job || !one->job->pending)
			fprintf(to, "%s%s", count++ ? "," : "", one->name);
	}
	eqt_alloc_stream_close(to);
	if (count && (rc = eqt_sacct_reader_open(&sacct, NULL, command,
						 EQT_SACCT_RUNS, err)) == 0) {
		while ((rc = eqt_sacct_reader_next(&sacct, &job, err)) > 0) {
			one = eqt_names_find(open, job.text[EQT_SACCT_ID]);
			if (one)
				open_job_take(one, &job);
		}
		rc = eqt_sacct_reader_close(&sacct, rc, err);
	}
	free(command);
	return rc;
}

/* Fill in the wait of an open forecast. Returns false if the job was cancelled, held,
 * requeued or changed. */
static bool forecast_settle(struct eqt_past_forecast *one,
			    const struct open_job *now, int64_t now_s)
{
	struct eqt_forecast_past *is = &one->is;

	if (now->job && now->job->pending) {
		is->wait_s = now_s - is->asked_s;
		return job_waits_since(now->job, is->asked_s) &&
		       mark_make(now->job) == one->mark;
	}
	if (now->job && now->start_s == 0)
		return true; /* slurmdbd has not heard of the start */
	is->wait_s = now->start_s - is->asked_s;
	one->job = one->mark = 0;
	return now->start_s >= is->asked_s && now->eligible_s <= is->asked_s;
}

/* Settle what can be settled, and drop what is old. */
static int forecasts_settle(struct eqt_past_forecasts *past,
			    const struct eqt_live_cluster *live,
			    struct eqt_error *err)
{
	struct eqt_names open = { .count = 0 };
	char id[EQT_DIGITS + 1];
	size_t kept = 0;
	int rc;

	open_jobs_make(&open, past, &live->jobs);
	rc = open_jobs_ask(&open, past->count ? past->list[0].is.asked_s : 0,
			   live->now_s, err);
	for (size_t i = 0; i < past->count && rc == 0; i++) {
		struct eqt_past_forecast one = past->list[i];

		if (one.is.asked_s > live->now_s - KEPT_S &&
		    (one.job == 0 ||
		     forecast_settle(&one,
				     eqt_names_find(&open, job_name(id, &one)),
				     live->now_s)))
			past->list[kept++] = one;
	}
	if (rc == 0)
		past->count = kept;
	eqt_names_free(&open);
	return rc;
}

/* ---- The report --------------------------------------------------------------------- */

static int forecast_compare_medians(const void *a, const void *b)
{
	const struct eqt_past_forecast *x = a, *y = b;

	return x->is.median_s < y->is.median_s
		       ? -1
		       : x->is.median_s > y->is.median_s;
}

/* Was the job forecast in the last day? */
static bool job_is_known(const struct eqt_past_forecasts *past,
			 const struct eqt_past_forecast *one)
{
	for (size_t i = past->count; i-- > 0;)
		if (past->list[i].job == one->job &&
		    past->list[i].is.asked_s > one->is.asked_s - AGAIN_S)
			return true;
	return false;
}

/* Add new forecasts, at equal distances in the order of their medians. */
static void forecasts_choose(struct eqt_past_forecasts *past,
			     struct eqt_past_forecast *new_ones, size_t count,
			     int64_t now_s)
{
	size_t unknown = 0, room = HOURLY;

	for (size_t i = 0; i < past->count; i++)
		room -= room > 0 && past->list[i].is.asked_s > now_s - HOUR_S;
	for (size_t i = 0; i < count; i++)
		if (!job_is_known(past, &new_ones[i]))
			new_ones[unknown++] = new_ones[i];
	if (unknown > 0)
		qsort(new_ones, unknown, sizeof(*new_ones),
		      forecast_compare_medians);
	room = room < unknown ? room : unknown;
	for (size_t i = 0; i < room; i++)
		forecasts_add(past,
			      &new_ones[(2 * i + 1) * unknown / (2 * room)]);
}

int eqt_past_forecasts_record(struct eqt_past_forecasts *past,
			      const struct eqt_live_cluster *live,
			      struct eqt_past_forecast *new_ones, size_t count,
			      struct eqt_error *err)
{
	if (past->path[0] == '\0' || (!past->named && access(FOLDER, W_OK) < 0))
		return 0;
	if (forecasts_settle(past, live, err) < 0)
		return -1;
	forecasts_choose(past, new_ones, count, live->now_s);
	return forecasts_write(past, err);
}
