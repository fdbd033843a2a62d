/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Equal access: jobs are sorted by owner, to sum up the equivalents before each job,
 * and then by that sum. Two sorts in place; nothing else allocates.
 */
#include <stdlib.h>

#include "prio/job_order.h"

double eqt_job_order_equivalents(const struct eqt_ordered_job *job)
{
	return job->equivalents * (1.0 + job->more_tasks);
}

/* The tasks of one array stay together, at the place of the array's id. */
static uint32_t job_line_id(const struct eqt_ordered_job *job)
{
	return job->array_id ? job->array_id : job->job_id;
}

int eqt_job_order_compare(const struct eqt_ordered_job *a,
			  const struct eqt_ordered_job *b)
{
	if (a->running != b->running)
		return a->running ? -1 : 1;
	if (a->eligible != b->eligible)
		return a->eligible ? -1 : 1;
	if (a->rest > b->rest)
		return -1;
	if (a->rest < b->rest)
		return 1;
	if (job_line_id(a) != job_line_id(b))
		return job_line_id(a) < job_line_id(b) ? -1 : 1;
	if (!a->more_tasks != !b->more_tasks)
		return a->more_tasks ? 1 : -1;
	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

/* By queue and owner, and an owner's jobs in their own order. */
static int job_owner_compare(const void *x, const void *y)
{
	const struct eqt_ordered_job *a = x, *b = y;

	if (a->queue != b->queue)
		return a->queue < b->queue ? -1 : 1;
	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	return eqt_job_order_compare(a, b);
}

/* By queue, running jobs first, and waiting jobs by the sum before them: those of equal
 * sums get equal factors, in whatever order. */
static int job_access_compare(const void *x, const void *y)
{
	const struct eqt_ordered_job *a = x, *b = y;

	if (a->queue != b->queue)
		return a->queue < b->queue ? -1 : 1;
	if (a->running != b->running)
		return a->running ? -1 : 1;
	return a->access < b->access ? -1 : a->access > b->access;
}

/* Set access of each job to the equivalents that its owner has before it. */
static void access_sum_all(struct eqt_ordered_job *jobs, size_t count)
{
	double sum = 0;

	qsort(jobs, count, sizeof(*jobs), job_owner_compare);
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && (jobs[i].queue != jobs[i - 1].queue ||
			      jobs[i].owner != jobs[i - 1].owner))
			sum = 0;
		jobs[i].access = sum;
		sum += eqt_job_order_equivalents(&jobs[i]);
	}
}

/* From sums to factors, for the waiting jobs of one queue in order of sums. */
static void access_rank_queue(struct eqt_ordered_job *jobs, size_t count)
{
	size_t lesser = 0;
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (jobs[i].access > sum)
			lesser = i;
		sum = jobs[i].access;
		jobs[i].access = 1 - (double) lesser / (double) count;
	}
}

void eqt_job_order_access(struct eqt_ordered_job *jobs, size_t count)
{
	size_t i = 0;

	if (!count)
		return;
	access_sum_all(jobs, count);
	qsort(jobs, count, sizeof(*jobs), job_access_compare);
	while (i < count) {
		size_t begin;

		for (; i < count && jobs[i].running; i++)
			jobs[i].access = 0;
		begin = i;
		while (i < count && !jobs[i].running &&
		       jobs[i].queue == jobs[begin].queue)
			i++;
		access_rank_queue(jobs + begin, i - begin);
	}
}
