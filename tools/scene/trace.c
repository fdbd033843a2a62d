/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads jobs of the past, which are simulated or from which a forecast draws. They come
 * from the output of "sacct -aXP", from a file in the Standard Workload Format (SWF), or
 * are made at random. Rows are read one at a time, so that memory holds only jobs and no
 * text. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/workload.h"
#include "cli/alloc.h"
#include "base/amount.h"
#include "scene/scene_impl.h"
#include "slurm/sacct.h"
#include "slurm/sshare.h"
#include "slurm/text/timestamp.h"
#include "slurm/text/tres_list.h"

/* A year, which stands for no time limit. */
#define NO_LIMIT_S ((uint32_t) 366 * 86400)

/* The columns without which a job cannot be simulated. */
#define NEEDED                                                               \
	(EQT_SACCT_BIT(EQT_SACCT_ID) | EQT_SACCT_BIT(EQT_SACCT_USER) |       \
	 EQT_SACCT_BIT(EQT_SACCT_ACCOUNT) |                                  \
	 EQT_SACCT_BIT(EQT_SACCT_PARTITION) |                                \
	 EQT_SACCT_BIT(EQT_SACCT_ELIGIBLE) |                                 \
	 EQT_SACCT_BIT(EQT_SACCT_ELAPSED) | EQT_SACCT_BIT(EQT_SACCT_LIMIT) | \
	 EQT_SACCT_BIT(EQT_SACCT_STATE) | EQT_SACCT_BIT(EQT_SACCT_TRES))

/* The meaning of the numbers in an SWF file. */
struct swf_base {
	int64_t start; /* the time of its second 0 */
	uint32_t *users, user_count; /* associations of users, by number */
	/* CPUs of the smallest node of each partition */
	uint64_t least[EQT_SIMULATION_PARTITIONS_MAX];
};

/* The jobs of a file while they are read. */
struct trace {
	struct eqt_scene *scene;
	const struct eqt_scene_input *input;
	struct eqt_sacct_reader sacct;
	const char *name; /* name of the file, or "stdin" */
	struct swf_base swf;
	struct eqt_simulation_job *jobs;
	/* jobs that were read, and that there is room for */
	size_t count, space;

	struct eqt_error *err;
};

static const char *trace_cell(const struct trace *trace,
			      enum eqt_sacct_column column)
{
	const size_t at = trace->sacct.head.at[column];

	return at == EQT_COLUMNS_NONE ? "" : trace->sacct.cell[at];
}

static int trace_error(const struct trace *trace, enum eqt_sacct_column column,
		       const char *why)
{
	const struct eqt_listing_lines *lines = &trace->sacct.lines;

	return eqt_error_set(trace->err, "%s: line %zu: %s: \"%.64s\": %s",
			     lines->name, lines->line,
			     eqt_sacct_column_name(column),
			     trace_cell(trace, column), why);
}

/* A cell as a whole number of at most max. */
static int trace_number(uint64_t *out, const struct trace *trace,
			enum eqt_sacct_column column, uint64_t max)
{
	const char *text = trace_cell(trace, column);

	char why[64];

	if (eqt_amount_count(out, text, strlen(text)) == 0 && *out <= max)
		return 0;
	(void) snprintf(why, sizeof(why),
			"expected a whole number up to %" PRIu64, max);
	return trace_error(trace, column, why);
}

/* ---- Who -------------------------------------------------------------------- */

/* A number that identifies a user in all accounts. A user that sshare does not list has
 * one number per account. */
static uint32_t owner_person(const struct eqt_scene *scene, uint32_t assoc)
{
	return scene->live ? assoc
			   : eqt_sshare_index_person(
				     &scene->index,
				     scene->shares.assocs[assoc].user);
}

/* Find the user of a row. Returns 1, 0 if the user is not known and the job is to be
 * skipped, or -1 with err filled. */
static int trace_take_owner(struct trace *trace, struct eqt_simulation_job *job)
{
	struct eqt_scene *scene = trace->scene;
	const char *user = trace_cell(trace, EQT_SACCT_USER);
	const char *account = trace_cell(trace, EQT_SACCT_ACCOUNT);

	job->user = eqt_scene_share_tree_user(scene, user, account);
	if (job->user != EQT_SCENE_NONE) {
		job->person = owner_person(scene, job->user);
		return 1;
	}
	if (trace->input->skip_unknown) {
		scene->unknown++;
		return 0;
	}
	return eqt_error_set(
		trace->err,
		"%s: line %zu: user \"%.64s\" of account \"%.64s\" is not in "
		"%s (--skip-unknown leaves such jobs out)",
		trace->sacct.lines.name, trace->sacct.lines.line, user, account,
		scene->shares.table.text.name);
}

/* ---- What ------------------------------------------------------------------- */

/* The GPU models of one job while they are read. */
struct trace_gpus {
	struct trace *trace;
	struct eqt_simulation_job *job;
};

/*
 * A callback of eqt_tres_list_parse(): add the GPUs of a model. Returns 1 to stop, with
 * the error already set.
 */
static int trace_take_gpus(const char *name, uint64_t count, void *with)
{
	const struct trace_gpus *into = with;
	struct eqt_simulation_job *job = into->job;
	const char *why = NULL;
	int16_t at;

	if (strncmp(name, "gpu:", 4) != 0)
		return 0;
	at = eqt_sim_nodes_model(&into->trace->scene->now.cluster, name);
	if (at < 0)
		why = "no node has GPUs of this model";
	else if (job->model != EQT_SIMULATION_NO_MODEL && job->model != at)
		why = "GPUs of two models are not simulated";
	/* If a job has several models, a forecast takes the last, which is as good as any
	 * other. */
	if (why && !into->trace->scene->live) {
		(void) trace_error(into->trace, EQT_SACCT_TRES, why);
		return 1;
	}
	job->model = at;
	job->all.gpus = count;
	return 0;
}

/* Read CPUs, memory, nodes and GPUs from the TRES of a row. */
static int trace_take_tres(struct trace *trace, struct eqt_simulation_job *job)
{
	const char *text = trace_cell(trace, EQT_SACCT_TRES);
	struct trace_gpus into = { trace, job };
	struct eqt_treslist list;
	int rc;

	job->model = EQT_SIMULATION_NO_MODEL;
	rc = eqt_tres_list_parse(&list, text, trace_take_gpus, &into);
	if (rc < 0)
		return trace_error(trace, EQT_SACCT_TRES,
				   "expected NAME=NUMBER,...");
	if (rc > 0)
		return -1;
	job->all.cpus = list.cpus;
	job->all.mem_mib = list.mem_mib;
	job->nodes = 1;
	if (list.nodes > 0 && list.nodes < UINT32_MAX / 2)
		job->nodes = (uint32_t) list.nodes;
	if (!job->all.gpus)
		job->all.gpus = list.gpus;
	if (job->all.cpus < job->nodes || job->all.cpus > UINT32_MAX)
		return trace_error(trace, EQT_SACCT_TRES,
				   "expected a CPU on each node");
	/* If all GPUs of the cluster are of one model, the job had that model. */
	if (job->all.gpus && job->model == EQT_SIMULATION_NO_MODEL &&
	    trace->scene->now.cluster.model_count == 1 && !trace->scene->live)
		job->model = 0;
	return 0;
}

/* Find the first partition of a list that the cluster has. Returns 1, 0 if there is none
 * and the job is to be skipped, or -1 with err filled. */
static int trace_take_partition(struct trace *trace,
				struct eqt_simulation_job *job)
{
	const int found = eqt_sim_nodes_partition_first(
		&trace->scene->now.cluster,
		trace_cell(trace, EQT_SACCT_PARTITION));

	if (found >= 0) {
		job->partition = (uint16_t) found;
		return 1;
	}
	if (trace->input->skip_unknown) {
		trace->scene->homeless++;
		return 0;
	}
	return trace_error(trace, EQT_SACCT_PARTITION,
			   "no such partition in the cluster (--skip-unknown "
			   "leaves such jobs out)");
}

/* ---- When ------------------------------------------------------------------- */

/* Read the limit, which is in minutes or a word for no limit. */
static int trace_read_limit(struct trace *trace, struct eqt_simulation_job *job)
{
	const char *text = trace_cell(trace, EQT_SACCT_LIMIT);
	uint64_t minutes;

	job->limit_s = NO_LIMIT_S;
	if (!isdigit((unsigned char) text[0]))
		return text[0] == '\0' || strcmp(text, "UNLIMITED") == 0 ||
				       strcmp(text, "Partition_Limit") == 0
			       ? 0
			       : trace_error(trace, EQT_SACCT_LIMIT,
					     "expected minutes");
	if (trace_number(&minutes, trace, EQT_SACCT_LIMIT, NO_LIMIT_S / 60) < 0)
		return -1;
	job->limit_s = (uint32_t) minutes * 60;
	return 0;
}

/* Read the id of a job. It is not the id "12_3" of an array's task. */
static int trace_read_id(struct trace *trace, struct eqt_simulation_job *job)
{
	uint64_t id;

	if (strpbrk(trace_cell(trace, EQT_SACCT_ID), "_+"))
		return trace_error(trace, EQT_SACCT_ID,
				   "tasks of arrays need the column JobIDRaw");
	if (trace_number(&id, trace, EQT_SACCT_ID, UINT32_MAX) < 0)
		return -1;
	job->id = (uint32_t) id;
	return 0;
}

/* Set how long the job ran. A forecast draws no length from a job that still runs,
 * because its length is not known yet. */
static void trace_take_length(struct trace *trace,
			      struct eqt_simulation_job *job, uint32_t elapsed)
{
	const bool runs =
		strncmp(trace_cell(trace, EQT_SACCT_STATE), "RUNNING", 7) == 0;

	trace->scene->unfinished += runs;
	job->run_s = elapsed;
	if (trace->scene->live)
		job->run_s = runs ? 0 : elapsed ? elapsed : 1;
	/* Slurm may end a job up to a minute after its limit. */
	if (job->limit_s < job->run_s)
		job->limit_s = job->run_s;
}

/* ---- Needs ------------------------------------------------------------------ */

/* Most jobs need nothing besides their size. For these no memory is allocated. */
static void trace_take_needs(struct trace *trace,
			     struct eqt_simulation_job *job, const char *tres,
			     const char *reservation)
{
	struct eqt_scene *scene = trace->scene;
	const int in =
		scene->live ? 0
			    : eqt_scene_cluster_reservation(scene, reservation);
	const struct eqt_scene_claim claim = {
		.user = scene->users[job->user],
		.account = scene->accounts[job->user],
		.assoc = job->user,
		.partition = job->partition,
		.qos = job->qos ? job->qos->name : "",
		.tres = tres,
		.licenses = "",
		.array = "",
		.job = job,
	};
	struct eqt_simulation_needs needs = {
		.reservation = in,
		.nodes = in ? scene->reservations[in - 1].nodes : NULL,
	};
	struct eqt_simulation_needs *kept;

	eqt_scene_limits(&needs, scene, &claim);
	if (needs.use_count == 0 && !in)
		return;
	kept = eqt_arena_new(&scene->kept, sizeof(*kept));
	*kept = needs;
	job->needs = kept;
}

/* Set the needs of a job for which Slurm printed no TRES. */
static void trace_take_made(struct trace *trace, struct eqt_simulation_job *job)
{
	const char *const *models = trace->scene->now.cluster.models;
	char tres[EQT_SCENE_TRES];

	eqt_scene_limits_text(tres, job->nodes, &job->all,
			      job->model == EQT_SIMULATION_NO_MODEL
				      ? ""
				      : models[job->model]);
	trace_take_needs(trace, job, tres, "");
}

/* ---- All --------------------------------------------------------------------- */

/* Read a row. Returns 1 for a job, 0 if there is nothing to simulate, or -1 with err
 * filled. */
static int trace_read_row(struct trace *trace, struct eqt_simulation_job *job)
{
	struct eqt_scene *scene = trace->scene;
	uint64_t elapsed;
	int rc;

	if (strchr(trace_cell(trace, EQT_SACCT_ID), '.')) /* a step */
		return 0;
	rc = eqt_timestamp_parse(&job->at,
				 trace_cell(trace, EQT_SACCT_ELIGIBLE));
	if (rc < 0)
		return trace_error(trace, EQT_SACCT_ELIGIBLE,
				   "expected a time");
	if (trace_number(&elapsed, trace, EQT_SACCT_ELAPSED, NO_LIMIT_S) < 0)
		return -1;
	if (rc == 0 || trace_cell(trace, EQT_SACCT_TRES)[0] == '\0') {
		scene->never_ran++;
		return 0;
	}
	if (scene->live &&
	    (job->at >= scene->live->now_s ||
	     job->at < scene->live->now_s - (int64_t) EQT_SCENE_DAYS * 86400))
		return 0;
	if (trace_read_id(trace, job) < 0 || trace_read_limit(trace, job) < 0)
		return -1;
	rc = trace_take_partition(trace, job);
	if (rc > 0)
		rc = trace_take_owner(trace, job);
	if (rc <= 0)
		return rc;
	if (trace_take_tres(trace, job) < 0)
		return -1;
	trace_take_length(trace, job, (uint32_t) elapsed);
	if (trace_cell(trace, EQT_SACCT_QOS)[0] != '\0') {
		job->qos = eqt_scene_share_tree_qos(
			scene, trace_cell(trace, EQT_SACCT_QOS));
		if (!job->qos)
			return trace_error(trace, EQT_SACCT_QOS,
					   "too many QOS");
	}
	trace_take_needs(trace, job, trace_cell(trace, EQT_SACCT_TRES),
			 trace_cell(trace, EQT_SACCT_RESERVATION));
	return 1;
}

/* ---- Standard Workload Format ------------------------------------------------ */

/* The columns of a line, in their order. -1 stands for a missing value. */
enum swf_column {
	SWF_ID,
	SWF_SUBMIT,
	SWF_WAIT,
	SWF_RUN,
	SWF_PROCESSORS,
	SWF_CPU_TIME,
	SWF_MEMORY, /* memory used per processor, in KiB */
	SWF_WANTED_PROCESSORS,
	SWF_WANTED_TIME,
	SWF_WANTED_MEMORY,
	SWF_STATUS,
	SWF_USER,
	SWF_GROUP,
	SWF_PROGRAM,
	SWF_QUEUE,
	SWF_PARTITION,
	SWF_AFTER,
	SWF_THINK_TIME,
	SWF_COLUMNS
};

/* Fill err with the line. An SWF file has no names of columns. */
static int swf_error(const struct trace *trace, const char *why)
{
	return eqt_error_set(trace->err, "%s: line %zu: %s",
			     trace->sacct.lines.name, trace->sacct.lines.line,
			     why);
}

/* Numbers may have fractions, but whole seconds and processors are enough. */
static int swf_read_numbers(const struct trace *trace, double of[SWF_COLUMNS],
			    const char *line)
{
	for (int i = 0; i < SWF_COLUMNS; i++) {
		char *end;

		of[i] = strtod(line, &end);
		if (end == line || !(fabs(of[i]) < 1e15))
			return swf_error(trace, "expected 18 numbers");
		line = end;
	}
	return 0;
}

/* A comment may be a header, such as "; UnixStartTime: 1000000000". */
static void swf_read_comment(struct trace *trace, const char *line)
{
	static const char name[] = "UnixStartTime:";
	const char *at = line + 1 + strspn(line + 1, " \t");

	if (strncmp(at, name, sizeof(name) - 1) == 0)
		trace->swf.start = strtoll(at + sizeof(name) - 1, NULL, 10);
}

/* In SWF users are numbers from 1. Each number stands for the user at that place in the
 * share tree. If there are more numbers than users, they start again with the first
 * user. */
static void swf_take_owner(const struct trace *trace,
			   struct eqt_simulation_job *job, double user)
{
	const uint32_t number =
		user >= 1 ? (uint32_t) fmod(user - 1, trace->swf.user_count)
			  : 0;

	job->user = trace->swf.users[number];
	job->person = owner_person(trace->scene, job->user);
}

/* A partition is a number, from 1, of its place in the cluster. If the cluster has a
 * single partition, it gets all jobs. */
static int swf_take_partition(struct trace *trace,
			      struct eqt_simulation_job *job, double number)
{
	const uint32_t count = trace->scene->now.cluster.partition_count;

	if (count == 1 || number < 1)
		job->partition = 0;
	else if (number <= count)
		job->partition = (uint16_t) (number - 1);
	else if (trace->input->skip_unknown)
		trace->scene->homeless++;
	else
		return swf_error(trace,
				 "no such partition in the cluster "
				 "(--skip-unknown leaves such jobs out)");
	return count == 1 || number <= count;
}

/* Processors fill nodes of the partition. Each node counts as if it had as many CPUs as
 * the smallest. */
static void swf_take_size(const struct trace *trace,
			  struct eqt_simulation_job *job,
			  const double of[SWF_COLUMNS])
{
	const double cpus = of[SWF_PROCESSORS] > 0 ? of[SWF_PROCESSORS]
						   : of[SWF_WANTED_PROCESSORS];
	const double kib = of[SWF_WANTED_MEMORY] > 0 ? of[SWF_WANTED_MEMORY]
			   : of[SWF_MEMORY] > 0	     ? of[SWF_MEMORY]
						     : 0;
	const uint64_t least = trace->swf.least[job->partition];

	job->model = EQT_SIMULATION_NO_MODEL;
	job->all.cpus = cpus < 1 ? 1 : (uint64_t) cpus;
	job->all.mem_mib = (uint64_t) (kib / 1024 * (double) job->all.cpus);
	job->nodes = least ? (uint32_t) ((job->all.cpus + least - 1) / least)
			   : 1;
}

/* Read a line. Returns 1 for a job, 0 if there is nothing to simulate, or -1 with err
 * filled. */
static int swf_read_line(struct trace *trace, struct eqt_simulation_job *job,
			 const char *line)
{
	double of[SWF_COLUMNS];
	int rc;

	if (line[strspn(line, " \t")] == ';') {
		swf_read_comment(trace, line + strspn(line, " \t"));
		return 0;
	}
	if (swf_read_numbers(trace, of, line) < 0)
		return -1;
	if (of[SWF_SUBMIT] < 0 || of[SWF_ID] < 0 || of[SWF_ID] > UINT32_MAX ||
	    of[SWF_RUN] > NO_LIMIT_S)
		return swf_error(trace, "a number is out of range");
	if (of[SWF_RUN] < 0 ||
	    (of[SWF_PROCESSORS] <= 0 && of[SWF_WANTED_PROCESSORS] <= 0)) {
		trace->scene->never_ran++;
		return 0;
	}
	rc = swf_take_partition(trace, job, of[SWF_PARTITION]);
	if (rc <= 0)
		return rc;
	job->id = (uint32_t) of[SWF_ID];
	job->at = trace->swf.start + (int64_t) of[SWF_SUBMIT];
	job->run_s = (uint32_t) of[SWF_RUN];
	job->limit_s = of[SWF_WANTED_TIME] > 0 &&
				       of[SWF_WANTED_TIME] < NO_LIMIT_S
			       ? (uint32_t) of[SWF_WANTED_TIME]
			       : NO_LIMIT_S;
	if (job->limit_s < job->run_s)
		job->limit_s = job->run_s;
	swf_take_owner(trace, job, of[SWF_USER]);
	swf_take_size(trace, job, of);
	trace_take_made(trace, job);
	return 1;
}

/* Collect the users of the tree by number, and the CPUs of the smallest node of each
 * partition. */
static int swf_begin(struct trace *trace)
{
	const struct eqt_scene *scene = trace->scene;
	const struct eqt_simulation_cluster *cluster = &scene->now.cluster;
	struct swf_base *swf = &trace->swf;

	swf->users = eqt_alloc(scene->shares.count + 1, sizeof(*swf->users));
	for (uint32_t i = 0; i < scene->shares.count; i++)
		if (scene->shares.assocs[i].user)
			swf->users[swf->user_count++] = i;
	for (uint32_t i = 0; i < cluster->node_count; i++)
		for (uint32_t p = 0; p < cluster->partition_count; p++) {
			const uint64_t cpus = cluster->nodes[i].has.cpus;

			if ((cluster->nodes[i].partitions >> p & 1) && cpus &&
			    (!swf->least[p] || cpus < swf->least[p]))
				swf->least[p] = cpus;
		}
	return swf->user_count ? 0
			       : eqt_error_set(trace->err,
					       "%s: no user in the share tree",
					       scene->shares.table.text.name);
}

/* ---- All --------------------------------------------------------------------- */

/* Make a store for the jobs, if it is wanted. */
static void stored_begin(struct eqt_scene *scene,
			 const struct eqt_scene_input *input)
{
	if (!input->stored)
		return;
	scene->now.stored = scene->stored = eqt_stored_jobs_new();
	if (!scene->stored)
		eqt_alloc_failed();
}

static void stored_add(struct eqt_scene *scene,
		       const struct eqt_simulation_job *job)
{
	if (eqt_stored_jobs_add(scene->stored, job) < 0)
		eqt_alloc_failed();
}

static void stored_settle(struct eqt_scene *scene)
{
	if (eqt_stored_jobs_settle(scene->stored) < 0)
		eqt_alloc_failed();
}

/* Add a job. The room grows by a quarter each time, because it is most of the memory. */
static void trace_add(struct trace *trace, const struct eqt_simulation_job *job)
{
	if (trace->scene->stored) {
		stored_add(trace->scene, job);
		trace->count++;
		return;
	}
	if (trace->count == trace->space) {
		const size_t space = trace->space + trace->space / 4 + 1024;

		trace->jobs = eqt_alloc_again(trace->jobs, space, sizeof(*job));
		trace->space = space;
	}
	trace->jobs[trace->count++] = *job;
}

/* Read the next line of either form. Returns 1, 0 at the end, or -1. *rc is the result
 * for the row. */
static int trace_next(struct trace *trace, struct eqt_simulation_job *job,
		      int *rc)
{
	size_t length;
	char *line;
	int got;

	if (!trace->input->swf_path) {
		got = eqt_sacct_reader_row(&trace->sacct, rc, trace->err);
		if (got > 0 && *rc == 0)
			*rc = trace_read_row(trace, job);
		return got;
	}
	got = eqt_listing_lines_next(&trace->sacct.lines, &line, &length,
				     trace->err);
	if (got > 0)
		*rc = swf_read_line(trace, job, line);
	return got;
}

/* Read all rows. Jobs that never ran are left out and, with --skip-damaged, rows that
 * cannot be read. */
static int trace_read_rows(struct trace *trace)
{
	int got, rc = 0;

	for (;;) {
		struct eqt_simulation_job job = {
			.start = EQT_SIMULATION_NEVER
		};

		got = trace_next(trace, &job, &rc);
		if (got <= 0)
			break;
		if (rc > 0)
			trace_add(trace, &job);
		if (rc < 0 && !trace->input->skip_damaged)
			return -1;
		trace->scene->damaged += rc < 0;
	}
	if (trace->scene->stored)
		stored_settle(trace->scene);
	else if (trace->count)
		qsort(trace->jobs, trace->count, sizeof(*trace->jobs),
		      eqt_workload_compare);
	return got;
}

/* Open, read and close the file. Returns 0, or -1 with err filled. */
static int trace_read(struct trace *trace, const char *command)
{
	const struct eqt_scene_input *input = trace->input;
	int rc;

	if (input->swf_path)
		rc = eqt_listing_lines_open(&trace->sacct.lines,
					    input->swf_path, NULL, trace->err);
	else
		rc = eqt_sacct_reader_open(&trace->sacct, input->jobs_path,
					   command, NEEDED, trace->err);
	if (rc < 0)
		return -1;
	trace->name = trace->sacct.lines.name;
	if (input->swf_path)
		rc = swf_begin(trace);
	if (rc == 0)
		rc = trace_read_rows(trace);
	free(trace->swf.users);
	(void) eqt_sacct_reader_close(&trace->sacct, 1, trace->err);
	return rc;
}

int eqt_scene_trace_read(struct eqt_scene *scene,
			 const struct eqt_scene_input *input,
			 struct eqt_error *err)
{
	struct trace trace = { .scene = scene, .input = input, .err = err };
	int rc;

	stored_begin(scene, input);
	rc = trace_read(&trace, NULL);
	scene->now.jobs = scene->jobs = trace.jobs;
	scene->now.count = trace.count;
	if (rc == 0 && !trace.count)
		return eqt_error_set(err, "%s: no job that ran", trace.name);
	return rc;
}

/* The jobs are drawn from a seed, so that each run has the same ones. */
int eqt_scene_trace_make(struct eqt_scene *scene,
			 const struct eqt_scene_input *input,
			 struct eqt_error *err)
{
	const struct eqt_workload *made = &input->made;
	struct trace trace = { .scene = scene, .err = err };

	scene->jobs = eqt_alloc(made->jobs, sizeof(*scene->jobs));
	scene->now.jobs = scene->jobs;
	if (eqt_workload_make(scene->jobs, made, &scene->now, err) < 0)
		return -1;
	scene->now.count = made->jobs;
	for (size_t i = 0; i < scene->now.count; i++)
		trace_take_made(&trace, &scene->jobs[i]);
	stored_begin(scene, input);
	if (!scene->stored)
		return 0;
	for (size_t i = 0; i < scene->now.count; i++)
		stored_add(scene, &scene->jobs[i]);
	stored_settle(scene);
	free(scene->jobs);
	scene->now.jobs = scene->jobs = NULL;
	return 0;
}

/* ---- History ------------------------------------------------------------------------
 * The jobs of the last days, from which a forecast draws: jobs that ran, and jobs that
 * wait now, whose lengths are not known yet. A user may be allowed to see only the user's
 * own jobs. The forecast then draws from these alone. */

/* The time since which jobs are known to have come. A young cluster has no longer past.
 * If nothing ran, the waiting jobs tell that time. */
static int64_t past_begin(const struct eqt_scene *scene,
			  const struct trace *trace)
{
	const int64_t now_s = scene->live->now_s;
	int64_t from_s = trace->count ? trace->jobs[0].at : now_s;

	for (size_t i = 0; i < scene->now.count; i++) {
		const int64_t at_s = scene->jobs[i].at;

		if (at_s < from_s && at_s >= now_s - EQT_SCENE_DAYS * 86400)
			from_s = at_s;
	}
	return from_s;
}

/* Add the jobs that wait now. Their lengths are not known, but without them, days on
 * which no job ran would look idle. */
static void past_add_waiting(struct eqt_scene *scene, struct trace *trace)
{
	for (size_t i = 0; i < scene->now.count; i++) {
		const struct eqt_simulation_job *job = &scene->jobs[i];
		struct eqt_simulation_job past = *job;
		struct eqt_simulation_needs *needs;

		if ((job->needs && job->needs->on) ||
		    job->at < scene->past_from || job->at >= scene->live->now_s)
			continue;
		needs = eqt_arena_new(&scene->kept, sizeof(*needs));
		needs->uses = job->needs->uses;
		needs->use_count = job->needs->use_count;
		needs->nodes = job->needs->nodes;
		needs->exclusive = job->needs->exclusive;
		past.needs = needs;
		past.run_s = 0;
		trace_add(trace, &past);
	}
}

void eqt_scene_trace_past(struct eqt_scene *scene, const char *path,
			  struct eqt_error *err)
{
	const struct eqt_scene_input input = {
		.jobs_path = path,
		.skip_unknown = true,
		.skip_damaged = true,
	};
	struct trace trace = { .scene = scene, .input = &input, .err = err };

	/* Without accounting there is no history, and lengths are guessed. */
	(void) trace_read(&trace, EQT_LIVE_HISTORY_COMMAND);
	scene->past_from = past_begin(scene, &trace);
	past_add_waiting(scene, &trace);
	if (trace.count)
		qsort(trace.jobs, trace.count, sizeof(*trace.jobs),
		      eqt_workload_compare);
	scene->past = trace.jobs;
	scene->past_count = trace.count;
}
