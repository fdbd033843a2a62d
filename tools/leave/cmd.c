/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * equitree leave: check whether each job has Slurm's own billing. RawUsage continues under
 * priority/multifactor without that; limits and sacct keep the billing of a job that runs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cmd.h"
#include "cli/failure.h"
#include "cli/options.h"
#include "leave/own_billing.h"
#include "prio/params.h"

#define JOBS_SHOWN 10

struct leave_options {
	bool check;
	const char *config, *partitions, *jobs; /* files; NULL: run scontrol */
	struct eqt_output_options common;
};

/* A partition and its TRESBillingWeights (NULL: none); owned. */
struct partition {
	char *name, *weights;
};

/* A job whose billing is not Slurm's own. */
struct found {
	uint64_t id, billing, own;
	bool ambiguous; /* a user's text in its record looks like keys */
};

struct leave {
	bool equitree; /* PriorityType is ours */
	bool stock_billing;
	enum eqt_own_billing_sum sum;
	struct partition *partitions; /* owned */
	size_t partition_count;
	uint64_t jobs; /* that run or wait */
	struct found *found; /* jobs with another billing; owned */
	size_t count, space;
};

/* Called for each line (without its newline). 0, or -1 with err filled. */
typedef int leave_line(struct leave *leave, char *line, struct eqt_error *err);

/* Read a file, or what a command of ours prints, line by line. Records are read one at
 * a time: a cluster may have a hundred thousand jobs. -1 also when the command fails. */
static int lines_read(struct leave *leave, const char *path,
		      const char *command, leave_line *each,
		      struct eqt_error *err)
{
	FILE *stream = path ? fopen(path, "r") : popen(command, "r");
	const char *name = path ? path : command;
	char *line = NULL;
	size_t space = 0, count = 0;
	ssize_t length;
	int rc = 0, status;

	if (!stream)
		return eqt_error_set(err, "cannot open %s: %s", name,
				     strerror(errno));
	while (rc == 0 && (length = getline(&line, &space, stream)) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		count++;
		rc = each(leave, line, err);
	}
	free(line);
	status = path ? fclose(stream) : pclose(stream);
	/* An empty list would look safe, so no output is an error. */
	if (rc == 0 && (status != 0 || count == 0))
		return eqt_error_set(err, "%s: %s", name,
				     status != 0 ? "failed" : "no output");
	return rc;
}

/* With stock_billing our plugin leaves the billing to Slurm, so that records change
 * before it does. */
static int params_take(struct leave *leave, const char *text,
		       struct eqt_error *err)
{
	struct eqt_params params;

	if (eqt_params_parse(&params, text, err) < 0)
		return -1;
	leave->stock_billing = params.stock.billing;
	return 0;
}

/* "PriorityType            = priority/multifactor" PriorityFlags says whether Slurm
 * adds up TRES or takes the largest (MAX_TRES). */
static int config_take(struct leave *leave, char *line, struct eqt_error *err)
{
	const char *value = strchr(line, '=');
	size_t key = strcspn(line, " =");

	if (!value)
		return 0;
	value += 1 + strspn(value + 1, " ");
	if (key == 12 && strncmp(line, "PriorityType", key) == 0)
		leave->equitree = strcmp(value, "priority/equitree") == 0;
	if (key == 18 && strncmp(line, "PriorityParameters", key) == 0)
		return params_take(leave, value, err);
	if (key == 13 && strncmp(line, "PriorityFlags", key) == 0)
		leave->sum = eqt_own_billing_flags(value);
	return 0;
}

/* Find KEY= at the start of the line or after a blank. *twice is set if there is
 * another one: users may write anything into a job's name. */
static const char *value_find(const char *line, const char *key, size_t *length,
			      bool *twice)
{
	const size_t size = strlen(key);
	const char *found = NULL, *at = line;

	while ((at = strstr(at, key))) {
		if (at == line || at[-1] == ' ') {
			if (found)
				*twice = true;
			else
				found = at + size;
		}
		at += size;
	}
	if (!found)
		return NULL;
	*length = strcspn(found, " ");
	return found;
}

/* "(null)": no weights, and Slurm's billing is the number of CPUs. */
static int partition_take(struct leave *leave, char *line,
			  struct eqt_error *err)
{
	struct partition *partitions, partition = { NULL, NULL };
	size_t length = 0, weights_length = 0;
	bool twice = false;
	const char *name = value_find(line, "PartitionName=", &length, &twice);
	const char *weights = value_find(
		line, "TRESBillingWeights=", &weights_length, &twice);

	if (!name)
		return 0;
	partition.name = strndup(name, length);
	if (weights && strncmp(weights, "(null)", 6) != 0)
		partition.weights = strndup(weights, weights_length);
	partitions = realloc(leave->partitions, (leave->partition_count + 1) *
							sizeof(*partitions));
	if (!partitions || !partition.name) {
		free(partition.name);
		free(partition.weights);
		return eqt_error_set(err, "out of memory");
	}
	leave->partitions = partitions;
	leave->partitions[leave->partition_count++] = partition;
	return 0;
}

/* NULL: a partition that was removed since the job came. */
static const struct partition *partition_find(const struct leave *leave,
					      const char *name, size_t length)
{
	for (size_t i = 0; i < leave->partition_count; i++) {
		const char *known = leave->partitions[i].name;

		if (strlen(known) == length &&
		    strncmp(known, name, length) == 0)
			return &leave->partitions[i];
	}
	return NULL;
}

/* What a job record says. Borrowed from its line. */
struct job {
	const char *id, *state, *partition, *tres;
	size_t id_length, state_length, partition_length, tres_length;
	uint64_t billing;
};

/* By the beginning: a state may have flags behind it. */
static bool job_is(const struct job *job, const char *state)
{
	return strncmp(job->state, state, strlen(state)) == 0;
}

/* The TRES that a job holds or, if it is pending, requests. Older releases print
 * the one key TRES. */
static const char *job_tres(const char *line, size_t *length, bool *twice)
{
	static const char *const keys[] = { "AllocTRES=", "ReqTRES=", "TRES=" };
	const char *tres = NULL;

	for (size_t i = 0; i < 3; i++) {
		tres = value_find(line, keys[i], length, twice);
		if (tres && strncmp(tres, "(null)", 6) != 0)
			return tres;
	}
	return NULL;
}

/* 1: a job to check; 0: nothing to check; -1: an ambiguous line. Users can put keys
 * into names and comments, so a key that is there twice decides nothing. */
static int job_read(struct job *job, const char *line)
{
	const char *billing, *end;
	bool twice = false;

	job->id = value_find(line, "JobId=", &job->id_length, &twice);
	job->state = value_find(line, "JobState=", &job->state_length, &twice);
	job->partition =
		value_find(line, "Partition=", &job->partition_length, &twice);
	job->tres = job_tres(line, &job->tres_length, &twice);
	if (!job->id)
		return 0;
	if (twice || !job->state || !job->partition)
		return -1;
	if (!job->tres || (!job_is(job, "PENDING") && !job_is(job, "RUNNING") &&
			   !job_is(job, "SUSPENDED")))
		return 0;
	end = job->tres + job->tres_length;
	billing = strstr(job->tres, "billing=");
	job->billing =
		billing && billing < end ? strtoull(billing + 8, NULL, 10) : 0;
	return 1;
}

/* Is the billing that of one of the job's partitions? A pending job may have
 * several, and slurmctld takes any of them. */
static bool job_is_own(const struct leave *leave, const struct job *job,
		       struct eqt_own_billing *own)
{
	const char *at = job->partition, *end = at + job->partition_length;

	*own = (struct eqt_own_billing){ 0, 0 };
	while (at < end) {
		const char *comma = memchr(at, ',', (size_t) (end - at));
		size_t length = (size_t) ((comma ? comma : end) - at);
		const struct partition *partition =
			partition_find(leave, at, length);

		/* slurmctld cuts the sum off to an integer. */
		if (partition &&
		    eqt_own_billing(own, job->tres, job->tres_length,
				    partition->weights, leave->sum) == 0 &&
		    (double) job->billing + 1 > own->least &&
		    (double) job->billing <= own->most)
			return true;
		at += length + 1;
	}
	return false;
}

/* 0, or -1 with err filled: out of memory. */
static int found_add(struct leave *leave, const struct found *found,
		     struct eqt_error *err)
{
	struct found *list;

	if (leave->count == leave->space) {
		size_t space = leave->space ? leave->space * 2 : 16;

		list = realloc(leave->found, space * sizeof(*list));
		if (!list)
			return eqt_error_set(err, "out of memory");
		leave->found = list;
		leave->space = space;
	}
	leave->found[leave->count++] = *found;
	return 0;
}

/* Ambiguous records count as others: a wrong "safe" would change what is charged. */
static int job_take(struct leave *leave, char *line, struct eqt_error *err)
{
	struct eqt_own_billing own = { 0, 0 };
	struct found found;
	struct job job = { .id = NULL };
	int rc = job_read(&job, line);

	if (rc == 0)
		return 0;
	leave->jobs++;
	if (rc > 0 && job_is_own(leave, &job, &own))
		return 0;
	found = (struct found){
		.id = strtoull(job.id, NULL, 10),
		.billing = job.billing,
		.own = (uint64_t) own.least,
		.ambiguous = rc < 0,
	};
	return found_add(leave, &found, err);
}

/* All billings are Slurm's own, and our plugin does not change them any more. */
static bool leave_is_safe(const struct leave *leave)
{
	return leave->count == 0 && (leave->stock_billing || !leave->equitree);
}

/* Numbers of jobs, of billing and of Slurm's own billing; json-c is not needed for
 * these. */
static void leave_print_json(const struct leave *leave)
{
	printf("{\"safe\":%s,\"stock_billing\":%s,\"jobs\":%" PRIu64
	       ",\"other\":[",
	       leave_is_safe(leave) ? "true" : "false",
	       leave->stock_billing ? "true" : "false", leave->jobs);
	for (size_t i = 0; i < leave->count; i++) {
		const struct found *found = &leave->found[i];

		printf("%s{\"job\":%" PRIu64, i ? "," : "", found->id);
		if (found->ambiguous)
			printf(",\"ambiguous\":true}");
		else
			printf(",\"billing\":%" PRIu64 ",\"own\":%" PRIu64 "}",
			       found->billing, found->own);
	}
	printf("]}\n");
}

static void found_print(const struct found *found)
{
	if (found->ambiguous)
		printf("job %" PRIu64 ": ambiguous record: a name or comment "
		       "contains keys of scontrol\n",
		       found->id);
	else
		printf("job %" PRIu64 ": billing is %" PRIu64
		       ", Slurm's own is %" PRIu64 "\n",
		       found->id, found->billing, found->own);
}

/* The first jobs are examples; all of them are in JSON. */
static void leave_print(const struct leave *leave)
{
	for (size_t i = 0; i < leave->count && i < JOBS_SHOWN; i++)
		found_print(&leave->found[i]);
	if (leave->count > JOBS_SHOWN)
		printf("and %zu more\n", leave->count - JOBS_SHOWN);
	if (leave->equitree && !leave->stock_billing)
		printf("Not yet: add stock_billing to PriorityParameters,\n"
		       "run \"scontrol reconfigure\", and check again. Without "
		       "that RawUsage is\nright, too, but limits and sacct "
		       "keep "
		       "the price of jobs that run.\n");
	else if (leave->count > 0)
		printf("%s: %zu of %" PRIu64 " jobs do not have the "
		       "billing of TRESBillingWeights.\n%s",
		       leave->equitree ? "Not yet" : "Mixed", leave->count,
		       leave->jobs,
		       leave->equitree
			       ? "The first pass with stock_billing "
				 "(PriorityCalcPeriod) corrects them. After "
				 "it,\n"
				 "only jobs are left that started under other "
				 "TRESBillingWeights.\n"
			       : "Limits and sacct keep it until they end. No "
				 "pass of Slurm's own plugin\n"
				 "changes it. RawUsage of jobs that equitree "
				 "charged grows at their price.\n");
	else
		printf("Safe: %" PRIu64 " jobs run or wait, all with Slurm's "
		       "own billing.\n"
		       "Set PriorityType=priority/multifactor, take equitree "
		       "out of\nJobSubmitPlugins, and restart slurmctld.\n",
		       leave->jobs);
}

/* Configuration, partitions and jobs in this order: each is needed for the next. 1: it
 * is not safe. */
static int leave_check(const struct leave_options *options,
		       struct eqt_error *err)
{
	struct leave leave = { .jobs = 0 };
	int rc = lines_read(&leave, options->config, "scontrol show config",
			    config_take, err);

	if (rc == 0)
		rc = lines_read(&leave, options->partitions,
				"scontrol -o show partition", partition_take,
				err);
	if (rc == 0)
		rc = lines_read(&leave, options->jobs, "scontrol -o show job",
				job_take, err);
	if (rc == 0 && options->common.json)
		leave_print_json(&leave);
	else if (rc == 0)
		leave_print(&leave);
	if (rc == 0 && !leave_is_safe(&leave))
		rc = EXIT_FAILURE;
	free(leave.found);
	for (size_t i = 0; i < leave.partition_count; i++) {
		free(leave.partitions[i].name);
		free(leave.partitions[i].weights);
	}
	free(leave.partitions);
	return rc;
}

static const struct eqt_option options_table[] = {
	{ "check", 'c', NULL,
	  "report whether all jobs have Slurm's own billing", 0,
	  EQT_FLAG_AT(struct leave_options, check) },
	{ "config", 0, "FILE", "read the output of \"scontrol show config\"", 0,
	  EQT_TEXT_AT(struct leave_options, config) },
	{ "partitions", 0, "FILE",
	  "read the output of \"scontrol -o show partition\"", 0,
	  EQT_TEXT_AT(struct leave_options, partitions) },
	{ "jobs", 0, "FILE", "read the output of \"scontrol -o show job\"", 0,
	  EQT_TEXT_AT(struct leave_options, jobs) },
	{ 0 }
};

/* --check is there for commands that may come beside it. */
static int check_is_given(void *with, struct eqt_error *err)
{
	const struct leave_options *options = with;

	return options->check ? 0 : eqt_error_set(err, "expected --check");
}

int cmd_leave(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct leave_options, common),
		.doc = "Check whether all jobs have Slurm's own billing, for a "
		       "return to Slurm's own priority plugin.",
		.check = check_is_given,
	};
	struct leave_options options = { 0 };
	struct eqt_error err;
	int rc;

	if (eqt_options_parse(&line, argc, argv, &options) != 0)
		return EXIT_MISUSE;
	rc = leave_check(&options, &err);
	return rc < 0 ? eqt_failure_print("leave", &err) : rc;
}
