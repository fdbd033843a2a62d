/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "walk/job_times.h"

/* Index of the job, or of where it belongs. */
static size_t find(const struct eqt_job_times *times, uint32_t job_id)
{
	size_t low = 0, high = times->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (times->entries[mid].job_id < job_id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int grow(struct eqt_job_times *times)
{
	size_t space = times->space ? times->space * 2 : 64;
	struct eqt_job_time *entries =
		realloc(times->entries, space * sizeof(*entries));

	if (!entries)
		return -1;
	times->entries = entries;
	times->space = space;
	return 0;
}

struct eqt_job_time *eqt_job_times_find(const struct eqt_job_times *times,
					uint32_t job_id)
{
	size_t at = find(times, job_id);

	if (at == times->count || times->entries[at].job_id != job_id)
		return NULL;
	return &times->entries[at];
}

void eqt_job_times_set(struct eqt_job_times *times, uint32_t job_id,
		       time_t value)
{
	size_t at = find(times, job_id);

	if (at < times->count && times->entries[at].job_id == job_id) {
		times->entries[at].value = value;
		return;
	}
	if (times->count == times->space && grow(times) < 0)
		return;
	for (size_t i = times->count; i > at; i--)
		times->entries[i] = times->entries[i - 1];
	times->entries[at] = (struct eqt_job_time){ job_id, value };
	times->count++;
}

void eqt_job_times_prune(struct eqt_job_times *times, time_t least)
{
	size_t kept = 0;

	for (size_t i = 0; i < times->count; i++)
		if (times->entries[i].value > least)
			times->entries[kept++] = times->entries[i];
	times->count = kept;
}

void eqt_job_times_forget(struct eqt_job_times *times, uint32_t job_id)
{
	size_t at = find(times, job_id);

	if (at == times->count || times->entries[at].job_id != job_id)
		return;
	times->count--;
	for (size_t i = at; i < times->count; i++)
		times->entries[i] = times->entries[i + 1];
}

void eqt_job_times_clear(struct eqt_job_times *times)
{
	free(times->entries);
	*times = (struct eqt_job_times){ .entries = NULL };
}
