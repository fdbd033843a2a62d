/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast: when waiting jobs will start, from simulations of many futures.
 *
 * In each future, the run times of the jobs and the arrivals of other jobs are drawn
 * (draw.h). The simulation ends when the jobs in question have started.
 * docs/design/0025 has the reasons.
 */
#ifndef EQT_SIMULATION_FORECAST_H
#define EQT_SIMULATION_FORECAST_H

#include "sim/draw.h"

/* The quantiles of the futures between which 80 % of the real starts lie. They are 90 %
 * of the futures apart, because futures differ less from each other than reality does
 * (docs/SIMULATE.md). */
#define EQT_FORECAST_EARLY 0.05
#define EQT_FORECAST_LATE 0.95
/* The start of a job that does not start in the simulated time. */
#define EQT_FORECAST_LATER INT64_MAX

/* The input of a forecast. All pointers are borrowed. */
struct eqt_forecast {
	/* The cluster at now->from. Its jobs are running (needs->on) or waiting, and
	 * sorted by time. jobs[].run_s and the callbacks of watch are not used. */
	const struct eqt_simulation *now;
	const struct eqt_simulation_policy *policy;
	/* Past jobs, as for eqt_draw_new(). */
	const struct eqt_simulation_job *past;
	size_t past_count;
	int64_t past_from;
	/* Indices of the waiting jobs whose starts are wanted. */
	const uint32_t *targets;
	uint32_t target_count;
	uint64_t seed;
	uint32_t futures; /* the largest number of futures to simulate */
	int64_t look_s; /* how many seconds ahead to simulate */
	/* Whether starts remain in the order of their futures instead of being
	 * sorted. */
	bool paired;
	/* The largest work of all futures, as in struct eqt_simulation_watch; 0 means
	 * that there is none. A future that would take more does not count. */
	uint64_t work_most;
	/* A function that is called from time to time with the number of complete
	 * futures. If it returns false, the forecast ends. If it is NULL, all futures are
	 * simulated. */
	bool (*go_on)(void *with, uint32_t done);
	void *with;
};

/* The result of a forecast. {0} is empty; eqt_forecast_starts_free() frees the
 * memory. */
struct eqt_forecast_starts {
	uint32_t futures;
	int64_t now_s, end_s; /* between which the futures lie */
	/* The work of the first future, as in struct eqt_simulation_watch,
	 * including its simulations that were too short. */
	uint64_t work;
	/* The earliest end of a future in which not all targets have started. 0 means
	 * that all have started. */
	int64_t until;
	uint32_t targets;
	/* For each target its start in each future. The starts are sorted or, if paired
	 * is set, in the order of the futures. */
	int64_t *starts;
	/* The number of present jobs for each level from which their run times are
	 * drawn. */
	uint32_t levels[EQT_DRAW_LEVELS + 1];
};

/* Simulate futures. Return 0, or -1 with err filled if eqt_simulation_run() does not
 * accept the input or there is no memory. If go_on() ends the first future, its starts
 * up to then count. */
int eqt_forecast_run(struct eqt_forecast_starts *out,
		     const struct eqt_forecast *in, struct eqt_error *err);

/* Free the memory of *starts, which becomes empty. */
void eqt_forecast_starts_free(struct eqt_forecast_starts *starts);

/* Return the time before which a target starts in this part of the futures (0.5 for the
 * median), or EQT_FORECAST_LATER. There must be at least one future. */
int64_t eqt_forecast_quantile(const struct eqt_forecast_starts *starts,
			      uint32_t target, double part);

/* When a target will start, in seconds since the epoch, or EQT_FORECAST_LATER. A plain
 * value. */
struct eqt_forecast_interval {
	int64_t early_s, median_s, late_s;
};

/* Return the median of the futures, and the ends between which 80 % of the real starts
 * lie: quantiles or, of fewer than 20 futures, ends that are farther from the median, since
 * few futures differ less. There must be at least one future. */
struct eqt_forecast_interval eqt_forecast_interval(
	const struct eqt_forecast_starts *starts, uint32_t target);

/* ---- Correction -------------------------------------------------------------------
 * Wider or narrower intervals, learned from what became of past forecasts. This is split
 * conformal prediction with a scaled score (Lei and others, "Distribution-free predictive
 * inference for regression", 2018, section 5.2), by groups of like forecasts (Vovk,
 * "Conditional validity of inductive conformal predictors", 2012). */

#define EQT_FORECAST_PAST_LEAST 50 /* fewer forecasts say too little */
#define EQT_FORECAST_PARTS 3 /* short, middle and long waits */

/* A forecast whose latest start is over. Waits are seconds from the time at which it was
 * made. A plain value. */
struct eqt_forecast_past {
	int64_t asked_s; /* when it was made */
	int64_t early_s, median_s, late_s;
	int64_t wait_s; /* the real wait, or how long the job has waited so far */
};

/* A correction of forecast intervals. A plain value; {0} changes nothing. */
struct eqt_forecast_correction {
	size_t forecasts; /* number of forecasts that it was learned from */
	size_t held; /* forecasts whose interval contained the real wait */
	/* when the first of these forecasts was made; 0: there is none */
	int64_t from_s;
	int parts; /* number of groups; 0: too few forecasts to change anything */
	/* for each group the longest median, and the factor of the distances between the
	 * median and both ends of the interval */
	int64_t most_s[EQT_FORECAST_PARTS];
	double factor[EQT_FORECAST_PARTS];
};

/*
 * Learn from forecasts, which get sorted by their medians. With fewer than
 * EQT_FORECAST_PAST_LEAST nothing is changed. If each third of the forecasts, ordered
 * by the median, has that many, each third is a group of its own.
 *
 * With z(w) = log(w + 60 s) and d(e) = max(|z(e) - z(median)|, 0.1), the score of a forecast
 * with the real wait w is |z(w) - z(median)| / d(e) for the end e on the side of w. It is
 * at most 1 if the interval held. The factor is the ceil(p (n + 1))-th smallest of the n
 * scores: if the next forecast is like these, the wait lies in the corrected interval with a
 * probability of at least p.
 *
 * Forecasts of one day hold or fail together. So if 80 % of all intervals hold, the
 * part that held in a record varies by e = 0.4 / sqrt(days). If that part was between
 * 85 % - e and 90 % + e, the factor is 1; otherwise p is the nearer of these two
 * bounds. So a record of 60 days corrects intervals of which less than 80 % hold, and a
 * record of few days corrects only what is clearly wrong.
 */
void eqt_forecast_correction_make(struct eqt_forecast_correction *out,
				  struct eqt_forecast_past *past, size_t count);

/* Is any interval changed? */
bool eqt_forecast_correction_changes(
	const struct eqt_forecast_correction *correction);

/* Correct the ends of an interval. An end EQT_FORECAST_LATER stays the same. If the
 * median is EQT_FORECAST_LATER, nothing is changed. */
void eqt_forecast_correction_apply(
	const struct eqt_forecast_correction *correction,
	struct eqt_forecast_interval *interval, int64_t now_s);

#endif
