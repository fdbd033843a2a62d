/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a simulation, from what "sacct -aXP" printed. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "slurm/sacct.h"
#include "slurm/sshare_index.h"
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

/* The jobs of a file while they are read. */
struct trace {
	struct eqt_simulate_input *sim;
	const struct eqt_simulate_options *options;
	struct eqt_sacct sacct;
	struct eqt_sshare_index index;
	size_t row;
	struct eqt_error *err;
};

static const char *trace_cell(const struct trace *trace,
			      enum eqt_sacct_column column)
{
	return eqt_sacct_cell(&trace->sacct, trace->row, column);
}

static int trace_error(const struct trace *trace, enum eqt_sacct_column column,
		       const char *why)
{
	return eqt_sacct_error(&trace->sacct, trace->row, column, why,
			       trace->err);
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
	return eqt_error_set(trace->err,
			     "%s: line %zu: user \"%.64s\" of account "
			     "\"%.64s\" is not in %s (--skip-unknown leaves "
			     "such jobs out)",
			     trace->sacct.table.text.name,
			     trace->sacct.table.lines[trace->row + 1], user,
			     account, trace->sim->shares.table.text.name);
}

/* ---- What ------------------------------------------------------------------- */

/* The GPU models of one job while they are read. */
struct trace_gpus {
	struct trace *trace;
	struct eqt_simulation_job *job;
};

/*
 * A callback of eqt_treslist_parse(): take the GPUs of a model. 1 stops it,
 * with the error already set.
 */
static int trace_take_gpus(const char *name, size_t length, uint64_t count,
			   void *with)
{
	const struct trace_gpus *into = with;
	struct eqt_simulation_job *job = into->job;
	char model[EQT_NAME_SIZE];
	int at;

	if (strncmp(name, "gpu:", 4) != 0)
		return 0;
	(void) snprintf(model, sizeof(model), "%.*s", (int) length, name);
	at = eqt_simulate_model(into->trace->sim, model, false);
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
	job->model = (int16_t) at;
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
	rc = eqt_treslist_parse(&list, text, strlen(text), trace_take_gpus,
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

/* The first partition of a list that the cluster has. */
static int trace_take_partition(struct trace *trace,
				struct eqt_simulation_job *job)
{
	const char *at = trace_cell(trace, EQT_SACCT_PARTITION);
	size_t length;
	int found;

	for (; *at != '\0'; at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		found = eqt_simulate_partition(trace->sim, at, length);
		if (found >= 0) {
			job->partition = (uint16_t) found;
			return 0;
		}
	}
	return trace_error(trace, EQT_SACCT_PARTITION,
			   "no such partition in the cluster");
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
	if (eqt_sacct_number(&minutes, &trace->sacct, trace->row,
			     EQT_SACCT_LIMIT, NO_LIMIT_S / 60, trace->err) < 0)
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
	if (eqt_sacct_number(&id, &trace->sacct, trace->row, EQT_SACCT_ID,
			     UINT32_MAX, trace->err) < 0)
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

	if (eqt_sacct_is_step(&trace->sacct, trace->row))
		return 0;
	if ((rc = eqt_sacct_time(&job->at, &trace->sacct, trace->row,
				 EQT_SACCT_ELIGIBLE, trace->err)) < 0 ||
	    eqt_sacct_number(&elapsed, &trace->sacct, trace->row,
			     EQT_SACCT_ELAPSED, NO_LIMIT_S, trace->err) < 0)
		return -1;
	if (rc == 0 || trace_cell(trace, EQT_SACCT_TRES)[0] == '\0') {
		sim->never_ran++;
		return 0;
	}
	if (trace_read_id(trace, job) < 0 || trace_read_limit(trace, job) < 0 ||
	    trace_take_tres(trace, job) < 0 ||
	    trace_take_partition(trace, job) < 0)
		return -1;
	rc = trace_take_owner(trace, job);
	if (rc <= 0)
		return rc;
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
		return eqt_error_set(trace->err, "out of memory");
	return 1;
}

/* Order by submission; ties by job id, so that runs repeat. */
static int trace_compare_jobs(const void *x, const void *y)
{
	const struct eqt_simulation_job *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Read all rows; those of jobs that never ran are left out. */
static int trace_read_rows(struct trace *trace)
{
	struct eqt_simulate_input *sim = trace->sim;
	struct eqt_progress progress;
	int rc = 0;

	sim->jobs = calloc(trace->sacct.table.rows + 1, sizeof(*sim->jobs));
	if (!sim->jobs)
		return eqt_error_set(trace->err, "out of memory");
	eqt_progress_begin(&progress, "reading jobs", trace->sacct.table.rows);
	for (; rc >= 0 && trace->row < trace->sacct.table.rows; trace->row++) {
		struct eqt_simulation_job job = {
			.start = EQT_SIMULATION_NEVER
		};

		eqt_progress_update(&progress, trace->row);
		rc = trace_read_row(trace, &job);
		if (rc > 0)
			sim->jobs[sim->count++] = job;
	}
	eqt_progress_end(&progress);
	if (rc < 0)
		return -1;
	if (!sim->count)
		return eqt_error_set(trace->err, "%s: no job that ran",
				     trace->sacct.table.text.name);
	qsort(sim->jobs, sim->count, sizeof(*sim->jobs), trace_compare_jobs);
	return 0;
}

int eqt_simulate_read_jobs(struct eqt_simulate_input *sim,
			   const struct eqt_simulate_options *options,
			   struct eqt_error *err)
{
	struct trace trace = { .sim = sim, .options = options, .err = err };
	int rc;

	if (eqt_sacct_read(&trace.sacct, options->jobs_path, NULL, NEEDED,
			   err) < 0)
		return -1;
	rc = eqt_sshare_index_make(&trace.index, &sim->shares, err);
	if (rc == 0)
		rc = trace_read_rows(&trace);
	eqt_sshare_index_free(&trace.index);
	eqt_sacct_free(&trace.sacct);
	return rc;
}
