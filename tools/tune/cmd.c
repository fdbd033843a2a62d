/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree tune: which weights meet the aims of a site, found by simulating its past
 * jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole.h"
#include "base/amount.h"
#include "cli/alloc.h"
#include "cli/cmd.h"
#include "cli/print.h"
#include "cli/options.h"
#include "cli/plot.h"
#include "simulate/input_options.h"
#include "tune/tune.h"

#define EVALUATIONS 400
#define EVALUATIONS_MAX 1000000
#define HELD_PART 0.3 /* default part of the time that is held out */
#define WARM_PART 0.1 /* part of the fitted time in which the cluster fills */

/* The input comes first, because its options are those of equitree simulate. */
struct tune_options {
	struct eqt_simulate_options input;
	struct eqt_tune_aims aims;
	const char *only, *keep, *state_path;
	uint64_t evaluations, processes;
	uint64_t held_s;
	bool held_given;
};

/* ---- Options ---------------------------------------------------------------- */

/* tune starts from a single policy, whereas simulate compares several. */
static int tune_take_policy(void *into, const char *arg, struct eqt_error *err)
{
	struct tune_options *options = into;

	if (options->input.policy_count)
		return eqt_error_set(err, "only one --policy");
	options->input.policies[options->input.policy_count++] = arg;
	return 0;
}

/* --hold-out: a time in the form of a time limit. 0 means that nothing is held out. */
static int tune_take_held(void *into, const char *arg, struct eqt_error *err)
{
	struct tune_options *options = into;
	uint64_t minutes = 0;

	/* For a time limit 0 would mean no limit, but here it means 0. */
	if (strcmp(arg, "0") != 0 && (eqt_amount_minutes(&minutes, arg) < 0 ||
				      minutes > UINT64_C(100) * 366 * 1440))
		return eqt_error_set(err, "\"%.64s\": expected a time", arg);
	options->held_s = minutes * 60;
	options->held_given = true;
	return 0;
}

/* The checks that equitree simulate makes for the same options come last. */
static int tune_check_options(void *into, struct eqt_error *err)
{
	struct tune_options *options = into;

	if (options->input.policy_count == 0)
		return eqt_error_set(err, "expected --policy SLURM.CONF");
	if (options->aims.count == 0)
		return eqt_error_set(err, "expected --aim TEXT or --aims FILE");
	if (options->evaluations == 0)
		return eqt_error_set(err, "--runs 0: expected at least 1");
	if (options->processes == 0)
		return eqt_error_set(err, "--processes 0: expected at least 1");
	if (options->input.plot_path && options->aims.count < 2)
		return eqt_error_set(err, "--plot: expected two aims");
	return eqt_simulate_check_input(&options->input, err);
}

static const struct eqt_option tune_table[] = {
	{ "policy", 0, "SLURM.CONF[,EQUITREE.CONF]",
	  "the present setting; the second file defaults to the one beside the "
	  "first",
	  1, EQT_TAKEN_BY(tune_take_policy) },
	{ "aim", 0, "TEXT",
	  "an aim, as \"p95 wait of jobs up to 1 hour <= 30 minutes\"; may be "
	  "repeated",
	  1,
	  EQT_PUT_AT(struct tune_options, aims, struct eqt_tune_aims,
		     eqt_tune_aims_add) },
	{ "aims", 0, "FILE", "the aims of a file, one a line", 1,
	  EQT_PUT_AT(struct tune_options, aims, struct eqt_tune_aims,
		     eqt_tune_aims_read) },
	{ "only", 0, "PATTERN[,PATTERN]...",
	  "change only these parameters, as 'PriorityWeight*'", 1,
	  EQT_TEXT_AT(struct tune_options, only) },
	{ "keep", 0, "PATTERN[,PATTERN]...", "do not change these parameters",
	  1, EQT_TEXT_AT(struct tune_options, keep) },
	EQT_SIMULATE_INPUT_OPTIONS,
	{ "hold-out", 0, "TIME",
	  "do not search with the last jobs: those of so long before the end, "
	  "in the form of a time limit; default: three tenths of the time",
	  5, EQT_TAKEN_BY(tune_take_held) },
	{ "runs", 0, "NUMBER",
	  "simulate so many settings for all aims; default 400", 5,
	  EQT_NUMBER_AT(struct tune_options, evaluations, EVALUATIONS_MAX) },
	{ "processes", 0, "NUMBER",
	  "run so many simulations at once; default: one on each core", 5,
	  EQT_NUMBER_AT(struct tune_options, processes,
			EQT_TUNE_PROCESSES_MAX) },
	{ "state", 0, "FILE",
	  "keep each simulated setting in FILE, and go on from there the next "
	  "time",
	  5, EQT_TEXT_AT(struct tune_options, state_path) },
	{ "plot", 0, "FILE",
	  "draw the trade-offs between aims into FILE, with the suffix .svg or "
	  ".png",
	  5, EQT_PLOT_AT(struct tune_options, input.plot_path) },
	{ 0 }
};

/* ---- The run ---------------------------------------------------------------- */

/* Divide the time of the jobs into the beginning, in which the cluster fills, the part
 * that is fitted, and the part that is held out. */
static int tune_divide(struct eqt_tune *tune,
		       const struct tune_options *options,
		       struct eqt_error *err)
{
	const struct eqt_simulation_job *jobs = tune->sim.jobs;
	const int64_t from = jobs[0].at;
	const int64_t to = jobs[tune->sim.now.count - 1].at + 1;
	struct eqt_tune_span *fit = &tune->span[EQT_TUNE_FIT];
	struct eqt_tune_span *held = &tune->span[EQT_TUNE_HELD];
	int64_t held_s = (int64_t) ((double) (to - from) * HELD_PART);

	if (options->held_given)
		held_s = (int64_t) options->held_s;
	if (held_s >= to - from)
		return eqt_error_set(
			err, "--hold-out: longer than the time of all jobs");
	held->to = to;
	held->from = fit->to = to - held_s;
	fit->from = from + (int64_t) ((double) (fit->to - from) * WARM_PART);
	held->jobs = tune->sim.now.count;
	while (fit->jobs < tune->sim.now.count && jobs[fit->jobs].at < fit->to)
		fit->jobs++;
	return 0;
}

/* The simulation names the keys that it ignores. These are not tuned. */
static void tune_warn(const struct eqt_tune *tune)
{
	const char *notes = tune->policy.notes;

	for (; *notes != '\0'; notes += *notes == '\n') {
		const size_t length = strcspn(notes, "\n");

		fprintf(stderr, "equitree tune: %.*s\n", (int) length, notes);
		notes += length;
	}
	if (tune->sim.never_ran)
		fprintf(stderr,
			"equitree tune: %llu jobs that never ran are left "
			"out\n",
			(unsigned long long) tune->sim.never_ran);
}

/* The input is that of equitree simulate. The rates of jobs are known after the first
 * simulation. */
static int tune_read(struct eqt_tune *tune, const struct tune_options *options,
		     struct eqt_error *err)
{
	const struct eqt_simulate_options *input = &options->input;

	if (!eqt_tune_can_search())
		return eqt_error_set(err, "built without NLopt");
	if (eqt_scene_policy_read(&tune->policy, input->policies[0], err) < 0 ||
	    eqt_scene_read_files(&tune->sim, &input->in, true, err) < 0 ||
	    eqt_tune_aims_resolve(tune, err) < 0)
		return -1;
	tune->rates = eqt_alloc(tune->sim.now.count, sizeof(*tune->rates));
	tune_warn(tune);
	if (tune_divide(tune, options, err) < 0)
		return -1;
	return eqt_tune_params_make(tune, options->only, options->keep, err);
}

/* Search with the state file, and print the result. After an error the state file has
 * what was done so far. */
static int tune_run(struct eqt_tune *tune, const struct tune_options *options,
		    struct eqt_error *err)
{
	struct eqt_tune_result *result = eqt_alloc(1, sizeof(*result));
	char *path = eqt_scene_policy_paths(options->input.policies[0], NULL);
	void *state = NULL;
	int rc = -1;

	result->slurm_conf = path;
	if (tune_read(tune, options, err) == 0 &&
	    eqt_archive_open(tune, &state, err) == 0)
		rc = eqt_tune_advise(tune, result, state, err);
	if (state && fclose(state) != 0 && rc == 0)
		rc = eqt_error_set(err, "cannot write %s", tune->state_path);
	if (rc == 0 && options->input.common.json)
		eqt_tune_json(tune, result);
	else if (rc == 0)
		rc = eqt_tune_show(tune, result,
				   !options->input.common.no_headings, err);
	if (rc == 0 && options->input.plot_path)
		rc = eqt_tune_plot(tune, result, options->input.plot_path, err);
	free(result);
	free(path);
	return rc;
}

int cmd_tune(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = tune_table,
		.common_at = offsetof(struct tune_options, input.common),
		.doc = "Search settings of slurm.conf that meet aims.\vPast "
		       "jobs are simulated with each setting, as equitree "
		       "simulate does. equitree-tune(1) describes the words of "
		       "an aim.",
		.check = tune_check_options,
	};
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	struct tune_options options = {
		.input.in.made = { .seed = 1,
				   .span_s = 30 * 86400,
				   .load = 1.1 },
		.evaluations = EVALUATIONS,
		.processes = cores > 0 ? (uint64_t) cores : 1,
	};
	struct eqt_tune *tune;
	struct eqt_error err;
	int status;

	eqt_options_parse(&line, argc, argv, &options);
	tune = eqt_alloc(1, sizeof(*tune));

	tune->input = &options.input;
	tune->aims = options.aims;
	tune->seed = options.input.in.made.seed;
	tune->evaluations = options.evaluations;
	tune->processes =
		eqt_whole_min(options.processes, EQT_TUNE_PROCESSES_MAX);
	tune->state_path = options.state_path;
	status = eqt_print_status("tune", tune_run(tune, &options, &err), &err);
	eqt_names_free(&tune->archive);
	eqt_scene_policy_free(&tune->policy);
	eqt_scene_free(&tune->sim);
	free(tune->rates);
	free(tune);
	return status;
}
