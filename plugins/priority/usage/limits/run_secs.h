/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_secs: the run-seconds that limits hold for a job. slurmctld adds them at the start,
 * for the whole time limit. They are released as time passes, and the rest at the end.
 *
 * Seconds include the UsageFactor of the job's QOS, count for each unit of a TRES, and are
 * whole. Passed seconds are rounded down as one number from the start, so that the sum
 * over any number of charges is what was added. assoc_mgr's QOS lock and slurmctld's job
 * lock are held.
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

/* The run-seconds that are held at the start. */
uint64_t eqt_run_secs_whole(const job_record_t *job);

/* The part still held for a running job that was charged up to last_ran. */
uint64_t eqt_run_secs_left(const job_record_t *job, time_t last_ran);

/* The part that is released by charging [from, to]. If the job has ended or is being
 * resized, everything that is left at from. */
uint64_t eqt_run_secs_freed(const struct eqt_config *config,
			    const job_record_t *job, time_t from, time_t to);

/*
 * run_secs_rebuild: at a start and whenever it reads slurm.conf again, slurmctld sets all
 * run-seconds to 0 and adds those of running jobs again, for their whole time limits. The
 * part that has passed must then be subtracted, once.
 *
 * slurmctld calls us only later, after it has released its locks; jobs end and passes
 * charge in between. So each QOS carries a mark: one run-second of energy. slurmctld sets
 * the mark to 0 with all other run-seconds and otherwise leaves it alone, because no job uses
 * that TRES. (Commands print run-seconds as minutes, so the mark is not visible.) An operator
 * who resets the usage of a QOS removes its mark, too; therefore the time at which
 * slurm.conf was last read is compared as well.
 */

/* Initialize to 0 and set the pointers; nothing to free. */
struct eqt_run_secs_rebuild {
	struct eqt_walk *walk;
	const struct eqt_job_runs *runs;

	atomic_bool notified;
	time_t read; /* slurm.conf's time at the last subtraction */
	bool walking; /* a subtraction is under way */
};

/* slurmctld has reported a rebuild, by a start or a reconfigure. Any thread. */
void eqt_run_secs_rebuild_notify(struct eqt_run_secs_rebuild *rebuild);

/* Have run-seconds been rebuilt, and the passed part not been subtracted since? Then
 * limits hold the whole time limit of each job. slurmctld's job lock and the locks of
 * EQT_CHARGE_ASSOC_LOCKS are held. */
bool eqt_run_secs_rebuild_pending(struct eqt_run_secs_rebuild *rebuild);

/*
 * Do limits hold the whole time limit of this job, although a part has passed? That is so
 * from a rebuild until eqt_run_secs_rebuild_take_off() has visited the job. Locks as
 * above.
 */
bool eqt_run_secs_rebuild_pending_for(struct eqt_run_secs_rebuild *rebuild,
				      const job_record_t *job);

/*
 * If run-seconds have been rebuilt, subtract the part of each job that had passed at
 * last_ran, the time of the last pass. wanted selects the jobs that passes charge. Only
 * the pass thread calls this, between passes; takes slurmctld's locks and assoc_mgr's in
 * holds of bounded time. Another rebuild ends the walk; slurmctld reports that one, too.
 */
void eqt_run_secs_rebuild_take_off(struct eqt_run_secs_rebuild *rebuild,
				   const struct eqt_config *config,
				   const struct eqt_walk_wanted *wanted,
				   time_t last_ran);

/* Set the mark of new QOS, which have none. Locks as above. */
void eqt_run_secs_rebuild_keep_marks(struct eqt_run_secs_rebuild *rebuild);

#endif
