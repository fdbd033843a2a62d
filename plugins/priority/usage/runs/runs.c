/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of runs: blocks that never move, so that growing copies no run, and a hash
 * table from job ids to places. The places of a block are filled in order. */
#include <stdlib.h>

#include "usage/runs/runs.h"

struct eqt_run *eqt_runs_at(const struct eqt_runs *runs, size_t place)
{
	return &runs->block[place / EQT_RUNS_BLOCK][place % EQT_RUNS_BLOCK];
}

struct eqt_run *eqt_runs_find(const struct eqt_runs *runs, uint32_t job_id)
{
	const time_t *place = eqt_job_table_get(&runs->places, job_id);

	return place ? eqt_runs_at(runs, (size_t) *place - 1) : NULL;
}

/* An entry without a start has marks alone: its run is still to come, or is over. */
struct eqt_run *eqt_runs_get(const struct eqt_runs *runs, uint32_t job_id)
{
	struct eqt_run *run = eqt_runs_find(runs, job_id);

	return run && (run->start || run->recalled) ? run : NULL;
}

/* Room for one more run: a block more, whose pointer goes into a list that doubles.
 * -1: out of memory; the runs are unchanged. */
static int runs_reserve(struct eqt_runs *runs)
{
	const size_t blocks = runs->blocks;
	struct eqt_run **block = runs->block;

	if (runs->count < blocks * EQT_RUNS_BLOCK)
		return 0;
	if ((blocks & (blocks - 1)) == 0) {
		block = realloc(block,
				(blocks ? 2 * blocks : 1) * sizeof(*block));
		if (!block)
			return -1;
		runs->block = block;
	}
	block[blocks] = malloc(EQT_RUNS_BLOCK * sizeof(*block[blocks]));
	if (!block[blocks])
		return -1;
	runs->blocks++;
	return 0;
}

struct eqt_run *eqt_runs_add(struct eqt_runs *runs, uint32_t job_id)
{
	struct eqt_run *run = eqt_runs_find(runs, job_id);

	if (run || runs_reserve(runs) < 0)
		return run;
	eqt_job_table_set(&runs->places, job_id, (time_t) runs->count + 1);
	/* Memory is short: the table of places could not grow. */
	if (!eqt_job_table_has(&runs->places, job_id))
		return NULL;
	run = eqt_runs_at(runs, runs->count++);
	/* It is over until a start of the job is seen. */
	*run = (struct eqt_run){ .job_id = job_id, .is_over = true };
	/* Passes read it without a lock; they alone add runs of reservations, and forget
	 * them. */
	if (job_id >= EQT_CHARGE_RESERVED)
		runs->reserved++;
	return run;
}

void eqt_runs_forget(struct eqt_runs *runs, uint32_t job_id)
{
	const time_t *place = eqt_job_table_get(&runs->places, job_id);
	struct eqt_run *run, *last;
	time_t at;

	if (!place)
		return;
	at = *place;
	(void) eqt_job_table_forget(&runs->places, job_id);
	if (job_id >= EQT_CHARGE_RESERVED)
		runs->reserved--;
	run = eqt_runs_at(runs, (size_t) at - 1);
	last = eqt_runs_at(runs, --runs->count);
	if (run == last)
		return;
	/* The last run fills the gap: the order means nothing. */
	*run = *last;
	/* Whoever holds a pointer to the last run has to look it up again. Its id is there
	 * already, so nothing is allocated. */
	eqt_job_table_set(&runs->places, run->job_id, at);
}

/* Move a time by a step; 0 stands for none, and stays. */
static void run_time_shift(time_t *moment, time_t step)
{
	if (*moment)
		*moment += step;
}

void eqt_runs_shift(struct eqt_runs *runs, time_t step, bool all)
{
	for (size_t i = 0; i < runs->count; i++) {
		struct eqt_run *run = eqt_runs_at(runs, i);

		run_time_shift(&run->marks.charged_until, step);
		run_time_shift(&run->marks.refunded, step);
		run_time_shift(&run->marks.freed, step);
		if (!all && run->line)
			continue;
		run->shift += step;
		run->until += step;
		run->seen += step;
		run->owed_from += step;
		run_time_shift(&run->guessed, step);
		run->open.from += step;
		run->open.to += step;
	}
	runs->shifted = true;
}

void eqt_runs_free(struct eqt_runs *runs)
{
	/* Numbers of looks go on: a pass of before must not have the number of one to come. */
	const uint32_t look = runs->look;

	while (runs->blocks)
		free(runs->block[--runs->blocks]);
	free(runs->block);
	eqt_job_table_free(&runs->places);
	*runs = (struct eqt_runs){ .look = look };
}
