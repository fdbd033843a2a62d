/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One search, by NLopt: controlled random search over the whole space (CRS2), then the
 * subplex method from the best point. Neither needs a gradient, both keep bounds, and
 * both bear the steps that a simulation has. docs/design/0025 has the reasons.
 */
#include <math.h>
#include <string.h>

#ifdef HAVE_NLOPT
#include <nlopt.h>
#endif

#include "tune/tune.h"

const struct eqt_tune_run *eqt_tune_run_get(struct eqt_tune *tune,
					    const struct eqt_tune_point *point,
					    int span,
					    const struct eqt_tune_sink *sink,
					    struct eqt_error *err)
{
	double measure[EQT_TUNE_AIMS_MAX] = { 0 };
	char key[EQT_TUNE_KEY];
	const struct eqt_tune_run *run =
		eqt_tune_run_find(tune, eqt_tune_key(tune, key, point, span));
	bool again = run != NULL;

	if (!run) {
		if (eqt_tune_measure(tune, measure, point, span, err) < 0)
			return NULL;
		run = eqt_tune_run_add(tune, key, measure);
		if (!run) {
			eqt_error_set(err, "out of memory");
			return NULL;
		}
	}
	if (sink && sink->take(sink->with, key, run->measure, again) < 0) {
		eqt_error_set(err, "the search was stopped");
		return NULL;
	}
	return run;
}

#ifdef HAVE_NLOPT

#define GLOBAL_PART 0.7 /* of the runs, for the search over the whole space */
#define LEAST_RUNS 4
#define FIRST_STEP 0.15 /* of the second stage */
#define GOOD_ENOUGH 1e-9

/* A search while it goes on. */
struct search {
	struct eqt_tune *tune;
	const struct eqt_tune_task *task;
	const struct eqt_tune_sink *sink;
	struct eqt_error *err;
	nlopt_opt stage;
	double best, best_x[EQT_TUNE_PARAMS_MAX];
	bool failed;
};

/* What NLopt minimises. */
static double search_objective(unsigned int n, const double *x,
			       double *gradient, void *with)
{
	struct search *search = with;
	struct eqt_tune *tune = search->tune;
	const struct eqt_tune_point point = eqt_tune_point_at(tune, x);
	const struct eqt_tune_run *run;
	double score;

	(void) gradient;
	run = search->failed ? NULL
			     : eqt_tune_run_get(tune, &point, EQT_TUNE_FIT,
						search->sink, search->err);
	if (!run) {
		search->failed = true;
		(void) nlopt_force_stop(search->stage);
		return HUGE_VAL;
	}
	score = eqt_tune_score(tune, run->measure, search->task->mask);
	if (score < search->best) {
		search->best = score;
		memcpy(search->best_x, x, n * sizeof(*x));
	}
	return score;
}

/* The score with which nothing is left to gain. */
static double score_enough(const struct eqt_tune *tune, uint32_t mask)
{
	double best[EQT_TUNE_AIMS_MAX];

	for (int i = 0; i < tune->aims.count; i++)
		best[i] = tune->aims.aim[i].kind == EQT_TUNE_USE ? 1 : 0;
	return eqt_tune_score(tune, best, mask) + GOOD_ENOUGH;
}

/* One stage, from the best point so far. 0, or -1: out of memory. NLopt's default
 * population is ten times the parameters, which would be all runs of a short search. */
static int search_stage(struct search *search, nlopt_algorithm method,
			uint32_t runs)
{
	const unsigned int n = (unsigned int) search->tune->params;
	double x[EQT_TUNE_PARAMS_MAX], score;

	search->stage = nlopt_create(method, n);
	if (!search->stage)
		return eqt_error_set(search->err, "out of memory");
	memcpy(x, search->best_x, sizeof(x));
	(void) nlopt_set_lower_bounds1(search->stage, 0);
	(void) nlopt_set_upper_bounds1(search->stage, 1);
	(void) nlopt_set_min_objective(search->stage, search_objective, search);
	(void) nlopt_set_maxeval(search->stage, (int) runs);
	(void) nlopt_set_stopval(
		search->stage, score_enough(search->tune, search->task->mask));
	(void) nlopt_set_xtol_abs1(search->stage, 0.005);
	if (method == NLOPT_GN_CRS2_LM)
		(void) nlopt_set_population(search->stage, n + 2 + n / 2);
	else
		(void) nlopt_set_initial_step1(search->stage, FIRST_STEP);
	(void) nlopt_optimize(search->stage, x, &score);
	nlopt_destroy(search->stage);
	search->stage = NULL;
	return search->failed ? -1 : 0;
}

bool eqt_tune_can_search(void)
{
	return true;
}

/* Both stages. */
static int search_points(struct eqt_tune *tune,
			 const struct eqt_tune_task *task,
			 const struct eqt_tune_sink *sink,
			 struct eqt_error *err)
{
	struct search search = {
		.tune = tune,
		.task = task,
		.sink = sink,
		.err = err,
		.best = HUGE_VAL,
	};
	const uint32_t global = (uint32_t) (GLOBAL_PART * task->runs);

	nlopt_srand((unsigned long) task->seed);
	eqt_tune_point_places(tune, search.best_x, &task->from);
	if (global >= LEAST_RUNS &&
	    search_stage(&search, NLOPT_GN_CRS2_LM, global) < 0)
		return -1;
	if (search.best <= score_enough(tune, task->mask))
		return 0;
	return search_stage(&search, NLOPT_LN_SBPLX, task->runs - global);
}

#else

bool eqt_tune_can_search(void)
{
	return false;
}

static int search_points(struct eqt_tune *tune,
			 const struct eqt_tune_task *task,
			 const struct eqt_tune_sink *sink,
			 struct eqt_error *err)
{
	(void) tune;
	(void) task;
	(void) sink;
	return eqt_error_set(err, "built without NLopt");
}

#endif

int eqt_tune_search(struct eqt_tune *tune, const struct eqt_tune_task *task,
		    const struct eqt_tune_sink *sink, struct eqt_error *err)
{
	if (task->mask)
		return search_points(tune, task, sink, err);
	return eqt_tune_run_get(tune, &task->from, task->span, sink, err) ? 0
									  : -1;
}
