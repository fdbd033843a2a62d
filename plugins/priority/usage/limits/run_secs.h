/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_secs: the run-seconds that limits hold for a job. slurmctld adds them at
 * the start, for the whole time limit. They are released as time passes, and
 * the rest at the end.
 *
 * The seconds include the UsageFactor of the job's QOS, count for each unit of
 * a TRES, and are whole numbers. The seconds passed since the start are rounded
 * down as one number, so that any number of charges adds up to what was added.
 * assoc_mgr's QOS lock and slurmctld's job lock are held.
 */
#ifndef EQT_RUN_SECS_H
#define EQT_RUN_SECS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "configuration.h"
#include "slurm/compat.h"
#include "usage/runs/job_run.h"
#include "walk/walk.h"

/* The run-seconds that limits hold when the job starts. */
uint64_t eqt_run_secs_whole(const job_record_t *job);

/* The run-seconds that limits still hold for a running job that was charged up
 * to last_ran. */
uint64_t eqt_run_secs_left(const job_record_t *job, time_t last_ran);

/* The run-seconds that charging [from, to] releases. If the job has ended or is
 * being resized, that is everything left at `from`. */
uint64_t eqt_run_secs_freed(const struct eqt_config *config,
			    const job_record_t *job, time_t from, time_t to);

/*
 * run_secs_rebuild: at a start, and whenever it reads slurm.conf again,
 * slurmctld sets all run-seconds to 0 and adds those of running jobs again, for
 * their whole time limits. The part that has passed must then be subtracted,
 * once.
 *
 * slurmctld calls us only later, after it has released its locks; jobs end and
 * passes charge in between. So each QOS carries a mark: one run-second of
 * energy. slurmctld sets the mark to 0 together with all other run-seconds, and
 * otherwise leaves it alone, because no job uses that TRES. The mark is not
 * visible, because commands print run-seconds as minutes. An operator who
 * resets the usage of a QOS also removes its mark. Therefore the time at which
 * slurm.conf was last read is compared as well.
 */

/* The state of rebuilds. Initialize it to 0 and set the pointers. It has
 * nothing to free. */
struct eqt_run_secs_rebuild {
	struct eqt_walk *walk;
	const struct eqt_job_runs *runs;

	atomic_bool notified;
	time_t read; /* The time of slurm.conf at the last subtraction. */
	bool walking; /* A subtraction is in progress. */
};

/* Report that slurmctld has rebuilt the run-seconds, at a start or a
 * reconfigure. Any thread may call this. */
void eqt_run_secs_rebuild_notify(struct eqt_run_secs_rebuild *rebuild);

/* Were the run-seconds rebuilt and the passed part not subtracted since? Then
 * limits hold the whole time limit of each job. slurmctld's job lock and
 * EQT_CHARGE_ASSOC_LOCKS are held. */
bool eqt_run_secs_rebuild_pending(struct eqt_run_secs_rebuild *rebuild);

/*
 * Do limits hold the whole time limit of this job, although a part has passed?
 * They do from a rebuild until eqt_run_secs_rebuild_take_off() has visited the
 * job. slurmctld's job lock and EQT_CHARGE_ASSOC_LOCKS are held.
 */
bool eqt_run_secs_rebuild_pending_for(struct eqt_run_secs_rebuild *rebuild,
				      const job_record_t *job);

/*
 * If the run-seconds were rebuilt, subtract the part of each job that had
 * passed at last_ran, the time of the last pass. `wanted` selects the jobs that
 * passes charge. Only the pass thread calls this, between passes. The function
 * takes slurmctld's and assoc_mgr's locks, and releases them after a limited
 * time each. Another rebuild ends the walk, and slurmctld reports that one,
 * too.
 */
void eqt_run_secs_rebuild_take_off(struct eqt_run_secs_rebuild *rebuild,
				   const struct eqt_config *config,
				   const struct eqt_walk_wanted *wanted,
				   time_t last_ran);

/* Set the mark of new QOS, which have none. slurmctld's job lock and
 * EQT_CHARGE_ASSOC_LOCKS are held. */
void eqt_run_secs_rebuild_keep_marks(struct eqt_run_secs_rebuild *rebuild);

#endif
