/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * squeue knows a job at once, and needs no slurmdbd. A waiting job is priced by what it
 * requests, which may be less than what it will be allocated: whole nodes, for example.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bill/live_cost.h"

#define ID_SIZE 64
#define PARTITION_SIZE 256

/* Take the next id of "7,9_3"; false at the end. */
static bool list_next_id(char id[ID_SIZE], const char **list)
{
	size_t length;

	*list += strspn(*list, ",");
	length = strcspn(*list, ",");
	(void) snprintf(id, ID_SIZE, "%.*s",
			length < ID_SIZE ? (int) length : 1,
			length < ID_SIZE ? *list : "?");
	*list += length;
	return length > 0;
}

/* Jobs that have ended, and hold nodes that are not free yet, are those of sacct. */
static bool live_has_cost(const struct eqt_live_job *job)
{
	return job->pending || job->running ||
	       strcmp(job->state, "SUSPENDED") == 0;
}

/* Is a job meant by an id: its own, or that of its array? */
static bool live_is_meant(const struct eqt_live_jobs *jobs,
			  const struct eqt_live_job *job, const char *id)
{
	const size_t length = strlen(id);

	return strcmp(job->name, id) == 0 || strcmp(job->id, id) == 0 ||
	       (strncmp(job->name, id, length) == 0 &&
		strchr("_+", job->name[length])) ||
	       (strchr(id, '_') && eqt_live_jobs_find(jobs, id) == job);
}

bool eqt_job_costs_queue_has_all(const struct eqt_live_jobs *jobs,
				 const char *list)
{
	char id[ID_SIZE];

	while (list_next_id(id, &list)) {
		const struct eqt_live_job *job = eqt_live_jobs_find(jobs, id);

		/* Other tasks of an array may have ended. */
		if (!job || !live_has_cost(job) ||
		    (!strchr(id, '_') && strchr(job->name, '_')))
			return false;
	}
	return true;
}

/* A job in the words of sacct, which the pricer reads; a job that waits for several
 * partitions is priced in the first. */
static void live_to_sacct(struct eqt_sacct_job *out,
			  const struct eqt_live_job *job,
			  char partition[PARTITION_SIZE])
{
	size_t i;

	for (i = 0; i < EQT_SACCT_COLUMNS; i++)
		out->text[i] = "";
	(void) snprintf(partition, PARTITION_SIZE, "%.*s",
			(int) strcspn(job->partition, ","), job->partition);
	out->text[EQT_SACCT_PARTITION] = partition;
	out->text[EQT_SACCT_QOS] = job->qos;
	out->text[EQT_SACCT_TRES] = job->tres_text;
	out->text[EQT_SACCT_NODES] = job->pending ? "" : job->nodelist;
}

/* Charged seconds: of the run without what it was suspended, if that is free. */
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
	/* Of a request only its resources are known: the billing of one that waits is
	 * that of the dearest of its partitions. */
	sacct.end_s = job->pending ? INT64_MIN : now_s;
	rc = eqt_cost_make(&charge, pricer, &sacct, &out->why);
	if (rc < 0)
		return eqt_error_set(err, "job %s: %s", job->name,
				     out->why.text);
	eqt_job_costs_take(out, &charge, rc > 0);
	return 0;
}

/* Add the jobs that an id means, but for those that are there. */
static int live_costs_add(struct eqt_job_costs *costs,
			  const struct eqt_live_jobs *jobs, const char *id,
			  const struct eqt_job_pricer *pricer, int64_t now_s,
			  struct eqt_error *err)
{
	size_t i;

	for (i = 0; i < jobs->count; i++) {
		const struct eqt_live_job *job = &jobs->jobs[i];

		if (!live_has_cost(job) || !live_is_meant(jobs, job, id) ||
		    eqt_job_costs_have(costs, job->name,
				       job->pending ? 0 : job->start_s))
			continue;
		if (live_cost_make(&costs->cost[costs->count], job, pricer,
				   now_s, err) < 0)
			return -1;
		costs->count++;
	}
	return 0;
}

int eqt_job_costs_of_queue(struct eqt_job_costs *out,
			   const struct eqt_live_jobs *jobs, const char *list,
			   const struct eqt_job_pricer *pricer, int64_t now_s,
			   struct eqt_error *err)
{
	char id[ID_SIZE];

	*out = (struct eqt_job_costs){
		.cost = calloc(jobs->count + 1, sizeof(*out->cost)),
	};
	if (!out->cost)
		return eqt_error_set(err, "out of memory");
	while (list_next_id(id, &list)) {
		if (live_costs_add(out, jobs, id, pricer, now_s, err) < 0) {
			eqt_job_costs_free(out);
			return -1;
		}
	}
	return 0;
}
