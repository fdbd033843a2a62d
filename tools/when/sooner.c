/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which changes of a job would start it sooner.
 *
 * Each change is tried by itself, in the same futures as the unchanged job: everything
 * else that is drawn at random is the same in both. A change is listed if it brings
 * the start forward in at least PART_MIN of the futures. A smaller request counts only
 * if it starts at once, or if the unchanged job does not start at all. Forecasts that
 * it would fit beside other jobs at a later time never came true on real clusters
 * (docs/SIMULATE.md). The number of futures depends on the work that one future takes,
 * not on the clock, so that another call prints the same.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "slurm/scontrol/partitions.h"
#include "slurm/text/duration.h"
#include "when/when.h"

#define GAIN_MIN_S 300 /* seconds; less does not count as a gain */
#define AT_ONCE_S 120
#define PART_MIN 0.8
#define TRIES_MAX 10
#define LIMIT_MIN_S 300 /* no shorter limit is tried */
#define FUTURES_MAX 40
#define FUTURES_MIN 10
/* work for all changes together: a second or two (forecast.h) */
#define WORK 5000000
/* the same, if futures take more work than the first future of the unchanged job */
#define WORK_MOST (3 * WORK)

/* A change of a job that is tried. */
struct sooner_try {
	struct eqt_simulation_job job;
	/* whether the change asks for less than the job, apart from the time limit */
	bool smaller;
	char words[EQT_WHEN_WORDS];
};

static void try_words_limit(struct sooner_try *one)
{
	const uint32_t minutes = one->job.limit_s / 60;

	(void) snprintf(one->words, sizeof(one->words),
			"a time limit of %" PRIu32 ":%02" PRIu32 ":00",
			minutes / 60, minutes % 60);
}

/* Half of an amount, rounded up, but at least "least". */
static uint64_t half_of(uint64_t amount, uint64_t least)
{
	return eqt_whole_max((amount + 1) / 2, least);
}

/* Add a try with a time limit in whole minutes, unless that limit is not shorter or is
 * already among the tries. Returns the number of tries afterwards. */
static int try_limit(struct sooner_try *to, int count,
		     const struct eqt_simulation_job *job, int64_t limit_s)
{
	const int64_t whole_s = limit_s / 60 * 60;

	if (whole_s < LIMIT_MIN_S || whole_s >= job->limit_s)
		return count;
	for (int i = 0; i < count; i++)
		if (to[i].job.limit_s == whole_s)
			return count;
	to[count] = (struct sooner_try){ .job = *job };
	to[count].job.limit_s = (uint32_t) whole_s;
	try_words_limit(&to[count]);
	return count + 1;
}

/* The seconds until the next reservation begins; INT64_MAX: there is none. */
static int64_t gap_to_reservation(const struct eqt_scene *scene)
{
	int64_t least = INT64_MAX;

	for (uint32_t i = 0; i < scene->now.reservation_count; i++) {
		const int64_t gap =
			scene->reservations[i].from - scene->live->now_s;

		if (gap > 0 && gap < least)
			least = gap;
	}
	return least;
}

/* The seconds until the next start that Slurm's backfill has planned in the partition of
 * the job; INT64_MAX: none is planned. */
static int64_t gap_to_plan(const struct eqt_scene *scene,
			   const struct eqt_live_job *job)
{
	const struct eqt_live_jobs *jobs = &scene->live->jobs;
	const int64_t now = scene->live->now_s;
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < jobs->count; i++) {
		const struct eqt_live_job *other = &jobs->jobs[i];

		if (other->pending && other != job && other->eligible_s > 0 &&
		    other->eligible_s <= now && other->start_s > now &&
		    other->start_s - now < least &&
		    strcmp(other->partition, job->partition) == 0)
			least = other->start_s - now;
	}
	return least;
}

/* Try shorter limits: parts of the present limit, and limits that end before a
 * reservation or a planned start. A tenth is left for the time until the job is
 * submitted. */
static int tries_of_limit(struct sooner_try *to, const struct eqt_scene *scene,
			  const struct eqt_when_row *row,
			  const struct eqt_simulation_job *job)
{
	int count = try_limit(to, 0, job, job->limit_s / 2);

	count = try_limit(to, count, job, job->limit_s / 4);
	count = try_limit(to, count, job, gap_to_reservation(scene) / 10 * 9);
	return try_limit(to, count, job, gap_to_plan(scene, row->job) / 10 * 9);
}

/* Smaller, less memory. */
static int tries_of_size(struct sooner_try *to,
			 const struct eqt_simulation_job *job)
{
	int count = 0;

	if (job->nodes > 1) {
		struct eqt_simulation_job *half = &to[count].job;

		to[count] = (struct sooner_try){ .job = *job, .smaller = true };
		half->nodes = job->nodes / 2;
		half->all.cpus = half_of(job->all.cpus, half->nodes);
		half->all.mem_mib = half_of(job->all.mem_mib, 0);
		half->all.gpus = half_of(job->all.gpus, 0);
		(void) snprintf(to[count].words, sizeof(to[count].words),
				"half the size, %" PRIu32
				" node%s with %" PRIu64 " CPUs",
				half->nodes, half->nodes == 1 ? "" : "s",
				half->all.cpus);
		count++;
	}
	if (job->all.mem_mib > 1) {
		to[count] = (struct sooner_try){ .job = *job, .smaller = true };
		to[count].job.all.mem_mib = half_of(job->all.mem_mib, 1);
		(void) snprintf(to[count].words, sizeof(to[count].words),
				"half the memory, %" PRIu64 " MiB",
				to[count].job.all.mem_mib);
		count++;
	}
	return count;
}

/* Does the partition allow the job, with this time limit? */
static bool partition_allows(const struct eqt_scene *scene, uint32_t i,
			     const struct eqt_live_job *job, uint32_t limit_s)
{
	const struct eqt_scontrol_record *record = eqt_scontrol_partition_find(
		&scene->live->partitions, scene->partitions[i].name);
	const char *list;
	uint64_t most;

	return record &&
	       !eqt_limits_account_key(&list, &scene->live->limits, record,
				       job) &&
	       !eqt_limits_qos_is_out(record, job->qos) &&
	       (eqt_duration_parse(&most, eqt_record_text(record, "MaxTime")) <
			0 ||
		most >= limit_s);
}

/* Try the same job in each other partition that allows it. */
static int tries_of_partitions(struct sooner_try *to, int most,
			       const struct eqt_scene *scene,
			       const struct eqt_when_row *row,
			       const struct eqt_simulation_job *job)
{
	int count = 0;

	for (uint32_t i = 0;
	     i < scene->now.cluster.partition_count && count < most; i++) {
		if (i == job->partition ||
		    !partition_allows(scene, i, row->job, job->limit_s))
			continue;
		to[count] = (struct sooner_try){ .job = *job };
		to[count].job.partition = (uint16_t) i;
		(void) snprintf(to[count].words, sizeof(to[count].words),
				"partition %.100s", scene->partitions[i].name);
		count++;
	}
	return count;
}

/* The earliest start comes first. */
static int sooner_compare(const void *a, const void *b)
{
	const struct eqt_when_sooner *left = a, *right = b;

	return left->median_s < right->median_s
		       ? -1
		       : left->median_s > right->median_s;
}

/* Find the starts of the job in the paired futures. Returns 0, or -1 with err filled. */
static int sooner_forecast(struct eqt_forecast_starts *out,
			   const struct eqt_scene *scene,
			   const struct eqt_when_row *row,
			   const struct eqt_when_effort *effort,
			   struct eqt_error *err)
{
	const struct eqt_scene_effort paired = {
		.seed = effort->seed,
		.futures = effort->futures,
		.work_most = WORK_MOST / TRIES_MAX,
		.paired = true,
		.what = "trying changes",
	};

	return eqt_scene_forecast(out, scene, &row->index, 1, &paired, err);
}

/* The part of the futures in which b starts earlier than a by at least GAIN_MIN_S, and
 * not after `until`, unless a does not start at all. */
static double part_sooner(const struct eqt_forecast_starts *a,
			  const struct eqt_forecast_starts *b, int64_t until)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < a->futures; i++)
		count += b->starts[i] != EQT_FORECAST_LATER &&
			 b->starts[i] <= a->starts[i] - GAIN_MIN_S &&
			 (b->starts[i] <= until ||
			  a->starts[i] == EQT_FORECAST_LATER);
	return (double) count / a->futures;
}

/* The median of the starts. Sorts them. */
static int64_t starts_median(struct eqt_forecast_starts *starts)
{
	qsort(starts->starts, starts->futures, sizeof(*starts->starts),
	      eqt_whole_compare_times);
	return eqt_forecast_quantile(starts, 0, 0.5);
}

/* Try a change, and fill *out. Returns 1 if the change helps, 0 if not or if it would take
 * too much work, or -1 with err filled. The caller restores the job. */
static int try_change(struct eqt_when_sooner *out, struct eqt_scene *scene,
		      const struct eqt_when_row *row,
		      const struct sooner_try *one,
		      const struct eqt_forecast_starts *as_it_is,
		      const struct eqt_when_effort *effort,
		      struct eqt_error *err)
{
	const struct eqt_simulation_job job = scene->jobs[row->index];
	struct eqt_forecast_starts starts;

	eqt_scene_queue_resize(scene, row->index, &one->job, row->job);
	if (sooner_forecast(&starts, scene, row, effort, err) < 0)
		return -1;
	if (starts.futures < as_it_is->futures) {
		eqt_forecast_starts_free(&starts);
		return 0;
	}
	out->part = part_sooner(as_it_is, &starts,
				one->smaller ? scene->live->now_s + AT_ONCE_S
					     : INT64_MAX);
	out->median_s = starts_median(&starts);
	eqt_forecast_starts_free(&starts);
	out->hours_before = eqt_scene_hours(scene, &job);
	out->hours = eqt_scene_hours(scene, &one->job);
	memcpy(out->words, one->words, sizeof(out->words));
	return out->part >= PART_MIN && out->median_s != EQT_FORECAST_LATER;
}

/* Try all changes. Returns how many of them help, or -1 with err filled. If the futures of
 * the unchanged job take too much work, there are fewer of them. */
static int tries_run(struct eqt_when_sooner *found, struct eqt_scene *scene,
		     const struct eqt_when_row *row,
		     const struct sooner_try *tries, int count,
		     struct eqt_when_effort *effort, struct eqt_error *err)
{
	const struct eqt_simulation_job job = scene->jobs[row->index];
	const struct eqt_simulation_needs needs = scene->needs[row->index];
	struct eqt_forecast_starts as_it_is;
	int kept = 0, rc = 0;

	if (sooner_forecast(&as_it_is, scene, row, effort, err) < 0)
		return -1;
	effort->futures = as_it_is.futures;
	if (effort->futures < FUTURES_MIN)
		count = 0;
	for (int i = 0; i < count && rc >= 0; i++) {
		rc = try_change(&found[kept], scene, row, &tries[i], &as_it_is,
				effort, err);
		scene->jobs[row->index] = job;
		scene->needs[row->index] = needs;
		kept += rc > 0;
	}
	eqt_forecast_starts_free(&as_it_is);
	return rc < 0 ? -1 : kept;
}

/* The best changes come first. */
int eqt_when_sooner_find(struct eqt_when_sooner *out, struct eqt_scene *scene,
			 const struct eqt_when_row *row,
			 struct eqt_when_effort *effort, struct eqt_error *err)
{
	const struct eqt_simulation_job job = scene->jobs[row->index];
	struct eqt_when_sooner found[TRIES_MAX + 1];
	struct sooner_try tries[TRIES_MAX];
	int count = tries_of_limit(tries, scene, row, &job), kept;
	uint64_t futures;

	count += tries_of_size(tries + count, &job);
	count += tries_of_partitions(tries + count, TRIES_MAX - count, scene,
				     row, &job);
	futures = WORK / (uint64_t) (count + 1) / (effort->work + 1);
	effort->futures = futures < FUTURES_MAX ? (uint32_t) futures
						: FUTURES_MAX;
	if (effort->futures < FUTURES_MIN)
		return 0;
	kept = tries_run(found, scene, row, tries, count, effort, err);
	if (kept > 1)
		qsort(found, (size_t) kept, sizeof(*found), sooner_compare);
	if (kept > EQT_WHEN_SOONER_MAX)
		kept = EQT_WHEN_SOONER_MAX;
	if (kept > 0)
		memcpy(out, found, (size_t) kept * sizeof(*out));
	return kept;
}
