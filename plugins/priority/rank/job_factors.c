/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two arrays of factors: threads read one array while a pass fills the
 * other. */
#include <stdlib.h>

#include "base/array.h"
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
	const struct eqt_job_factor_list *now = &factors->now;
	struct eqt_job_factor factor = { 0 };
	const struct eqt_job_factor_entry key = { .job_id = job_id },
					  *found = NULL;

	pthread_mutex_lock(&factors->lock);
	/* A pass asks for one job after the other, mostly in this order. */
	if (factors->next_read < now->count &&
	    now->entries[factors->next_read].job_id == job_id)
		found = &now->entries[factors->next_read];
	else if (now->count)
		found = bsearch(&key, now->entries, now->count, sizeof(key),
				job_factor_compare);
	if (found) {
		factor = found->factor;
		factors->next_read = (size_t) (found - now->entries) + 1;
	}
	pthread_mutex_unlock(&factors->lock);
	return factor;
}

void eqt_job_factors_set(struct eqt_job_factors *factors,
			 struct eqt_job_copies *copies)
{
	struct eqt_job_factor_list *next = &factors->next, before;

	if (EQT_ARRAY_RESERVE(next->entries, next->space, copies->count) < 0 ||
	    eqt_job_order_by_id(&copies->order, copies->jobs, copies->count) <
		    0)
		return;
	next->count = copies->count;
	for (size_t i = 0; i < next->count; i++) {
		const struct eqt_ordered_job *job =
			&copies->jobs[copies->order.keys[i].job];

		next->entries[i] = (struct eqt_job_factor_entry){
			job->job_id,
			{ job->fairshare, job->access },
		};
	}
	/* The lock is held only for the exchange, so that a reader never waits
	   for a sort or an allocation. */
	pthread_mutex_lock(&factors->lock);
	before = factors->now;
	factors->now = *next;
	factors->next = before;
	pthread_mutex_unlock(&factors->lock);
}

void eqt_job_factors_clear(struct eqt_job_factors *factors)
{
	const struct eqt_job_factor_list none = { .count = 0 };

	pthread_mutex_lock(&factors->lock);
	free(factors->now.entries);
	free(factors->next.entries);
	factors->now = factors->next = none;
	pthread_mutex_unlock(&factors->lock);
}
