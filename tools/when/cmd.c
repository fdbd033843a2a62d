/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree when: when jobs will start. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/failure.h"
#include "sbatch/options.h"
#include "when/request.h"
#include "when/when.h"

#define FUTURES 400
#define LEAST 10 /* futures, however long they take */
#define SECONDS 1.0

struct when_options {
	struct eqt_sbatch_options request;
	const char *user, *from, *save;
	uint64_t seed, futures;
	const char *names[EQT_WHEN_JOBS_MAX];
	size_t count;
};

/* An argument: the id of a job, or of a task; any other is a batch script. Returns 1 if
 * it is taken; names of scripts are sbatch's business. */
static int when_take_name(void *into, const char *name, struct eqt_error *err)
{
	struct when_options *options = into;

	if (name[0] == '\0' || name[strspn(name, "0123456789_")] != '\0')
		return 0;
	if (options->count == EQT_WHEN_JOBS_MAX)
		return eqt_error_set(err, "more than %d jobs",
				     EQT_WHEN_JOBS_MAX);
	options->names[options->count++] = name;
	return 1;
}

/* Exactly one of the four ways to call it. request: options of sbatch, or a script,
 * were given. */
static int when_check_options(void *into, bool request, struct eqt_error *err)
{
	const struct when_options *options = into;

	if (options->save)
		return options->count || request || options->user
			       ? eqt_error_set(err, "--save takes no jobs")
			       : 0;
	if (!options->count && !options->user && !request)
		return eqt_error_set(err, "expected a job, --user, or the "
					  "options of a job");
	if (options->count && (options->user || request))
		return eqt_error_set(err, "only one of jobs, --user and the "
					  "options of a job");
	if (options->futures == 0)
		return eqt_error_set(err, "--futures 0: expected at least 1");
	return 0;
}

static const struct eqt_option own_table[] = {
	{ .doc = "Options of this command:", .group = 2 },
	{ "user", 'u', "NAME",
	  "all waiting jobs of a user; or the one who would submit the job", 2,
	  EQT_TEXT_AT(struct when_options, user) },
	{ "seed", 0, "NUMBER", "the same one draws the same futures; default 1",
	  2, EQT_NUMBER_AT(struct when_options, seed, UINT64_MAX) },
	{ "futures", 0, "NUMBER",
	  "simulate so many futures, for at most a minute; default: up to 400 "
	  "in a second, at least 10",
	  2, EQT_NUMBER_AT(struct when_options, futures, 100000) },
	{ "from", 0, "DIR", "read a folder that --save has written", 2,
	  EQT_TEXT_AT(struct when_options, from) },
	{ "save", 0, "DIR",
	  "write what Slurm answers now into a folder, and forecast nothing", 2,
	  EQT_TEXT_AT(struct when_options, save) },
	{ 0 }
};

/* ---- Rows ----------------------------------------------------------------- */

/* The rows of a call while they are made. */
struct when_rows {
	struct eqt_when_row row[EQT_WHEN_JOBS_MAX];
	size_t count;
	uint32_t targets[EQT_WHEN_JOBS_MAX];
	uint32_t target_count;
};

/* The row gets a forecast. */
static void row_add_target(struct when_rows *rows, struct eqt_when_row *row)
{
	row->target = rows->target_count;
	rows->targets[rows->target_count++] = row->index;
}

/* A job that runs has its start, one that is stuck has none. */
static void row_add_job(struct when_rows *rows, const struct eqt_scene *scene,
			const struct eqt_live_job *job)
{
	const size_t live = (size_t) (job - scene->live->jobs.jobs);
	struct eqt_when_row *row = &rows->row[rows->count++];

	*row = (struct eqt_when_row){
		.name = job->name,
		.user = job->user,
		.account = job->account,
		.partition = job->partition,
		.job = job,
		.index = scene->job_of[live],
		.stuck = scene->held_for[live],
	};
	if (!job->pending)
		row->early_s = row->median_s = row->late_s = job->start_s;
	else if (!row->stuck && row->index != EQT_SCENE_NONE)
		row_add_target(rows, row);
	else if (!row->stuck)
		row->stuck = "too many jobs wait to look at it";
}

/* A row for a request; two for an array, of its first and its last task. The owner is
 * --user, or who calls: priorities differ by user. */
static int rows_add_request(struct when_rows *rows, struct eqt_scene *scene,
			    const struct when_options *options,
			    struct eqt_error *err)
{
	const struct eqt_sbatch_options *given = &options->request;
	struct eqt_when_row *row = &rows->row[rows->count++];
	struct eqt_scene_request request;
	struct eqt_scene_place place;

	if (given->components > 1)
		return eqt_error_set(err, "there is no forecast for a "
					  "heterogeneous job");
	if (eqt_when_request_make(&request, scene, given->asks, options->user,
				  err) < 0 ||
	    eqt_scene_add(&place, scene, &request, err) < 0)
		return -1;
	*row = (struct eqt_when_row){
		.name = request.tasks ? "first task" : "request",
		.user = request.user,
		.account = request.account,
		.partition = request.partition,
		.job = place.as,
		.request = true,
		.index = place.first,
	};
	row_add_target(rows, row);
	if (request.tasks < 2)
		return 0;
	rows->row[rows->count] = *row;
	row = &rows->row[rows->count++];
	row->name = "last task";
	row->index = place.last;
	if (request.tasks > EQT_SCENE_TASKS_MAX)
		row->stuck = "the array has too many tasks";
	else
		row_add_target(rows, row);
	return 0;
}

/* A user may have more jobs than a table has room for; the first ones in the order of
 * squeue are shown. */
static int rows_make(struct when_rows *rows, struct eqt_scene *scene,
		     const struct when_options *options, struct eqt_error *err)
{
	const struct eqt_live_jobs *jobs = &scene->live->jobs;

	if (options->request.any)
		return rows_add_request(rows, scene, options, err);
	for (size_t i = 0; i < options->count; i++) {
		const struct eqt_live_job *job =
			eqt_live_jobs_find(jobs, options->names[i]);

		if (!job)
			return eqt_error_set(err, "no job %s runs or waits",
					     options->names[i]);
		row_add_job(rows, scene, job);
	}
	for (size_t i = 0; options->user && i < jobs->count; i++)
		if (jobs->jobs[i].pending &&
		    strcmp(jobs->jobs[i].user, options->user) == 0 &&
		    rows->count < EQT_WHEN_JOBS_MAX)
			row_add_job(rows, scene, &jobs->jobs[i]);
	if (rows->count == 0)
		return eqt_error_set(err, "no job of %s waits", options->user);
	return 0;
}

/* 80 % of the real starts lie between early and late. */
static void rows_fill(struct when_rows *rows,
		      const struct eqt_forecast_starts *starts)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct eqt_when_row *row = &rows->row[i];

		if (row->stuck || !row->job->pending)
			continue;
		row->early_s = eqt_forecast_quantile(starts, row->target,
						     EQT_FORECAST_EARLY);
		row->median_s = eqt_forecast_quantile(starts, row->target, 0.5);
		row->late_s = eqt_forecast_quantile(starts, row->target,
						    EQT_FORECAST_LATE);
	}
}

/* ---- All ------------------------------------------------------------------ */

/* The forecast and, for one job that waits long, what would start it sooner. A number
 * of futures that was asked for is simulated within a minute, whatever it takes; else
 * the clock decides, within bounds. */
static int report_make(struct eqt_when_report *report, struct when_rows *rows,
		       struct eqt_scene *scene, struct eqt_when_sooner *sooner,
		       const struct when_options *options,
		       struct eqt_error *err)
{
	const uint64_t futures = options->futures ? options->futures : FUTURES;
	const struct eqt_scene_effort effort = {
		.seed = options->seed,
		.futures = (uint32_t) futures,
		.seconds = SECONDS,
		.least = options->futures == FUTURES ? LEAST
						     : (uint32_t) futures,
		.most = options->futures == FUTURES ? 20 : 60,
		.what = "simulating futures",
	};
	struct eqt_when_effort changes = { .seed = options->seed };
	struct eqt_forecast_starts starts = { .futures = 0 };
	int count;

	if (rows->target_count == 0)
		return 0;
	if (eqt_scene_forecast(&starts, scene, rows->targets,
			       rows->target_count, &effort, err) < 0)
		return -1;
	rows_fill(rows, &starts);
	report->futures = starts.futures;
	report->until = starts.until;
	changes.work = starts.work;
	memcpy(report->levels, starts.levels, sizeof(starts.levels));
	eqt_forecast_starts_free(&starts);
	/* What starts at once needs no advice. */
	if (rows->count != 1 ||
	    rows->row[0].median_s < scene->live->now_s + 600 ||
	    eqt_output_csv())
		return 0;
	count = eqt_when_sooner_find(sooner, scene, &rows->row[0], &changes,
				     err);
	if (count < 0)
		return -1;
	report->asked_sooner = true;
	report->sooner_futures = changes.futures;
	report->sooner_count = (size_t) count;
	return 0;
}

/* The rows are many, and not on the stack. */
static int when_show(struct eqt_scene *scene,
		     const struct when_options *options, struct eqt_error *err)
{
	struct eqt_when_sooner sooner[EQT_WHEN_SOONER_MAX];
	struct when_rows *rows = calloc(1, sizeof(*rows));
	struct eqt_when_report report = { .scene = scene, .sooner = sooner };
	int rc;

	if (!rows)
		return eqt_error_set(err, "out of memory");
	rc = rows_make(rows, scene, options, err);
	if (rc == 0)
		rc = report_make(&report, rows, scene, sooner, options, err);
	report.rows = rows->row;
	report.count = rows->count;
	if (rc == 0 &&
	    (options->request.common.json
		     ? eqt_when_json(&report)
		     : eqt_when_print(&report,
				      !options->request.common.no_headings)) <
		    0)
		rc = eqt_error_set(err, "out of memory");
	free(rows);
	return rc;
}

/* The release of the cluster says which rules its sbatch has. */
static int when_run(struct when_options *options, struct eqt_error *err)
{
	struct eqt_live_cluster cluster;
	struct eqt_scene scene;
	int rc;

	if (options->save)
		return eqt_live_cluster_save(options->save, err);
	if (eqt_live_cluster_read(&cluster, options->from, err) < 0)
		return -1;
	rc = eqt_scene_read(&scene, &cluster, options->from, err);
	if (rc == 0) {
		rc = eqt_sbatch_options_apply(&options->request,
					      scene.allocation.release, err);
		if (rc == 0)
			rc = when_show(&scene, options, err);
		eqt_scene_free(&scene);
	}
	eqt_live_cluster_free(&cluster);
	return rc;
}

/* Options of sbatch are read by the parser of equitree bill, so both take the same. */
int cmd_when(int argc, char **argv)
{
	struct when_options options = { .seed = 1, .futures = FUTURES };
	const struct eqt_sbatch_command command = {
		.words = "JOB...\n--user=NAME\n"
			 "OPTIONS OF A JOB... [SCRIPT [ARGUMENT...]]",
		.doc = "Forecast when jobs will start.\vFutures are simulated "
		       "from the queue, nodes, limits, shares and the lengths "
		       "of the last jobs. Half of them start a job before "
		       "MEDIAN, one in ten before EARLY, one in ten after "
		       "LATE.",
		.own = own_table,
		.into = &options,
		.word = when_take_name,
		.check = when_check_options,
		.csv = true,
	};
	struct eqt_error err;
	int status = EXIT_SUCCESS;

	if (eqt_sbatch_options_parse(&options.request, &command, argc, argv,
				     &err) < 0)
		return eqt_failure_print("when", &err);
	if (when_run(&options, &err) < 0)
		status = eqt_failure_print("when", &err);
	eqt_sbatch_options_free(&options.request);
	return status;
}
