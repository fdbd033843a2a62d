/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a simulation refuses before it begins. */
#include "sim/simulation_impl.h"

/* Name the job in an error; returns -1. */
static int job_refuse(const struct eqt_simulation_job *job, const char *why,
		      struct eqt_error *err)
{
	return eqt_error_set(err, "job %u: %s", job->id, why);
}

/* Indices within the needs of a job. */
static int needs_check(const struct eqt_simulation *in,
		       const struct eqt_simulation_job *job,
		       struct eqt_error *err)
{
	const struct eqt_simulation_needs *needs = job->needs;

	for (uint32_t i = 0; i < needs->use_count; i++)
		if (needs->uses[i].limit >= in->limit_count)
			return job_refuse(job, "no such limit", err);
	for (uint32_t i = 0; i < needs->after_count; i++)
		if (needs->after[i] >= in->count)
			return job_refuse(job, "after a job that is not there",
					  err);
	for (uint32_t i = 0; needs->on && i < job->nodes; i++)
		if (needs->on[i] >= in->cluster.node_count)
			return job_refuse(job, "on a node that is not there",
					  err);
	if (needs->on && job->start + job->run_s <= in->from)
		return job_refuse(job, "has ended before the beginning", err);
	if (needs->reservation < 0 ||
	    needs->reservation > (int) in->reservation_count)
		return job_refuse(job, "no such reservation", err);
	return 0;
}

/* Check everything in a job that the run relies on later. */
static int job_check(const struct eqt_simulation *in,
		     const struct eqt_simulation_job *job, int64_t before,
		     struct eqt_error *err)
{
	if (job->at < before)
		return job_refuse(job, "not in the order of time", err);
	if (job->partition >= in->cluster.partition_count)
		return job_refuse(job, "no such partition", err);
	if (job->user >= in->tree_count || !in->tree[job->user].user)
		return job_refuse(job, "no user of the share tree", err);
	if (job->model >= in->cluster.model_count)
		return job_refuse(job, "no such model of GPUs", err);
	if (!job->nodes || job->all.cpus < job->nodes)
		return job_refuse(job, "less than a CPU on a node", err);
	if (job->all.cpus > UINT32_MAX || job->nodes > UINT32_MAX / 2)
		return job_refuse(job, "too large", err);
	if (job->run_s > job->limit_s)
		return job_refuse(job, "runs beyond its time limit", err);
	return job->needs ? needs_check(in, job, err) : 0;
}

/* Check the whole input. Jobs must be in the order of their times, so that one walk is
 * enough. */
int eqt_simulation_check(const struct eqt_simulation *in,
			 const struct eqt_simulation_policy *policy,
			 struct eqt_error *err)
{
	int64_t before = in->count ? in->jobs[0].at : INT64_MIN;

	if (in->count >= EQT_SIMULATION_NO_SLOT)
		return eqt_error_set(err, "too many jobs");
	if (in->cluster.partition_count > EQT_SIMULATION_PARTITIONS_MAX)
		return eqt_error_set(err, "more than %d partitions",
				     EQT_SIMULATION_PARTITIONS_MAX);
	if (!policy->period_s)
		return eqt_error_set(err, "a period of no time");
	if (in->from && in->from < before)
		return eqt_error_set(err, "begins before the first job");
	for (size_t i = 0; i < in->count; i++) {
		if (job_check(in, &in->jobs[i], before, err) < 0)
			return -1;
		before = in->jobs[i].at;
	}
	return 0;
}
