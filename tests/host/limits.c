/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "limits.h"
#include "plugin.h"
#include "used.h"

/* Amounts of each TRES, to be added or subtracted. */
struct change {
	const uint64_t *counts;
	uint64_t seconds;
	bool take_off;
};

static bool enforced(const job_record_t *job)
{
	return accounting_enforce & ACCOUNTING_ENFORCE_LIMITS &&
	       job->assoc_ptr && job->tres_alloc_cnt;
}

static uint64_t limit_seconds(const job_record_t *job)
{
	uint64_t seconds = (uint64_t) job->time_limit * 60;

	if (job->qos_ptr && job->qos_ptr->usage_factor >= 0)
		seconds = (uint64_t) ((double) seconds *
				      job->qos_ptr->usage_factor);
	return seconds;
}

static void apply(uint64_t *run_secs, const struct change *change)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		uint64_t amount;

		if (i == TRES_ARRAY_ENERGY ||
		    change->counts[i] == NO_CONSUME_VAL64)
			continue;
		amount = change->counts[i] * change->seconds;
		if (!change->take_off)
			run_secs[i] += amount;
		else
			run_secs[i] -= run_secs[i] < amount ? run_secs[i]
							    : amount;
	}
}

/*
 * A QOS counts for all users and, in later releases, for each account and user.
 */
static void apply_to_qos(const job_record_t *job, slurmdb_qos_rec_t *qos,
			 const struct change *change)
{
	struct eqt_run_secs secs = eqt_run_secs_of(qos, job);

	apply(qos->usage->grp_used_tres_run_secs, change);
	if (secs.account)
		apply(secs.account, change);
	if (secs.user)
		apply(secs.user, change);
}

/* The QOS of the job and of its partition, and all associations up to root. */
static void apply_to_all(const job_record_t *job, const struct change *change)
{
	assoc_mgr_lock_t locks = {
		.assoc = WRITE_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};
	slurmdb_qos_rec_t *part_qos =
		job->part_ptr ? job->part_ptr->qos_ptr : NULL;

	assoc_mgr_lock(&locks);
	if (job->qos_ptr)
		apply_to_qos(job, job->qos_ptr, change);
	if (part_qos && part_qos != job->qos_ptr)
		apply_to_qos(job, part_qos, change);
	for (slurmdb_assoc_rec_t *assoc = job->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		apply(assoc->usage->grp_used_tres_run_secs, change);
	assoc_mgr_unlock(&locks);
}

void limits_job_begin(job_record_t *job)
{
	struct change change = {
		.counts = job->tres_alloc_cnt,
		.seconds = limit_seconds(job),
	};

	if (!enforced(job))
		return;
	apply_to_all(job, &change);
	used_job_begin(job);
}

void limits_job_fini(job_record_t *job)
{
	if (job->end_time_exp == (time_t) NO_VAL || !enforced(job))
		return;
	host_plugin_job_end(job);
	used_job_fini(job);
}

void limits_job_alter(job_record_t *job, uint32_t time_limit)
{
	/* Here Slurm does not apply the UsageFactor of the QOS. */
	uint64_t before = (uint64_t) job->time_limit * 60;
	uint64_t after = (uint64_t) time_limit * 60;
	struct change change = {
		.counts = job->tres_alloc_cnt,
		.seconds = after > before ? after - before : before - after,
		.take_off = after < before,
	};

	if (enforced(job) && after != before)
		apply_to_all(job, &change);
}
