/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting jobs, each beside its user. How many go before a job is counted for all
 * jobs of the same partitions together: once sorted by priority, a job's place is
 * a search.
 */
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "why/wait.h"

/* Jobs that name the same partitions. */
struct group {
	const char *partitions;
	uint64_t *priority; /* of all that wait in one of them, ascending */
	size_t count;
};

typedef const struct eqt_live_job *job_pointer;

/* Waiting jobs, sorted by the text of their partitions. */
struct waiting {
	job_pointer *job;
	size_t count;
};

/* Jobs of the same list of partitions stand together, and share one count. */
static int job_compare_partitions(const void *a, const void *b)
{
	return strcmp((*(const job_pointer *) a)->partition,
		      (*(const job_pointer *) b)->partition);
}

/* Ascending, so that the list of a user, which grows at its head, descends. */
static int queue_compare_jobs(const void *a, const void *b)
{
	const job_pointer x = *(const job_pointer *) a;
	const job_pointer y = *(const job_pointer *) b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return x->submit_s == y->submit_s  ? 0
	       : x->submit_s > y->submit_s ? -1
					   : 1;
}

static int number_compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

	return x < y ? -1 : x > y;
}

/* The priorities of all jobs that wait in a partition of the group. A job in several
 * partitions competes in each of them. */
static int group_fill(struct group *group, const struct eqt_report *report,
		      const struct waiting *waiting)
{
	const char *last = NULL;
	bool meet = false;
	size_t i;

	group->count = 0;
	group->priority = malloc((waiting->count + 1) * sizeof(uint64_t));
	if (!group->priority)
		return -1;
	for (i = 0; i < waiting->count; i++) {
		const job_pointer job = waiting->job[i];

		if (!last || strcmp(last, job->partition) != 0)
			meet = eqt_why_wait_meet(group->partitions,
						 job->partition);
		last = job->partition;
		if (meet && eqt_why_wait_is_eligible(job, report->live.now_s))
			group->priority[group->count++] = job->priority;
	}
	qsort(group->priority, group->count, sizeof(uint64_t), number_compare);
	return 0;
}

/* How many of the group have a higher priority. By halves: the priorities are sorted. */
static size_t group_above(const struct group *group, uint64_t priority)
{
	size_t low = 0, high = group->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (group->priority[middle] > priority)
			high = middle;
		else
			low = middle + 1;
	}
	return group->count - low;
}

/* 0, or -1: out of memory. */
static int queue_count_ahead(struct eqt_report *report,
			     const struct waiting *waiting)
{
	struct group group = { .partitions = NULL };
	size_t i;

	for (i = 0; i < waiting->count; i++) {
		const job_pointer job = waiting->job[i];

		if (!group.partitions ||
		    strcmp(group.partitions, job->partition) != 0) {
			free(group.priority);
			group.partitions = job->partition;
			if (group_fill(&group, report, waiting) < 0)
				return -1;
		}
		report->ahead[job - report->live.jobs.jobs] =
			(struct eqt_report_ahead){
				.jobs = group_above(&group, job->priority),
				.pending = group.count,
			};
	}
	free(group.priority);
	return 0;
}

/* Jobs in other states, such as COMPLETING, count neither as running nor as waiting. */
static int queue_add_job(struct eqt_report *report, uint32_t at)
{
	const struct eqt_live_job *job = &report->live.jobs.jobs[at];
	struct eqt_report_account *account;
	struct eqt_report_user *user;
	struct eqt_report_pair *pair;

	if (!job->pending && !job->running)
		return 0;
	user = eqt_report_user(report, job->user);
	account = eqt_report_account(report, job->account);
	pair = eqt_report_pair(report, job->account, job->user);
	if (!user || !account || !pair)
		return -1;
	if (job->pending) {
		report->next_waiting[at] = user->waiting;
		user->waiting = at;
	}
	report->use.waiting += job->pending;
	user->use.waiting += job->pending;
	account->use.waiting += job->pending;
	pair->use.waiting += job->pending;
	report->use.running += job->running;
	user->use.running += job->running;
	account->use.running += job->running;
	pair->use.running += job->running;
	return 0;
}

int eqt_report_queue(struct eqt_report *report)
{
	const struct eqt_live_jobs *jobs = &report->live.jobs;
	struct waiting waiting = { .count = 0 };
	job_pointer *order = malloc((jobs->count + 1) * sizeof(job_pointer));
	size_t i;
	int rc = 0;

	report->next_waiting = calloc(jobs->count + 1, sizeof(uint32_t));
	report->ahead = calloc(jobs->count + 1, sizeof(*report->ahead));
	waiting.job = malloc((jobs->count + 1) * sizeof(job_pointer));
	if (!order || !report->next_waiting || !report->ahead || !waiting.job)
		rc = -1;
	for (i = 0; rc == 0 && i < jobs->count; i++) {
		order[i] = &jobs->jobs[i];
		if (jobs->jobs[i].pending)
			waiting.job[waiting.count++] = &jobs->jobs[i];
	}
	if (rc == 0) {
		qsort(order, jobs->count, sizeof(*order), queue_compare_jobs);
		qsort(waiting.job, waiting.count, sizeof(job_pointer),
		      job_compare_partitions);
		rc = queue_count_ahead(report, &waiting);
	}
	for (i = 0; rc == 0 && i < jobs->count; i++)
		rc = queue_add_job(report, (uint32_t) (order[i] - jobs->jobs));
	free(waiting.job);
	free(order);
	return rc;
}
