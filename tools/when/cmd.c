/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree when: when jobs will start. */
#define _XOPEN_SOURCE 700 /* for strptime() */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "slurm/text/duration.h"
#include "cli/alloc.h"
#include "cli/cmd.h"
#include "cli/print.h"
#include "sbatch/options.h"
#include "when/when.h"
#include "base/text.h"
#include "quote/price_message.h"
#include "quote/quote.h"
#include "slurm/scontrol/candidate_nodes.h"
#include "slurm/scontrol/partitions.h"
#include "slurm/text/timestamp.h"
#include "slurm/user_assocs.h"
#include "scene/scene.h"
#include "sbatch/rules.h"

/* ---- Request ------------------------------------------------------------------------
 * A job that is not submitted yet, given with sbatch's options, in the form that the
 * simulation takes. The code that prices requests also counts what a request gets. Here
 * its bundles stand for the GPU models of the nodes, so a forecast needs no
 * equitree.conf. */

/* The partition with Default=YES. NULL if there is none; a job must then name its
 * partition. */
static const char *partition_default(struct eqt_scene *scene)
{
	const struct eqt_scontrol_record *found =
		eqt_scontrol_partition_find(&scene->live->partitions, NULL);

	return found ? eqt_record_get(found, "PartitionName") : NULL;
}

/* The default account of a user. If slurmdbd does not answer, the user's first account
 * in the share tree. "" if there is none. */
static const char *account_default(struct eqt_scene *scene,
				   const struct eqt_user_assocs *owner)
{
	const char *name = eqt_user_assocs_account(owner);

	if (name)
		return eqt_arena_copy(&scene->kept, name);
	for (uint32_t i = 0; i < scene->index.count; i++)
		if (strcmp(scene->index.users[i].user, owner->user) == 0)
			return scene->index.users[i].account;
	return "";
}

/* The name of the caller's real user id, as in sbatch. "" if the id has no name. */
static const char *user_default(void)
{
	const struct passwd *entry = getpwuid(getuid());

	return entry ? entry->pw_name : "";
}

/* ---- Its size ----------------------------------------------------------------- */

/* A bundle per GPU model. The last bundle is for GPUs of any model. */
struct request_models {
	struct eqt_bundle gpu[EQT_MODELS_MAX];
	struct eqt_bundle_table table;
};

/* Leave the last place for "gpu", which stands for any model. */
static void models_add(struct request_models *models, const char *name)
{
	uint32_t *count = &models->table.gpu_count;

	for (uint32_t i = 0; i < *count; i++)
		if (strcmp(models->gpu[i].name, name) == 0)
			return;
	if (*count == EQT_MODELS_MAX - 1 && strcmp(name, "gpu") != 0)
		return;
	models->gpu[*count] = (struct eqt_bundle){ .cores_u = EQT_MICRO,
						   .weight_u = EQT_MICRO };
	(void) snprintf(models->gpu[(*count)++].name, EQT_NAME_SIZE, "%.60s",
			name);
}

/* Make a bundle for each model of the nodes. Models that only the request names get one
 * as well, so that they are refused by name. All have the same price, because only counts
 * are needed here. */
static void models_make(struct request_models *out,
			const struct eqt_simulation_cluster *cluster,
			const struct eqt_job_spec *spec)
{
	const char *const lists[] = { spec->tres_per_job, spec->tres_per_node,
				      spec->tres_per_socket,
				      spec->tres_per_task };
	char name[2 * EQT_NAME_SIZE];
	struct eqt_gres gres;
	struct eqt_error err;

	out->table = (struct eqt_bundle_table){
		.cores = { .cores_u = EQT_MICRO, .weight_u = EQT_MICRO },
		.gpu = out->gpu,
	};
	for (int i = 0; i < cluster->model_count; i++)
		models_add(out, cluster->models[i]);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const char *list = lists[i];

		while (list && eqt_gres_next(&gres, &list, &err) > 0) {
			(void) snprintf(name, sizeof(name), "gpu:%s",
					gres.type);
			if (gres.type[0] && strcmp(gres.name, "gpu") == 0)
				models_add(out, name);
		}
	}
	models_add(out, "gpu");
}

/* Find the model of the request's GPUs, "" for any model. Returns 0, or -1 with err
 * filled if the request has several models, or one that no node has. */
static int request_take_model(struct eqt_scene_request *out,
			      const struct request_models *models,
			      const struct eqt_simulation_cluster *cluster,
			      const struct eqt_demand *demand,
			      struct eqt_error *err)
{
	const uint32_t any = models->table.gpu_count - 1;

	for (uint32_t i = 0; i < any; i++) {
		if (!demand->gpus[i])
			continue;
		if (out->model[0] || demand->gpus_untyped || demand->gpus[any])
			return eqt_error_set(err, "there is no forecast for "
						  "GPUs of several models");
		(void) snprintf(out->model, sizeof(out->model), "%s",
				models->gpu[i].name + strlen("gpu:"));
		if (i >= (uint32_t) cluster->model_count)
			return eqt_error_set(
				err, "no node has GPUs of model \"%.60s\"",
				out->model);
	}
	return 0;
}

/* Count nodes, CPUs, memory, GPUs and the time limit as slurmctld would. If no node can
 * hold the request, the error has the words of the price message for it. */
static int request_take_size(struct eqt_scene_request *out,
			     const struct eqt_scene *scene,
			     const struct eqt_sbatch_component *given,
			     struct eqt_error *err)
{
	const struct eqt_scontrol_record *partition =
		eqt_scontrol_partition_find(&scene->live->partitions,
					    out->partition);
	struct eqt_job_spec spec = given->spec;
	struct request_models models;
	char text[EQT_ERROR_SIZE];
	struct eqt_quote quote;
	char *reserved;

	if (!partition)
		return eqt_error_set(err, "no partition \"%.64s\"",
				     out->partition);
	eqt_cluster_allocation_apply(&spec, given->keeps, &scene->allocation);
	if (eqt_scontrol_partition_apply(
		    &spec, partition,
		    eqt_cluster_allocation_blocks(&scene->allocation), err) < 0)
		return -1;
	reserved = eqt_record_reservation_nodes(&scene->live->reservations,
						given->reservation);
	spec.reserved = reserved;
	eqt_scontrol_candidates_offer(&spec, &scene->live->nodes,
				      out->partition);
	free(reserved);
	models_make(&models, &scene->now.cluster, &spec);
	if (eqt_quote_make(&quote, &models.table, &spec, err) < 0)
		return -1;
	if (request_take_model(out, &models, &scene->now.cluster,
			       &quote.totals.demand, err) < 0)
		return -1;
	if (quote.lack)
		return eqt_error_set(err, "%s",
				     eqt_price_message_brief(&quote, text,
							     sizeof(text)));
	out->nodes = quote.totals.nodes;
	out->cpus = quote.totals.cpus;
	out->mem_mib = quote.totals.demand.mem_mib;
	out->gpus = quote.totals.gpus;
	out->exclusive = spec.exclusive;
	out->nodes_given = given->spec.min_nodes > 0 &&
			   given->spec.max_nodes == given->spec.min_nodes;
	out->limit_s =
		quote.minutes == EQT_AMOUNT_UNLIMITED ? 0 : quote.minutes * 60;
	return 0;
}

/* ---- Its times ---------------------------------------------------------------- */

#define WEEK_S (7 * 86400) /* the longest unit of --begin */

/* Read a time such as "now+2hours". Units may be plural; without a unit the number is in
 * seconds. Returns false if the text is no such time. */
static bool begin_from_now(int64_t *out, const char *text, int64_t now_s)
{
	uint64_t count, unit = 1;
	size_t digits;

	if (strncasecmp(text, "now", 3) != 0)
		return false;
	*out = now_s;
	if (text[3] == '\0')
		return true;
	digits = strspn(text + 4, "0123456789");
	if (text[3] != '+' || eqt_amount_count(&count, text + 4, digits) < 0 ||
	    count > UINT32_MAX)
		return false;
	text += 4 + digits;
	if (text[0] != '\0')
		unit = eqt_duration_unit(text);
	*out += (int64_t) (count * unit);
	return unit > 0 && unit <= WEEK_S;
}

/* Read a time such as "16:00", "16:00:30", "noon" or "tomorrow". It means the next such
 * time. Returns false if the text is no such time. */
static bool begin_next(int64_t *out, const char *text, int64_t now_s)
{
	static const struct {
		const char *name, *clock;
	} names[] = { { "midnight", "00:00" },
		      { "tomorrow", "00:00" },
		      { "noon", "12:00" },
		      { "fika", "15:00" },
		      { "teatime", "16:00" } };
	const time_t now = (time_t) now_s;
	const char *end = NULL;
	struct tm tm;

	(void) localtime_r(&now, &tm);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(text, names[i].name) == 0)
			text = names[i].clock;
	tm.tm_sec = 0;
	end = strptime(text, "%H:%M", &tm);
	if (end && *end == ':')
		end = strptime(end, ":%S", &tm);
	if (!end || *end != '\0')
		return false;
	if (mktime(&tm) / 60 <= now / 60)
		tm.tm_mday++;
	tm.tm_isdst = -1;
	*out = (int64_t) mktime(&tm);
	return true;
}

/* "%2" behind an array limits how many tasks run together. */
static int request_take_times(struct eqt_scene_request *out,
			      const struct eqt_scene *scene,
			      const struct eqt_sbatch_component *given,
			      struct eqt_error *err)
{
	const char *array = given->spec.array;
	struct eqt_amount_tasks tasks;
	const char *most;

	if (given->begin &&
	    !begin_from_now(&out->begin_s, given->begin, scene->live->now_s) &&
	    !begin_next(&out->begin_s, given->begin, scene->live->now_s) &&
	    eqt_timestamp_option(&out->begin_s, given->begin, err) < 0)
		return -1;
	if (!array)
		return 0;
	if (eqt_amount_array_tasks(&tasks, array,
				   scene->allocation.array_size) < 0)
		return eqt_error_set(
			err, "--array %.64s: expected indexes such as 0-9%%2",
			array);
	out->tasks = tasks.count;
	most = strchr(array, '%');
	if (most)
		(void) eqt_amount_count(&out->tasks_most, most + 1,
					strlen(most + 1));
	return 0;
}

/*
 * Count a request as slurmctld would, with the defaults of the cluster, of its
 * partition and of the user's associations. If the request names several partitions,
 * only the first one is used, because each of the others would need a forecast of its
 * own. Returns 0, or -1 with err filled if there is no partition, if sbatch or
 * slurmctld would refuse the request, or if it names GPUs of several models.
 */
static int when_request_make(struct eqt_scene_request *out,
			     struct eqt_scene *scene,
			     const struct eqt_sbatch_component *given,
			     const struct eqt_user_assocs *owner,
			     struct eqt_error *err)
{
	const struct eqt_job_spec *spec = &given->spec;
	const char *list = given->partition;
	char name[256];

	*out = (struct eqt_scene_request){
		.user = eqt_arena_copy(&scene->kept, owner->user),
		.qos = given->qos,
		.features = spec->constraint ? spec->constraint : "",
		.nodelist = spec->nodelist ? spec->nodelist : "",
		.exclude = spec->exclude ? spec->exclude : "",
		.licenses = given->licenses ? given->licenses : "",
		.reservation = given->reservation ? given->reservation : "",
	};
	if (list && eqt_text_next_name(name, sizeof(name), &list))
		out->partition = eqt_arena_copy(&scene->kept, name);
	else
		out->partition = eqt_record_reservation_partition(
			&scene->live->reservations, given->reservation);
	if (!out->partition)
		out->partition = partition_default(scene);
	if (!out->partition)
		return eqt_error_set(
			err, "expected --partition: there is no default one");
	out->account = given->account ? given->account
				      : account_default(scene, owner);
	out->qos_default = eqt_arena_copy(
		&scene->kept,
		eqt_user_assocs_qos(owner, out->account, out->partition));
	if (request_take_size(out, scene, given, err) < 0)
		return -1;
	return request_take_times(out, scene, given, err);
}

/* ---- The subcommand ------------------------------------------------------- */

#define FUTURES 400
#define LEAST 10 /* futures that may take more than a second */
#define SECONDS 1.0
/* Together with the time for reading the data, an answer takes about five seconds. */
#define MOST_SECONDS 3.0

struct when_options {
	struct eqt_sbatch_options request;
	const char *user, *from, *save;
	uint64_t seed, futures;
	const char *names[EQT_WHEN_JOBS_MAX];
	size_t count;
};

/* Take an argument that may be the id of a job or of a task. Returns 1 if it is one, or 0
 * if it is the name of a script, which the parser of sbatch's options takes. */
static int when_take_name(void *into, const char *name, struct eqt_error *err)
{
	struct when_options *options = into;

	if (!eqt_live_jobs_name_is(name))
		return 0;
	if (options->count == EQT_WHEN_JOBS_MAX)
		return eqt_error_set(err, "more than %d jobs",
				     EQT_WHEN_JOBS_MAX);
	options->names[options->count++] = name;
	return 1;
}

/* Check that exactly one of the four ways to call the command was used. "request" tells
 * whether sbatch's options or a script were given. */
static int when_check_options(void *into, bool request, struct eqt_error *err)
{
	const struct when_options *options = into;

	if (options->save)
		return options->count || request || options->user
			       ? eqt_error_set(err, "--save takes no jobs")
			       : 0;
	if (!options->count && !options->user && !request)
		return eqt_error_set(
			err, "expected a job, --user, or the options of a job");
	if (options->count && (options->user || request))
		return eqt_error_set(
			err,
			"only one of jobs, --user and the options of a job");
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
	  "in a second, or up to 10 in three",
	  2, EQT_NUMBER_AT(struct when_options, futures, 100000) },
	{ "from", 0, "DIR", "read a folder that --save has written", 2,
	  EQT_TEXT_AT(struct when_options, from) },
	{ "save", 0, "DIR",
	  "write what Slurm answers now into a folder, and forecast nothing", 2,
	  EQT_TEXT_AT(struct when_options, save) },
	{ 0 }
};

/* ---- Rows ----------------------------------------------------------------- */

/* The rows of the output while they are collected. */
struct when_rows {
	struct eqt_when_row row[EQT_WHEN_JOBS_MAX];
	size_t count;
	uint32_t targets[EQT_WHEN_JOBS_MAX];
	uint32_t target_count;
};

/* Request a forecast for the row. */
static void row_add_target(struct when_rows *rows, struct eqt_when_row *row)
{
	row->target = rows->target_count;
	rows->targets[rows->target_count++] = row->index;
}

/* Add a row for a job. A running job has its start, and a job that cannot start gets no
 * forecast. */
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
		row->at = (struct eqt_forecast_interval){ job->start_s,
							  job->start_s,
							  job->start_s };
	else if (!row->stuck && row->index != EQT_SCENE_NONE)
		row_add_target(rows, row);
	else if (!row->stuck)
		row->stuck = "too many jobs wait to look at it";
	row->waits_for = row->stuck	? row->stuck
			 : job->pending ? job->reason
					: "nothing: it runs";
}

/* Add a row for a request, or two for an array: its first and its last task. The owner is
 * --user or the caller, because priorities differ by user. */
static int rows_add_request(struct when_rows *rows, struct eqt_scene *scene,
			    const struct when_options *options,
			    struct eqt_error *err)
{
	const struct eqt_sbatch_options *given = &options->request;
	struct eqt_when_row *row = &rows->row[rows->count++];
	struct eqt_scene_request request;
	struct eqt_scene_place place;
	struct eqt_user_assocs owner;
	char path[EQT_LIVE_PATH], words[EQT_SCENE_LINE];
	int rc;

	if (given->components > 1)
		return eqt_error_set(
			err, "there is no forecast for a heterogeneous job");
	eqt_user_assocs_read(&owner, scene->cluster_name,
			     options->user ? options->user : user_default(),
			     eqt_live_cluster_path(path, options->from,
						   "users.txt"));
	rc = when_request_make(&request, scene, given->component, &owner, err);
	eqt_user_assocs_free(&owner);
	if (rc < 0 || eqt_scene_queue_add(&place, scene, &request, err) < 0)
		return -1;
	*row = (struct eqt_when_row){
		.name = request.tasks ? "first task" : "request",
		.user = request.user,
		.account = request.account,
		.partition = request.partition,
		.job = place.as,
		.request = true,
		.waits_for = "not submitted",
		.index = place.first,
	};
	if (eqt_scene_budgets_never(words, scene, row->index))
		row->waits_for = row->stuck =
			eqt_arena_copy(&scene->kept, words);
	else
		row_add_target(rows, row);
	if (request.tasks < 2)
		return 0;
	rows->row[rows->count] = *row;
	row = &rows->row[rows->count++];
	row->name = "last task";
	row->index = place.last;
	if (request.tasks > EQT_SCENE_TASKS_MAX)
		row->waits_for = row->stuck = "the array has too many tasks";
	else if (!row->stuck)
		row_add_target(rows, row);
	return 0;
}

/* A user may have more jobs than the table has room for. Show the first ones in squeue's
 * order. */
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

/* 80 % of the real starts lie between "early" and "late". */
static void rows_fill(struct when_rows *rows, const struct eqt_scene *scene,
		      const struct eqt_forecast_starts *starts)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct eqt_when_row *row = &rows->row[i];

		if (!row->stuck && row->job->pending)
			row->at =
				eqt_scene_interval(scene, starts, row->target);
	}
}

/* ---- All ------------------------------------------------------------------ */

/* Make the forecast. For a single job with a long wait, also find out what would start it
 * sooner. If the user gave the number of futures, all of them are simulated. Otherwise
 * the clock decides, within limits. */
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
		.most = options->futures == FUTURES ? MOST_SECONDS : 60,
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
	rows_fill(rows, scene, &starts);
	report->futures = starts.futures;
	report->until = starts.until;
	changes.work = starts.work;
	memcpy(report->levels, starts.levels, sizeof(starts.levels));
	eqt_forecast_starts_free(&starts);
	/* A job that starts soon needs no advice. */
	if (rows->count != 1 ||
	    rows->row[0].at.median_s < scene->live->now_s + 600 ||
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

/* The rows are too many for the stack. */
static int when_show(struct eqt_scene *scene,
		     const struct when_options *options, struct eqt_error *err)
{
	struct eqt_when_sooner sooner[EQT_WHEN_SOONER_MAX];
	struct when_rows *rows = eqt_alloc(1, sizeof(*rows));
	struct eqt_when_report report = { .scene = scene, .sooner = sooner };
	int rc;

	rc = rows_make(rows, scene, options, err);
	if (rc == 0)
		rc = report_make(&report, rows, scene, sooner, options, err);
	report.rows = rows->row;
	report.count = rows->count;
	if (rc == 0 && options->request.common.json)
		eqt_when_json(&report);
	else if (rc == 0)
		eqt_when_print(&report, !options->request.common.no_headings);
	free(rows);
	return rc;
}

/* The release of the cluster decides which rules its sbatch has. */
static int when_run(struct when_options *options, struct eqt_error *err)
{
	struct eqt_live_cluster cluster;
	struct eqt_scene scene;
	int rc;

	if (options->save)
		return eqt_scene_budgets_save(options->save, err);
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

/* The parser of equitree bill reads the options of sbatch, so both subcommands take the
 * same options. */
int cmd_when(int argc, char **argv)
{
	struct when_options options = { .seed = 1, .futures = FUTURES };
	const struct eqt_sbatch_command command = {
		.words = "JOB...\n--user=NAME\n"
			 "OPTIONS OF A JOB... [SCRIPT [ARGUMENT...]]",
		.doc = "Forecast when jobs will start.\vFutures are simulated "
		       "from the queue, nodes, limits, shares and the lengths "
		       "of the last jobs. Half of them start a job before "
		       "MEDIAN; 80 % of real starts lie between EARLY and "
		       "LATE.",
		.own = own_table,
		.into = &options,
		.word = when_take_name,
		.check = when_check_options,
		.csv = true,
	};
	struct eqt_error err;
	int status;

	if (eqt_sbatch_options_parse(&options.request, &command, argc, argv,
				     &err) < 0)
		return eqt_print_failure("when", &err);
	status = eqt_print_status("when", when_run(&options, &err), &err);
	eqt_sbatch_options_free(&options.request);
	return status;
}
