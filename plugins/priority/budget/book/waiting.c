/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "budget/book/waiting.h"

size_t eqt_waiting_place(const struct eqt_waiting *waiting, uint32_t id)
{
	/* The jobs are sorted by id. This binary search finds the first job
	   whose id is not lower. */
	size_t low = 0, high = waiting->count;

	/* Most calls are for a new job, whose id is the highest. */
	if (high && waiting->job[high - 1].id < id)
		return high;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (waiting->job[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct eqt_waiting_job *eqt_waiting_get(const struct eqt_waiting *waiting,
					uint32_t id)
{
	size_t at = eqt_waiting_place(waiting, id);

	return at < waiting->count && waiting->job[at].id == id
		       ? &waiting->job[at]
		       : NULL;
}

int eqt_waiting_set(struct eqt_waiting *waiting,
		    const struct eqt_waiting_job *job)
{
	size_t at = eqt_waiting_place(waiting, job->id);
	bool new = at == waiting->count || waiting->job[at].id != job->id;

	if (new) {
		if (EQT_ARRAY_ROOM(waiting->job, waiting->count) < 0)
			return -1;
		memmove(&waiting->job[at + 1], &waiting->job[at],
			(waiting->count - at) * sizeof(*job));
		waiting->count++;
	} else
		waiting->held -= waiting->job[at].state == EQT_WAITING_HELD;
	waiting->job[at] = *job;
	waiting->held += job->state == EQT_WAITING_HELD;
	return 0;
}

void eqt_waiting_forget(struct eqt_waiting *waiting, uint32_t id)
{
	size_t at = eqt_waiting_place(waiting, id);

	if (at == waiting->count || waiting->job[at].id != id)
		return;
	waiting->held -= waiting->job[at].state == EQT_WAITING_HELD;
	waiting->count--;
	memmove(&waiting->job[at], &waiting->job[at + 1],
		(waiting->count - at) * sizeof(*waiting->job));
}

void eqt_waiting_free(struct eqt_waiting *waiting)
{
	free(waiting->job);
	*waiting = (struct eqt_waiting){ .job = NULL };
}
