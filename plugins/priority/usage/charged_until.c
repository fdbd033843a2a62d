/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "usage/charged_until.h"

/* Short, since every pass prunes it. */
static struct eqt_job_times known;

void eqt_charged_until_set(uint32_t job_id, time_t until)
{
	eqt_job_times_set(&known, job_id, until);
}

time_t eqt_charged_until(uint32_t job_id)
{
	const struct eqt_job_time *entry = eqt_job_times_find(&known, job_id);

	return entry ? entry->value : 0;
}

void eqt_charged_until_forget(uint32_t job_id)
{
	eqt_job_times_forget(&known, job_id);
}

void eqt_charged_until_each(int (*each)(const struct eqt_job_time *, void *),
			    void *arg)
{
	for (size_t i = 0; i < known.count; i++)
		if (each(&known.entries[i], arg))
			return;
}

void eqt_charged_until_prune(time_t last_ran)
{
	eqt_job_times_prune(&known, last_ran);
}

void eqt_charged_until_clear(void)
{
	eqt_job_times_clear(&known);
}
