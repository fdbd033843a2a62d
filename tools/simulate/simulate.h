/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate: the parts of equitree simulate: results (sum), and output (text, JSON,
 * plot). */
#ifndef EQT_SIMULATE_SIMULATE_H
#define EQT_SIMULATE_SIMULATE_H

#include "scene/policy.h"
#include "scene/scene.h"
#include "cli/options.h"

#define EQT_SIMULATE_POLICIES_MAX 16
#define EQT_SIMULATE_BINS 48 /* bins of the window */
#define EQT_SIMULATE_CLASSES 6

/* A plain value; strings are borrowed. The input is first: equitree tune has its options,
 * too. */
struct eqt_simulate_options {
	struct eqt_scene_input in;
	struct eqt_output_options common;
	const char *policies[EQT_SIMULATE_POLICIES_MAX];
	int policy_count;
	const char *swf_out_path; /* Standard Workload Format */
	const char *plot_path, *starts_path;
	uint64_t window_s; /* 0: until the last job's submission */
	bool fresh; /* start without usage */
	bool history;
};

/* The result of one account with all below it, or of one class; names are borrowed. */
struct eqt_simulate_line {
	const char *label; /* of a user of the root account, "root/ada" */
	const char *account, *user; /* user NULL: the account itself */
	size_t jobs; /* that started */
	int64_t wait_median_s, wait_p95_s; /* -1: no jobs */
	double share; /* by shares; NAN: it has no shares itself */
	double totals; /* part of the work of all jobs */
	double got; /* part of what was delivered in the window */
};

/* Owns its memory; {0} is empty. */
struct eqt_simulate_result {
	const char *policy, *notes; /* borrowed */
	struct eqt_simulation_sum sum;
	struct eqt_simulate_line all;
	struct eqt_simulate_line *accounts; /* per association */
	struct eqt_simulate_line classes[EQT_SIMULATE_CLASSES];
	uint32_t
		*waits; /* of each job, with --starts and --swf-out; UINT32_MAX:
			  * it never started */
	double *bins; /* EQT_SIMULATE_BINS per association: equivalent-seconds */
	double bin_all[EQT_SIMULATE_BINS]; /* sums at the root */
	double distance; /* between what was delivered and the shares, 0 .. 1 */
	double distance_over_time; /* mean over the bins */
	double cpus_used; /* part of the cluster's CPU time in the window */
	int64_t from;
	uint64_t window_s;
};

/* The run of a policy over the first so many jobs, with nobody watching. All is
 * borrowed from sim. */
struct eqt_simulation eqt_simulate_replay(const struct eqt_scene *sim,
					  const struct eqt_scene_policy *policy,
					  size_t count, bool fresh);

/* Simulate a policy and sum up. Returns 0, or -1 with err filled. */
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

/* Print the report. */
void eqt_simulate_print(const struct eqt_simulate_report *report);
void eqt_simulate_json(const struct eqt_simulate_report *report);
/* Draw the report into options->plot_path. Returns 0, or -1 with err filled. */
int eqt_simulate_plot(const struct eqt_simulate_report *report,
		      struct eqt_error *err);

#endif
