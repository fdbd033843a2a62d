/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a replay, out of what "sacct -aXP" printed. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "slurm/sshare_index.h"
#include "simulate/simulate.h"

#define NEVER INT64_MIN

/* A time limit that is none: a year. */
#define NO_LIMIT_S ((uint32_t) 366 * 86400)

enum column {
	JOB_ID,
	USER,
	ACCOUNT,
	PARTITION,
	ELIGIBLE,
	ELAPSED,
	LIMIT,
	STATE,
	ALLOCATED,
	QOS, /* from here on: not needed */
	COLUMNS
};

/* The names that a column may have; the first is preferred. */
static const char *const names[COLUMNS][2] = {
	[JOB_ID] = { "JobIDRaw", "JobID" },
	[USER] = { "User", NULL },
	[ACCOUNT] = { "Account", NULL },
	[PARTITION] = { "Partition", NULL },
	[ELIGIBLE] = { "Eligible", "Submit" },
	[ELAPSED] = { "ElapsedRaw", NULL },
	[LIMIT] = { "TimelimitRaw", NULL },
	[STATE] = { "State", NULL },
	[ALLOCATED] = { "AllocTRES", NULL },
	[QOS] = { "QOS", NULL },
};

/* One file being read. */
struct reading {
	struct eqt_simulate_input *sim;
	const struct eqt_simulate_options *options;
	struct eqt_columns table;
	size_t at[COLUMNS];
	struct eqt_sshare_index index;
	size_t row;
	struct eqt_error *err;
};

static const char *trace_cell(const struct reading *reading, enum column column)
{
	return eqt_columns_cell(&reading->table, reading->row,
				reading->at[column]);
}

static int trace_error(const struct reading *reading, enum column column,
		       const char *why)
{
	return eqt_error_set(reading->err, "%s: line %zu: %s \"%.64s\": %s",
			     reading->table.text.name,
			     reading->table.lines[reading->row + 1],
			     names[column][0], trace_cell(reading, column),
			     why);
}

static int trace_find_columns(struct reading *reading)
{
	int i;

	for (i = 0; i < COLUMNS; i++) {
		const char *other = names[i][1];
		bool last = i < QOS && !other;
		size_t *at = &reading->at[i];

		*at = eqt_columns_find(&reading->table, names[i][0],
				       last ? reading->err : NULL);
		if (other && *at == EQT_COLUMNS_NONE)
			*at = eqt_columns_find(&reading->table, other,
					       reading->err);
		if (i < QOS && *at == EQT_COLUMNS_NONE)
			return -1;
	}
	return 0;
}

/* ---- Who -------------------------------------------------------------------- */

static struct eqt_scontrol_value text_value(const char *text)
{
	return (struct eqt_scontrol_value){ text, strlen(text) };
}

/* 1: known, 0: not, but that is to be passed over; -1. */
static int trace_take_owner(struct reading *reading,
			    struct eqt_simulation_job *job)
{
	const char *user = trace_cell(reading, USER);
	const char *account = trace_cell(reading, ACCOUNT);
	uint32_t at = eqt_sshare_index_find(&reading->index, text_value(user),
					    text_value(account));

	if (at != EQT_TREE_NONE) {
		job->user = at;
		job->person = eqt_sshare_index_person(&reading->index,
						      text_value(user));
		return 1;
	}
	if (reading->options->skip_unknown) {
		reading->sim->unknown++;
		return 0;
	}
	return eqt_error_set(reading->err,
			     "%s: line %zu: user \"%.64s\" of account "
			     "\"%.64s\" is not in %s (--skip-unknown leaves "
			     "such jobs out)",
			     reading->table.text.name,
			     reading->table.lines[reading->row + 1], user,
			     account, reading->sim->shares.table.text.name);
}

/* ---- What ------------------------------------------------------------------- */

/* "12", "62.50G": in units of 2^20 if it has a suffix, rounded up. */
static int tres_read_amount(uint64_t *out, const char *text, size_t length,
			    bool memory)
{
	static const char suffixes[] = "KMGTP";
	char copy[64], *end;
	const char *suffix = NULL;
	double value;

	if (length == 0 || length >= sizeof(copy) ||
	    !isdigit((unsigned char) text[0]))
		return -1;
	memcpy(copy, text, length);
	copy[length] = '\0';
	value = strtod(copy, &end);
	if (*end != '\0')
		suffix = strchr(suffixes, *end);
	if (*end != '\0' && (!suffix || end[1] != '\0'))
		return -1;
	/* Memory is told in bytes of Slurm's: MiB where nothing is said. */
	for (const char *at = suffix; at && at > suffixes; at--)
		value *= 1024;
	if (suffix && memory)
		value /= 1024;
	else if (suffix)
		value *= 1024;
	if (!(value >= 0 && value < 1e15))
		return -1;
	*out = (uint64_t) value;
	*out += (double) *out < value;
	return 0;
}

static int trace_take_gpus(struct reading *reading,
			   struct eqt_simulation_job *job, const char *name,
			   size_t length, uint64_t count)
{
	char model[EQT_NAME_SIZE];
	int at;

	(void) snprintf(model, sizeof(model), "%.*s", (int) length, name);
	if (strcmp(model, "gpu") == 0) {
		if (job->model == EQT_SIMULATION_NO_MODEL)
			job->all.gpus = count;
		return 0;
	}
	at = eqt_simulate_model(reading->sim, model, false);
	if (at < 0)
		return trace_error(reading, ALLOCATED,
				   "no node has such a model of GPUs");
	if (job->model != EQT_SIMULATION_NO_MODEL && job->model != at)
		return trace_error(reading, ALLOCATED,
				   "GPUs of two models are not modelled");
	job->model = (int16_t) at;
	job->all.gpus = count;
	return 0;
}

static int trace_take_tres_item(struct reading *reading,
				struct eqt_simulation_job *job,
				const char *item, size_t length)
{
	const char *equals = memchr(item, '=', length);
	size_t name = equals ? (size_t) (equals - item) : length;
	uint64_t count;

	if (!equals || tres_read_amount(&count, equals + 1, length - name - 1,
					strncmp(item, "mem=", 4) == 0) < 0)
		return trace_error(reading, ALLOCATED, "NAME=NUMBER is wanted");
	if (strncmp(item, "cpu=", 4) == 0)
		job->all.cpus = count;
	else if (strncmp(item, "mem=", 4) == 0)
		job->all.mem_mib = count;
	else if (strncmp(item, "node=", 5) == 0 && count < UINT32_MAX)
		job->nodes = (uint32_t) count;
	else if (strncmp(item, "gres/gpu", 8) == 0 &&
		 (item[8] == ':' || item[8] == '='))
		return trace_take_gpus(reading, job, item + 5, name - 5, count);
	return 0;
}

static int trace_take_tres(struct reading *reading,
			   struct eqt_simulation_job *job)
{
	const char *at = trace_cell(reading, ALLOCATED);
	size_t length;

	job->nodes = 1;
	job->model = EQT_SIMULATION_NO_MODEL;
	for (; *at != '\0'; at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		if (trace_take_tres_item(reading, job, at, length) < 0)
			return -1;
	}
	if (!job->nodes || job->all.cpus < job->nodes)
		return trace_error(reading, ALLOCATED,
				   "a job has a CPU on each of its nodes");
	/* Where all GPUs are alike, that is what it got. */
	if (job->all.gpus && job->model == EQT_SIMULATION_NO_MODEL &&
	    reading->sim->cluster.model_count == 1)
		job->model = 0;
	return 0;
}

/* The first partition of a list that the cluster has. */
static int trace_take_partition(struct reading *reading,
				struct eqt_simulation_job *job)
{
	const char *at = trace_cell(reading, PARTITION);
	size_t length;
	int found;

	for (; *at != '\0'; at += length + (at[length] == ',')) {
		length = strcspn(at, ",");
		found = eqt_simulate_partition(reading->sim, at, length);
		if (found >= 0) {
			job->partition = (uint16_t) found;
			return 0;
		}
	}
	return trace_error(reading, PARTITION,
			   "the cluster has no such partition");
}

/* ---- When ------------------------------------------------------------------- */

/* Days since 1970 of a date of the Gregorian calendar. */
static int64_t date_days(int64_t year, int64_t month, int64_t day)
{
	int64_t era_year, era;

	year -= month <= 2;
	era = year / 400;
	era_year = year - era * 400;
	return era * 146097 + era_year * 365 + era_year / 4 - era_year / 100 +
	       (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1 -
	       719468;
}

/* 1763726400 or 2026-11-21T12:00:00, which is taken for UTC. */
static int trace_read_time(struct reading *reading, int64_t *out)
{
	const char *text = trace_cell(reading, ELIGIBLE);
	int year, month, day, hour, minute, second, length = 0;
	char *end;

	*out = NEVER;
	if (strcmp(text, "Unknown") == 0 || strcmp(text, "None") == 0 ||
	    text[0] == '\0')
		return 0;
	if (strlen(text) == strspn(text, "0123456789") && strlen(text) < 12) {
		*out = strtoll(text, &end, 10);
		return 0;
	}
	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &year, &month, &day,
		   &hour, &minute, &second, &length) != 6 ||
	    text[length] != '\0' || year < 1970 || month < 1 || month > 12 ||
	    day < 1 || day > 31 || hour < 0 || hour > 23 || minute < 0 ||
	    minute > 59 || second < 0 || second > 60)
		return trace_error(reading, ELIGIBLE,
				   "2026-11-21T12:00:00 or seconds are wanted");
	*out = ((date_days(year, month, day) * 24 + hour) * 60 + minute) * 60 +
	       second;
	return 0;
}

/* Minutes, or a word for that there is no limit. */
static int trace_read_limit(struct reading *reading,
			    struct eqt_simulation_job *job)
{
	const char *text = trace_cell(reading, LIMIT);
	uint64_t minutes;

	job->limit_s = NO_LIMIT_S;
	if (!isdigit((unsigned char) text[0]))
		return text[0] == '\0' || strcmp(text, "UNLIMITED") == 0 ||
				       strcmp(text, "Partition_Limit") == 0
			       ? 0
			       : trace_error(reading, LIMIT,
					     "minutes are wanted");
	if (eqt_columns_number(&minutes, &reading->table, reading->row,
			       reading->at[LIMIT], NO_LIMIT_S / 60,
			       reading->err) < 0)
		return -1;
	job->limit_s = (uint32_t) minutes * 60;
	return 0;
}

/* Its id alone: "12" of a job, not of an array's task or of a step. */
static int trace_read_id(struct reading *reading,
			 struct eqt_simulation_job *job)
{
	uint64_t id;

	if (strpbrk(trace_cell(reading, JOB_ID), "_+"))
		return trace_error(reading, JOB_ID,
				   "tasks of arrays need the column JobIDRaw");
	if (eqt_columns_number(&id, &reading->table, reading->row,
			       reading->at[JOB_ID], UINT32_MAX,
			       reading->err) < 0)
		return -1;
	job->id = (uint32_t) id;
	return 0;
}

/* ---- All --------------------------------------------------------------------- */

static bool trace_is_step(const struct reading *reading)
{
	return strchr(trace_cell(reading, JOB_ID), '.') != NULL;
}

/* 1: a job; 0: nothing to replay; -1. */
static int trace_read_row(struct reading *reading,
			  struct eqt_simulation_job *job)
{
	struct eqt_simulate_input *sim = reading->sim;
	uint64_t elapsed;
	int rc;

	if (trace_is_step(reading))
		return 0;
	if (trace_read_time(reading, &job->at) < 0 ||
	    eqt_columns_number(&elapsed, &reading->table, reading->row,
			       reading->at[ELAPSED], NO_LIMIT_S,
			       reading->err) < 0)
		return -1;
	if (job->at == NEVER || trace_cell(reading, ALLOCATED)[0] == '\0') {
		sim->never_ran++;
		return 0;
	}
	if (trace_read_id(reading, job) < 0 ||
	    trace_read_limit(reading, job) < 0 ||
	    trace_take_tres(reading, job) < 0 ||
	    trace_take_partition(reading, job) < 0)
		return -1;
	rc = trace_take_owner(reading, job);
	if (rc <= 0)
		return rc;
	job->run_s = (uint32_t) elapsed;
	/* Slurm ends a job up to a minute after its limit. */
	if (job->limit_s < job->run_s)
		job->limit_s = job->run_s;
	sim->unfinished += strncmp(trace_cell(reading, STATE), "RUNNING", 7) ==
			   0;
	if (reading->at[QOS] != EQT_COLUMNS_NONE &&
	    trace_cell(reading, QOS)[0] != '\0') {
		job->qos = eqt_simulate_qos(sim, trace_cell(reading, QOS));
		if (!job->qos)
			return trace_error(reading, QOS, "too many names");
	}
	return 1;
}

static int trace_compare_jobs(const void *x, const void *y)
{
	const struct eqt_simulation_job *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int trace_read_rows(struct reading *reading)
{
	struct eqt_simulate_input *sim = reading->sim;
	struct eqt_progress progress;
	int rc = 0;

	sim->jobs = calloc(reading->table.rows + 1, sizeof(*sim->jobs));
	if (!sim->jobs)
		return eqt_error_set(reading->err, "out of memory");
	eqt_progress_begin(&progress, "reading jobs", reading->table.rows);
	for (; rc >= 0 && reading->row < reading->table.rows; reading->row++) {
		struct eqt_simulation_job job = {
			.start = EQT_SIMULATION_NEVER
		};

		eqt_progress_update(&progress, reading->row);
		rc = trace_read_row(reading, &job);
		if (rc > 0)
			sim->jobs[sim->count++] = job;
	}
	eqt_progress_end(&progress);
	if (rc < 0)
		return -1;
	if (!sim->count)
		return eqt_error_set(reading->err, "%s: no job that ran",
				     reading->table.text.name);
	qsort(sim->jobs, sim->count, sizeof(*sim->jobs), trace_compare_jobs);
	return 0;
}

int eqt_simulate_read_jobs(struct eqt_simulate_input *sim,
			   const struct eqt_simulate_options *options,
			   struct eqt_error *err)
{
	struct reading reading = { .sim = sim, .options = options, .err = err };
	struct eqt_source text;
	int rc;

	if (eqt_source_read(&text, options->jobs_path, "sacct -aXP", err) < 0)
		return -1;
	rc = eqt_columns_cut(&reading.table, &text, err) < 0 ||
			     trace_find_columns(&reading) < 0 ||
			     eqt_sshare_index_make(&reading.index, &sim->shares,
						   err) < 0 ||
			     trace_read_rows(&reading) < 0
		     ? -1
		     : 0;
	eqt_sshare_index_free(&reading.index);
	eqt_columns_free(&reading.table);
	return rc;
}
