/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of runs: blocks that never move, so that growing copies no run, and
 * a hash table from job ids to places. The places of a block are filled in
 * order. */
#include <stdlib.h>

#include "base/array.h"
#include "usage/runs/runs.h"

struct eqt_run *eqt_runs_at(const struct eqt_runs *runs, size_t place)
{
	return &runs->block[place / EQT_RUNS_BLOCK][place % EQT_RUNS_BLOCK];
}

struct eqt_run *eqt_runs_find(const struct eqt_runs *runs, uint32_t job_id)
{
	const time_t *place = eqt_job_table_get(&runs->places, job_id);

	return place ? eqt_runs_at(runs, (size_t) *place) : NULL;
}

/* An entry without a start has only marks: its run has not begun or is over. */
struct eqt_run *eqt_runs_get(const struct eqt_runs *runs, uint32_t job_id)
{
	struct eqt_run *run = eqt_runs_find(runs, job_id);

	return run && (run->start || run->recalled) ? run : NULL;
}

/* Make room for one more run. Returns 0, or -1 with the runs unchanged if
 * memory is short. */
static int runs_reserve(struct eqt_runs *runs)
{
	struct eqt_run *block;

	if (runs->count < runs->blocks * EQT_RUNS_BLOCK)
		return 0;
	if (EQT_ARRAY_ROOM(runs->block, runs->blocks) < 0)
		return -1;
	block = malloc(EQT_RUNS_BLOCK * sizeof(*block));
	if (!block)
		return -1;
	runs->block[runs->blocks++] = block;
	return 0;
}

struct eqt_run *eqt_runs_add(struct eqt_runs *runs, uint32_t job_id)
{
	struct eqt_run *run = eqt_runs_find(runs, job_id);

	if (run || runs_reserve(runs) < 0)
		return run;
	eqt_job_table_set(&runs->places, job_id, (time_t) runs->count);
	/* The table of places could not grow, because memory is short. */
	if (!eqt_job_table_has(&runs->places, job_id))
		return NULL;
	run = eqt_runs_at(runs, runs->count++);
	/* A run counts as over until a start of the job is seen. */
	*run = (struct eqt_run){ .job_id = job_id, .is_over = true };
	/* Passes read this count without a lock, because only passes add and
	   forget runs of reservations. */
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
	run = eqt_runs_at(runs, (size_t) at);
	last = eqt_runs_at(runs, --runs->count);
	if (run == last)
		return;
	/* The last run fills the gap, because runs have no order. Pointers to
	   the last run become invalid. Its id is already in the table, so
	   nothing is allocated. */
	*run = *last;
	eqt_job_table_set(&runs->places, run->job_id, at);
}

/* Move a time by a step. 0 means no time and stays. */
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
	/* The number of the search is kept, so that no later pass gets the
	   number of an earlier one. */
	const uint32_t look = runs->look;

	while (runs->blocks)
		free(runs->block[--runs->blocks]);
	free(runs->block);
	eqt_job_table_free(&runs->places);
	*runs = (struct eqt_runs){ .look = look };
}
