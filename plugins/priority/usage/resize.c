/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/job_times.h"
#include "usage/resize.h"

/* Short, since the next charge of a job takes it off; values are not used. */
static struct eqt_job_times known;

void eqt_resize_add(uint32_t job_id)
{
	eqt_job_times_set(&known, job_id, 1);
}

bool eqt_resize_take(uint32_t job_id)
{
	bool found = eqt_job_times_find(&known, job_id) != NULL;

	if (found)
		eqt_job_times_forget(&known, job_id);
	return found;
}

void eqt_resize_clear(void)
{
	eqt_job_times_clear(&known);
}
