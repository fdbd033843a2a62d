/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arriving jobs are drawn for a limited time ahead. This time grows if a target does
 * not start within it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "sim/draw.h"
#include "sim/forecast.h"

#define AHEAD_S 86400 /* the time ahead for which jobs are drawn at first */
#define ASK_EVERY 64 /* the number of moments between two calls of go_on() */

struct forecast_run {
	const struct eqt_forecast *in;
	struct eqt_draw *draw;
	struct eqt_arrivals *arrivals;
	struct eqt_draw_like *likes; /* similar jobs of each present job */
	bool *is_target; /* whether each present job is a target */
	/* The jobs of this future: the present ones, then others. */
	struct eqt_simulation_job *jobs;
	size_t space;
	int64_t ahead_s;
	uint32_t done; /* number of complete futures */
	uint32_t moments; /* number of moments of this future */
	/* Time up to which this future is known. If its simulation is repeated
	 * for a longer time, that simulation may be stopped earlier. */
	int64_t reached;
	int64_t known;
	/* The work of this simulation and of all before it, as in struct
	 * eqt_simulation_watch. */
	uint64_t work, work_before;
	bool worked; /* whether work_most was reached */
	bool enough; /* whether go_on() has returned false */
	/* Whether the present future was stopped before its end. */
	bool stopped;
	struct eqt_error *err;
};

/* Return the seconds that a job has run, or 0 if it waits. */
static uint32_t elapsed_s(const struct forecast_run *run,
			  const struct eqt_simulation_job *job)
{
	const int64_t now = run->in->now->from;

	return job->needs && job->needs->on && job->start < now
		       ? (uint32_t) (now - job->start)
		       : 0;
}

/* go_on() is not called again after it has returned false. */
static bool forecast_goes_on(struct forecast_run *run)
{
	const struct eqt_forecast *in = run->in;

	if (!run->enough && in->go_on && !in->go_on(in->with, run->done))
		run->enough = true;
	return !run->enough;
}

static bool targets_have_started(const struct forecast_run *run)
{
	const struct eqt_forecast *in = run->in;

	for (uint32_t i = 0; i < in->target_count; i++)
		if (run->jobs[in->targets[i]].start == EQT_SIMULATION_NEVER)
			return false;
	return true;
}

/* Have all targets started, or is the time ahead for which jobs were drawn over? */
static bool future_is_over(void *with, int64_t now)
{
	struct forecast_run *run = with;
	const struct eqt_forecast *in = run->in;

	run->reached = now;
	run->worked = in->work_most &&
		      run->work_before + run->work > in->work_most;
	run->stopped =
		run->worked ||
		(++run->moments % ASK_EVERY == 0 && !forecast_goes_on(run)) ||
		now >= in->now->from + run->ahead_s ||
		targets_have_started(run);
	return run->stopped;
}

/* The draw depends only on the job, whatever was drawn before. */
static void future_draw_length(struct forecast_run *run, size_t i)
{
	eqt_draw_restart(run->draw, i);
	run->jobs[i].run_s = eqt_draw_length(run->draw, &run->likes[i],
					     &run->jobs[i],
					     elapsed_s(run, &run->jobs[i]));
}

/* Make the present jobs with their run times and the jobs that will arrive. Return
 * their number, or 0 with the error. */
static size_t future_jobs(struct forecast_run *run)
{
	const struct eqt_simulation *now = run->in->now;
	struct eqt_simulation_job *coming;
	size_t count;

	if (eqt_arrivals_draw(run->arrivals, &coming, &count, run->ahead_s) <
	    0) {
		eqt_error_set(run->err, "out of memory");
		return 0;
	}
	if (now->count + count > run->space) {
		free(run->jobs);
		run->space = now->count + count + count / 4;
		run->jobs = malloc(run->space * sizeof(*run->jobs));
	}
	if (!run->jobs) {
		free(coming);
		eqt_error_set(run->err, "out of memory");
		return 0;
	}
	memcpy(run->jobs, now->jobs, now->count * sizeof(*run->jobs));
	if (count)
		memcpy(run->jobs + now->count, coming,
		       count * sizeof(*run->jobs));
	free(coming);
	/* Targets come last, so that another size of a target does not change other
	 * jobs. */
	for (size_t i = 0; i < now->count; i++)
		if (!run->is_target[i])
			future_draw_length(run, i);
	for (uint32_t i = 0; i < run->in->target_count; i++)
		future_draw_length(run, run->in->targets[i]);
	for (size_t i = 0; i < now->count; i++)
		run->jobs[i].spread =
			run->jobs[i].spread &&
			eqt_draw_spreads(run->draw, run->jobs[i].user);
	/* Slurm ends a job up to a minute after its limit. */
	for (size_t i = 0; i < now->count; i++)
		if (run->jobs[i].limit_s < run->jobs[i].run_s)
			run->jobs[i].limit_s = run->jobs[i].run_s;
	return now->count + count;
}

/* Run one simulation. Return 0, or -1 with the error. */
static int future_simulate(struct forecast_run *run, uint32_t number)
{
	struct eqt_simulation one = *run->in->now;
	struct eqt_simulation_sum sum;

	run->reached = one.from;
	eqt_draw_begin(run->draw, run->in->seed, number);
	one.count = future_jobs(run);
	if (one.count == 0)
		return -1;
	one.jobs = run->jobs;
	one.watch = (struct eqt_simulation_watch){ .with = run,
						   .stop = future_is_over,
						   .work = &run->work };
	run->stopped = false;
	if (eqt_simulation_run(&sum, &one, run->in->policy, run->err) < 0)
		return -1;
	/* Nothing happens after the last event, so that the whole time is known. */
	if (!run->stopped)
		run->reached = one.from + run->ahead_s;
	run->work_before += run->work;
	return 0;
}

/* Keep the starts of a future, unless its simulation was cut before the time that an
 * earlier one has reached. No jobs arrive after the time ahead, so starts after it are not
 * known. */
static void future_keep(struct forecast_run *run,
			struct eqt_forecast_starts *out)
{
	const struct eqt_forecast *in = run->in;
	const int64_t ahead = in->now->from + run->ahead_s;
	const int64_t known = eqt_whole_earlier(run->reached, ahead);

	if (run->enough && known < run->known) {
		run->reached = run->known;
		return;
	}
	run->known = known;
	for (uint32_t i = 0; i < in->target_count; i++) {
		const int64_t start = run->jobs[in->targets[i]].start;

		out->starts[(size_t) i * in->futures + run->done] =
			start == EQT_SIMULATION_NEVER ? EQT_FORECAST_LATER
						      : start;
	}
}

/* Simulate one future. The time ahead is extended while a target does not start in
 * it. */
static int future_run(struct forecast_run *run, uint32_t number,
		      struct eqt_forecast_starts *out)
{
	run->known = run->in->now->from;
	for (;;) {
		if (future_simulate(run, number) < 0)
			return -1;
		future_keep(run, out);
		/* An incomplete first future counts, because it at least shows that
		 * targets start later. */
		if (run->worked || (run->enough && run->done > 0))
			return 0;
		if (run->enough || targets_have_started(run) ||
		    run->ahead_s >= run->in->look_s)
			break;
		run->ahead_s =
			eqt_whole_earlier(3 * run->ahead_s, run->in->look_s);
	}
	if (run->done == 0)
		out->work = run->work_before;
	if (!targets_have_started(run) &&
	    (!out->until || run->reached < out->until))
		out->until = run->reached;
	run->done++;
	run->moments = 0;
	return 0;
}

/* Move the starts of each target together, and sort them unless they are paired. */
static void starts_settle(struct eqt_forecast_starts *out, uint32_t space,
			  uint32_t done, bool paired)
{
	for (uint32_t i = 0; i < out->targets; i++) {
		int64_t *to = out->starts + (size_t) i * done;

		memmove(to, out->starts + (size_t) i * space,
			done * sizeof(*to));
		if (!paired)
			qsort(to, done, sizeof(*to), eqt_whole_compare_times);
	}
	out->futures = done;
}

/* Prepare what all futures share: the draws, the targets, and the similar jobs of each
 * job. */
static int run_prepare(struct forecast_run *run,
		       struct eqt_forecast_starts *out)
{
	const struct eqt_forecast *in = run->in;

	run->draw = eqt_draw_new(in->past, in->past_count, in->now->tree);
	if (run->draw)
		run->arrivals = eqt_arrivals_new(run->draw, in->past,
						 in->past_count, in->past_from,
						 in->now->from);
	run->likes = calloc(in->now->count + 1, sizeof(*run->likes));
	run->is_target = calloc(in->now->count + 1, sizeof(*run->is_target));
	out->targets = in->target_count;
	out->starts = calloc((size_t) in->target_count * in->futures + 1,
			     sizeof(*out->starts));
	if (!run->arrivals || !run->likes || !run->is_target || !out->starts)
		return eqt_error_set(run->err, "out of memory");
	for (uint32_t i = 0; i < in->target_count; i++)
		run->is_target[in->targets[i]] = true;
	for (size_t i = 0; i < in->now->count; i++) {
		const struct eqt_simulation_job *job = &in->now->jobs[i];

		run->likes[i] =
			eqt_draw_find(run->draw, job, elapsed_s(run, job));
		out->levels[run->likes[i].level]++;
	}
	return 0;
}

int eqt_forecast_run(struct eqt_forecast_starts *out,
		     const struct eqt_forecast *in, struct eqt_error *err)
{
	struct forecast_run run = {
		.in = in,
		.ahead_s = AHEAD_S * (1 + (int64_t) in->now->count / 10000),
		.err = err,
	};
	int rc;

	run.ahead_s = eqt_whole_earlier(run.ahead_s, in->look_s);
	*out = (struct eqt_forecast_starts){
		.now_s = in->now->from, .end_s = in->now->from + in->look_s
	};
	rc = run_prepare(&run, out);
	for (uint32_t i = 0; i < in->futures && rc == 0; i++) {
		if (run.worked || !forecast_goes_on(&run))
			break;
		rc = future_run(&run, i, out);
	}
	if (rc == 0)
		starts_settle(out, in->futures, run.done, in->paired);
	else
		eqt_forecast_starts_free(out);
	eqt_arrivals_free(run.arrivals);
	eqt_draw_free(run.draw);
	free(run.likes);
	free(run.is_target);
	free(run.jobs);
	return rc;
}

void eqt_forecast_starts_free(struct eqt_forecast_starts *starts)
{
	free(starts->starts);
	*starts = (struct eqt_forecast_starts){ .futures = 0 };
}

int64_t eqt_forecast_quantile(const struct eqt_forecast_starts *starts,
			      uint32_t target, double part)
{
	const double at = part * (starts->futures + 1);
	uint32_t i = at < 1 ? 1 : (uint32_t) floor(at + 0.5);

	if (i > starts->futures)
		i = starts->futures;
	return starts->starts[(size_t) target * starts->futures + i - 1];
}

/* ---- Correction -------------------------------------------------------------------
 * Waits are compared by their logarithms, because a forecast of a day is wrong by hours
 * and one of a minute by seconds. */

#define SHORT_S 60 /* waits much shorter than this are alike */
/* least distance of an end from the median: an interval has a width */
#define DISTANCE_MIN 0.1
#define WAIT_MAX_S 1e9 /* an end later than this counts as not known */
/* Nothing is changed if the part of past intervals that held is between these two. */
#define HELD_LOW 0.85
#define HELD_HIGH 0.9
#define DAY_S 86400
/* from this number of futures on, quantiles are used unchanged */
#define FUTURES_ENOUGH 20

static double wait_scale(int64_t wait_s)
{
	return log((double) eqt_whole_later(wait_s, 0) + SHORT_S);
}

/* The distance between the median and an end. */
static double distance(int64_t median_s, int64_t end_s)
{
	return fmax(fabs(wait_scale(end_s) - wait_scale(median_s)),
		    DISTANCE_MIN);
}

static double score(const struct eqt_forecast_past *past)
{
	const int64_t end_s = past->wait_s < past->median_s ? past->early_s
							    : past->late_s;

	return fabs(wait_scale(past->wait_s) - wait_scale(past->median_s)) /
	       distance(past->median_s, end_s);
}

/* Count the forecasts that held, and find the times of the first and the last one. */
static size_t past_held(const struct eqt_forecast_past *past, size_t count,
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
	const struct eqt_forecast_past *x = a, *y = b;

	return x->median_s < y->median_s ? -1 : x->median_s > y->median_s;
}

/* The part of the scores of a group that the factor has to reach. 0: nothing is changed. */
static double part_wanted(const struct eqt_forecast_past *past, size_t count)
{
	int64_t first, last;
	const double held =
		(double) past_held(past, count, &first, &last) / (double) count;
	const double chance = 0.4 / sqrt((double) ((last - first) / DAY_S + 1));
	const double low = HELD_LOW - chance, high = HELD_HIGH + chance;

	return held < low ? low : held > high ? high : 0;
}

/* Find the factor of a group. `scores` has room for a score of each forecast. */
static double factor_make(const struct eqt_forecast_past *past, size_t count,
			  double *scores)
{
	const double part = part_wanted(past, count);
	const size_t at = (size_t) ceil(part * (double) (count + 1));

	if (part == 0)
		return 1;
	for (size_t i = 0; i < count; i++)
		scores[i] = score(&past[i]);
	qsort(scores, count, sizeof(*scores), eqt_whole_compare_doubles);
	return scores[at > count ? count - 1 : at - 1];
}

/* Without memory nothing is changed. */
void eqt_forecast_correction_make(struct eqt_forecast_correction *out,
				  struct eqt_forecast_past *past, size_t count)
{
	double *scores;
	int64_t last;
	size_t parts;

	*out = (struct eqt_forecast_correction){ .forecasts = count };
	out->held = past_held(past, count, &out->from_s, &last);
	if (count < EQT_FORECAST_PAST_LEAST ||
	    !(scores = malloc(count * sizeof(*scores))))
		return;
	qsort(past, count, sizeof(*past), past_compare);
	parts = count < EQT_FORECAST_PAST_LEAST * EQT_FORECAST_PARTS
			? 1
			: EQT_FORECAST_PARTS;
	for (size_t i = 0; i < parts; i++) {
		const size_t from = count * i / parts;
		const size_t to = count * (i + 1) / parts;

		out->most_s[i] = past[to - 1].median_s;
		out->factor[i] = factor_make(past + from, to - from, scores);
	}
	out->parts = (int) parts;
	free(scores);
}

bool eqt_forecast_correction_changes(
	const struct eqt_forecast_correction *correction)
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

/* Between the first and the last of n futures lie (n - 1) / (n + 1) of all further
 * futures. If the logarithms of waits are normally distributed, 90 % lie between ends
 * that are so many times as far from the median. */
static double few_factor(uint32_t futures)
{
	const double others = futures > 2 ? futures - 1 : 1;

	return futures < FUTURES_ENOUGH ? 1 + 20 / (others * others) : 1;
}

struct eqt_forecast_interval eqt_forecast_interval(
	const struct eqt_forecast_starts *starts, uint32_t target)
{
	const double factor = few_factor(starts->futures);
	struct eqt_forecast_interval interval = {
		eqt_forecast_quantile(starts, target, EQT_FORECAST_EARLY),
		eqt_forecast_quantile(starts, target, 0.5),
		eqt_forecast_quantile(starts, target, EQT_FORECAST_LATE),
	};

	if (interval.median_s != EQT_FORECAST_LATER) {
		end_move(&interval.early_s, &interval, starts->now_s, factor,
			 -1);
		end_move(&interval.late_s, &interval, starts->now_s, factor, 1);
		if (interval.late_s > starts->end_s)
			interval.late_s = EQT_FORECAST_LATER;
	}
	return interval;
}

void eqt_forecast_correction_apply(
	const struct eqt_forecast_correction *correction,
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
