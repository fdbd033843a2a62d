/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast: when waiting jobs will start, from simulations of many futures.
 *
 * Each future draws how long the jobs run and which others come (draw.h), and runs
 * until the jobs in question have started. docs/design/0025 has the reasons.
 */
#ifndef EQT_SIMULATION_FORECAST_H
#define EQT_SIMULATION_FORECAST_H

#include "sim/draw.h"

/* Quantiles of the futures between which 80 % of the real starts lie. They span 90 % of
 * the futures, because these differ less than reality does (docs/SIMULATE.md). */
#define EQT_FORECAST_EARLY 0.05
#define EQT_FORECAST_LATE 0.95
/* A target does not start in the simulated time. */
#define EQT_FORECAST_LATER INT64_MAX

/* Input; all pointers are borrowed. */
struct eqt_forecast {
	/* The cluster at now->from: jobs that run (needs->on) or wait, sorted by time.
	 * jobs[].run_s and the callbacks of watch are not used. */
	const struct eqt_simulation *now;
	const struct eqt_simulation_policy *policy;
	const struct eqt_simulation_job *past; /* as for eqt_draw_new() */
	size_t past_count;
	int64_t past_from;
	const uint32_t *targets; /* indices of jobs that wait */
	uint32_t target_count;
	uint64_t seed;
	uint32_t futures; /* at most so many */
	int64_t look_s; /* so far ahead */
	bool paired; /* starts stay in the order of their futures */
	/* Called from time to time with the number of complete futures; false ends the
	 * forecast. NULL: all futures are simulated. */
	bool (*go_on)(void *with, uint32_t done);
	void *with;
};

/* Owned; {0} is empty. */
struct eqt_forecast_starts {
	uint32_t futures;
	uint64_t work; /* of the first future: its moments and computed
			 priorities */
	int64_t until; /* the earliest end of a future in which not all targets
			  have started; 0: all have started */
	uint32_t targets;
	int64_t *starts; /* for each target a start in each future: sorted, or
			    in the order of futures if paired */
	uint32_t levels[EQT_DRAW_LEVELS + 1]; /* number of present jobs by the
						 level that their run times are
						 drawn from */
};

/* Simulate futures. 0, or -1 with err filled: an input that eqt_simulation_run()
 * refuses, or out of memory. If go_on() ends the first future, its starts up to there
 * count. */
int eqt_forecast_run(struct eqt_forecast_starts *out,
		     const struct eqt_forecast *in, struct eqt_error *err);

/* Free what *starts owns; it is empty then. */
void eqt_forecast_starts_free(struct eqt_forecast_starts *starts);

/* The time before which a target starts in that part of the futures (0.5: the median),
 * or EQT_FORECAST_LATER. There must be at least one future. */
int64_t eqt_forecast_quantile(const struct eqt_forecast_starts *starts,
			      uint32_t target, double part);

#endif
