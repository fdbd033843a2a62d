/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits are compared by their logarithms, because a forecast of a day is wrong by hours and
 * one of a minute by seconds. */
#include <math.h>
#include <stdlib.h>

#include "sim/correction.h"

#define SHORT_S 60 /* waits much shorter than this are alike */
#define DISTANCE_MIN \
	0.1 /* between the median and an end; an interval has a width */
#define WAIT_MAX_S 1e9 /* a later end is not known */
/* Between these parts of past intervals that held nothing is changed. */
#define HELD_LOW 0.85
#define HELD_HIGH 0.9
#define DAY_S 86400

static double wait_scale(int64_t wait_s)
{
	return log((double) (wait_s > 0 ? wait_s : 0) + SHORT_S);
}

/* The distance between the median and an end. */
static double distance(int64_t median_s, int64_t end_s)
{
	return fmax(fabs(wait_scale(end_s) - wait_scale(median_s)),
		    DISTANCE_MIN);
}

static double score(const struct eqt_correction_past *past)
{
	const int64_t end_s = past->wait_s < past->median_s ? past->early_s
							    : past->late_s;

	return fabs(wait_scale(past->wait_s) - wait_scale(past->median_s)) /
	       distance(past->median_s, end_s);
}

/* Count the forecasts that held, and find the times of the first and the last one. */
static size_t past_held(const struct eqt_correction_past *past, size_t count,
			int64_t *first, int64_t *last)
{
	size_t held = 0;

	*first = *last = count ? past[0].asked_s : 0;
	for (; count-- > 0; past++) {
		held += past->wait_s >= past->early_s &&
			past->wait_s <= past->late_s;
		*first = past->asked_s < *first ? past->asked_s : *first;
		*last = past->asked_s > *last ? past->asked_s : *last;
	}
	return held;
}

static int past_compare(const void *a, const void *b)
{
	const struct eqt_correction_past *x = a, *y = b;

	return x->median_s < y->median_s ? -1 : x->median_s > y->median_s;
}

static int score_compare(const void *a, const void *b)
{
	const double x = *(const double *) a, y = *(const double *) b;

	return x < y ? -1 : x > y;
}

/* The part of the scores of a group that the factor has to reach. 0: nothing is changed. */
static double part_wanted(const struct eqt_correction_past *past, size_t count)
{
	int64_t first, last;
	const double held =
		(double) past_held(past, count, &first, &last) / (double) count;
	const double chance = 0.4 / sqrt((double) ((last - first) / DAY_S + 1));
	const double low = HELD_LOW - chance, high = HELD_HIGH + chance;

	return held < low ? low : held > high ? high : 0;
}

/* Find the factor of a group. There is room for its scores. */
static double factor_make(const struct eqt_correction_past *past, size_t count,
			  double *scores)
{
	const double part = part_wanted(past, count);
	const size_t at = (size_t) ceil(part * (double) (count + 1));

	if (part == 0)
		return 1;
	for (size_t i = 0; i < count; i++)
		scores[i] = score(&past[i]);
	qsort(scores, count, sizeof(*scores), score_compare);
	return scores[at > count ? count - 1 : at - 1];
}

/* Without memory nothing is changed. */
void eqt_correction_make(struct eqt_correction *out,
			 struct eqt_correction_past *past, size_t count)
{
	double *scores;
	int64_t last;
	size_t parts;

	*out = (struct eqt_correction){ .forecasts = count };
	out->held = past_held(past, count, &out->from_s, &last);
	if (count < EQT_CORRECTION_LEAST ||
	    !(scores = malloc(count * sizeof(*scores))))
		return;
	qsort(past, count, sizeof(*past), past_compare);
	parts = count < EQT_CORRECTION_LEAST * EQT_CORRECTION_PARTS
			? 1
			: EQT_CORRECTION_PARTS;
	for (size_t i = 0; i < parts; i++) {
		const size_t from = count * i / parts;
		const size_t to = count * (i + 1) / parts;

		out->most_s[i] = past[to - 1].median_s;
		out->factor[i] = factor_make(past + from, to - from, scores);
	}
	out->parts = (int) parts;
	free(scores);
}

bool eqt_correction_changes(const struct eqt_correction *correction)
{
	for (int part = 0; part < correction->parts; part++)
		if (correction->factor[part] != 1)
			return true;
	return false;
}

/* Move an end of the interval away from the median, to one side. */
static void end_move(int64_t *end, const struct eqt_forecast_interval *interval,
		     int64_t now_s, double factor, int side)
{
	const int64_t median_s = interval->median_s - now_s;
	double wait;

	if (*end == EQT_FORECAST_LATER || factor == 1)
		return;
	wait = exp(wait_scale(median_s) +
		   side * factor * distance(median_s, *end - now_s)) -
	       SHORT_S;
	*end = wait < WAIT_MAX_S ? now_s + (int64_t) floor(fmax(wait, 0) + 0.5)
				 : EQT_FORECAST_LATER;
}

void eqt_correction_apply(const struct eqt_correction *correction,
			  struct eqt_forecast_interval *interval, int64_t now_s)
{
	int part = 0;

	if (correction->parts == 0 || interval->median_s == EQT_FORECAST_LATER)
		return;
	while (part < correction->parts - 1 &&
	       interval->median_s - now_s > correction->most_s[part])
		part++;
	end_move(&interval->early_s, interval, now_s, correction->factor[part],
		 -1);
	end_move(&interval->late_s, interval, now_s, correction->factor[part],
		 1);
}
