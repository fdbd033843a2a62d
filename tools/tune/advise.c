/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns searches into advice: the best setting without useless changes, the effect of
 * each change and, if not all aims are met, which aims are in conflict.
 */
#include <math.h>
#include <stdio.h>

#include "cli/progress.h"
#include "tune/tune.h"

#define SEARCHES 4 /* searches for all aims, each with a seed of its own */
#define FEWER 4 /* searches for one or two aims take this part of their runs */
#define NO_WORSE 0.01 /* a change that improves the score by less is undone */
#define MOST 0.9 /* the fewest changes must keep this part of the gain */

/* All aims as a mask. */
static uint32_t aims_mask(const struct eqt_tune *tune)
{
	return (UINT32_C(1) << tune->aims.count) - 1;
}

/* Run several searches for all aims, from the present setting. */
static int advise_search_all(struct eqt_tune *tune, void *state,
			     struct eqt_error *err)
{
	struct eqt_tune_task tasks[SEARCHES];
	const uint32_t runs =
		(uint32_t) ((tune->evaluations + SEARCHES - 1) / SEARCHES);

	for (int i = 0; i < SEARCHES; i++)
		tasks[i] = (struct eqt_tune_task){
			.mask = aims_mask(tune),
			.seed = tune->seed + (uint64_t) i,
			.runs = runs,
			.from = eqt_tune_point_now(tune),
		};
	return eqt_tune_pool_run(tune, tasks, SEARCHES, state, "searching",
				 err);
}

/* Run a search for each single aim, and for each pair of aims that no run has met yet. */
static int advise_search_parts(struct eqt_tune *tune, void *state,
			       struct eqt_error *err)
{
	const int count = tune->aims.count;
	struct eqt_tune_task tasks[EQT_TUNE_AIMS_MAX * EQT_TUNE_AIMS_MAX];
	size_t tasks_count = 0;

	for (int i = 0; i < count; i++) {
		for (int j = i; j < count; j++) {
			const uint32_t mask = UINT32_C(1) << i | UINT32_C(1)
									 << j;
			const struct eqt_tune_run *best =
				eqt_archive_best(tune, mask);

			if (eqt_archive_meets(tune, best->measure, mask))
				continue;
			tasks[tasks_count] = (struct eqt_tune_task){
				.mask = mask,
				.seed = tune->seed + SEARCHES + tasks_count,
				.runs = (uint32_t) (tune->evaluations / FEWER),
				.from = eqt_archive_key_point(best->key),
			};
			tasks_count++;
		}
	}
	return eqt_tune_pool_run(tune, tasks, tasks_count, state,
				 "searching conflicts", err);
}

/* Runs of this process go into the state file as well. */
struct advise_sink {
	const struct eqt_tune *tune;
	FILE *state;
};

static int advise_take(void *with, const char *key, const double *measure,
		       bool again)
{
	const struct advise_sink *sink = with;
	char line[2 * EQT_TUNE_KEY];

	if (again || !sink->state)
		return 0;
	return eqt_archive_text(sink->tune, line, sizeof(line), key, measure) <
				       0 ||
			       fprintf(sink->state, "%s\n", line) < 0 ||
			       fflush(sink->state) != 0
		       ? -1
		       : 0;
}

/* Try to undo each change, and undo those that are useless. Returns 1 if any was undone,
 * 0 if none, or -1 with err filled. */
static int advise_undo_some(struct eqt_tune *tune, struct eqt_tune_point *point,
			    const struct eqt_tune_sink *sink, double most,
			    bool met, struct eqt_error *err)
{
	const uint32_t mask = aims_mask(tune);
	int undone = 0;

	for (int i = 0; i < tune->params; i++) {
		struct eqt_tune_point other = *point;
		const struct eqt_tune_run *run;

		if (point->value[i] == tune->param[i].now)
			continue;
		other.value[i] = tune->param[i].now;
		run = eqt_tune_run_get(tune, &other, EQT_TUNE_FIT, sink, err);
		if (!run)
			return -1;
		if (eqt_archive_score(tune, run->measure, mask) > most ||
		    eqt_archive_meets(tune, run->measure, mask) < met)
			continue;
		*point = other;
		undone = 1;
	}
	return undone;
}

/* Repeat until no useless change is left, because a change may be useful only together
 * with another. */
static int advise_undo(struct eqt_tune *tune, struct eqt_tune_point *point,
		       const struct eqt_tune_sink *sink, struct eqt_error *err)
{
	const uint32_t mask = aims_mask(tune);
	const struct eqt_tune_run *best =
		eqt_tune_run_get(tune, point, EQT_TUNE_FIT, sink, err);
	struct eqt_progress progress;
	bool met;
	double most;
	int rc;

	if (!best)
		return -1;
	met = eqt_archive_meets(tune, best->measure, mask);
	most = eqt_archive_score(tune, best->measure, mask) + NO_WORSE;
	eqt_progress_begin(&progress, "undoing changes", 0);
	do {
		rc = advise_undo_some(tune, point, sink, most, met, err);
		eqt_progress_update(&progress, 0);
	} while (rc > 0);
	eqt_progress_end(&progress);
	return rc;
}

/* Run the point with each change undone by itself. Also run both settings over the part
 * that was held out. */
static int advise_run_last(struct eqt_tune *tune, struct eqt_tune_result *out,
			   void *state, struct eqt_error *err)
{
	struct eqt_tune_task tasks[EQT_TUNE_PARAMS_MAX + 2];
	const struct eqt_tune_point now = eqt_tune_point_now(tune);
	char key[EQT_TUNE_KEY];
	size_t count = 0;

	for (int i = 0; i < tune->params; i++) {
		if (out->point.value[i] == tune->param[i].now)
			continue;
		tasks[count] = (struct eqt_tune_task){ .from = out->point };
		tasks[count++].from.value[i] = tune->param[i].now;
		out->change[out->changes++].param = i;
	}
	if (tune->span[EQT_TUNE_HELD].to > tune->span[EQT_TUNE_HELD].from) {
		tasks[count++] = (struct eqt_tune_task){ .span = EQT_TUNE_HELD,
							 .from = now };
		tasks[count++] = (struct eqt_tune_task){ .span = EQT_TUNE_HELD,
							 .from = out->point };
	}
	if (eqt_tune_pool_run(tune, tasks, count, state, "comparing", err) < 0)
		return -1;
	for (int i = 0; i < out->changes; i++)
		out->change[i].without = eqt_archive_find(
			tune, eqt_archive_key(tune, key, &tasks[i].from,
					      EQT_TUNE_FIT));
	out->now_held = eqt_archive_find(tune, eqt_archive_key(tune, key, &now,
							       EQT_TUNE_HELD));
	out->best_held = eqt_archive_find(
		tune, eqt_archive_key(tune, key, &out->point, EQT_TUNE_HELD));
	return 0;
}

/* Among the changes that a point still has, find the one whose undoing leaves the best
 * score. Returns its parameter, -1 if each would leave a score above "most", or -2 with
 * err filled. */
static int few_next(struct eqt_tune *tune, const struct eqt_tune_point *point,
		    double most, void *state, struct eqt_error *err)
{
	struct eqt_tune_task tasks[EQT_TUNE_PARAMS_MAX];
	int params[EQT_TUNE_PARAMS_MAX], best = -1;
	const uint32_t mask = aims_mask(tune);
	char key[EQT_TUNE_KEY];
	size_t count = 0;

	for (int i = 0; i < tune->params; i++) {
		if (point->value[i] == tune->param[i].now)
			continue;
		tasks[count] = (struct eqt_tune_task){ .from = *point };
		tasks[count].from.value[i] = tune->param[i].now;
		params[count++] = i;
	}
	if (eqt_tune_pool_run(tune, tasks, count, state, "undoing changes",
			      err) < 0)
		return -2;
	for (size_t i = 0; i < count; i++) {
		const struct eqt_tune_run *run = eqt_archive_find(
			tune, eqt_archive_key(tune, key, &tasks[i].from,
					      EQT_TUNE_FIT));
		const double score =
			eqt_archive_score(tune, run->measure, mask);

		if (score > most)
			continue;
		most = score;
		best = params[i];
	}
	return best;
}

/* Undo changes, the least useful first, as long as most of the gain is left. */
static int advise_few(struct eqt_tune *tune, struct eqt_tune_result *out,
		      void *state, struct eqt_error *err)
{
	const uint32_t mask = aims_mask(tune);
	const double now = eqt_archive_score(tune, out->now->measure, mask);
	const double best = eqt_archive_score(tune, out->best->measure, mask);
	char key[EQT_TUNE_KEY];
	int param;

	out->few = out->point;
	out->few_changes = out->changes;
	while (out->few_changes > 1 &&
	       (param = few_next(tune, &out->few, now - MOST * (now - best),
				 state, err)) != -1) {
		if (param < 0)
			return -1;
		out->few.value[param] = tune->param[param].now;
		out->few_changes--;
	}
	out->few_run = eqt_archive_find(
		tune, eqt_archive_key(tune, key, &out->few, EQT_TUNE_FIT));
	return 0;
}

/* Find the effect of the best setting on jobs that no aim names, and in each part of the
 * time. */
static int advise_compare(struct eqt_tune *tune, struct eqt_tune_result *out,
			  struct eqt_error *err)
{
	const struct eqt_tune_point now = eqt_tune_point_now(tune);

	if (out->changes == 0)
		return 0;
	out->others = eqt_tune_others(tune);
	return eqt_tune_measure_parts(tune, out->parts_now, &now, err) < 0 ||
			       eqt_tune_measure_parts(tune, out->parts_best,
						      &out->point, err) < 0 ||
			       eqt_tune_measure_others(tune, &out->others,
						       out->others_now, &now,
						       err) < 0 ||
			       eqt_tune_measure_others(tune, &out->others,
						       out->others_best,
						       &out->point, err) < 0
		       ? -1
		       : 0;
}

/* Run the present setting first, because it shows whether there is anything to
 * measure. */
static int advise_begin(struct eqt_tune *tune, struct eqt_tune_result *out,
			const struct eqt_tune_sink *sink, struct eqt_error *err)
{
	const struct eqt_tune_point now = eqt_tune_point_now(tune);

	out->now = eqt_tune_run_get(tune, &now, EQT_TUNE_FIT, sink, err);
	if (!out->now)
		return -1;
	for (int i = 0; i < tune->aims.count; i++)
		if (isnan(out->now->measure[i]))
			return eqt_error_set(err,
					     "aim \"%s\": there is no such job "
					     "in the time that is fitted",
					     tune->aims.aim[i].text);
	return 0;
}

int eqt_tune_advise(struct eqt_tune *tune, struct eqt_tune_result *out,
		    void *state, struct eqt_error *err)
{
	struct advise_sink to = { tune, state };
	const struct eqt_tune_sink sink = { &to, advise_take };
	const uint32_t mask = aims_mask(tune);
	char key[EQT_TUNE_KEY];

	if (advise_begin(tune, out, &sink, err) < 0 ||
	    advise_search_all(tune, state, err) < 0)
		return -1;
	if (!eqt_archive_meets(tune, eqt_archive_best(tune, mask)->measure,
			       mask) &&
	    advise_search_parts(tune, state, err) < 0)
		return -1;
	out->point = eqt_archive_key_point(eqt_archive_best(tune, mask)->key);
	if (advise_undo(tune, &out->point, &sink, err) < 0 ||
	    advise_run_last(tune, out, state, err) < 0)
		return -1;
	out->best = eqt_archive_find(
		tune, eqt_archive_key(tune, key, &out->point, EQT_TUNE_FIT));
	out->met = eqt_archive_meets(tune, out->best->measure, mask);
	if (advise_few(tune, out, state, err) < 0 ||
	    advise_compare(tune, out, err) < 0)
		return -1;
	for (int i = 0; i < tune->aims.count; i++)
		out->of_aim[i] = eqt_archive_best_alone(tune, i);
	return 0;
}

int eqt_tune_conflicts(const struct eqt_tune *tune, uint32_t *pairs)
{
	int count = 0;

	for (int i = 0; i < tune->aims.count; i++) {
		for (int j = i + 1; j < tune->aims.count; j++) {
			const uint32_t one = UINT32_C(1) << i,
				       other = UINT32_C(1) << j;
			const uint32_t masks[] = { one, other, one | other };
			bool meets[3];

			for (int k = 0; k < 3; k++)
				meets[k] = eqt_archive_meets(
					tune,
					eqt_archive_best(tune, masks[k])
						->measure,
					masks[k]);
			if (meets[0] && meets[1] && !meets[2])
				pairs[count++] = one | other;
		}
	}
	return count;
}
