/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a simulation, and sums up its results. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alloc.h"
#include "cli/progress.h"
#include "simulate/simulate.h"

/* Sums while a simulation runs. */
struct counting {
	struct eqt_scene *sim;
	struct eqt_simulate_result *result;
	struct eqt_progress progress;
	double *totals; /* equivalent-seconds of each association */
	uint64_t *waits;
	double cpu_s;
};

static const char *const class_names[EQT_SIMULATE_CLASSES] = {
	"CPUs, to 1 h", "CPUs, to 1 day", "CPUs, longer",
	"GPUs, to 1 h", "GPUs, to 1 day", "GPUs, longer",
};

/* The class of a job, from its time limit and from whether it requests GPUs. */
static int simulate_class(const struct eqt_simulation_job *job)
{
	int length = job->limit_s <= 3600 ? 0 : job->limit_s <= 86400 ? 1 : 2;

	return length + (job->all.gpus ? 3 : 0);
}

/* The label of an association: its account, or "root/ada" for a user. */
static const char *simulate_label(struct eqt_scene *sim, uint32_t assoc)
{
	const struct eqt_sshare_assoc *it = &sim->shares.assocs[assoc];
	char text[256];
	int length;

	if (!it->user)
		return it->account;
	length = snprintf(text, sizeof(text), "%.120s/%.120s", it->account,
			  it->user);
	return eqt_arena_text(&sim->kept, text, (size_t) length);
}

/* The association's part of the whole tree by shares. NAN with Fairshare=parent. */
static double simulate_share(const struct eqt_scene *sim, uint32_t assoc)
{
	double share = 1;

	for (; assoc != 0 && assoc != EQT_TREE_NONE;
	     assoc = sim->shares.assocs[assoc].parent) {
		if (sim->shares.assocs[assoc].parent_shares)
			return NAN;
		share *= eqt_tree_node(sim->shares.tree, assoc).shares_norm;
	}
	return share;
}

/* ---- While it runs ---------------------------------------------------------- */

/* How many seconds of [from, to) are in bin i of the window. */
static double overlap_s(const struct eqt_simulate_result *result, int64_t from,
			int64_t to, int i)
{
	double width = (double) result->window_s / EQT_SIMULATE_BINS;
	double begins = (double) result->from + width * i;
	double low = fmax((double) from, begins);
	double high = fmin((double) to, begins + width);

	return high > low ? high - low : 0;
}

/* Only bins between start and end of the job are visited. */
static void counting_add_bins(struct counting *counting,
			      const struct eqt_simulation_job *job, int64_t end,
			      double equivalents)
{
	struct eqt_simulate_result *result = counting->result;
	double width = (double) result->window_s / EQT_SIMULATE_BINS;
	double first = floor((double) (job->start - result->from) / width);

	for (int i = first < 0			 ? 0
		     : first < EQT_SIMULATE_BINS ? (int) first
						 : EQT_SIMULATE_BINS;
	     i < EQT_SIMULATE_BINS; i++) {
		double seconds = overlap_s(result, job->start, end, i);

		if (!(seconds > 0) &&
		    (double) end < (double) result->from + width * i)
			return;
		result->bins[(size_t) job->user * EQT_SIMULATE_BINS +
			     (size_t) i] += seconds * equivalents;
		counting->cpu_s += seconds * (double) job->all.cpus;
	}
}

static void counting_job_ran(void *with, const struct eqt_simulation_job *job,
			     int64_t end, double equivalents)
{
	struct counting *counting = with;

	counting->totals[job->user] += equivalents * job->run_s;
	counting_add_bins(counting, job, end, equivalents);
}

static void counting_jobs_done(void *with, size_t jobs)
{
	struct counting *counting = with;

	eqt_progress_update(&counting->progress, jobs);
}

/* ---- Waits ------------------------------------------------------------------ */

/* One number per job that started, so that a long trace needs little memory. The upper
 * half is the wait. The lower half has the class and the association. */
#define WAIT_SHIFT 32
#define WAIT_CLASS_SHIFT 29

/* A callback: a job has started. A wait of more than 136 years is cut. */
static void counting_job_started(void *with, uint32_t index,
				 const struct eqt_simulation_job *job)
{
	struct counting *counting = with;
	struct eqt_simulate_result *result = counting->result;
	const int64_t wait_s = job->start - job->at;
	const uint64_t wait = wait_s < UINT32_MAX ? (uint64_t) wait_s
						  : UINT32_MAX - 1;
	const int class_ = simulate_class(job);

	counting->waits[result->all.jobs++] =
		wait << WAIT_SHIFT | (uint64_t) class_ << WAIT_CLASS_SHIFT |
		job->user;
	result->classes[class_].jobs++;
	for (uint32_t at = job->user; at != EQT_TREE_NONE;
	     at = counting->sim->shares.assocs[at].parent)
		result->accounts[at].jobs++;
	if (result->waits)
		result->waits[index] = (uint32_t) wait;
}

/* Sort in place, by one bit after the other from the highest, because qsort() would make
 * a copy. */
static void waits_sort(uint64_t *waits, size_t count, int bit)
{
	size_t low = 0, high = count;

	while (low < high) {
		const uint64_t wait = waits[low];

		if (!(wait >> bit & 1)) {
			low++;
			continue;
		}
		waits[low] = waits[--high];
		waits[high] = wait;
	}
	if (bit == 0)
		return;
	if (low > 1)
		waits_sort(waits, low, bit - 1);
	if (count - low > 1)
		waits_sort(waits + low, count - low, bit - 1);
}

/* Take the next wait of a line, in ascending order. *seen counts them. */
static void line_note_wait(struct eqt_simulate_line *line, size_t *seen,
			   int64_t wait_s)
{
	++*seen;
	if (*seen == (line->jobs + 1) / 2)
		line->wait_median_s = wait_s;
	/* 95 % of the jobs waited at most this long. */
	if (*seen == (line->jobs * 19 + 19) / 20)
		line->wait_p95_s = wait_s;
}

static void line_begin(struct eqt_simulate_line *line)
{
	line->wait_median_s = line->wait_p95_s = -1;
}

/*
 * Go through the waits in ascending order. Set the median and the 95th percentile of each
 * line when its count reaches them: the lines of all jobs, of each class, and of each
 * account and the accounts above it.
 */
static void result_note_waits(struct eqt_simulate_result *result,
			      const struct eqt_scene *sim,
			      const uint64_t *waits, size_t *seen)
{
	size_t class_seen[EQT_SIMULATE_CLASSES] = { 0 }, all_seen = 0;

	for (size_t i = 0; i < result->all.jobs; i++) {
		const int64_t wait_s = (int64_t) (waits[i] >> WAIT_SHIFT);
		const int class_ = (int) (waits[i] >> WAIT_CLASS_SHIFT & 7);

		line_note_wait(&result->all, &all_seen, wait_s);
		line_note_wait(&result->classes[class_], &class_seen[class_],
			       wait_s);
		for (uint32_t at = waits[i] & ((1u << WAIT_CLASS_SHIFT) - 1);
		     at != EQT_TREE_NONE; at = sim->shares.assocs[at].parent)
			line_note_wait(&result->accounts[at], &seen[at],
				       wait_s);
	}
}

/* Jobs that never started have no wait. They are reported separately. */
static void counting_sum_waits(struct counting *counting)
{
	const struct eqt_scene *sim = counting->sim;
	size_t *seen = eqt_alloc(sim->shares.count, sizeof(*seen));

	waits_sort(counting->waits, counting->result->all.jobs, 63);
	result_note_waits(counting->result, sim, counting->waits, seen);
	free(seen);
}

/* ---- Shares ----------------------------------------------------------------- */

/* Add each association's numbers to its parent. Children follow their parents in the
 * list, so from its end each association is complete before it is added. */
static void result_sum_up(struct eqt_simulate_result *result,
			  const struct eqt_scene *sim, double *totals)
{
	for (uint32_t i = sim->shares.count; i-- > 1;) {
		uint32_t parent = sim->shares.assocs[i].parent;

		totals[parent] += totals[i];
		for (size_t bin = 0; bin < EQT_SIMULATE_BINS; bin++)
			result->bins[parent * (size_t) EQT_SIMULATE_BINS +
				     bin] +=
				result->bins[i * (size_t) EQT_SIMULATE_BINS +
					     bin];
	}
	memcpy(result->bin_all, result->bins, sizeof(result->bin_all));
}

/* All equivalent-seconds that an association got. */
static double account_got(const struct eqt_simulate_result *result,
			  uint32_t assoc)
{
	double sum = 0;

	for (size_t bin = 0; bin < EQT_SIMULATE_BINS; bin++)
		sum += result->bins[assoc * (size_t) EQT_SIMULATE_BINS + bin];
	return sum;
}

/* Fill share, demand and delivered part of each association, all from 0 to 1. */
static void result_fill_lines(struct eqt_simulate_result *result,
			      struct eqt_scene *sim, const double *totals)
{
	double all = account_got(result, 0);

	for (uint32_t i = 0; i < sim->shares.count; i++) {
		struct eqt_simulate_line *line = &result->accounts[i];

		line->label = simulate_label(sim, i);
		line->account = sim->shares.assocs[i].account;
		line->user = sim->shares.assocs[i].user;
		line->share = simulate_share(sim, i);
		line->totals = totals[0] > 0 ? totals[i] / totals[0] : 0;
		line->got = all > 0 ? account_got(result, i) / all : 0;
	}
}

/* Only accounts of the first level with jobs count for the distance. */
static bool account_counts(const struct eqt_simulate_result *result,
			   const struct eqt_scene *sim, uint32_t i)
{
	return sim->shares.assocs[i].parent == 0 && result->accounts[i].jobs &&
	       !isnan(result->accounts[i].share);
}

/* Half the sum of the differences between the parts that accounts got and their
 * shares. */
static double result_distance(const struct eqt_simulate_result *result,
			      const struct eqt_scene *sim, int bin)
{
	double shares = 0, got = 0, sum = 0;

	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 1; i < sim->shares.count; i++) {
			const struct eqt_simulate_line *line =
				&result->accounts[i];
			double mine =
				bin < 0 ? line->got
					: result->bins
						  [(size_t) i *
							   EQT_SIMULATE_BINS +
						   (size_t) bin];

			if (!account_counts(result, sim, i))
				continue;
			if (round == 0) {
				shares += line->share;
				got += mine;
			} else if (shares > 0 && got > 0) {
				sum += fabs(mine / got - line->share / shares);
			}
		}
	}
	return got > 0 ? sum / 2 : NAN;
}

/* A bin in which nothing ran has no distance, and does not count for the mean. */
static void result_measure(struct eqt_simulate_result *result,
			   const struct eqt_scene *sim)
{
	double sum = 0;
	int bins = 0;

	result->distance = result_distance(result, sim, -1);
	for (int bin = 0; bin < EQT_SIMULATE_BINS; bin++) {
		double distance = result_distance(result, sim, bin);

		if (isnan(distance))
			continue;
		sum += distance;
		bins++;
	}
	result->distance_over_time = bins ? sum / bins : NAN;
}

/* ---- The run ----------------------------------------------------------------- */

/* A single job, or several jobs at the same moment, still need a window of a second. */
static void result_prepare(struct eqt_simulate_result *result,
			   const struct eqt_scene *sim,
			   const struct eqt_simulate_options *options)
{
	const size_t count = sim->shares.count;
	const int64_t from = eqt_stored_jobs_first(sim->stored);
	const int64_t to = eqt_stored_jobs_last(sim->stored);

	result->from = from;
	result->window_s = options->window_s ? options->window_s
					     : (uint64_t) (to - from);
	if (!result->window_s)
		result->window_s = 1;
	result->accounts = eqt_alloc(count, sizeof(*result->accounts));
	result->bins =
		eqt_alloc(count * EQT_SIMULATE_BINS, sizeof(*result->bins));
	if (options->starts_path || options->swf_out_path) {
		result->waits =
			eqt_alloc(sim->now.count, sizeof(*result->waits));
		memset(result->waits, 0xff,
		       sim->now.count * sizeof(*result->waits));
	}
	line_begin(&result->all);
	for (int i = 0; i < EQT_SIMULATE_CLASSES; i++) {
		line_begin(&result->classes[i]);
		result->classes[i].label = class_names[i];
	}
	for (size_t i = 0; i < count; i++)
		line_begin(&result->accounts[i]);
}

/* Turn the counts of a run into its results. */
static void counting_finish(struct counting *counting)
{
	struct eqt_simulate_result *result = counting->result;
	struct eqt_scene *sim = counting->sim;
	double cpus = 0;

	counting_sum_waits(counting);
	result_sum_up(result, sim, counting->totals);
	result_fill_lines(result, sim, counting->totals);
	result_measure(result, sim);
	for (uint32_t i = 0; i < sim->now.cluster.node_count; i++)
		cpus += (double) sim->nodes[i].has.cpus;
	result->cpus_used =
		counting->cpu_s / (cpus * (double) result->window_s);
}

/* With "fresh", begin without any usage, like a site that has reset it. */
struct eqt_simulation eqt_simulate_replay(const struct eqt_scene *sim,
					  const struct eqt_scene_policy *policy,
					  size_t count, bool fresh)
{
	struct eqt_simulation run = sim->now;

	run.count = count;
	if (fresh)
		run.usage = NULL;
	if (!policy->enforces)
		run.limits = NULL;
	return run;
}

int eqt_simulate_run(struct eqt_simulate_result *out, struct eqt_scene *sim,
		     const struct eqt_simulate_options *options,
		     const struct eqt_scene_policy *policy,
		     struct eqt_error *err)
{
	struct counting counting = { .sim = sim, .result = out };
	struct eqt_simulation replay = eqt_simulate_replay(
		sim, policy, sim->now.count, options->fresh);
	struct eqt_error why;
	int rc;

	replay.watch = (struct eqt_simulation_watch){
		.with = &counting,
		.started = counting_job_started,
		.ran = counting_job_ran,
		.done = counting_jobs_done,
	};
	*out = (struct eqt_simulate_result){ .policy = policy->name,
					     .notes = policy->notes };
	counting.totals = eqt_alloc(sim->shares.count, sizeof(double));
	counting.waits = eqt_alloc(sim->now.count, sizeof(*counting.waits));
	result_prepare(out, sim, options);
	eqt_progress_begin(&counting.progress, policy->name, sim->now.count);
	rc = eqt_simulation_run(&out->sum, &replay, &policy->policy, &why);
	eqt_progress_end(&counting.progress);
	if (rc < 0)
		eqt_error_set(err, "policy %s: %s", policy->name, why.text);
	else
		counting_finish(&counting);
	free(counting.totals);
	free(counting.waits);
	return rc;
}

void eqt_simulate_result_free(struct eqt_simulate_result *result)
{
	free(result->accounts);
	free(result->bins);
	free(result->waits);
	result->accounts = NULL;
	result->bins = NULL;
	result->waits = NULL;
}
