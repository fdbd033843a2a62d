/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queue in a format that equitree requests. Times and TRES stay as Slurm prints
 * them; job names are left out, as users can put anything into them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "cli/alloc.h"
#include "base/text.h"
#include "slurm/squeue.h"
#include "slurm/text/tres_list.h"

#define ID_DIGITS 10 /* of a job's id of 32 bits */

static const char header[] = "JOBID|USER|ACCOUNT|PARTITION|STATE|NODES|"
			     "PRIORITY|TRES_ALLOC|REASON|JOBID";

enum field {
	JOB_ID,
	JOB_USER,
	JOB_ACCOUNT,
	JOB_PARTITION,
	JOB_STATE,
	JOB_NODES,
	JOB_PRIORITY,
	JOB_TRES,
	JOB_REASON,
	JOB_FIELDS
};

/* Reasons for which a pending job would not start on a free node. */
static const char *const other_reasons[] = {
	"Dependency",	  "DependencyNeverSatisfied",
	"BeginTime",	  "JobHeldUser",
	"JobHeldAdmin",	  "JobArrayTaskLimit",
	"PartitionDown",  "PartitionInactive",
	"Reservation",	  "InvalidQOS",
	"InvalidAccount", "BadConstraints",
};

/* Does the job wait for something other than resources or priority? */
static bool job_waits_else(const struct eqt_squeue_job *job, const char *reason)
{
	for (size_t i = 0; i < sizeof(other_reasons) / sizeof(other_reasons[0]);
	     i++) {
		if (strcmp(reason, other_reasons[i]) == 0)
			return true;
	}
	return job->priority == 0;
}

/* Split a line into its fields: eight from the left, the id from the right; the
 * reason is what is between. */
static int fields_cut(char *field[JOB_FIELDS], char *line,
		      struct eqt_error *err)
{
	char *last = strrchr(line, '|'), *bar;
	int i, columns = 1;

	for (bar = line; (bar = strchr(bar, '|')); bar++)
		columns++;
	if (columns <= JOB_FIELDS)
		return eqt_error_set(err, "%d columns: expected %d", columns,
				     JOB_FIELDS + 1);
	for (i = JOB_ID; i < JOB_REASON; i++) {
		bar = strchr(line, '|');
		*bar = '\0';
		field[i] = line;
		line = bar + 1;
	}
	*last = '\0';
	field[JOB_REASON] = line;
	/* squeue alone writes the last id: a user cannot complete a line of
	 * another job. */
	if (strcmp(field[JOB_ID], last + 1) != 0)
		return eqt_error_set(
			err,
			"the line of job \"%.32s\" does not end with its id",
			field[JOB_ID]);
	return 0;
}

/* "gpu:p100" with a count: the model of the job's GPUs. */
static int job_take_gres(const char *name, size_t length, uint64_t count,
			 void *with)
{
	struct eqt_squeue_job *job = with;

	if (length > 4 && strncmp(name, "gpu:", 4) == 0 && count > 0)
		job->model =
			(struct eqt_scontrol_value){ name + 4, length - 4 };
	return 0;
}

/* Read cores, memory and GPUs that a running job has. disk NULL: local disk is not
 * counted. */
static int job_read_tres(struct eqt_squeue_job *job, const char *text,
			 const char *disk, struct eqt_error *err)
{
	struct eqt_treslist list;

	if (eqt_tres_list_parse(&list, text, strlen(text), job_take_gres,
				job) != 0)
		return eqt_error_set(
			err, "TRES_ALLOC: \"%.64s\": expected NAME=NUMBER,...",
			text);
	job->total.of[EQT_UNIT_PART_CORES] = list.cpus;
	job->total.of[EQT_UNIT_PART_MEMORY] = list.mem_mib;
	job->total.of[EQT_UNIT_PART_GPUS] = list.gpus;
	if (disk)
		job->total.of[EQT_UNIT_PART_DISK] =
			eqt_tres_list_amount(text, disk);
	job->billing = list.billing;
	return 0;
}

static int job_read_number(uint64_t *out, const char *name, const char *text,
			   struct eqt_error *err)
{
	if (eqt_amount_count(out, text, strlen(text)) == 0)
		return 0;
	return eqt_error_set(err, "%s: \"%.64s\": expected a number", name,
			     text);
}

/* All fields are checked, also of jobs that are dropped later: a line is valid
 * or the text is not. */
static int job_read(struct eqt_squeue_job *job, char *line, const char *disk,
		    struct eqt_error *err)
{
	char *field[JOB_FIELDS];

	*job = (struct eqt_squeue_job){ .nodes = 0 };
	if (fields_cut(field, line, err) < 0)
		return -1;
	job->running = strcmp(field[JOB_STATE], "RUNNING") == 0;
	job->pending = strcmp(field[JOB_STATE], "PENDING") == 0;
	job->id = field[JOB_ID];
	job->user = field[JOB_USER];
	/* 26.05 prints it as the user wrote it. */
	(void) eqt_text_lower(field[JOB_ACCOUNT],
			      strlen(field[JOB_ACCOUNT]) + 1,
			      field[JOB_ACCOUNT]);
	job->account = field[JOB_ACCOUNT];
	job->partition =
		(struct eqt_scontrol_value){ field[JOB_PARTITION],
					     strlen(field[JOB_PARTITION]) };
	if (job_read_number(&job->priority, "PRIORITY", field[JOB_PRIORITY],
			    err) < 0 ||
	    job_read_number(&job->nodes, "NODES", field[JOB_NODES], err) < 0 ||
	    job_read_tres(job, field[JOB_TRES], disk, err) < 0)
		return -1;
	if (job->nodes == 0)
		job->nodes = 1;
	job->waits_else = job->pending &&
			  job_waits_else(job, field[JOB_REASON]);
	job->pending = job->pending && !job->waits_else;
	return 0;
}

/* The line of a job begins with its number. */
static bool is_job_line(const char *line)
{
	size_t digits = strspn(line, "0123456789");

	return digits > 0 && digits <= ID_DIGITS && line[digits] == '|';
}

/* Refuse a file that was saved with other columns. */
static int squeue_check_header(char *line, const struct eqt_listing *text,
			       struct eqt_error *err)
{
	if (strcmp(line, header) == 0)
		return 0;
	return eqt_error_set(err, "%s: line 1: expected the columns %s",
			     text->name, header);
}

/* Read all lines in place; the first one is the header. An error names the line. */
static int squeue_read_lines(struct eqt_squeue *queue, struct eqt_error *err)
{
	char *line = queue->text.text, *next;
	struct eqt_error why;
	size_t number, length;
	int rc;

	for (number = 1; *line != '\0'; line = next, number++) {
		length = strcspn(line, "\n");
		next = line + length + 1;
		if (length > 0 && line[length - 1] == '\r')
			length--;
		line[length] = '\0';
		if (number == 1) {
			if (squeue_check_header(line, &queue->text, err) < 0)
				return -1;
			continue;
		}
		if (length == 0)
			continue;
		rc = is_job_line(line)
			     ? job_read(&queue->jobs[queue->count], line,
					queue->disk, &why)
			     : eqt_error_set(&why, "expected a job's id");
		if (rc < 0)
			return eqt_error_set(err, "%s: line %zu: %.400s",
					     queue->text.name, number,
					     why.text);
		queue->count++;
	}
	return 0;
}

/* As text: only equality matters. */
static int job_compare_ids(const void *a, const void *b)
{
	return strcmp(*(const char *const *) a, *(const char *const *) b);
}

/* A user who ends a line early, with the right id, must begin the one that
 * squeue completes with the same id again. */
static int squeue_check_ids(const struct eqt_squeue *queue,
			    struct eqt_error *err)
{
	const char **ids = eqt_alloc(queue->count + 1, sizeof(*ids));
	int rc = 0;

	for (size_t i = 0; i < queue->count; i++)
		ids[i] = queue->jobs[i].id;
	qsort(ids, queue->count, sizeof(*ids), job_compare_ids);
	for (size_t i = 1; i < queue->count && rc == 0; i++) {
		if (strcmp(ids[i - 1], ids[i]) == 0)
			rc = eqt_error_set(err, "%s: job %s: two lines",
					   queue->text.name, ids[i]);
	}
	free(ids);
	return rc;
}

/* Keep the jobs that run or wait. */
static void squeue_drop_others(struct eqt_squeue *queue)
{
	size_t i, kept = 0;

	for (i = 0; i < queue->count; i++) {
		const struct eqt_squeue_job *job = &queue->jobs[i];

		if (job->running || job->pending || job->waits_else)
			queue->jobs[kept++] = *job;
	}
	queue->count = kept;
}

/* Remove what a user's environment would add to squeue's options. */
static void squeue_clean_environment(void)
{
	static const char *const names[] = {
		"SQUEUE_ACCOUNT",    "SQUEUE_ARRAY",  "SQUEUE_ARRAY_UNIQUE",
		"SQUEUE_FEDERATION", "SQUEUE_FORMAT", "SQUEUE_FORMAT2",
		"SQUEUE_LICENSES",   "SQUEUE_NAMES",  "SQUEUE_PARTITION",
		"SQUEUE_PRIORITY",   "SQUEUE_QOS",    "SQUEUE_SIB",
		"SQUEUE_SIBLING",    "SQUEUE_SORT",   "SQUEUE_STATES",
		"SQUEUE_USERS",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void) unsetenv(names[i]);
}

/* squeue is asked for all users and partitions, so operators see all jobs, and users
 * what they may. */
int eqt_squeue_read(struct eqt_squeue *out, const char *path, const char *disk,
		    struct eqt_error *err)
{
	*out = (struct eqt_squeue){ .disk = disk };
	if (!path)
		squeue_clean_environment();
	if (eqt_listing_read(&out->text, path, EQT_SQUEUE_COMMAND, err) < 0)
		return -1;
	out->jobs = eqt_alloc(eqt_listing_count(&out->text) + 1,
			      sizeof(*out->jobs));
	if (squeue_read_lines(out, err) < 0 || squeue_check_ids(out, err) < 0) {
		eqt_squeue_free(out);
		return -1;
	}
	squeue_drop_others(out);
	return 0;
}

void eqt_squeue_free(struct eqt_squeue *queue)
{
	free(queue->jobs);
	eqt_listing_free(&queue->text);
	*queue = (struct eqt_squeue){ .count = 0 };
}
