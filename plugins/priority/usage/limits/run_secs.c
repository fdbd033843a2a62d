/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run-seconds of one job. The seconds passed since the start are always
 * rounded as one number, so that the parts of any division add up. */
#include <math.h>

#include "walk/job_links.h"
#include "usage/amounts/post.h"
#include "usage/limits/run_secs.h"

static time_t run_secs_limit_end(const job_record_t *job)
{
	return job->start_time + (time_t) job->time_limit * 60;
}

static uint64_t run_secs_with_factor(const job_record_t *job, time_t seconds)
{
	return (uint64_t) floor(eqt_job_links_usage_factor(job) *
				(double) seconds);
}

uint64_t eqt_run_secs_whole(const job_record_t *job)
{
	return run_secs_with_factor(job, (time_t) job->time_limit * 60);
}

/* The run-seconds that have passed at a moment. */
static uint64_t run_secs_passed(const job_record_t *job, time_t moment)
{
	if (moment > run_secs_limit_end(job))
		moment = run_secs_limit_end(job);
	return moment > job->start_time
		       ? run_secs_with_factor(job, moment - job->start_time)
		       : 0;
}

uint64_t eqt_run_secs_left(const job_record_t *job, time_t last_ran)
{
	return eqt_run_secs_whole(job) - run_secs_passed(job, last_ran);
}

uint64_t eqt_run_secs_freed(const struct eqt_config *config,
			    const job_record_t *job, time_t from, time_t to)
{
	if (from >= run_secs_limit_end(job))
		return 0;
	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job) ||
	    IS_JOB_RESIZING(job))
		to = run_secs_limit_end(job);
	else if (to > job->end_time_exp)
		to = job->end_time_exp;
	if (to <= from)
		return 0;
	/* Slurm's own plugin rounds each interval separately. */
	if (config->stock.limits)
		return run_secs_with_factor(job, to - from);
	return run_secs_passed(job, to) - run_secs_passed(job, from);
}

/* ---- Rebuilds by slurmctld ------------------------------------------------------ */

/* The state of a walk over the jobs. */
struct rebuild_walk {
	struct eqt_run_secs_rebuild *rebuild;
	const struct eqt_config *config;
	time_t last_ran;
};

/* The mark of a QOS: its run-seconds of energy, which no job uses. */
static uint64_t *qos_mark(void *item)
{
	const slurmdb_qos_rec_t *qos = item;

	return &qos->usage->grp_used_tres_run_secs[TRES_ARRAY_ENERGY];
}

static int qos_has_mark(void *item, void *arg)
{
	(void) arg;
	return *qos_mark(item) != 0;
}

static int qos_set_mark(void *item, void *arg)
{
	(void) arg;
	*qos_mark(item) = 1;
	return 0;
}

void eqt_run_secs_rebuild_notify(struct eqt_run_secs_rebuild *rebuild)
{
	atomic_store(&rebuild->notified, true);
}

bool eqt_run_secs_rebuild_pending(struct eqt_run_secs_rebuild *rebuild)
{
	bool notified = atomic_load(&rebuild->notified);

	/* The time is compared first, because each access to the list takes a
	   lock. */
	if (!notified && slurm_conf.last_update == rebuild->read)
		return false;
	/* Without a QOS there is no place for a mark. */
	if (!assoc_mgr_qos_list || !list_count(assoc_mgr_qos_list))
		return notified;
	return !list_find_first(assoc_mgr_qos_list, qos_has_mark, NULL);
}

/* Record that the present rebuild is known, and set the marks. */
static void rebuild_settle(struct eqt_run_secs_rebuild *rebuild)
{
	atomic_store(&rebuild->notified, false);
	rebuild->read = slurm_conf.last_update;
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, qos_set_mark, NULL);
}

void eqt_run_secs_rebuild_keep_marks(struct eqt_run_secs_rebuild *rebuild)
{
	if (assoc_mgr_qos_list && !eqt_run_secs_rebuild_pending(rebuild))
		list_for_each(assoc_mgr_qos_list, qos_set_mark, NULL);
}

bool eqt_run_secs_rebuild_pending_for(struct eqt_run_secs_rebuild *rebuild,
				      const job_record_t *job)
{
	return eqt_run_secs_rebuild_pending(rebuild) ||
	       (rebuild->walking &&
		!eqt_walk_visited(rebuild->walk, job->job_id));
}

/* Drop the report of a rebuild that is already settled, which the marks show.
 * slurmctld reports each rebuild afterwards. Without this, an operator's reset
 * of the usage of all QOS would look like another rebuild. */
static void rebuild_forget_settled(struct eqt_run_secs_rebuild *rebuild)
{
	if (assoc_mgr_qos_list &&
	    list_find_first(assoc_mgr_qos_list, qos_has_mark, NULL))
		atomic_store(&rebuild->notified, false);
}

/*
 * Begin to subtract the run-seconds that have passed. Returns false if no
 * rebuild is pending. A job that is resized from now on adds its whole time
 * limit again. The job lock is held because a reconfigure first sets the time
 * of slurm.conf and counts run-seconds only at its end.
 */
static bool rebuild_begin(struct eqt_run_secs_rebuild *rebuild)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	slurmctld_lock_t job_lock = { .job = READ_LOCK };
	bool is_new;

	lock_slurmctld(job_lock);
	assoc_mgr_lock(&locks);
	is_new = eqt_run_secs_rebuild_pending(rebuild);
	if (is_new) {
		rebuild_settle(rebuild);
		rebuild->walking = true;
	} else {
		rebuild_forget_settled(rebuild);
	}
	assoc_mgr_unlock(&locks);
	unlock_slurmctld(job_lock);
	return is_new;
}

static void rebuild_end(struct eqt_run_secs_rebuild *rebuild)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;

	assoc_mgr_lock(&locks);
	rebuild->walking = false;
	assoc_mgr_unlock(&locks);
}

/*
 * Subtract the run-seconds that passed until last_ran, because slurmctld has
 * restored the limits of running jobs as if they had just started.
 */
static void rebuild_take_off_passed(const struct rebuild_walk *walk,
				    const job_record_t *job)
{
	const struct eqt_config *config = walk->config;
	const time_t last_ran = walk->last_ran;
	struct eqt_post post = {
		.config = config,
		.job = job,
		.counts = job->tres_alloc_cnt,
	};
	const time_t start = eqt_job_run_start(walk->rebuild->runs, job);
	bool as_stock = config->stock.limits;

	if (job->end_time_exp == (time_t) NO_VAL ||
	    (!IS_JOB_RUNNING(job) && (!IS_JOB_SUSPENDED(job) || as_stock)) ||
	    start > last_ran || !job->tres_alloc_cnt)
		return;
	/* slurmctld adds nothing for a job without an association. A job whose
	   nodes are booting starts when they are up, with its whole limit. */
	if (!as_stock && (!job->assoc_ptr || IS_JOB_POWER_UP_NODE(job)))
		return;
	post.run_s =
		as_stock ? eqt_job_links_usage_factor(job) *
				   difftime(last_ran, start)
			 : (double) run_secs_passed(
				   job, last_ran - (start - job->start_time));
	eqt_post_all(job->assoc_ptr, job->qos_ptr,
		     eqt_job_links_partition_qos(job), &post);
}

/* Correct one job. Its whole time limit is corrected here, so the mark of a
 * resize is removed. Another rebuild ends the walk. */
static void rebuild_visit(job_record_t *job, void *arg)
{
	const struct rebuild_walk *walk = arg;
	struct eqt_run *run =
		eqt_runs_find(walk->rebuild->runs->table, job->job_id);

	if (eqt_run_secs_rebuild_pending(walk->rebuild))
		return;
	if (run)
		run->marks.recounted = false;
	rebuild_take_off_passed(walk, job);
}

void eqt_run_secs_rebuild_take_off(struct eqt_run_secs_rebuild *rebuild,
				   const struct eqt_config *config,
				   const struct eqt_walk_wanted *wanted,
				   time_t last_ran)
{
	struct rebuild_walk walk = { rebuild, config, last_ran };

	/* Jobs are collected first: a job that starts later has no passed time
	   yet. */
	eqt_walk_collect(rebuild->walk, wanted);
	if (!rebuild_begin(rebuild))
		return;
	eqt_walk_visit(rebuild->walk, EQT_WALK_CHARGED,
		       (assoc_mgr_lock_t) EQT_CHARGE_ASSOC_LOCKS, rebuild_visit,
		       &walk);
	rebuild_end(rebuild);
}
