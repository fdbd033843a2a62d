/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate: the parts of equitree simulate: its results, and their output as text, as
 * JSON and as a drawing. */
#ifndef EQT_SIMULATE_SIMULATE_H
#define EQT_SIMULATE_SIMULATE_H

#include "scene/policy.h"
#include "scene/scene.h"
#include "cli/options.h"

#define EQT_SIMULATE_POLICIES_MAX 16
#define EQT_SIMULATE_BINS 48 /* the window is divided into this many bins */
#define EQT_SIMULATE_CLASSES 6

/* The options of equitree simulate. A plain value; strings are borrowed. The options for
 * the input come first, because equitree tune has them as well. */
struct eqt_simulate_options {
	struct eqt_scene_input in;
	struct eqt_output_options common;
	const char *policies[EQT_SIMULATE_POLICIES_MAX];
	int policy_count;
	/* a file to write in the Standard Workload Format */
	const char *swf_out_path;
	const char *plot_path, *starts_path;
	uint64_t window_s; /* 0: until the last submission */
	bool fresh; /* start without usage */
	bool history;
};

/* The result for one account with all accounts below it, or for one class of jobs. Names
 * are borrowed. */
struct eqt_simulate_line {
	const char *label; /* for a user of the root account "root/ada" */
	const char *account, *user; /* user NULL: the account itself */
	size_t jobs; /* jobs that started */
	/* in seconds; -1: there are no jobs */
	int64_t wait_median_s, wait_p95_s;
	double share; /* part by shares; NAN: it has no shares of its own */
	double totals; /* part of the work of all jobs */
	double got; /* part of what was delivered in the window */
};

/* Owns its memory; {0} is empty. */
struct eqt_simulate_result {
	const char *policy, *notes; /* borrowed */
	struct eqt_simulation_sum sum;
	struct eqt_simulate_line all;
	struct eqt_simulate_line *accounts; /* one element per association */
	struct eqt_simulate_line classes[EQT_SIMULATE_CLASSES];
	/* wait of each job, for --starts and --swf-out; UINT32_MAX: it never
		 * started */
	uint32_t *waits;
	/* equivalent-seconds; EQT_SIMULATE_BINS elements per association */
	double *bins;
	double bin_all[EQT_SIMULATE_BINS]; /* sums over all associations */
	/* from 0 to 1, between what was delivered and the shares */
	double distance;
	double distance_over_time; /* mean of the distance over the bins */
	/* part of the cluster's CPU time that was used in the window */
	double cpus_used;
	int64_t from;
	uint64_t window_s;
};

/* A simulation of a policy over the first "count" jobs, without callbacks. Everything is
 * borrowed from sim. */
struct eqt_simulation eqt_simulate_replay(const struct eqt_scene *sim,
					  const struct eqt_scene_policy *policy,
					  size_t count, bool fresh);

/* Simulate a policy, and sum up its results. Returns 0, or -1 with err filled. */
int eqt_simulate_run(struct eqt_simulate_result *out, struct eqt_scene *sim,
		     const struct eqt_simulate_options *options,
		     const struct eqt_scene_policy *policy,
		     struct eqt_error *err);
void eqt_simulate_result_free(struct eqt_simulate_result *result);

/* The options and the results of all policies. */
struct eqt_simulate_report {
	const struct eqt_scene *sim;
	const struct eqt_simulate_options *options;
	const struct eqt_scene_policy *policies;
	const struct eqt_simulate_result *results;
	int count;
};

/* The forms of output: tables and JSON. */
void eqt_simulate_print(const struct eqt_simulate_report *report);
void eqt_simulate_json(const struct eqt_simulate_report *report);
/* Draw the report into options->plot_path. Returns 0, or -1 with err filled. */
int eqt_simulate_plot(const struct eqt_simulate_report *report,
		      struct eqt_error *err);

#endif
