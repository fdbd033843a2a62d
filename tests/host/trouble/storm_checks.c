/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "../../compat/stand_in.h"
#include "../fail.h"
#include "../locks.h"
#include "../plugin.h"
#include "storm.h"

static const assoc_mgr_lock_t read_locks = {
	.assoc = READ_LOCK,
	.qos = READ_LOCK,
	.tres = READ_LOCK,
};

/* ---- Usage ---------------------------------------------------------------- */

static int note_assoc(void *item, void *usage)
{
	const slurmdb_assoc_rec_t *assoc = item;

	((struct storm_books *) usage)->assoc[assoc->id] =
		(double) assoc->usage->usage_raw;
	return 0;
}

static int note_qos(void *item, void *usage)
{
	const slurmdb_qos_rec_t *qos = item;

	((struct storm_books *) usage)->qos[qos->id] =
		(double) qos->usage->usage_raw;
	return 0;
}

void storm_usage(struct storm_books *usage)
{
	assoc_mgr_lock_t locks = read_locks;

	assoc_mgr_lock(&locks);
	list_for_each_ro(assoc_mgr_assoc_list, note_assoc, usage);
	list_for_each_ro(assoc_mgr_qos_list, note_qos, usage);
	assoc_mgr_unlock(&locks);
}

/* The expected usage of an association counts for all above it. */
struct growth {
	const struct storm_books *books;
	struct storm_books usage; /* expected */
};

static int add_to_chain(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = item;
	struct growth *growth = arg;
	double used = growth->books->assoc[assoc->id];

	for (; assoc; assoc = assoc->usage->parent_assoc_ptr)
		growth->usage.assoc[assoc->id] += used;
	return 0;
}

/* All amounts are whole or half equivalent-seconds, so nothing is rounded. */
static int check_assoc(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = item;
	const struct storm_books *usage = arg;
	const slurmdb_assoc_usage_t *now = assoc->usage;

	if (fabs((double) now->usage_raw - usage->assoc[assoc->id]) > 0)
		fail("%s/%s: usage %.1Lf instead of %.1f", assoc->acct,
		     assoc->user ? assoc->user : "", now->usage_raw,
		     usage->assoc[assoc->id]);
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		if (now->grp_used_tres[i] || now->grp_used_tres_run_secs[i])
			fail("%s/%s: %llu and %llu run-seconds of %s are left",
			     assoc->acct, assoc->user ? assoc->user : "",
			     (unsigned long long) now->grp_used_tres[i],
			     (unsigned long long)
				     now->grp_used_tres_run_secs[i],
			     assoc_mgr_tres_name_array[i]);
	return 0;
}

static int check_qos(void *item, void *arg)
{
	const slurmdb_qos_rec_t *qos = item;
	const struct storm_books *usage = arg;

	if (fabs((double) qos->usage->usage_raw - usage->qos[qos->id]) > 0)
		fail("QOS %s: usage %.1Lf instead of %.1f", qos->name,
		     qos->usage->usage_raw, usage->qos[qos->id]);
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		if (i != TRES_ARRAY_ENERGY &&
		    qos->usage->grp_used_tres_run_secs[i])
			fail("QOS %s: %llu run-seconds of %s are left",
			     qos->name,
			     (unsigned long long)
				     qos->usage->grp_used_tres_run_secs[i],
			     assoc_mgr_tres_name_array[i]);
	return 0;
}

void storm_check_ended(const struct storm_books *before,
		       const struct storm_books *books)
{
	assoc_mgr_lock_t locks = read_locks;
	struct growth *growth = xmalloc(sizeof(*growth));

	growth->books = books;
	growth->usage = *before;
	for (int i = 0; i < STORM_IDS_MAX; i++)
		growth->usage.qos[i] += books->qos[i];
	assoc_mgr_lock(&locks);
	list_for_each_ro(assoc_mgr_assoc_list, add_to_chain, growth);
	list_for_each_ro(assoc_mgr_assoc_list, check_assoc, &growth->usage);
	list_for_each_ro(assoc_mgr_qos_list, check_qos, &growth->usage);
	assoc_mgr_unlock(&locks);
	xfree(growth);
}

/* ---- Jobs ----------------------------------------------------------------- */

/* The expected effects of the existing jobs. */
struct found {
	uint64_t run_s[STORM_IDS_MAX]; /* remaining CPU-seconds, by association */
	unsigned int ranked; /* (job, partition) pairs that sprio shows */
	unsigned int running;
};

static void note_running(struct found *found, const job_record_t *job)
{
	double factor = job->qos_ptr->usage_factor;
	double limit_s = difftime(job->end_time, job->start_time);
	double passed_s = difftime(time(NULL), job->start_time);
	/* slurmctld adds whole ones, and whole ones were subtracted. */
	uint64_t to_come = (uint64_t) (factor * limit_s) -
			   (uint64_t) (factor * passed_s);
	const slurmdb_assoc_rec_t *assoc = job->assoc_ptr;

	found->running++;
	for (; assoc; assoc = assoc->usage->parent_assoc_ptr)
		found->run_s[assoc->id] +=
			to_come * job->tres_alloc_cnt[TRES_ARRAY_CPU];
}

static void check_pending(struct found *found, job_record_t *job)
{
	uint32_t priority = job->priority;

	if (job->direct_set_prio) {
		if (priority)
			fail("job %u is held with priority %u", job->job_id,
			     priority);
		return;
	}
	if (!priority || host_plugin_set(priority, job) != priority)
		fail("job %u has priority %u, and now %u", job->job_id,
		     priority, host_plugin_set(priority, job));
	if (job->details->begin_time && job->details->begin_time <= time(NULL))
		found->ranked +=
			job->part_ptr_list
				? (unsigned int) list_count(job->part_ptr_list)
				: 1;
}

static void look_at_jobs(struct found *found)
{
	list_itr_t *iterator;
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	iterator = list_iterator_create(job_list);
	while ((job = list_next(iterator)))
		if (IS_JOB_RUNNING(job))
			note_running(found, job);
		else if (IS_JOB_PENDING(job))
			check_pending(found, job);
	list_iterator_destroy(iterator);
	unlock_slurmctld(LOCKS_JOBS);
}

static int check_run_s(void *item, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = item;
	const struct found *found = arg;
	uint64_t run_s =
		assoc->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU];

	if (run_s != found->run_s[assoc->id])
		fail("%s/%s: %llu CPU run-seconds instead of %llu",
		     assoc->acct, assoc->user ? assoc->user : "",
		     (unsigned long long) run_s,
		     (unsigned long long) found->run_s[assoc->id]);
	return 0;
}

static unsigned int count_factors(void)
{
	list_t *answer = host_plugin_factors(0);
	unsigned int count =
		answer ? (unsigned int) list_count(answer) : 0;

	FREE_NULL_LIST(answer);
	return count;
}

void storm_check_running(void)
{
	struct found *found = xmalloc(sizeof(*found));
	assoc_mgr_lock_t locks = read_locks;
	unsigned int shown = count_factors();

	look_at_jobs(found);
	if (shown != found->ranked)
		fail("sprio is told of %u priorities instead of %u", shown,
		     found->ranked);
	if (!found->running || !found->ranked)
		fail("the storm leaves nothing to look at");
	assoc_mgr_lock(&locks);
	list_for_each_ro(assoc_mgr_assoc_list, check_run_s, found);
	assoc_mgr_unlock(&locks);
	xfree(found);
}
