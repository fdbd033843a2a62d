/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "slurm/jobs.h"

/* Why a pending job waits that no free node would help. */
static const char *const others[] = {
	"Dependency",	  "DependencyNeverSatisfied",
	"BeginTime",	  "JobHeldUser",
	"JobHeldAdmin",	  "JobArrayTaskLimit",
	"PartitionDown",  "PartitionInactive",
	"Reservation",	  "InvalidQOS",
	"InvalidAccount", "BadConstraints",
};

static bool job_waits_else(const struct eqt_scontrol_job *job,
			   struct eqt_scontrol_value reason)
{
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (eqt_scontrol_value_is(reason, others[i]))
			return true;
	}
	return job->priority == 0;
}

static int job_tres_error(struct eqt_scontrol_value list, struct eqt_error *err)
{
	return eqt_error_set(err, "TRES=%.*s cannot be read",
			     (int) (list.length < 64 ? list.length : 64),
			     list.text);
}

/* One item of TRES, "mem=60000M". */
static int job_take_tres(struct eqt_scontrol_job *job,
			 struct eqt_scontrol_value item)
{
	static const char gpu[] = "gres/gpu:";
	const size_t gpu_length = sizeof(gpu) - 1;
	const char *equals = memchr(item.text, '=', item.length);
	size_t name = equals ? (size_t) (equals - item.text) : 0;
	const struct eqt_scontrol_value key = { item.text, name };
	uint64_t *into = NULL, amount;

	if (!equals ||
	    eqt_count_parse(&amount, equals + 1, item.length - name - 1) < 0)
		return -1;
	if (eqt_scontrol_value_is(key, "cpu"))
		into = &job->total.of[EQT_UNIT_PART_CORES];
	else if (eqt_scontrol_value_is(key, "mem"))
		into = &job->total.of[EQT_UNIT_PART_MEMORY];
	else if (eqt_scontrol_value_is(key, "gres/gpu"))
		into = &job->total.of[EQT_UNIT_PART_GPUS];
	else if (eqt_scontrol_value_is(key, "billing"))
		into = &job->billing;
	else if (name > gpu_length &&
		 strncmp(item.text, gpu, gpu_length) == 0 && amount > 0)
		job->model =
			(struct eqt_scontrol_value){ item.text + gpu_length,
						     name - gpu_length };
	if (into)
		*into = amount;
	return 0;
}

/* Memory as scontrol has it, "312.50G", in MiB. */
static int tres_read_memory(uint64_t *mib, struct eqt_scontrol_value item)
{
	char text[64];
	char *end;
	double value;
	const char *units = "MGTP", *unit;

	if (item.length - 4 >= sizeof(text))
		return -1;
	memcpy(text, item.text + 4, item.length - 4);
	text[item.length - 4] = '\0';
	value = strtod(text, &end);
	unit = *end ? strchr(units, *end) : units;
	if (!unit || !(value >= 0) || value > 1e15)
		return -1;
	for (; unit > units; unit--)
		value *= 1024;
	*mib = (uint64_t) value;
	return 0;
}

static int job_read_tres(struct eqt_scontrol_job *job,
			 struct eqt_scontrol_value list, struct eqt_error *err)
{
	const char *at = list.text, *end = at + list.length, *comma;
	struct eqt_scontrol_value item;
	int rc;

	if (eqt_scontrol_value_is(list, "(null)"))
		return 0;
	for (; at < end; at = comma + 1) {
		comma = memchr(at, ',', (size_t) (end - at));
		if (!comma)
			comma = end;
		item = (struct eqt_scontrol_value){ at, (size_t) (comma - at) };
		rc = item.length > 4 && strncmp(at, "mem=", 4) == 0
			     ? tres_read_memory(
				       &job->total.of[EQT_UNIT_PART_MEMORY],
				       item)
			     : job_take_tres(job, item);
		if (rc < 0)
			return job_tres_error(list, err);
	}
	return 0;
}

/* "2-2", "4": the least. */
static int job_read_nodes(struct eqt_scontrol_job *job,
			  struct eqt_scontrol_value value,
			  struct eqt_error *err)
{
	const char *dash = memchr(value.text, '-', value.length);
	size_t length = dash ? (size_t) (dash - value.text) : value.length;

	if (eqt_count_parse(&job->nodes, value.text, length) < 0)
		return eqt_error_set(err, "NumNodes: \"%.*s\" is no number",
				     (int) value.length, value.text);
	if (job->nodes == 0)
		job->nodes = 1;
	return 0;
}

/* What a record says of a job; priority is yet text. */
struct texts {
	struct eqt_scontrol_value state, nodes, priority, reason;
	struct eqt_scontrol_value tres,
		requested; /* from 24.11 on there are two */
};

static void job_read_texts(struct eqt_scontrol_job *job, struct texts *texts,
			   const struct eqt_scontrol_record *record)
{
	const struct eqt_scontrol_wanted wanted[] = {
		{ "JobId", &job->id, false },
		{ "UserId", &job->user, true },
		{ "Account", &job->account, true },
		{ "Partition", &job->partition, true },
		{ "JobState", &texts->state, true },
		{ "NumNodes", &texts->nodes, true },
		{ "Priority", &texts->priority, true },
		{ "Reason", &texts->reason, true },
		{ "TRES", &texts->tres, true },
		{ "ReqTRES", &texts->requested, true },
	};

	eqt_scontrol_record_pick(record, wanted,
				 sizeof(wanted) / sizeof(wanted[0]));
	if (!texts->tres.text)
		texts->tres = texts->requested;
}

/* 1: taken, 0: not of interest, -1 with err filled. */
static int job_read(struct eqt_scontrol_jobs *jobs,
		    const struct eqt_scontrol_record *record,
		    struct eqt_error *err)
{
	struct eqt_scontrol_job *job = &jobs->jobs[jobs->count];
	struct texts texts;

	*job = (struct eqt_scontrol_job){ .nodes = 0 };
	job_read_texts(job, &texts, record);
	job->running = eqt_scontrol_value_is(texts.state, "RUNNING");
	job->pending = eqt_scontrol_value_is(texts.state, "PENDING");
	if (!texts.state.text || !texts.nodes.text || !texts.priority.text ||
	    !texts.tres.text || !job->user.text || !job->account.text ||
	    !job->partition.text) {
		jobs->unclear++;
		return 0;
	}
	if (!job->running && !job->pending)
		return 0;
	if (eqt_count_parse(&job->priority, texts.priority.text,
			    texts.priority.length) < 0)
		return eqt_error_set(err, "Priority= is no number");
	if (job_read_nodes(job, texts.nodes, err) < 0 ||
	    job_read_tres(job, texts.tres, err) < 0)
		return -1;
	job->waits_else = job->pending && job_waits_else(job, texts.reason);
	job->pending = job->pending && !job->waits_else;
	return 1;
}

static int jobs_read_all(struct eqt_scontrol_jobs *jobs, struct eqt_error *err)
{
	const struct eqt_scontrol_records *records = &jobs->records;
	struct eqt_error why;
	size_t i;
	int rc;

	jobs->jobs = calloc(records->count + 1, sizeof(*jobs->jobs));
	if (!jobs->jobs)
		return eqt_error_set(err, "out of memory");
	for (i = 0; i < records->count; i++) {
		rc = job_read(jobs, &records->records[i], &why);
		if (rc < 0)
			return eqt_error_set(err, "%s: line %zu: %s",
					     records->text.name,
					     records->records[i].number,
					     why.text);
		jobs->count += rc == 1;
	}
	return 0;
}

int eqt_scontrol_jobs_read(struct eqt_scontrol_jobs *out, const char *path,
			   struct eqt_error *err)
{
	*out = (struct eqt_scontrol_jobs){ .count = 0 };
	if (eqt_scontrol_records_read(&out->records, path,
				      "scontrol -o show job", "JobId", err) < 0)
		return -1;
	if (jobs_read_all(out, err) < 0) {
		eqt_scontrol_jobs_free(out);
		return -1;
	}
	return 0;
}

void eqt_scontrol_jobs_free(struct eqt_scontrol_jobs *jobs)
{
	free(jobs->jobs);
	eqt_scontrol_records_free(&jobs->records);
	*jobs = (struct eqt_scontrol_jobs){ .count = 0 };
}
