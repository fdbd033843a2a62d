/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two arrays of factors: threads read one array while a pass fills the
 * other. */
#include <stdlib.h>

#include "base/array.h"
#include "prio/job_order.h"
#include "rank/job_factors.h"

/* Compare job ids for bsearch(). A subtraction could wrap. */
static int job_factor_compare(const void *x, const void *y)
{
	const struct eqt_job_factor_entry *a = x, *b = y;

	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

struct eqt_job_factor eqt_job_factors_of(struct eqt_job_factors *factors,
					 uint32_t job_id)
{
	struct eqt_job_factor factor = { 0 };
	const struct eqt_job_factor_entry key = { .job_id = job_id },
					  *found = NULL;

	pthread_mutex_lock(&factors->lock);
	if (factors->count)
		found = bsearch(&key, factors->now, factors->count, sizeof(key),
				job_factor_compare);
	if (found)
		factor = found->factor;
	pthread_mutex_unlock(&factors->lock);
	return factor;
}

/* Exchange the two arrays. The lock is held only for that, so that a reader
 * never waits for a sort or an allocation. */
static void job_factors_swap_in(struct eqt_job_factors *factors, size_t count)
{
	struct eqt_job_factor_entry *now;
	size_t space;

	pthread_mutex_lock(&factors->lock);
	now = factors->now;
	space = factors->space;
	factors->now = factors->next;
	factors->space = factors->next_space;
	factors->count = count;
	pthread_mutex_unlock(&factors->lock);
	factors->next = now;
	factors->next_space = space;
}

void eqt_job_factors_set(struct eqt_job_factors *factors,
			 const struct eqt_ordered_job *jobs, size_t count)
{
	struct eqt_job_order_sort sort = { .count = 0 };

	if (EQT_ARRAY_RESERVE(factors->next, factors->next_space, count) < 0 ||
	    (count && eqt_job_order_sort_begin(&sort, jobs, count) < 0))
		return;
	eqt_job_order_sort_by(&sort, eqt_job_order_sort_id);
	for (size_t i = 0; i < count; i++) {
		const struct eqt_ordered_job *job = &jobs[sort.order[i].job];

		factors->next[i] = (struct eqt_job_factor_entry){
			job->job_id,
			{ job->fairshare, job->access },
		};
	}
	eqt_job_order_sort_end(&sort);
	job_factors_swap_in(factors, count);
}

void eqt_job_factors_clear(struct eqt_job_factors *factors)
{
	pthread_mutex_lock(&factors->lock);
	free(factors->now);
	free(factors->next);
	factors->now = factors->next = NULL;
	factors->count = factors->space = factors->next_space = 0;
	pthread_mutex_unlock(&factors->lock);
}
