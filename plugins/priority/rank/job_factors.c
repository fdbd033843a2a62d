/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdlib.h>

#include "rank/job_factors.h"

struct entry {
	uint32_t job_id;
	struct eqt_job_factor standing;
};

static struct {
	pthread_mutex_t lock;
	struct entry *now; /* by job id */
	size_t count;
	size_t space;
	struct entry *next; /* filled without the lock, then swapped in */
	size_t next_space;
} standings = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int compare_entries(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

static int compare_jobs(const void *x, const void *y)
{
	const struct eqt_ordered_job *a = x, *b = y;

	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

struct eqt_job_factor eqt_job_factors_of(uint32_t job_id)
{
	struct eqt_job_factor standing = { 0 };
	const struct entry key = { .job_id = job_id }, *found = NULL;

	pthread_mutex_lock(&standings.lock);
	if (standings.count)
		found = bsearch(&key, standings.now, standings.count,
				sizeof(key), compare_entries);
	if (found)
		standing = found->standing;
	pthread_mutex_unlock(&standings.lock);
	return standing;
}

static int make_space(size_t count)
{
	struct entry *entries;

	if (count <= standings.next_space)
		return 0;
	entries = realloc(standings.next, 2 * count * sizeof(*entries));
	if (!entries)
		return -1;
	standings.next = entries;
	standings.next_space = 2 * count;
	return 0;
}

static void swap_in(size_t count)
{
	struct entry *now;
	size_t space;

	pthread_mutex_lock(&standings.lock);
	now = standings.now;
	space = standings.space;
	standings.now = standings.next;
	standings.space = standings.next_space;
	standings.count = count;
	pthread_mutex_unlock(&standings.lock);
	standings.next = now;
	standings.next_space = space;
}

void eqt_job_factors_set(struct eqt_ordered_job *jobs, size_t count)
{
	if (make_space(count) < 0)
		return;
	if (count)
		qsort(jobs, count, sizeof(*jobs), compare_jobs);
	for (size_t i = 0; i < count; i++)
		standings.next[i] = (struct entry){
			jobs[i].job_id,
			{ jobs[i].fairshare, jobs[i].access },
		};
	swap_in(count);
}

void eqt_job_factors_clear(void)
{
	pthread_mutex_lock(&standings.lock);
	free(standings.now);
	free(standings.next);
	standings.now = standings.next = NULL;
	standings.count = standings.space = standings.next_space = 0;
	pthread_mutex_unlock(&standings.lock);
}
