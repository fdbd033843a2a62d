/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a run and measures it: waits, shares and utilisation. Jobs that come within the
 * span count. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"
#include "cli/alloc.h"
#include "slurm/sshare.h"
#include "tune/tune.h"

/* The jobs of a run. */
struct run_jobs {
	const struct eqt_tune *tune;
	const struct eqt_simulation_job *jobs;
	const struct eqt_tune_span *span;
};

/* ---- Names of aims --------------------------------------------------------------- */

/* Is the user in any account? */
static bool tree_has_user(const struct eqt_sshare *shares, const char *name)
{
	for (uint32_t i = 0; i < shares->count; i++)
		if (shares->assocs[i].user &&
		    strcmp(shares->assocs[i].user, name) == 0)
			return true;
	return false;
}

/* Names are looked up once, before the search, because a typing error must not cost a
 * night of simulations. */
static int aim_resolve(struct eqt_tune *tune, struct eqt_tune_aim *aim,
		       struct eqt_error *err)
{
	const struct eqt_sshare *shares = &tune->sim.shares;

	if (aim->account[0]) {
		aim->assoc = eqt_sshare_account(shares, aim->account);
		if (aim->assoc == EQT_TREE_NONE)
			return eqt_error_set(err,
					     "aim \"%s\": no account \"%s\"",
					     aim->text, aim->account);
		if (aim->kind == EQT_TUNE_SHARE && aim->assoc == 0)
			return eqt_error_set(err,
					     "aim \"%s\": expected an account "
					     "below the root",
					     aim->text);
	}
	if (aim->user[0] && !tree_has_user(shares, aim->user))
		return eqt_error_set(err, "aim \"%s\": no user \"%s\"",
				     aim->text, aim->user);
	if (aim->partition[0]) {
		aim->partition_index = eqt_sim_nodes_partition(
			&tune->sim.now.cluster, aim->partition,
			strlen(aim->partition));
		if (aim->partition_index < 0)
			return eqt_error_set(err,
					     "aim \"%s\": no partition \"%s\"",
					     aim->text, aim->partition);
	}
	return 0;
}

int eqt_tune_aims_resolve(struct eqt_tune *tune, struct eqt_error *err)
{
	for (int i = 0; i < tune->aims.count; i++)
		if (aim_resolve(tune, &tune->aims.aim[i], err) < 0)
			return -1;
	return 0;
}

/* ---- Waits ----------------------------------------------------------------------- */

/* An account counts as being below itself. */
static bool assoc_is_below(const struct eqt_tune *tune, uint32_t assoc,
			   uint32_t above)
{
	while (assoc != EQT_TREE_NONE && assoc != above)
		assoc = tune->sim.shares.assocs[assoc].parent;
	return assoc == above;
}

/* Is the aim about this job? */
static bool aim_counts(const struct run_jobs *run,
		       const struct eqt_tune_aim *aim,
		       const struct eqt_simulation_job *job)
{
	const struct eqt_sshare_assoc *assoc =
		&run->tune->sim.shares.assocs[job->user];

	return job->start != EQT_SIMULATION_NEVER &&
	       job->at >= run->span->from && job->at < run->span->to &&
	       (aim->pool == EQT_TUNE_ANY ||
		(aim->pool == EQT_TUNE_GPU) == (job->all.gpus > 0)) &&
	       (!aim->up_to_s || job->limit_s <= aim->up_to_s) &&
	       (!aim->longer_s || job->limit_s > aim->longer_s) &&
	       (aim->partition_index < 0 ||
		aim->partition_index == job->partition) &&
	       (!aim->user[0] || strcmp(assoc->user, aim->user) == 0) &&
	       (aim->assoc == EQT_TREE_NONE ||
		assoc_is_below(run->tune, job->user, aim->assoc));
}

/* A wait, and the size of its job. */
struct sized_wait {
	double wait_s;
	float size;
	uint32_t job;
};

/* The largest job comes first. Jobs of the same size keep their order. */
static int size_compare(const void *x, const void *y)
{
	const struct sized_wait *a = x, *b = y;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->job < b->job ? -1 : a->job > b->job;
}

static int wait_compare_length(const void *x, const void *y)
{
	const struct sized_wait *a = x, *b = y;

	return a->wait_s < b->wait_s ? -1 : a->wait_s > b->wait_s;
}

/* A quantile of sorted waits, or their mean. NAN if there are none. */
static double waits_sum_up(const struct sized_wait *waits, size_t count,
			   double quantile)
{
	double sum = 0;

	if (count == 0)
		return NAN;
	for (size_t i = 0; i < count && quantile <= 0; i++)
		sum += waits[i].wait_s;
	if (quantile <= 0)
		return sum / (double) count;
	return waits[eqt_whole_quantile(quantile, count)].wait_s;
}

/* A wait begins when a job may run (its eligible time), not at its submission, because a
 * job with a later --begin does not wait. The largest tenth is chosen by equivalents. */
static void wait_measure(double *out, const struct run_jobs *run,
			 const struct eqt_tune_aim *aim)
{
	struct sized_wait *waits =
		eqt_alloc(run->span->jobs + 1, sizeof(*waits));
	size_t count = 0;

	for (size_t i = 0; i < run->span->jobs; i++) {
		const struct eqt_simulation_job *job = &run->jobs[i];

		if (aim_counts(run, aim, job))
			waits[count++] = (struct sized_wait){
				.wait_s = (double) (job->start - job->at),
				.size = run->tune->rates[i],
				.job = (uint32_t) i,
			};
	}
	if (aim->largest_tenth && count > 1) {
		qsort(waits, count, sizeof(*waits), size_compare);
		count = (count + 9) / 10;
	}
	if (count > 1)
		qsort(waits, count, sizeof(*waits), wait_compare_length);
	*out = waits_sum_up(waits, count, aim->quantile);
	free(waits);
}

/* ---- Use ------------------------------------------------------------------------- */

/* How many seconds the job ran between two times. */
static double job_seconds(const struct eqt_simulation_job *job, int64_t from,
			  int64_t to)
{
	int64_t low = job->start, high = job->start + job->run_s;

	return job->start != EQT_SIMULATION_NEVER &&
			       eqt_whole_cut_span(&low, &high, from, to)
		       ? (double) (high - low)
		       : 0;
}

/* Utilisation is relative to all CPUs, whether their nodes were up or not. Jobs from
 * before the span count while they run within it. */
static double use_measure(const struct run_jobs *run)
{
	const struct eqt_scene *sim = &run->tune->sim;
	const struct eqt_tune_span *span = run->span;
	double used = 0, cpus = 0;

	for (size_t i = 0; i < span->jobs; i++)
		used += job_seconds(&run->jobs[i], span->from, span->to) *
			(double) run->jobs[i].all.cpus;
	for (uint32_t i = 0; i < sim->now.cluster.node_count; i++)
		cpus += (double) sim->nodes[i].has.cpus;
	return used / (cpus * (double) (span->to - span->from));
}

/* ---- Shares ---------------------------------------------------------------------- */

/* An account or a sibling during a window, in equivalent-seconds. */
struct sibling {
	double shares;
	/* requested by jobs that came before the window's end, without what ran before
	 * it */
	double asked;
	double got; /* used by jobs that ran in the window */
	double due; /* due by its shares */
};

/*
 * Divide what all accounts got by shares. An account that requested less than its part
 * gets what it requested, and the others share the rest.
 */
static void siblings_divide(struct sibling *all, uint32_t count)
{
	double left = 0, shares;
	bool again = true;

	for (uint32_t i = 0; i < count; i++) {
		left += all[i].got;
		all[i].due = -1;
	}
	while (again) {
		shares = 0;
		again = false;
		for (uint32_t i = 0; i < count; i++)
			shares += all[i].due < 0 ? all[i].shares : 0;
		for (uint32_t i = 0; i < count && shares > 0; i++) {
			if (all[i].due >= 0 ||
			    all[i].asked > left * all[i].shares / shares)
				continue;
			all[i].due = all[i].asked;
			again = true;
		}
		if (!again)
			break;
		left = 0;
		for (uint32_t i = 0; i < count; i++)
			left += all[i].got - (all[i].due > 0 ? all[i].due : 0);
		if (left < 0)
			left = 0;
	}
	for (uint32_t i = 0; i < count; i++)
		if (all[i].due < 0)
			all[i].due = shares > 0 ? left * all[i].shares / shares
						: 0;
}

/* The child of the parent under which an association is. */
static uint32_t assoc_child(const struct eqt_tune *tune, uint32_t assoc,
			    uint32_t parent)
{
	const struct eqt_sshare_assoc *assocs = tune->sim.shares.assocs;

	while (assoc != EQT_TREE_NONE && assocs[assoc].parent != parent)
		assoc = assocs[assoc].parent;
	return assoc;
}

/* The difference between what the account got in a window and what was due to it, as a
 * part of what all got. NAN if nothing ran. all[] has room for the whole tree. */
static double window_measure(struct sibling *all, const struct run_jobs *run,
			     uint32_t account, int64_t from, int64_t to)
{
	const struct eqt_sshare *shares = &run->tune->sim.shares;
	const uint32_t parent = shares->assocs[account].parent;
	double sum = 0;

	for (uint32_t i = 0; i < shares->count; i++)
		all[i] = (struct sibling){
			.shares = shares->assocs[i].parent == parent &&
						  i != parent
					  ? (double) shares->assocs[i].shares
					  : 0,
		};
	for (size_t i = 0; i < run->span->jobs; i++) {
		const struct eqt_simulation_job *job = &run->jobs[i];
		const uint32_t of = assoc_child(run->tune, job->user, parent);
		const double rate = (double) run->tune->rates[i];

		if (of == EQT_TREE_NONE || job->start == EQT_SIMULATION_NEVER ||
		    job->at >= to)
			continue;
		all[of].got += rate * job_seconds(job, from, to);
		all[of].asked += rate * (job->run_s -
					 job_seconds(job, INT64_MIN / 2, from));
	}
	siblings_divide(all, shares->count);
	for (uint32_t i = 0; i < shares->count; i++)
		sum += all[i].got;
	return sum > 0 ? fabs(all[account].got - all[account].due) / sum : NAN;
}

/* The largest difference in any window of a span. NAN if no window had jobs. */
static void share_measure(double *out, const struct run_jobs *run,
			  const struct eqt_tune_aim *aim)
{
	const struct eqt_tune_span *span = run->span;
	struct sibling *all =
		eqt_alloc(run->tune->sim.shares.count + 1, sizeof(*all));
	int64_t length = aim->window_s, from = span->from;

	if (!length || length > span->to - span->from)
		length = span->to - span->from;
	*out = NAN;
	for (; from + length <= span->to; from += length)
		*out = fmax(*out, window_measure(all, run, aim->assoc, from,
						 from + length));
	free(all);
}

/* ---- A run ----------------------------------------------------------------------- */

/* The callback for a job's end. A float is precise enough, because rates are only
 * compared and multiplied, and saves memory, because there are millions. */
static void measure_note_rate(void *with, const struct eqt_simulation_job *job,
			      int64_t end, double equivalents)
{
	struct eqt_tune *tune = with;

	(void) end;
	tune->rates[job - tune->sim.jobs] = (float) equivalents;
}

static void measure_all(double *measure, const struct run_jobs *run)
{
	const struct eqt_tune *tune = run->tune;

	for (int i = 0; i < tune->aims.count; i++) {
		const struct eqt_tune_aim *aim = &tune->aims.aim[i];

		if (aim->kind == EQT_TUNE_WAIT)
			wait_measure(&measure[i], run, aim);
		else if (aim->kind == EQT_TUNE_SHARE)
			share_measure(&measure[i], run, aim);
		else
			measure[i] = use_measure(run);
	}
}

/* ---- Everybody else -------------------------------------------------------------- */

#define OTHERS_TARGET 60 /* seconds; only decides about colours */

static void others_add(struct eqt_tune_aims *others, const char *what,
		       const char *of, double quantile, int partition,
		       uint32_t assoc)
{
	struct eqt_tune_aim *aim;

	if (others->count == EQT_TUNE_AIMS_MAX)
		return;
	aim = &others->aim[others->count++];
	*aim = (struct eqt_tune_aim){ .kind = EQT_TUNE_WAIT,
				      .target = OTHERS_TARGET,
				      .quantile = quantile,
				      .partition_index = partition,
				      .assoc = assoc };
	(void) snprintf(aim->text, sizeof(aim->text), "%s%s", what, of);
}

struct eqt_tune_aims eqt_tune_others(const struct eqt_tune *tune)
{
	const struct eqt_scene *sim = &tune->sim;
	struct eqt_tune_aims out = { .count = 0 };

	others_add(&out, "median wait of jobs", "", 0.5, -1, EQT_TREE_NONE);
	others_add(&out, "p95 wait of jobs", "", 0.95, -1, EQT_TREE_NONE);
	for (uint32_t i = 0; sim->now.cluster.partition_count > 1 &&
			     i < sim->now.cluster.partition_count;
	     i++)
		others_add(&out, "p95 wait of jobs in ",
			   sim->partitions[i].name, 0.95, (int) i,
			   EQT_TREE_NONE);
	for (uint32_t i = 1; i < sim->shares.count; i++) {
		const struct eqt_sshare_assoc *assoc = &sim->shares.assocs[i];

		if (!assoc->user && assoc->parent == 0)
			others_add(&out, "p95 wait of jobs of ", assoc->account,
				   0.95, -1, i);
	}
	return out;
}

int eqt_tune_measure_others(struct eqt_tune *tune,
			    const struct eqt_tune_aims *others, double *measure,
			    const struct eqt_tune_point *point,
			    struct eqt_error *err)
{
	const struct eqt_tune_aims aims = tune->aims;
	int rc;

	tune->aims = *others;
	rc = eqt_tune_measure(tune, measure, point, EQT_TUNE_FIT, err);
	tune->aims = aims;
	return rc;
}

/* Simulate the first jobs under a point. This sets their starts and their rates. */
static int point_simulate(struct eqt_tune *tune,
			  const struct eqt_tune_point *point, size_t jobs,
			  struct eqt_error *err)
{
	struct eqt_simulation_sum sum;
	struct eqt_simulation replay;

	eqt_tune_point_apply(tune, point);
	replay = eqt_simulate_replay(&tune->sim, &tune->policy, jobs,
				     tune->input->fresh);
	replay.watch = (struct eqt_simulation_watch){
		.with = tune,
		.ran = measure_note_rate,
	};
	return eqt_simulation_run(&sum, &replay, &tune->policy.policy, err);
}

int eqt_tune_measure(struct eqt_tune *tune, double *measure,
		     const struct eqt_tune_point *point, int span,
		     struct eqt_error *err)
{
	const struct run_jobs run = { tune, tune->sim.jobs, &tune->span[span] };

	if (point_simulate(tune, point, run.span->jobs, err) < 0)
		return -1;
	measure_all(measure, &run);
	return 0;
}

int eqt_tune_measure_parts(struct eqt_tune *tune,
			   double measure[EQT_TUNE_PARTS][EQT_TUNE_AIMS_MAX],
			   const struct eqt_tune_point *point,
			   struct eqt_error *err)
{
	struct eqt_tune_span part = tune->span[EQT_TUNE_HELD];
	const int64_t from = tune->span[EQT_TUNE_FIT].from, to = part.to;
	const struct run_jobs run = { tune, tune->sim.jobs, &part };

	if (point_simulate(tune, point, part.jobs, err) < 0)
		return -1;
	for (int i = 0; i < EQT_TUNE_PARTS; i++) {
		part.from = from + (to - from) * i / EQT_TUNE_PARTS;
		part.to = from + (to - from) * (i + 1) / EQT_TUNE_PARTS;
		measure_all(measure[i], &run);
	}
	return 0;
}
