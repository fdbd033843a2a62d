/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a simulation, from what "sacct -aXP" printed, or from a file in the
 * Standard Workload Format. Rows are read one at a time, so that memory holds jobs, not
 * text. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/workload.h"
#include "base/amount.h"
#include "slurm/sacct.h"
#include "slurm/sshare.h"
#include "slurm/text/timestamp.h"
#include "slurm/text/tres_list.h"
#include "simulate/simulate.h"

/* Stands for no time limit: a year. */
#define NO_LIMIT_S ((uint32_t) 366 * 86400)

/* The columns without which a job cannot be simulated. */
#define NEEDED                                                               \
	(EQT_SACCT_BIT(EQT_SACCT_ID) | EQT_SACCT_BIT(EQT_SACCT_USER) |       \
	 EQT_SACCT_BIT(EQT_SACCT_ACCOUNT) |                                  \
	 EQT_SACCT_BIT(EQT_SACCT_PARTITION) |                                \
	 EQT_SACCT_BIT(EQT_SACCT_ELIGIBLE) |                                 \
	 EQT_SACCT_BIT(EQT_SACCT_ELAPSED) | EQT_SACCT_BIT(EQT_SACCT_LIMIT) | \
	 EQT_SACCT_BIT(EQT_SACCT_STATE) | EQT_SACCT_BIT(EQT_SACCT_TRES))

/* What numbers of an SWF file stand for. */
struct swf_base {
	int64_t start; /* the time of its second 0 */
	uint32_t *users, user_count; /* associations of users, by number */
	uint64_t least[EQT_SIMULATION_PARTITIONS_MAX]; /* CPUs of a node */
};

/* The jobs of a file while they are read. */
struct trace {
	struct eqt_simulate_input *sim;
	const struct eqt_simulate_options *options;
	struct eqt_sacct_reader sacct;
	struct eqt_sshare_index index;
	struct swf_base swf;
	size_t space; /* of the jobs */
	bool fatal; /* the error is none of the line's */
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

/* No line is to blame, so --skip-damaged does not go on. */
static int trace_out_of_memory(struct trace *trace)
{
	trace->fatal = true;
	return eqt_error_set(trace->err, "out of memory");
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

/* 1: known; 0: not known, and to be skipped; -1 with err filled. */
static int trace_take_owner(struct trace *trace, struct eqt_simulation_job *job)
{
	const char *user = trace_cell(trace, EQT_SACCT_USER);
	const char *account = trace_cell(trace, EQT_SACCT_ACCOUNT);
	uint32_t at = eqt_sshare_index_find(&trace->index,
					    eqt_scontrol_value_of(user),
					    eqt_scontrol_value_of(account));

	if (at != EQT_TREE_NONE) {
		job->user = at;
		job->person = eqt_sshare_index_person(
			&trace->index, eqt_scontrol_value_of(user));
		return 1;
	}
	if (trace->options->skip_unknown) {
		trace->sim->unknown++;
		return 0;
	}
	return eqt_error_set(
		trace->err,
		"%s: line %zu: user \"%.64s\" of account \"%.64s\" is not in "
		"%s (--skip-unknown leaves such jobs out)",
		trace->sacct.lines.name, trace->sacct.lines.line, user, account,
		trace->sim->shares.table.text.name);
}

/* ---- What ------------------------------------------------------------------- */

/* The GPU models of one job while they are read. */
struct trace_gpus {
	struct trace *trace;
	struct eqt_simulation_job *job;
};

/*
 * A callback of eqt_tres_list_parse(): take the GPUs of a model. 1 stops it,
 * with the error already set.
 */
static int trace_take_gpus(const char *name, size_t length, uint64_t count,
			   void *with)
{
	const struct trace_gpus *into = with;
	struct eqt_simulation_job *job = into->job;
	char model[EQT_NAME_SIZE];
	int16_t at;

	if (strncmp(name, "gpu:", 4) != 0)
		return 0;
	(void) snprintf(model, sizeof(model), "%.*s", (int) length, name);
	at = eqt_simulation_model(&into->trace->sim->cluster, model);
	if (at < 0) {
		(void) trace_error(into->trace, EQT_SACCT_TRES,
				   "no node has GPUs of this model");
		return 1;
	}
	if (job->model != EQT_SIMULATION_NO_MODEL && job->model != at) {
		(void) trace_error(into->trace, EQT_SACCT_TRES,
				   "GPUs of two models are not simulated");
		return 1;
	}
	job->model = at;
	job->all.gpus = count;
	return 0;
}

/* Take CPUs, memory, nodes and GPUs from the TRES of a row. */
static int trace_take_tres(struct trace *trace, struct eqt_simulation_job *job)
{
	const char *text = trace_cell(trace, EQT_SACCT_TRES);
	struct trace_gpus into = { trace, job };
	struct eqt_treslist list;
	int rc;

	job->model = EQT_SIMULATION_NO_MODEL;
	rc = eqt_tres_list_parse(&list, text, strlen(text), trace_take_gpus,
				 &into);
	if (rc < 0)
		return trace_error(trace, EQT_SACCT_TRES,
				   "expected NAME=NUMBER,...");
	if (rc > 0)
		return -1;
	job->all.cpus = list.cpus;
	job->all.mem_mib = list.mem_mib;
	job->nodes = 1;
	if (list.nodes > 0 && list.nodes < UINT32_MAX)
		job->nodes = (uint32_t) list.nodes;
	if (job->model == EQT_SIMULATION_NO_MODEL)
		job->all.gpus = list.gpus;
	if (job->all.cpus < job->nodes)
		return trace_error(trace, EQT_SACCT_TRES,
				   "expected a CPU on each node");
	/* If all GPUs of the cluster are of one model, the job had that one. */
	if (job->all.gpus && job->model == EQT_SIMULATION_NO_MODEL &&
	    trace->sim->cluster.model_count == 1)
		job->model = 0;
	return 0;
}

/* The first partition of a list that the cluster has. 1: there is one; 0: none, and the
 * job is to be skipped; -1 with err filled. */
static int trace_take_partition(struct trace *trace,
				struct eqt_simulation_job *job)
{
	const int found = eqt_simulation_partition_first(
		&trace->sim->cluster, trace_cell(trace, EQT_SACCT_PARTITION));

	if (found >= 0) {
		job->partition = (uint16_t) found;
		return 1;
	}
	if (trace->options->skip_unknown) {
		trace->sim->homeless++;
		return 0;
	}
	return trace_error(trace, EQT_SACCT_PARTITION,
			   "no such partition in the cluster (--skip-unknown "
			   "leaves such jobs out)");
}

/* ---- When ------------------------------------------------------------------- */

/* The limit in minutes, or a word for no limit. */
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

/* Read the id of a job, not of a task "12_3" of an array. */
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

/* ---- All --------------------------------------------------------------------- */

/* 1: a job; 0: nothing to simulate; -1 with err filled. */
static int trace_read_row(struct trace *trace, struct eqt_simulation_job *job)
{
	struct eqt_simulate_input *sim = trace->sim;
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
		sim->never_ran++;
		return 0;
	}
	if (trace_read_id(trace, job) < 0 || trace_read_limit(trace, job) < 0)
		return -1;
	rc = trace_take_partition(trace, job);
	if (rc > 0)
		rc = trace_take_owner(trace, job);
	if (rc <= 0)
		return rc;
	if (trace_take_tres(trace, job) < 0)
		return -1;
	job->run_s = (uint32_t) elapsed;
	/* Slurm may end a job up to a minute after its limit. */
	if (job->limit_s < job->run_s)
		job->limit_s = job->run_s;
	sim->unfinished +=
		strncmp(trace_cell(trace, EQT_SACCT_STATE), "RUNNING", 7) == 0;
	if (trace_cell(trace, EQT_SACCT_QOS)[0] != '\0') {
		job->qos =
			eqt_simulate_qos(sim, trace_cell(trace, EQT_SACCT_QOS));
		if (!job->qos)
			return trace_error(trace, EQT_SACCT_QOS,
					   "too many QOS");
	}
	if (eqt_simulate_take_needs(sim, job, trace_cell(trace, EQT_SACCT_TRES),
				    trace_cell(trace, EQT_SACCT_RESERVATION)) <
	    0)
		return trace_out_of_memory(trace);
	return 1;
}

/* ---- Standard Workload Format ------------------------------------------------ */

/* Columns of a line, in their order; -1 stands for a value that is missing. */
enum swf_column {
	SWF_ID,
	SWF_SUBMIT,
	SWF_WAIT,
	SWF_RUN,
	SWF_PROCESSORS,
	SWF_CPU_TIME,
	SWF_MEMORY, /* used, KiB of each processor */
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

/* A line of the format has no names of columns to tell. */
static int swf_error(const struct trace *trace, const char *why)
{
	return eqt_error_set(trace->err, "%s: line %zu: %s",
			     trace->sacct.lines.name, trace->sacct.lines.line,
			     why);
}

/* Numbers may have fractions, which whole seconds and processors do not need. */
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

/* Comments are headers, too: "; UnixStartTime: 1000000000". */
static void swf_read_comment(struct trace *trace, const char *line)
{
	static const char name[] = "UnixStartTime:";
	const char *at = line + 1 + strspn(line + 1, " \t");

	if (strncmp(at, name, sizeof(name) - 1) == 0)
		trace->swf.start = strtoll(at + sizeof(name) - 1, NULL, 10);
}

/* Users are numbers from 1 on: the user of that number in the share tree, and again from
 * the first where there are more. */
static void swf_take_owner(const struct trace *trace,
			   struct eqt_simulation_job *job, double user)
{
	const uint32_t number =
		user >= 1 ? (uint32_t) fmod(user - 1, trace->swf.user_count)
			  : 0;

	job->user = trace->swf.users[number];
	job->person = eqt_sshare_index_person(
		&trace->index,
		eqt_scontrol_value_of(
			trace->sim->shares.assocs[job->user].user));
}

/* A partition has a number: that of its place in the cluster, from 1 on. A cluster with
 * one partition takes all. */
static int swf_take_partition(struct trace *trace,
			      struct eqt_simulation_job *job, double number)
{
	const uint32_t count = trace->sim->cluster.partition_count;

	if (count == 1 || number < 1)
		job->partition = 0;
	else if (number <= count)
		job->partition = (uint16_t) (number - 1);
	else if (trace->options->skip_unknown)
		trace->sim->homeless++;
	else
		return swf_error(trace,
				 "no such partition in the cluster "
				 "(--skip-unknown leaves such jobs out)");
	return count == 1 || number <= count;
}

/* Processors fill nodes of the partition, as many as the smallest has. */
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

/* 1: a job; 0: nothing to simulate; -1 with err filled. */
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
		trace->sim->never_ran++;
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
	return eqt_simulate_take_made(trace->sim, job) < 0
		       ? trace_out_of_memory(trace)
		       : 1;
}

/* The users of the tree by number, and the CPUs of the smallest node of each partition. */
static int swf_begin(struct trace *trace)
{
	const struct eqt_simulate_input *sim = trace->sim;
	const struct eqt_simulation_cluster *cluster = &sim->cluster;
	struct swf_base *swf = &trace->swf;

	swf->users = calloc(sim->shares.count + 1, sizeof(*swf->users));
	if (!swf->users)
		return trace_out_of_memory(trace);
	for (uint32_t i = 0; i < sim->shares.count; i++)
		if (sim->shares.assocs[i].user)
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
					       sim->shares.table.text.name);
}

/* ---- All --------------------------------------------------------------------- */

/* Add a job. Room grows by a quarter: it is the largest part of the memory. */
static int trace_add(struct trace *trace, const struct eqt_simulation_job *job)
{
	struct eqt_simulate_input *sim = trace->sim;

	if (sim->count == trace->space) {
		const size_t space = trace->space + trace->space / 4 + 1024;
		struct eqt_simulation_job *jobs =
			realloc(sim->jobs, space * sizeof(*jobs));

		if (!jobs)
			return trace_out_of_memory(trace);
		sim->jobs = jobs;
		trace->space = space;
	}
	sim->jobs[sim->count++] = *job;
	return 0;
}

/* The next line of either form: 1, 0 at the end, or -1; *rc is that of the row. */
static int trace_next(struct trace *trace, struct eqt_simulation_job *job,
		      int *rc)
{
	size_t length;
	char *line;
	int got;

	if (!trace->options->swf_path) {
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

/* Read all rows; those of jobs that never ran are left out, and with --skip-damaged those
 * that cannot be read. */
static int trace_read_rows(struct trace *trace)
{
	struct eqt_simulate_input *sim = trace->sim;
	int got, rc = 0;

	for (;;) {
		struct eqt_simulation_job job = {
			.start = EQT_SIMULATION_NEVER
		};

		got = trace_next(trace, &job, &rc);
		if (got <= 0)
			break;
		if (rc > 0)
			rc = trace_add(trace, &job);
		if (rc < 0 && (trace->fatal || !trace->options->skip_damaged))
			return -1;
		sim->damaged += rc < 0;
	}
	if (got < 0)
		return -1;
	if (!sim->count)
		return eqt_error_set(trace->err, "%s: no job that ran",
				     trace->sacct.lines.name);
	qsort(sim->jobs, sim->count, sizeof(*sim->jobs), eqt_workload_compare);
	return 0;
}

int eqt_simulate_read_jobs(struct eqt_simulate_input *sim,
			   const struct eqt_simulate_options *options,
			   struct eqt_error *err)
{
	struct trace trace = { .sim = sim, .options = options, .err = err };
	int rc;

	if (options->swf_path)
		rc = eqt_listing_lines_open(&trace.sacct.lines,
					    options->swf_path, NULL, err);
	else
		rc = eqt_sacct_reader_open(&trace.sacct, options->jobs_path,
					   NULL, NEEDED, err);
	if (rc < 0)
		return -1;
	rc = eqt_sshare_index_make(&trace.index, &sim->shares, err);
	if (rc == 0 && options->swf_path)
		rc = swf_begin(&trace);
	if (rc == 0)
		rc = trace_read_rows(&trace);
	eqt_sshare_index_free(&trace.index);
	free(trace.swf.users);
	(void) eqt_sacct_reader_close(&trace.sacct, NULL);
	return rc;
}
