/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "usage/ends/known_runs.h"

struct eqt_known_run *eqt_known_runs_get(const struct eqt_known_runs *runs,
					 uint32_t job_id)
{
	/* The table's values are places in the array, from 1 on. */
	const time_t *place = eqt_job_table_get(&runs->places, job_id);

	return place ? &runs->run[*place - 1] : NULL;
}

/* Room for one more run. -1: out of memory; the runs are unchanged. Pointers to runs are
 * valid until the next call. */
static int known_runs_reserve(struct eqt_known_runs *runs)
{
	size_t space = runs->space ? 2 * runs->space : 256;
	struct eqt_known_run *run;

	if (runs->count < runs->space)
		return 0;
	run = realloc(runs->run, space * sizeof(*run));
	if (!run)
		return -1;
	runs->run = run;
	runs->space = space;
	return 0;
}

struct eqt_known_run *eqt_known_runs_add(struct eqt_known_runs *runs,
					 uint32_t job_id)
{
	struct eqt_known_run *run = eqt_known_runs_get(runs, job_id);

	if (run || known_runs_reserve(runs) < 0)
		return run;
	eqt_job_table_set(&runs->places, job_id, (time_t) runs->count + 1);
	/* Memory is short. */
	if (!eqt_job_table_has(&runs->places, job_id))
		return NULL;
	run = &runs->run[runs->count++];
	*run = (struct eqt_known_run){ .job_id = job_id };
	return run;
}

void eqt_known_runs_forget(struct eqt_known_runs *runs, uint32_t job_id)
{
	struct eqt_known_run *run = eqt_known_runs_get(runs, job_id), *last;

	if (!run)
		return;
	(void) eqt_job_table_forget(&runs->places, job_id);
	last = &runs->run[--runs->count];
	if (run == last)
		return;
	/* The last run fills the gap: the order means nothing. */
	*run = *last;
	/* It is there already, so nothing is allocated. */
	eqt_job_table_set(&runs->places, run->job_id, run - runs->run + 1);
}

void eqt_known_runs_free(struct eqt_known_runs *runs)
{
	eqt_job_table_free(&runs->places);
	free(runs->run);
	*runs = (struct eqt_known_runs){ .run = NULL };
}
