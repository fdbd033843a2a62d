/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * correction: wider or narrower intervals, learned from what became of past forecasts.
 *
 * This is split conformal prediction with a scaled score (Lei and others, "Distribution-free
 * predictive inference for regression", 2018, section 5.2), by groups of like forecasts
 * (Vovk, "Conditional validity of inductive conformal predictors", 2012).
 */
#ifndef EQT_SIMULATION_CORRECTION_H
#define EQT_SIMULATION_CORRECTION_H

#include "sim/forecast.h"

#define EQT_CORRECTION_LEAST 50 /* fewer forecasts say too little */
#define EQT_CORRECTION_PARTS 3 /* short, middle and long waits */

/* A forecast whose latest start is over. Waits are seconds from the time at which it was
 * made. A plain value. */
struct eqt_correction_past {
	int64_t asked_s; /* when it was made */
	int64_t early_s, median_s, late_s;
	int64_t wait_s; /* the real wait, or how long the job has waited so far */
};

/* What is changed. A plain value; {0} changes nothing. */
struct eqt_correction {
	size_t forecasts; /* number of forecasts that it was learned from */
	size_t held; /* those of them whose interval has the real wait */
	int64_t from_s; /* when the first of them was made; 0: there is none */
	int parts; /* number of groups; 0: too few forecasts to change anything */
	/* for each group the longest median, and the factor of the distances between the
	 * median and both ends of the interval */
	int64_t most_s[EQT_CORRECTION_PARTS];
	double factor[EQT_CORRECTION_PARTS];
};

/*
 * Learn from forecasts, which get sorted by their medians. With fewer than
 * EQT_CORRECTION_LEAST nothing is changed. With as many in each third, thirds by the median
 * are groups of their own.
 *
 * With z(w) = log(w + 60 s) and d(e) = max(|z(e) - z(median)|, 0.1), the score of a forecast
 * with the real wait w is |z(w) - z(median)| / d(e) for the end e on the side of w. It is
 * at most 1 if the interval held. The factor is the ceil(p (n + 1))-th smallest of the n
 * scores: if the next forecast is like these, the wait lies in the corrected interval with a
 * probability of at least p.
 *
 * Forecasts of a day share their fate, so of intervals of which 80 % hold the part that held
 * varies by e = 0.4 / sqrt(days). If it was between 85 % - e and 90 % + e, the factor is 1;
 * otherwise p is the nearer of these. So a record of 60 days makes 80 % hold where less did,
 * and one of few days corrects what is clearly wrong.
 */
void eqt_correction_make(struct eqt_correction *out,
			 struct eqt_correction_past *past, size_t count);

/* Is any interval changed? */
bool eqt_correction_changes(const struct eqt_correction *correction);

/* Correct the ends of an interval. EQT_FORECAST_LATER stays so, and if the median is later,
 * nothing is changed. */
void eqt_correction_apply(const struct eqt_correction *correction,
			  struct eqt_forecast_interval *interval,
			  int64_t now_s);

#endif
