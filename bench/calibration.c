/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/calibration: how often a forecast's interval holds the start.
 *
 * A generated workload is simulated as if it were real. At random moments waiting jobs
 * are forecast from what was known then: jobs that wait or run, and the lengths of
 * those that had ended. Prints in how many per cent the start lay within the 80 %
 * interval, before it and after it.
 *
 * With -r the forecasts of the first half of the time make a record, which grows, and those
 * of the second half are judged as they are and as the record corrects them. With -x the
 * forecasts take past lengths for so many times as much, so that they are wrong.
 */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fraction.h"
#include "prio/decay.h"
#include "sim/forecast.h"
#include "sim/workload.h"

#define USERS_MAX 1000
#define ACCOUNTS 8
#define TREE_MAX (1 + ACCOUNTS + USERS_MAX)
#define TARGETS 6
#define DAY 86400
#define EPOCH (INT64_C(1000) * DAY) /* 0 would mean "no beginning" */
#define CLASSES 4

static struct {
	struct eqt_workload made;
	uint32_t nodes, cpus, users, moments, futures, history_days;
	double first; /* moment, as a part of the span */
	double lengths; /* past lengths count times so much */
	bool replay;
} options = {
	.made = { .seed = 1, .jobs = 6000, .span_s = 20 * DAY, .load = 1.0 },
	.nodes = 64,
	.cpus = 16,
	.users = 40,
	.first = 0.4,
	.moments = 60,
	.futures = 200,
	.history_days = 14,
	.lengths = 1,
};

static struct eqt_conf conf = {
	.prices.cores = { .name = "cores",
			  .cores_u = EQT_MICRO,
			  .weight_u = EQT_MICRO },
};
static struct eqt_tree_input tree[TREE_MAX];
static long double usage[TREE_MAX];
static struct eqt_simulation_partition partitions[3] = {
	{ .name = "main", .tier = 1, .job_factor = 1 },
	{ .name = "short", .tier = 1, .job_factor = 1 },
	{ .name = "wide", .tier = 1, .job_factor = 1 },
};
static struct eqt_simulation_policy policy = {
	.conf = &conf,
	.priority.idle_shares = true,
	.weights = { .age = 1000, .fairshare = 10000 },
	.half_life_s = 7 * DAY,
	.max_age_s = 7 * DAY,
	.period_s = 300,
	.backfill_s = 30,
	.backfill_depth = 500,
	.backfill_window_s = 2 * DAY,
};

static int64_t moments_span_s; /* within which forecasts are made */
/* The nodes that a job had. */
static uint32_t **placed;
static struct eqt_simulation_job *real; /* as it was */

/* What came out, by how long the job still waited. */
static struct {
	uint64_t all, within, before, after, half;
	double width, error; /* sums of logarithms */
} sums[CLASSES];
static const char *const class_names[CLASSES] = { "below 1 h", "1 to 4 h",
						  "4 to 24 h", "above 24 h" };

/* Each forecast, for the thirds of waits. */
static struct sample {
	struct eqt_forecast_past is; /* with the whole wait */
	int64_t wait;
	bool within;
	/* with -r: judged, and what the record made of the interval */
	bool judged, within_corrected;
	double width, width_corrected; /* logarithms */
} * samples;
static size_t sample_count;

static uint64_t random_state = 88172645463325252u;

static uint64_t random_next(uint64_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % below;
}

static _Noreturn void die(const char *why)
{
	fprintf(stderr, "calibration: %s\n", why);
	exit(1);
}

static void note_placed(void *with, const struct eqt_simulation_job *job,
			const uint32_t *on)
{
	(void) with;
	placed[job - real] = malloc(job->nodes * sizeof(**placed));
	if (!placed[job - real])
		die("out of memory");
	memcpy(placed[job - real], on, job->nodes * sizeof(*on));
}

/* Accounts and users with shares of their own. */
static void tree_make(void)
{
	tree[0].parent = EQT_TREE_NONE;
	for (uint32_t i = 1; i <= ACCOUNTS + options.users; i++)
		tree[i] = (struct eqt_tree_input){
			.parent = i <= ACCOUNTS ? 0 : 1 + i % ACCOUNTS,
			.shares = 1 + i % 5,
			.user = i > ACCOUNTS,
		};
}

/* Partition 0 has five eighths of the nodes, 1 all of them, 2 the rest. */
static struct eqt_simulation_node *nodes_make(void)
{
	struct eqt_simulation_node *nodes =
		calloc(options.nodes, sizeof(*nodes));

	if (!nodes)
		die("out of memory");
	for (uint32_t i = 0; i < options.nodes; i++)
		nodes[i] = (struct eqt_simulation_node){
			.has = { options.cpus, options.cpus * UINT64_C(4096),
				 0 },
			.model = EQT_SIMULATION_NO_MODEL,
			.partitions = i < options.nodes * 5 / 8 ? 3 : 6,
		};
	return nodes;
}

/* The usage at a moment, from what had run by then. */
static void usage_at(int64_t now)
{
	memset(usage, 0, sizeof(usage));
	for (size_t i = 0; i < options.made.jobs; i++) {
		const struct eqt_simulation_job *job = &real[i];
		int64_t end = job->start + job->run_s;
		long double seconds;

		if (job->start == EQT_SIMULATION_NEVER || job->start >= now)
			continue;
		end = end < now ? end : now;
		seconds = eqt_decay_seconds(policy.half_life_s, job->start, end,
					    now);
		for (uint32_t n = job->user; n != EQT_TREE_NONE;
		     n = tree[n].parent)
			usage[n] += seconds * (long double) job->all.cpus;
	}
}

/* Jobs that had come by then, as sacct would have them. */
static size_t past_make(struct eqt_simulation_job *past, int64_t from,
			int64_t now)
{
	size_t count = 0;

	for (size_t i = 0; i < options.made.jobs && real[i].at < now; i++) {
		const bool ended = real[i].start != EQT_SIMULATION_NEVER &&
				   real[i].start + real[i].run_s <= now;

		if (real[i].at < from)
			continue;
		past[count] = real[i];
		past[count].needs = NULL;
		past[count++].run_s =
			ended ? (uint32_t) ceil(real[i].run_s * options.lengths)
			      : 0;
	}
	return count;
}

/* Jobs that wait or run at a moment; which: their indices in real. */
static size_t now_make(struct eqt_simulation_job *jobs,
		       struct eqt_simulation_needs *needs, size_t *which,
		       int64_t now)
{
	size_t count = 0;

	for (size_t i = 0; i < options.made.jobs && real[i].at < now; i++) {
		if (real[i].start == EQT_SIMULATION_NEVER ||
		    real[i].start + real[i].run_s <= now)
			continue;
		jobs[count] = real[i];
		needs[count] = (struct eqt_simulation_needs){ .begin = 0 };
		if (real[i].start < now) {
			needs[count].on = placed[i];
			jobs[count].needs = &needs[count];
		}
		which[count++] = i;
	}
	return count;
}

static void sum_start(int64_t now, int64_t start,
		      const struct eqt_forecast_starts *starts, uint32_t target)
{
	const struct eqt_forecast_interval told =
		eqt_forecast_interval(starts, target);
	const int64_t low = told.early_s, high = told.late_s;
	const int64_t median = told.median_s;
	const int64_t wait = start - now;
	const int class_ = wait < 3600	     ? 0
			   : wait < 4 * 3600 ? 1
			   : wait < DAY	     ? 2
					     : 3;

	samples[sample_count++] = (struct sample){
		.is = { now, low - now, median - now,
			high == EQT_FORECAST_LATER ? -1 : high - now, wait },
		.wait = wait,
		.within = start >= low && start <= high,
	};
	sums[class_].all++;
	sums[class_].before += start < low;
	sums[class_].after += start > high;
	sums[class_].within += start >= low && start <= high;
	sums[class_].half +=
		start >= eqt_forecast_quantile(starts, target, 0.25) &&
		start <= eqt_forecast_quantile(starts, target, 0.75);
	if (high == EQT_FORECAST_LATER)
		return;
	sums[class_].width +=
		log((double) (high - now + 60) / (double) (low - now + 60));
	sums[class_].error +=
		fabs(log((double) (median - now + 60) / (double) (wait + 60)));
}

/* Forecast some of the jobs that wait at a moment. */
static void moment_forecast(const struct eqt_simulation *in, int64_t now)
{
	const int64_t from = now - (int64_t) options.history_days * DAY;
	const size_t room = options.made.jobs;
	struct eqt_simulation_job *jobs = calloc(room, sizeof(*jobs));
	struct eqt_simulation_job *past = calloc(room, sizeof(*past));
	struct eqt_simulation_needs *needs = calloc(room, sizeof(*needs));
	size_t *which = calloc(room, sizeof(*which)), waiting = 0;
	uint32_t targets[TARGETS], count = 0;
	struct eqt_simulation one = *in;
	struct eqt_forecast_starts starts;
	struct eqt_error err;

	if (!jobs || !past || !needs || !which)
		die("out of memory");
	usage_at(now);
	one.usage = usage;
	one.from = now;
	one.jobs = jobs;
	one.count = now_make(jobs, needs, which, now);
	for (size_t i = 0; i < one.count; i++)
		waiting += !jobs[i].needs;
	/* Each waiting job is as likely as any other. */
	for (size_t i = 0; i < one.count && count < TARGETS; i++)
		if (!jobs[i].needs && random_next(waiting--) < TARGETS - count)
			targets[count++] = (uint32_t) i;
	if (count) {
		const struct eqt_forecast forecast = {
			.now = &one,
			.policy = &policy,
			.past = past,
			.past_count = past_make(past, from, now),
			.past_from = from > EPOCH ? from : EPOCH,
			.targets = targets,
			.target_count = count,
			.seed = options.made.seed,
			.futures = options.futures,
			.look_s = 30 * DAY,
		};

		if (eqt_forecast_run(&starts, &forecast, &err) < 0)
			die(err.text);
		for (uint32_t t = 0; t < count; t++)
			sum_start(now, real[which[targets[t]]].start, &starts,
				  t);
		eqt_forecast_starts_free(&starts);
	}
	free(jobs);
	free(past);
	free(needs);
	free(which);
}

/* ---- The record ------------------------------------------------------------- */

/* The forecasts whose latest start is over by then, as tools/scene/past_forecasts.c has
 * them. */
static size_t record_make(struct eqt_forecast_past *over, int64_t now)
{
	size_t count = 0;

	for (size_t i = 0; i < sample_count; i++) {
		struct eqt_forecast_past one = samples[i].is;

		if (one.late_s < 0 || one.asked_s + one.late_s > now)
			continue;
		if (one.wait_s > now - one.asked_s)
			one.wait_s = now - one.asked_s;
		over[count++] = one;
	}
	return count;
}

static double interval_width(const struct eqt_forecast_interval *at,
			     int64_t now)
{
	return log((double) (at->late_s - now + 60) /
		   (double) (at->early_s - now + 60));
}

/* Judge a forecast with and without the record of its time. */
static void sample_judge(struct sample *sample, struct eqt_forecast_past *over)
{
	const int64_t now = sample->is.asked_s, start = now + sample->wait;
	struct eqt_forecast_interval at = {
		now + sample->is.early_s,
		sample->is.median_s > EQT_FORECAST_LATER / 2
			? EQT_FORECAST_LATER
			: now + sample->is.median_s,
		sample->is.late_s < 0 ? EQT_FORECAST_LATER
				      : now + sample->is.late_s,
	};
	const bool finite = at.late_s != EQT_FORECAST_LATER;
	struct eqt_forecast_correction correction;

	sample->judged = true;
	sample->width = finite ? interval_width(&at, now) : NAN;
	eqt_forecast_correction_make(&correction, over, record_make(over, now));
	eqt_forecast_correction_apply(&correction, &at, now);
	sample->width_corrected = finite ? interval_width(&at, now) : NAN;
	sample->within_corrected = start >= at.early_s && start <= at.late_s;
}

static int sample_compare(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->wait > y->wait) - (x->wait < y->wait);
}

/* How often intervals held, and how wide they were, in a part of the judged samples. */
static void replay_line(const char *name, size_t from, size_t to)
{
	size_t within = 0, corrected = 0, finite = 0;
	double width = 0, width_corrected = 0;

	for (size_t i = from; i < to; i++) {
		within += samples[i].within;
		corrected += samples[i].within_corrected;
		if (isnan(samples[i].width))
			continue;
		finite++;
		width += samples[i].width;
		width_corrected += samples[i].width_corrected;
	}
	if (to > from)
		printf("%-10s %6zu %6zu %6zu %7.1f %% %7.1f %% %8.2f %8.2f\n",
		       name, to - from, within, corrected,
		       100 * (double) within / (double) (to - from),
		       100 * (double) corrected / (double) (to - from),
		       exp(width / (double) finite),
		       exp(width_corrected / (double) finite));
}

/* Judge the samples from the middle of the time on. */
static void replay_print(int64_t from)
{
	static const char *const thirds[] = { "shortest", "middle", "longest" };
	struct eqt_forecast_past *over = calloc(sample_count, sizeof(*over));
	size_t count = 0;

	if (!over)
		die("out of memory");
	for (size_t i = 0; i < sample_count; i++)
		if (samples[i].is.asked_s >= from)
			sample_judge(&samples[i], over);
	free(over);
	for (size_t i = 0; i < sample_count; i++)
		if (samples[i].judged)
			samples[count++] = samples[i];
	qsort(samples, count, sizeof(*samples), sample_compare);
	printf("%-10s %6s %6s %6s %9s %9s %8s %8s\n", "THIRD", "JOBS", "HELD",
	       "CORR", "HELD", "CORRECTED", "WIDTH", "CORR");
	for (size_t third = 0; third < 3; third++)
		replay_line(thirds[third], count * third / 3,
			    count * (third + 1) / 3);
	replay_line("all", 0, count);
}

/* How often the interval holds in each third of the waits, short to long. */
static void thirds_print(void)
{
	qsort(samples, sample_count, sizeof(*samples), sample_compare);
	for (size_t third = 0; third < 3 && sample_count; third++) {
		const size_t from = sample_count * third / 3,
			     to = sample_count * (third + 1) / 3;
		size_t within = 0;

		for (size_t i = from; i < to; i++)
			within += samples[i].within;
		printf("third %zu: %zu of %zu\n", third + 1, within, to - from);
	}
}

static void sums_print(void)
{
	uint64_t all = 0, within = 0, half = 0, before = 0, after = 0;

	printf("%-12s %6s %9s %8s %8s %9s %7s %7s\n", "STILL WAITS", "JOBS",
	       "WITHIN80", "BEFORE", "AFTER", "WITHIN50", "HIGH/LOW", "ERROR");
	for (int i = 0; i < CLASSES; i++) {
		const double n = sums[i].all ? (double) sums[i].all : 1;

		printf("%-12s %6" PRIu64
		       " %7.1f %% %6.1f %% %6.1f %% %7.1f %% %7.2f %7.2f\n",
		       class_names[i], sums[i].all,
		       100 * (double) sums[i].within / n,
		       100 * (double) sums[i].before / n,
		       100 * (double) sums[i].after / n,
		       100 * (double) sums[i].half / n, exp(sums[i].width / n),
		       exp(sums[i].error / n));
		all += sums[i].all;
		within += sums[i].within;
		before += sums[i].before;
		after += sums[i].after;
		half += sums[i].half;
	}
	if (all)
		printf("%-12s %6" PRIu64
		       " %7.1f %% %6.1f %% %6.1f %% %7.1f %%\n",
		       "all", all, 100 * (double) within / (double) all,
		       100 * (double) before / (double) all,
		       100 * (double) after / (double) all,
		       100 * (double) half / (double) all);
}

static void options_read(int argc, char **argv)
{
	int letter;

	while ((letter = getopt(argc, argv, "j:d:l:n:c:m:f:s:w:b:u:e:rx:")) !=
	       -1) {
		const double value = optarg ? atof(optarg) : 1;

		if (letter == '?' || !(value > 0)) {
			fprintf(stderr,
				"usage: calibration [-j JOBS] [-d DAYS] "
				"[-l LOAD] [-n NODES] [-c CPUS] [-m MOMENTS] "
				"[-f FUTURES] [-s SEED] [-w HISTORY_DAYS] "
				"[-b PASS_SECONDS] [-u USERS] [-e "
				"FIRST_PART] [-r] [-x LENGTHS]\n");
			exit(2);
		}
		switch (letter) {
		case 'j':
			options.made.jobs = (uint64_t) value;
			break;
		case 'd':
			options.made.span_s = (uint32_t) (value * DAY);
			break;
		case 'l':
			options.made.load = value;
			break;
		case 'n':
			options.nodes = (uint32_t) value;
			break;
		case 'c':
			options.cpus = (uint32_t) value;
			break;
		case 'm':
			options.moments = (uint32_t) value;
			break;
		case 'f':
			options.futures = (uint32_t) value;
			break;
		case 'b':
			policy.backfill_s = (uint32_t) value;
			policy.period_s =
				(uint32_t) value > 300 ? (uint32_t) value : 300;
			break;
		case 'u':
			options.users = value < USERS_MAX ? (uint32_t) value
							  : USERS_MAX;
			break;
		case 'e':
			options.first = value < 0.8 ? value : 0.8;
			break;
		case 'x':
			options.lengths = value;
			break;
		case 'r':
			options.replay = true;
			break;
		case 'w':
			options.history_days = (uint32_t) value;
			break;
		default:
			options.made.seed = (uint64_t) value;
			break;
		}
	}
}

int main(int argc, char **argv)
{
	struct eqt_simulation in = {
		.cluster = { .partitions = partitions, .partition_count = 3 },
		.tree = tree,
		.watch.placed = note_placed,
	};
	struct eqt_simulation_sum sum;
	struct eqt_error err;

	options_read(argc, argv);
	samples = calloc((size_t) options.moments * TARGETS, sizeof(*samples));
	if (!samples)
		die("out of memory");
	random_state += options.made.seed * UINT64_C(0x9e3779b97f4a7c15);
	tree_make();
	in.tree_count = 1 + ACCOUNTS + options.users;
	/* Jobs keep coming behind the last moment, as those that are forecast expect. */
	moments_span_s = options.made.span_s;
	options.made.jobs += options.made.jobs / 2;
	options.made.span_s += options.made.span_s / 2;
	in.cluster.nodes = nodes_make();
	in.cluster.node_count = options.nodes;
	in.count = options.made.jobs;
	in.jobs = real = calloc(in.count, sizeof(*real));
	placed = calloc(in.count, sizeof(*placed));
	if (!real || !placed)
		die("out of memory");
	if (eqt_workload_make(real, &options.made, &in, &err) < 0)
		die(err.text);
	for (size_t i = 0; i < in.count; i++)
		real[i].at += EPOCH;
	if (eqt_simulation_run(&sum, &in, &policy, &err) < 0)
		die(err.text);
	in.watch.placed = NULL;
	for (uint32_t i = 0; i < options.moments; i++)
		moment_forecast(
			&in,
			EPOCH +
				(int64_t) (options.first *
					   (double) moments_span_s) +
				(int64_t) random_next(
					(uint64_t) ((0.9 - options.first) *
						    (double) moments_span_s)));
	sums_print();
	if (options.replay)
		replay_print(EPOCH + (int64_t) ((options.first + 0.9) / 2 *
						(double) moments_span_s));
	else
		thirds_print();
	return 0;
}
