/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast: when waiting jobs will start, from simulations of many futures.
 *
 * Each future draws how long the jobs run and which others come (draw.h), and runs
 * until the jobs in question have started. docs/design/0067 has the reasons.
 */
#ifndef EQT_SIMULATION_FORECAST_H
#define EQT_SIMULATION_FORECAST_H

#include "sim/draw.h"

#define EQT_FORECAST_LATER INT64_MAX /* not within the time looked at */

/* Input; all pointers are borrowed. */
struct eqt_forecast {
	/* The cluster now, at from: jobs that run (needs->on) or wait, sorted by
	 * time. jobs[].run_s is of no account, nor are the watch's callbacks. */
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
	/* Asked now and then; done futures are complete. False: enough. NULL: no
	 * question. */
	bool (*go_on)(void *with, uint32_t done);
	void *with;
};

/* Owned; {0} is empty. */
struct eqt_forecast_starts {
	uint32_t futures; /* complete ones */
	uint32_t targets;
	int64_t *starts; /* of each target its futures, by rising time */
	uint32_t levels[EQT_DRAW_LEVELS + 1]; /* jobs now, by what their lengths
						 are drawn from */
};

/* Simulate futures. 0, or -1 with err filled: what eqt_simulation_run() refuses, out
 * of memory. No future is complete if go_on() ends the first one. */
int eqt_forecast_run(struct eqt_forecast_starts *out,
		     const struct eqt_forecast *in, struct eqt_error *err);

/* Free what *starts owns; it is empty then. */
void eqt_forecast_starts_free(struct eqt_forecast_starts *starts);

/* The time before which a target starts in such a part of the futures (0.5: the
 * median); EQT_FORECAST_LATER. There must be a future. */
int64_t eqt_forecast_quantile(const struct eqt_forecast_starts *starts,
			      uint32_t target, double part);

#endif
