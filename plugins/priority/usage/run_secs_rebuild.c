/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdatomic.h>

#include "slurm/compat.h"
#include "walk/job_walk.h"
#include "usage/job_charge.h"
#include "usage/run_secs_rebuild.h"
#include "usage/resize.h"

static struct {
	atomic_bool told;
	time_t read; /* slurm.conf, when what had passed was taken off */
	/* What has passed is being taken off: of the jobs that were visited. */
	bool walking;
} recount;

/* A walk over the jobs. */
struct walk {
	const struct eqt_config *config;
	time_t last_ran;
};

static uint64_t *mark_of(void *item)
{
	const slurmdb_qos_rec_t *qos = item;

	return &qos->usage->grp_used_tres_run_secs[TRES_ARRAY_ENERGY];
}

static int has_mark(void *item, void *arg)
{
	(void) arg;
	return *mark_of(item) != 0;
}

static int set_mark(void *item, void *arg)
{
	(void) arg;
	*mark_of(item) = 1;
	return 0;
}

void eqt_run_secs_rebuild_notify(void)
{
	atomic_store(&recount.told, true);
}

bool eqt_run_secs_rebuild_pending(void)
{
	bool told = atomic_load(&recount.told);

	if (!assoc_mgr_qos_list || !list_count(assoc_mgr_qos_list))
		return told;
	if (!told && slurm_conf.last_update == recount.read)
		return false;
	return !list_find_first(assoc_mgr_qos_list, has_mark, NULL);
}

/* From here on run-seconds are those of this recount. */
static void settle(void)
{
	atomic_store(&recount.told, false);
	recount.read = slurm_conf.last_update;
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, set_mark, NULL);
}

void eqt_run_secs_rebuild_keep_marks(void)
{
	if (assoc_mgr_qos_list && !eqt_run_secs_rebuild_pending())
		list_for_each(assoc_mgr_qos_list, set_mark, NULL);
}

bool eqt_run_secs_rebuild_pending_for(const job_record_t *job)
{
	return eqt_run_secs_rebuild_pending() ||
	       (recount.walking && !eqt_job_walk_charged(job->job_id));
}

/* slurmctld tells of each recount after it, so that where marks are, the one it
 * has told of is settled. Remembered, it would make a recount of an operator who
 * resets the usage of every QOS. */
static void forget_settled(void)
{
	if (assoc_mgr_qos_list &&
	    list_find_first(assoc_mgr_qos_list, has_mark, NULL))
		atomic_store(&recount.told, false);
}

/*
 * False when there is nothing to take off. A job that is resized from now on
 * adds all of its time limit once more. The job lock keeps this out of a reading
 * of slurm.conf, which sets its time first and counts last.
 */
static bool begin_walk(void)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	slurmctld_lock_t job_lock = { .job = READ_LOCK };
	bool is_new;

	lock_slurmctld(job_lock);
	assoc_mgr_lock(&locks);
	is_new = eqt_run_secs_rebuild_pending();
	if (is_new) {
		eqt_resize_clear();
		settle();
		recount.walking = true;
	} else {
		forget_settled();
	}
	assoc_mgr_unlock(&locks);
	unlock_slurmctld(job_lock);
	return is_new;
}

static void end_walk(void)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;

	assoc_mgr_lock(&locks);
	recount.walking = false;
	assoc_mgr_unlock(&locks);
}

/* Of a job that was resized meanwhile that is all there is to do, too. */
static void take_off(job_record_t *job, void *arg)
{
	const struct walk *walk = arg;

	if (eqt_run_secs_rebuild_pending())
		return;
	(void) eqt_resize_take(job->job_id);
	eqt_job_charge_restart(walk->config, job, walk->last_ran);
}

void eqt_run_secs_rebuild_take_off(const struct eqt_config *config,
				   time_t last_ran)
{
	struct walk walk = { config, last_ran };

	/* A job that starts after this has nothing that had passed by then. */
	eqt_job_walk_collect(config, true);
	if (!begin_walk())
		return;
	eqt_job_walk_visit(EQT_JOB_WALK_CHARGED,
			   (assoc_mgr_lock_t) EQT_CHARGE_ASSOC_LOCKS, take_off,
			   &walk);
	end_walk();
}
