/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "../clock.h"
#include "../fail.h"
#include "../jobs.h"
#include "scheduler.h"

#define MIN_JOB_AGE_S 60

static struct {
	int64_t run_s[JOBS_MAX]; /* 0: without a limit */
	job_record_t *waiting[JOBS_MAX];
	size_t waiting_count;
	uint32_t over[JOBS_MAX]; /* ids of jobs to be ended or purged */
	size_t over_count;
	uint64_t used;
} scheduler;

void scheduler_note(const struct words *words)
{
	int64_t id = words_int_at(words, 1, "the job");

	if (id > 0 && id < JOBS_MAX)
		scheduler.run_s[id] = words_int(words, "run", 0);
}

void scheduler_copy(uint32_t job_id, uint32_t other)
{
	scheduler.run_s[job_id] = scheduler.run_s[other];
}

/* An event in the form of a history. */
static void happen(void (*event)(const struct words *), uint32_t job_id)
{
	char line[32];
	struct words words;

	(void) snprintf(line, sizeof(line), "event %u", job_id);
	words_cut(&words, line);
	event(&words);
}

static uint64_t cpus_of(const job_record_t *job)
{
	return job->tres_req_cnt[TRES_ARRAY_CPU];
}

/* The record of an array stays while tasks of it run. */
static bool is_old(const job_record_t *job)
{
	return time(NULL) >= job->end_time + MIN_JOB_AGE_S &&
	       !(job->array_recs && job->array_recs->tot_run_tasks);
}

static int look_at(void *item, void *arg)
{
	job_record_t *job = item;
	int64_t run_s = scheduler.run_s[job->job_id];

	(void) arg;
	if (IS_JOB_PENDING(job) && job->priority &&
	    job->details->begin_time <= time(NULL))
		scheduler.waiting[scheduler.waiting_count++] = job;
	if (IS_JOB_FINISHED(job) && is_old(job))
		scheduler.over[scheduler.over_count++] = job->job_id;
	if (!IS_JOB_RUNNING(job))
		return 0;
	if ((run_s && time(NULL) >= job->start_time + run_s) ||
	    time(NULL) >= job->end_time)
		scheduler.over[scheduler.over_count++] = job->job_id;
	else
		scheduler.used += cpus_of(job);
	return 0;
}

static int compare(const void *x, const void *y)
{
	const job_record_t *a = *(job_record_t *const *) x;
	const job_record_t *b = *(job_record_t *const *) y;

	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	return a->job_id < b->job_id ? -1 : 1;
}

static void cycle(uint64_t cpus)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };

	scheduler.waiting_count = scheduler.over_count = 0;
	scheduler.used = 0;
	lock_slurmctld(locks);
	list_for_each_ro(job_list, look_at, NULL);
	unlock_slurmctld(locks);
	for (size_t i = 0; i < scheduler.over_count; i++) {
		if (IS_JOB_FINISHED(find_job_record(scheduler.over[i])))
			happen(jobs_purge, scheduler.over[i]);
		else
			happen(jobs_end, scheduler.over[i]);
	}
	qsort(scheduler.waiting, scheduler.waiting_count,
	      sizeof(*scheduler.waiting), compare);
	for (size_t i = 0; i < scheduler.waiting_count; i++) {
		job_record_t *job = scheduler.waiting[i];

		if (scheduler.used + cpus_of(job) > cpus)
			break;
		scheduler.used += cpus_of(job);
		happen(jobs_start, job->job_id);
	}
}

void scheduler_run(const struct words *words)
{
	int64_t seconds = words_int_at(words, 1, "the seconds");
	int64_t cpus = words_int(words, "cpu", 0);

	if (cpus < 1)
		fail("cpu=N is missing");
	for (int64_t i = 0; i < seconds; i++) {
		cycle((uint64_t) cpus);
		clock_advance(1);
	}
}
