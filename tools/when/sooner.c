/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each change is forecast with the same futures as the job itself. Each change is tried
 * by itself. It is told only if it brings the start forward by GAIN_MIN_S, since
 * futures are drawn by chance. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "slurm/text/duration.h"
#include "slurm/scontrol/partitions.h"
#include "when/when.h"

#define GAIN_MIN_S 300 /* less is within the error */
#define TRIES_MAX 8
#define SECONDS_MAX 1 /* for all changes */

/* A change of a job. */
struct sooner_try {
	struct eqt_simulation_job job;
	char words[EQT_WHEN_WORDS];
};

static void try_words_limit(struct sooner_try *one)
{
	const uint32_t minutes = one->job.limit_s / 60;

	(void) snprintf(one->words, sizeof(one->words),
			"a time limit of %" PRIu32 ":%02" PRIu32 ":00",
			minutes / 60, minutes % 60);
}

/* Half of an amount, rounded up, but not below the nodes. */
static uint64_t half_of(uint64_t amount, uint64_t least)
{
	const uint64_t half = (amount + 1) / 2;

	return half < least ? least : half;
}

/* Shorter, smaller, less memory. */
static int tries_of_size(struct sooner_try *to,
			 const struct eqt_simulation_job *job)
{
	int count = 0;

	for (uint32_t part = 2; part <= 4 && job->limit_s / part >= 300;
	     part *= 2) {
		to[count].job = *job;
		to[count].job.limit_s = job->limit_s / part / 60 * 60;
		try_words_limit(&to[count++]);
	}
	if (job->nodes > 1) {
		struct eqt_simulation_job *half = &to[count].job;

		*half = *job;
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
		to[count].job = *job;
		to[count].job.all.mem_mib = half_of(job->all.mem_mib, 1);
		(void) snprintf(to[count].words, sizeof(to[count].words),
				"half the memory, %" PRIu64 " MiB",
				to[count].job.all.mem_mib);
		count++;
	}
	return count;
}

/* Does the partition let the account in, for so long? */
static bool partition_allows(const struct eqt_scene *scene, uint32_t i,
			     const char *account, uint32_t limit_s)
{
	const struct eqt_scontrol_record *record = eqt_scontrol_partition_find(
		&scene->live->partitions, scene->partitions[i].name);
	struct eqt_scontrol_value allowed;
	char list[4096];
	uint64_t most;

	if (!record)
		return false;
	allowed = eqt_scontrol_record_get(record, "AllowAccounts");
	(void) snprintf(list, sizeof(list), "%.*s", (int) allowed.length,
			allowed.text ? allowed.text : "ALL");
	if (strcmp(list, "ALL") != 0 && !eqt_live_jobs_listed(list, account))
		return false;
	allowed = eqt_scontrol_record_get(record, "MaxTime");
	(void) snprintf(list, sizeof(list), "%.*s", (int) allowed.length,
			allowed.text ? allowed.text : "");
	return eqt_duration_parse(&most, list) < 0 || most >= limit_s;
}

/* The same job in each other partition that takes it. */
static int tries_of_partitions(struct sooner_try *to, int most,
			       const struct eqt_scene *scene,
			       const struct eqt_when_row *row,
			       const struct eqt_simulation_job *job)
{
	int count = 0;

	for (uint32_t i = 0;
	     i < scene->now.cluster.partition_count && count < most; i++) {
		if (i == job->partition ||
		    !partition_allows(scene, i, row->account, job->limit_s))
			continue;
		to[count].job = *job;
		to[count].job.partition = (uint16_t) i;
		(void) snprintf(to[count].words, sizeof(to[count].words),
				"partition %.100s", scene->partitions[i].name);
		count++;
	}
	return count;
}

/* The earliest first. */
static int sooner_compare(const void *a, const void *b)
{
	const struct eqt_when_sooner *left = a, *right = b;

	return left->median_s < right->median_s
		       ? -1
		       : left->median_s > right->median_s;
}

/* Its median; 0: it starts in no future that was looked at. -1 with err filled. The job
 * is put back by the caller. */
static int64_t try_median(struct eqt_scene *scene,
			  const struct eqt_when_row *row,
			  const struct sooner_try *one,
			  const struct eqt_scene_effort *effort,
			  struct eqt_error *err)
{
	struct eqt_forecast_starts starts;
	int64_t median = 0;

	if (eqt_scene_resize(scene, row->index, &one->job, row->job, err) < 0 ||
	    eqt_scene_forecast(&starts, scene, &row->index, 1, effort, err) < 0)
		return -1;
	if (starts.futures)
		median = eqt_forecast_quantile(&starts, 0, 0.5);
	eqt_forecast_starts_free(&starts);
	return median == EQT_FORECAST_LATER ? 0 : median;
}

/* The best come first. Returns how many there are, or -1 with err filled. */
int eqt_when_sooner_find(struct eqt_when_sooner *out, struct eqt_scene *scene,
			 const struct eqt_when_row *row,
			 const struct eqt_scene_effort *effort,
			 struct eqt_error *err)
{
	const struct eqt_simulation_job job = scene->jobs[row->index];
	const struct eqt_simulation_needs needs = scene->needs[row->index];
	struct eqt_when_sooner found[TRIES_MAX];
	struct sooner_try tries[TRIES_MAX];
	int count = tries_of_size(tries, &job), kept = 0;
	const time_t began = time(NULL);

	count += tries_of_partitions(tries + count, TRIES_MAX - count, scene,
				     row, &job);
	/* A long queue takes long: some changes are not tried then. */
	for (int i = 0; i < count && time(NULL) - began < SECONDS_MAX; i++) {
		const int64_t median =
			try_median(scene, row, &tries[i], effort, err);

		scene->jobs[row->index] = job;
		scene->needs[row->index] = needs;
		if (median < 0)
			return -1;
		if (!median ||
		    (row->median_s && median > row->median_s - GAIN_MIN_S))
			continue;
		found[kept].median_s = median;
		found[kept].hours_before = eqt_scene_hours(scene, &job);
		found[kept].hours = eqt_scene_hours(scene, &tries[i].job);
		memcpy(found[kept++].words, tries[i].words,
		       sizeof(tries[i].words));
	}
	if (kept > 1)
		qsort(found, (size_t) kept, sizeof(*found), sooner_compare);
	if (kept > EQT_WHEN_SOONER_MAX)
		kept = EQT_WHEN_SOONER_MAX;
	memcpy(out, found, (size_t) kept * sizeof(*out));
	return kept;
}
