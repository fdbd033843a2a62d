/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array of N tasks is one record in Slurm until tasks start, so one place would
 * count for N jobs. Some tasks of arrays near the front get records of their own, so
 * that each of them has its own place.
 */
#include "prio/job_order.h"

/* The number of jobs with a place; a place gives a factor above 0. */
static size_t array_places(const struct eqt_ordered_job *jobs, size_t count)
{
	size_t places = 0;

	for (size_t i = 0; i < count; i++)
		places += jobs[i].fairshare > 0;
	return places;
}

/* The factor falls evenly from the first place to the last. */
static bool job_is_in_front(const struct eqt_ordered_job *job, size_t places,
			    size_t ahead)
{
	double behind = places > ahead ? (double) (places - ahead) : 0;

	return job->fairshare * (double) places > behind + 0.5;
}

static uint32_t places_lesser(size_t a, size_t b)
{
	return (uint32_t) (a < b ? a : b);
}

size_t eqt_job_order_tasks_ahead(struct eqt_ordered_job *jobs, size_t count,
				 size_t ahead)
{
	size_t places = array_places(jobs, count), in_front = 0, arrays = 0;
	size_t each, all = 0;

	for (size_t i = 0; i < count; i++) {
		jobs[i].taken_out = 0;
		if (!job_is_in_front(&jobs[i], places, ahead))
			continue;
		in_front++;
		arrays += jobs[i].more_tasks > 0;
	}
	if (!arrays)
		return 0;
	/* At least one each: the rest of an array then moves back. */
	each = (ahead - in_front) / arrays + 1;
	for (size_t i = 0; i < count; i++) {
		if (!jobs[i].more_tasks ||
		    !job_is_in_front(&jobs[i], places, ahead))
			continue;
		jobs[i].taken_out = places_lesser(jobs[i].more_tasks, each);
		all += jobs[i].taken_out;
	}
	return all;
}
