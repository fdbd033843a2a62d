/* SPDX-License-Identifier: GPL-2.0-or-later */
/* squeue lists a job as soon as it is submitted, and needs no slurmdbd. A waiting job is
 * priced by its request, which may be less than its later allocation, for example because
 * the job gets whole nodes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bill/live_costs.h"
#include "cli/alloc.h"
#include "cli/names.h"

#define PARTITION_SIZE 256

/* ---- Which jobs an id means ------------------------------------------------------ */

/* The jobs with a name. A name is the id of a job, the number of an array such as "9", or
 * "9_[" for the tasks that wait together. */
struct live_name {
	const char *name;
	size_t first; /* index of the first job, from 1; 0: none */
};

/* The jobs by name. {0} is empty. */
struct live_index {
	struct eqt_names own, shared;
	/* for each job, the next one with the same name, from 1; 0: none */
	size_t *next;
	bool *is_taken;
};

static void index_add(struct eqt_names *names, const char *name, size_t at)
{
	struct live_name *known =
		eqt_names_get(names, name, sizeof(*known), NULL);

	if (!known->first)
		known->first = at;
}

static void index_make(struct live_index *out, const struct eqt_live_jobs *jobs)
{
	*out = (struct live_index){
		.next = eqt_alloc(jobs->count + 1, sizeof(*out->next)),
		.is_taken = eqt_alloc(jobs->count + 1, sizeof(*out->is_taken)),
	};
	/* Go from the last job to the first, so that each list has the order of the
	 * jobs. */
	for (size_t i = jobs->count; i > 0; i--) {
		const struct eqt_live_job *job = &jobs->jobs[i - 1];
		/* The length of the number of an array or a heterogeneous job, such as
		 * "9" in "9_3". */
		const size_t length = strcspn(job->name, "_+");
		struct live_name *shared;
		char *name;

		index_add(&out->own, job->name, i);
		index_add(&out->own, job->id, i);
		if (job->name[length] == '\0')
			continue;
		name = eqt_alloc_part(job->name, length + 2);
		if (strcmp(name + length, "_[") == 0)
			index_add(&out->own, name, i);
		name[length] = '\0';
		shared = eqt_names_get(&out->shared, name, sizeof(*shared),
				       NULL);
		out->next[i] = shared->first;
		shared->first = i;
		free(name);
	}
}

static void index_free(struct live_index *index)
{
	eqt_names_free(&index->own);
	eqt_names_free(&index->shared);
	free(index->next);
	free(index->is_taken);
}

/* The job with this id, or the record of waiting tasks that includes it. Counted from 1;
 * 0 if there is none. */
static size_t index_find(const struct live_index *index, const char *id)
{
	const struct live_name *known = eqt_names_find(&index->own, id);
	const size_t length = strcspn(id, "_"), size = length + sizeof("_[");
	char *name;

	if (!known && id[length] != '\0') {
		name = eqt_alloc(size, 1);
		(void) snprintf(name, size, "%.*s_[", (int) length, id);
		known = eqt_names_find(&index->own, name);
		free(name);
	}
	return known ? known->first : 0;
}

/* Can the cost come from squeue? Ended jobs are left to sacct, even while they still hold
 * nodes. */
static bool live_has_cost(const struct eqt_live_job *job)
{
	return job->pending || job->running ||
	       strcmp(job->state, "SUSPENDED") == 0;
}

/* ---- What they cost --------------------------------------------------------- */

/* A job in sacct's terms, which the pricer reads. A job that waits for several partitions
 * is priced in the first. */
static void live_to_sacct(struct eqt_sacct_job *out,
			  const struct eqt_live_job *job,
			  char partition[PARTITION_SIZE])
{
	for (size_t i = 0; i < EQT_SACCT_COLUMNS; i++)
		out->text[i] = "";
	(void) snprintf(partition, PARTITION_SIZE, "%.*s",
			(int) strcspn(job->partition, ","), job->partition);
	out->text[EQT_SACCT_PARTITION] = partition;
	out->text[EQT_SACCT_QOS] = job->qos;
	out->text[EQT_SACCT_TRES] = job->tres_text;
	out->text[EQT_SACCT_NODES] = job->pending ? "" : job->nodelist;
}

/* The seconds of the run that are charged. Suspended time is left out if it is free. */
static uint64_t live_seconds(const struct eqt_live_job *job,
			     const struct eqt_conf *conf, int64_t now_s)
{
	if (job->pending)
		return 0;
	if (!conf->charge_suspended || job->start_s <= 0 ||
	    now_s < job->start_s)
		return job->used_s;
	return (uint64_t) (now_s - job->start_s);
}

static int live_cost_make(struct eqt_job_cost *out,
			  const struct eqt_live_job *job,
			  const struct eqt_job_pricer *pricer, int64_t now_s,
			  struct eqt_error *err)
{
	char partition[PARTITION_SIZE];
	struct eqt_cost charge;
	struct eqt_sacct_job sacct;
	int rc;

	*out = (struct eqt_job_cost){
		.job = job->id,
		.id = job->name,
		.user = job->user,
		.account = job->account,
		.partition = job->partition,
		.state = job->state,
		.start_s = job->pending ? 0 : job->start_s,
		.started = true,
		.running = !job->pending,
		.waits = job->pending,
		.least = job->pending && job->whole_nodes,
		.limit_s = job->limit_s,
		.seconds = live_seconds(job, pricer->conf, now_s),
	};
	live_to_sacct(&sacct, job, partition);
	/* A waiting job is priced by its request, because its billing may be that of
	 * another of its partitions. No span of billing contains this end, so the billing
	 * is not used. */
	sacct.end_s = job->pending ? INT64_MIN : now_s;
	rc = eqt_cost_make(&charge, pricer, &sacct, &out->why);
	if (rc < 0)
		return eqt_error_set(err, "job %s: %s", job->name,
				     out->why.text);
	eqt_job_costs_take(out, &charge, rc > 0);
	return 0;
}

/* The next id of a comma-separated list, which the caller frees with free(). NULL at the
 * end. */
static char *list_next_id(const char **list)
{
	size_t length;
	char *id;

	*list += strspn(*list, ",");
	length = strcspn(*list, ",");
	if (!length)
		return NULL;
	id = eqt_alloc_part(*list, length);
	*list += length;
	return id;
}

/* The state of reading a list of ids. */
struct live_reading {
	struct eqt_job_costs *costs;
	const struct eqt_live_jobs *jobs;
	struct live_index index;
	const struct eqt_job_pricer *pricer;
	int64_t now_s;
};

/* Add the job with this index, which counts from 1, unless it was added before. Index 0
 * means no job. */
static int reading_add_job(struct live_reading *reading, size_t at,
			   struct eqt_error *err)
{
	if (!at || reading->index.is_taken[at] ||
	    !live_has_cost(&reading->jobs->jobs[at - 1]))
		return 0;
	reading->index.is_taken[at] = true;
	return live_cost_make(&reading->costs->cost[reading->costs->count++],
			      &reading->jobs->jobs[at - 1], reading->pricer,
			      reading->now_s, err);
}

/* Add the jobs that an id stands for. */
static int reading_add(struct live_reading *reading, const char *id,
		       struct eqt_error *err)
{
	const struct live_name *shared =
		eqt_names_find(&reading->index.shared, id);

	if (reading_add_job(reading, index_find(&reading->index, id), err) < 0)
		return -1;
	for (size_t at = shared ? shared->first : 0; at;
	     at = reading->index.next[at])
		if (reading_add_job(reading, at, err) < 0)
			return -1;
	return 0;
}

/* Does squeue list everything that an id stands for, so that sacct is not needed? Other
 * tasks of an array may have ended. */
static bool reading_has_all(const struct live_reading *reading, const char *id)
{
	const size_t at = index_find(&reading->index, id);
	const struct eqt_live_job *job = at ? &reading->jobs->jobs[at - 1]
					    : NULL;

	return job && live_has_cost(job) &&
	       (strchr(id, '_') || !strchr(job->name, '_'));
}

int eqt_live_costs_make(struct eqt_job_costs *out,
			const struct eqt_live_jobs *jobs, const char *list,
			const struct eqt_job_pricer *pricer, int64_t now_s,
			bool *has_all, struct eqt_error *err)
{
	struct live_reading reading = {
		.costs = out,
		.jobs = jobs,
		.pricer = pricer,
		.now_s = now_s,
	};
	char *id;
	int rc = 0;

	*out = (struct eqt_job_costs){
		.cost = eqt_alloc(jobs->count + 1, sizeof(*out->cost)),
	};
	*has_all = true;
	index_make(&reading.index, jobs);
	while (rc == 0 && (id = list_next_id(&list))) {
		*has_all = *has_all && reading_has_all(&reading, id);
		rc = reading_add(&reading, id, err);
		free(id);
	}
	index_free(&reading.index);
	if (rc < 0)
		eqt_job_costs_free(out);
	return rc;
}
