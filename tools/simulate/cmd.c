/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree simulate: what a workload would get under other policies. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alloc.h"
#include "cli/cmd.h"
#include "base/amount.h"
#include "cli/options.h"
#include "cli/plot.h"
#include "simulate/input_options.h"
#include "simulate/simulate.h"
#include "cli/print.h"

/* ---- Input --------------------------------------------------------------------------
 * The input of a simulation, and the options that name it. */

/* Read a positive number, which may have a fraction. */
static int simulate_take_fraction(double *out, const char *arg,
				  struct eqt_error *err)
{
	uint64_t millionths;

	if (eqt_frac_micro_parse(&millionths, arg) < 0 || millionths == 0 ||
	    millionths > UINT64_C(36500000000))
		return eqt_error_set(
			err, "\"%.64s\": expected a number above 0", arg);
	*out = (double) millionths / 1e6;
	return 0;
}

/* --days: the length of a generated workload. */
int eqt_simulate_take_days(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_simulate_options *options = into;
	double days = 0;

	if (simulate_take_fraction(&days, arg, err) < 0)
		return -1;
	options->in.made.span_s = (uint32_t) (days * 86400);
	return 0;
}

/* --load: 1 is as much work as the cluster can do in that time. */
int eqt_simulate_take_load(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_simulate_options *options = into;

	return simulate_take_fraction(&options->in.made.load, arg, err);
}

/* --cluster: may be repeated, for nodes of several kinds. */
int eqt_simulate_take_group(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_simulate_options *options = into;

	if (options->in.group_count == EQT_SCENE_GROUPS_MAX)
		return eqt_error_set(err, "more than %d", EQT_SCENE_GROUPS_MAX);
	options->in.groups[options->in.group_count++] = arg;
	return 0;
}

/* Reservations name nodes, so a generated cluster, whose nodes have no names, cannot have
 * any. */
int eqt_simulate_check_input(const struct eqt_simulate_options *options,
			     struct eqt_error *err)
{
	const int sources = !!options->in.jobs_path + !!options->in.swf_path +
			    !!options->in.made.jobs;

	if (sources == 0)
		return eqt_error_set(
			err,
			"expected --jobs FILE, --swf FILE or --generate N");
	if (sources > 1)
		return eqt_error_set(
			err, "only one of --jobs, --swf and --generate");
	if (options->in.reservations_path &&
	    (options->in.made.jobs || options->in.group_count))
		return eqt_error_set(err, "--reservations needs --jobs and the "
					  "cluster's own nodes");
	if (options->in.group_count &&
	    (options->in.nodes_path || options->in.partitions_path))
		return eqt_error_set(err, "only one of --cluster and --nodes");
	return 0;
}

/* ---- Options ---------------------------------------------------------------- */

/* --window: the time over which results are measured. */
static int simulate_take_window(void *into, const char *arg,
				struct eqt_error *err)
{
	struct eqt_simulate_options *options = into;
	uint64_t minutes;

	if (eqt_amount_minutes(&minutes, arg) < 0 ||
	    minutes > UINT64_C(100) * 366 * 1440)
		return eqt_error_set(err, "\"%.64s\": expected a time", arg);
	options->window_s = minutes * 60;
	return 0;
}

/* "NAME=FILE" is split later, when the policy is read. */
static int simulate_take_policy(void *into, const char *arg,
				struct eqt_error *err)
{
	struct eqt_simulate_options *options = into;

	if (options->policy_count == EQT_SIMULATE_POLICIES_MAX)
		return eqt_error_set(err, "more than %d",
				     EQT_SIMULATE_POLICIES_MAX);
	options->policies[options->policy_count++] = arg;
	return 0;
}

/* Refuse options that contradict each other, before anything is read. */
static int simulate_check_options(void *into, struct eqt_error *err)
{
	const struct eqt_simulate_options *options = into;

	if (options->policy_count == 0)
		return eqt_error_set(err, "expected --policy SLURM.CONF");
	if (eqt_simulate_check_input(options, err) < 0)
		return -1;
	if ((options->starts_path || options->swf_out_path) &&
	    options->policy_count > 1)
		return eqt_error_set(err, "--%s needs a single policy",
				     options->starts_path ? "starts"
							  : "swf-out");
	return 0;
}

static const struct eqt_option options_table[] = {
	{ "policy", 0, "[NAME=]SLURM.CONF[,EQUITREE.CONF]",
	  "simulate this policy; the second file defaults to the one beside "
	  "the first. May be repeated",
	  1, EQT_TAKEN_BY(simulate_take_policy) },
	EQT_SIMULATE_INPUT_OPTIONS,
	{ "window", 0, "TIME",
	  "the time that is evaluated, from the first job on, in the form of a "
	  "time limit; default: until the last submission",
	  5, EQT_TAKEN_BY(simulate_take_window) },
	{ "history", 0, NULL, "also print shares over time", 5,
	  EQT_FLAG_AT(struct eqt_simulate_options, history) },
	{ "starts", 0, "FILE",
	  "write each job's start into FILE, in sacct's form", 5,
	  EQT_TEXT_AT(struct eqt_simulate_options, starts_path) },
	{ "swf-out", 0, "FILE",
	  "write the jobs with their simulated waits into FILE, in the "
	  "Standard Workload Format",
	  5, EQT_TEXT_AT(struct eqt_simulate_options, swf_out_path) },
	{ "plot", 0, "FILE",
	  "draw shares over time into FILE, with the suffix .svg or .png", 5,
	  EQT_PLOT_AT(struct eqt_simulate_options, plot_path) },
	{ 0 }
};

/* Does any policy need the priorities of QOS and associations? sacctmgr is asked only if
 * so, because a user may not be allowed to ask. */
static bool policies_need_priorities(const struct eqt_scene_policy *policies,
				     int count)
{
	for (int i = 0; i < count; i++)
		if (policies[i].enforces || policies[i].policy.weights.qos ||
		    policies[i].policy.weights.assoc)
			return true;
	return false;
}

/* Warn about weights of factors whose values are not known. That is no error, because
 * such a factor is then the same for all jobs. */
static void report_warn_unknown(const struct eqt_simulate_report *report)
{
	bool qos = false, assoc = false;

	for (int i = 0; i < report->count; i++) {
		const struct eqt_factor_weights *weights =
			&report->policies[i].policy.weights;

		qos = qos || weights->qos;
		assoc = assoc || weights->assoc;
	}
	if (qos && !report->sim->qos_known)
		fprintf(stderr, "equitree simulate: PriorityWeightQOS: all QOS "
				"count as 0 without --qos\n");
	if (assoc && !report->sim->priorities)
		fprintf(stderr, "equitree simulate: PriorityWeightAssoc: all "
				"associations count as 0 without --assocs\n");
}

/* Warn about what was left out. Warnings go to stderr, so that programs can read results
 * in JSON. */
static void report_warn(const struct eqt_simulate_report *report)
{
	const struct eqt_scene *sim = report->sim;
	const struct {
		uint64_t count;
		const char *text;
	} left[] = {
		{ sim->away, "unavailable nodes are left out" },
		{ sim->never_ran, "jobs that never ran are left out" },
		{ sim->unknown, "jobs of unknown users are left out" },
		{ sim->homeless, "jobs of partitions that the cluster does not "
				 "have are left out" },
		{ sim->damaged, "lines that cannot be read are left out" },
		{ sim->unfinished,
		  "jobs still ran: simulated as if they had ended then" },
		{ sim->beyond, "jobs are larger than a limit, which does not "
			       "count for them" },
		{ report->results[0].sum.impossible,
		  "jobs never start: they are larger than their partition, or "
		  "their reservation ends before their turn" },
	};

	for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++)
		if (left[i].count)
			fprintf(stderr, "equitree simulate: %" PRIu64 " %s\n",
				left[i].count, left[i].text);
	report_warn_unknown(report);
	for (int i = 0; i < report->count; i++) {
		char notes[EQT_ERROR_SIZE], *note, *save = NULL;

		memcpy(notes, report->policies[i].notes, sizeof(notes));
		for (note = strtok_r(notes, "\n", &save); note;
		     note = strtok_r(NULL, "\n", &save))
			fprintf(stderr, "equitree simulate: %s\n", note);
	}
}

/* Returns 0, or -1 with err filled if not all of it could be written. */
static int written_close(FILE *to, const char *path, struct eqt_error *err)
{
	const bool failed = ferror(to) != 0;

	return fclose(to) != 0 || failed
		       ? eqt_error_set(err, "%s: cannot write", path)
		       : 0;
}

/* Reads all jobs with their simulated starts. */
struct report_jobs {
	struct eqt_stored_cursor *cursor;
	const uint32_t *wait; /* wait of the next job */
};

static struct report_jobs report_jobs_begin(
	const struct eqt_simulate_report *report)
{
	struct report_jobs jobs = { eqt_stored_cursor_new(report->sim->stored),
				    report->results[0].waits };

	if (!jobs.cursor)
		eqt_alloc_failed();
	return jobs;
}

/* The next job, or NULL if there is no other. */
static const struct eqt_simulation_job *report_jobs_next(
	struct report_jobs *jobs)
{
	struct eqt_simulation_job *job = eqt_stored_cursor_next(jobs->cursor);

	if (job && *jobs->wait != UINT32_MAX)
		job->start = job->at + *jobs->wait;
	jobs->wait += job != NULL;
	return job;
}

/* Times are in seconds since the epoch, so that they do not depend on a zone. Columns
 * have the same names as sacct's. Jobs that never start have no line. */
static int report_write_starts(const struct eqt_simulate_report *report,
			       struct eqt_error *err)
{
	const char *path = report->options->starts_path;
	const struct eqt_scene *sim = report->sim;
	const struct eqt_simulation_job *job;
	struct report_jobs jobs;
	FILE *to = fopen(path, "w");

	if (!to)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	fprintf(to, "JobIDRaw|User|Account|Eligible|Start|End\n");
	jobs = report_jobs_begin(report);
	while ((job = report_jobs_next(&jobs))) {
		const struct eqt_sshare_assoc *assoc =
			&sim->shares.assocs[job->user];

		if (job->start != EQT_SIMULATION_NEVER)
			fprintf(to,
				"%" PRIu32 "|%s|%s|%" PRId64 "|%" PRId64
				"|%" PRId64 "\n",
				job->id, assoc->user, assoc->account, job->at,
				job->start, job->start + job->run_s);
	}
	eqt_stored_cursor_free(jobs.cursor);
	return written_close(to, path, err);
}

/* Write one job in the columns of the format: number, submission, wait, run time,
 * processors, unknown, memory (KiB per processor), requested processors, time and memory,
 * status, user, group, unknown, unknown, partition, unknown, unknown. */
static void swf_write_job(FILE *to, const struct eqt_scene *sim,
			  const struct eqt_simulation_job *job,
			  const uint32_t *numbers)
{
	const uint64_t kib = job->all.mem_mib * 1024 / job->all.cpus;

	fprintf(to, "%" PRIu32 " %" PRId64 " ", job->id,
		job->at - eqt_stored_jobs_first(sim->stored));
	if (job->start == EQT_SIMULATION_NEVER)
		fprintf(to, "-1 -1 -1 -1 -1");
	else
		fprintf(to, "%" PRId64 " %" PRIu32 " %" PRIu64 " -1 %" PRIu64,
			job->start - job->at, job->run_s, job->all.cpus, kib);
	fprintf(to,
		" %" PRIu64 " %" PRIu32 " %" PRIu64 " %d %" PRIu32 " %" PRIu32
		" -1 -1 %d -1 -1\n",
		job->all.cpus, job->limit_s, kib,
		job->start == EQT_SIMULATION_NEVER ? 5 : 1, numbers[job->user],
		sim->tree[job->user].parent, job->partition + 1);
}

/* Users have the same numbers that --swf expects: their place among all users of the
 * share tree. */
static int report_write_swf(const struct eqt_simulate_report *report,
			    struct eqt_error *err)
{
	const char *path = report->options->swf_out_path;
	const struct eqt_scene *sim = report->sim;
	uint32_t *numbers = eqt_alloc(sim->shares.count + 1, sizeof(*numbers));
	const struct eqt_simulation_job *job;
	struct report_jobs jobs;
	FILE *to = fopen(path, "w");
	uint32_t users = 0;
	uint64_t cpus = 0;

	if (!to) {
		free(numbers);
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	}
	for (uint32_t i = 0; i < sim->shares.count; i++)
		if (sim->shares.assocs[i].user)
			numbers[i] = ++users;
	for (uint32_t i = 0; i < sim->now.cluster.node_count; i++)
		cpus += sim->now.cluster.nodes[i].has.cpus;
	fprintf(to,
		"; Version: 2.2\n; Note: simulated by equitree simulate\n"
		"; UnixStartTime: %" PRId64 "\n; MaxJobs: %zu\n"
		"; MaxNodes: %" PRIu32 "\n; MaxProcs: %" PRIu64 "\n",
		eqt_stored_jobs_first(sim->stored), sim->now.count,
		sim->now.cluster.node_count, cpus);
	for (uint32_t i = 0; i < sim->now.cluster.partition_count; i++)
		fprintf(to, "; Partition: %" PRIu32 " %s\n", i + 1,
			sim->partitions[i].name);
	jobs = report_jobs_begin(report);
	while ((job = report_jobs_next(&jobs)))
		swf_write_job(to, sim, job, numbers);
	eqt_stored_cursor_free(jobs.cursor);
	free(numbers);
	return written_close(to, path, err);
}

/* Print the results in the requested form. Warnings come first, because a table may fill
 * the screen. */
static int report_print(const struct eqt_simulate_report *report,
			struct eqt_error *err)
{
	const struct eqt_simulate_options *options = report->options;

	report_warn(report);
	if (options->common.json)
		eqt_simulate_json(report);
	else
		eqt_simulate_print(report);
	if (options->starts_path && report_write_starts(report, err) < 0)
		return -1;
	if (options->swf_out_path && report_write_swf(report, err) < 0)
		return -1;
	return options->plot_path ? eqt_simulate_plot(report, err) : 0;
}

/* Policies are read before the workload, so that a mistake in them shows at once. Each
 * policy begins with the same jobs and overwrites their starts. */
static int simulate_run(struct eqt_scene *sim,
			const struct eqt_simulate_options *options,
			struct eqt_error *err)
{
	struct eqt_scene_policy policies[EQT_SIMULATE_POLICIES_MAX] = { 0 };
	struct eqt_simulate_result results[EQT_SIMULATE_POLICIES_MAX] = { 0 };
	const struct eqt_simulate_report report = {
		sim, options, policies, results, options->policy_count,
	};
	int i, rc = 0;

	for (i = 0; i < options->policy_count && rc == 0; i++)
		rc = eqt_scene_policy_read(&policies[i], options->policies[i],
					   err);
	if (rc == 0)
		rc = eqt_scene_read_files(
			sim, &options->in,
			policies_need_priorities(policies,
						 options->policy_count),
			err);
	for (i = 0; i < options->policy_count && rc == 0; i++)
		rc = eqt_simulate_run(&results[i], sim, options, &policies[i],
				      err);
	if (rc == 0)
		rc = report_print(&report, err);
	for (i = 0; i < options->policy_count; i++) {
		eqt_scene_policy_free(&policies[i]);
		eqt_simulate_result_free(&results[i]);
	}
	return rc;
}

int cmd_simulate(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct eqt_simulate_options, common),
		.doc = "Simulate a workload under one or several "
		       "policies.\vPrices, usage, ranks and priorities are "
		       "computed by the code that runs in slurmctld; a simple "
		       "scheduler starts jobs by priority and with backfill. "
		       "equitree-simulate(1) describes what is left out.",
		.check = simulate_check_options,
	};
	struct eqt_simulate_options options = {
		.in.stored = true,
		.in.made = { .seed = 1, .span_s = 30 * 86400, .load = 1.1 },
	};
	struct eqt_scene sim = { .live = NULL };
	struct eqt_error err;
	int status;

	eqt_options_parse(&line, argc, argv, &options);
	status = eqt_print_status("simulate",
				  simulate_run(&sim, &options, &err), &err);
	eqt_scene_free(&sim);
	return status;
}
