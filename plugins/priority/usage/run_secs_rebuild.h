/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recount: at a start and whenever slurm.conf is read again, slurmctld sets all
 * run-seconds to 0 and counts those of running jobs anew, for their whole time
 * limits. What has passed of them is then to be taken off again, once.
 *
 * slurmctld tells of it only later, after it has let go of its locks: jobs end
 * and passes charge in between. So a mark goes with the numbers: a run-second
 * of energy at each QOS, which slurmctld sets to 0 with all others and otherwise
 * leaves alone, since no job has any. (Whoever shows run-seconds shows minutes.)
 * An operator who resets the usage of a QOS takes its mark away, too: so the
 * time counts at which slurm.conf was read last.
 */
#ifndef EQT_RUN_SECS_REBUILD_H
#define EQT_RUN_SECS_REBUILD_H

#include <stdbool.h>
#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"

/* slurmctld has told of a recount, by a start or a reconfigure. Any thread. */
void eqt_run_secs_rebuild_notify(void);

/* Have run-seconds been counted anew, and what has passed not been taken off
 * since? Then limits hold all of each job's time limit. Under slurmctld's job
 * lock and the locks of EQT_CHARGE_ASSOC_LOCKS. */
bool eqt_run_secs_rebuild_pending(void);

/*
 * Do limits hold all of this job's time limit, although some of it has passed?
 * They do from a recount on until eqt_run_secs_rebuild_take_off() has come by the job.
 * Locks as above.
 */
bool eqt_run_secs_rebuild_pending_for(const job_record_t *job);

/*
 * If run-seconds have been counted anew: take off what had passed of each job by
 * last_ran, when the last pass was. Called by the pass thread, between passes;
 * takes slurmctld's locks and assoc_mgr's in slices of bounded time. Another
 * recount in the middle ends the walk; slurmctld tells of that one, too.
 */
void eqt_run_secs_rebuild_take_off(const struct eqt_config *config,
				   time_t last_ran);

/* Give the mark to QOS that have none. Locks as above. */
void eqt_run_secs_rebuild_keep_marks(void);

#endif
