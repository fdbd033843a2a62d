/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_secs_rebuild: at a start and whenever slurm.conf is read again, slurmctld
 * sets all run seconds to 0 and counts those of running jobs again, for their
 * whole time limits. The part that has passed must then be taken off, once.
 *
 * slurmctld calls us only later, after it has released its locks: jobs end and
 * passes charge in between. So a mark goes with the numbers: a run second of
 * energy at each QOS, which slurmctld sets to 0 with all others and otherwise
 * leaves alone, since no job has any. (Commands show run seconds as minutes.) An
 * operator who resets the usage of a QOS removes its mark, too: so the time at
 * which slurm.conf was last read counts as well.
 */
#ifndef EQT_RUN_SECS_REBUILD_H
#define EQT_RUN_SECS_REBUILD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "usage/job_marks.h"
#include "walk/walk.h"

/* {0} but for walk and marks is a good start; nothing to free. */
struct eqt_run_secs_rebuild {
	struct eqt_walk *walk;
	struct eqt_job_marks *marks;

	atomic_bool notified;
	time_t read; /* slurm.conf, when what had passed was taken off */
	/* The passed part is being taken off: it is off for the jobs visited. */
	bool walking;
};

/* slurmctld has reported a rebuild, by a start or a reconfigure. Any thread. */
void eqt_run_secs_rebuild_notify(struct eqt_run_secs_rebuild *rebuild);

/* Have run seconds been rebuilt, and the passed part not been taken off since?
 * Then limits hold all of each job's time limit. Under slurmctld's job lock and
 * the locks of EQT_CHARGE_ASSOC_LOCKS. */
bool eqt_run_secs_rebuild_pending(struct eqt_run_secs_rebuild *rebuild);

/*
 * Do limits hold all of this job's time limit, although some of it has passed?
 * They do from a rebuild on until eqt_run_secs_rebuild_take_off() has visited
 * the job. Locks as above.
 */
bool eqt_run_secs_rebuild_pending_for(struct eqt_run_secs_rebuild *rebuild,
				      const job_record_t *job);

/*
 * If run seconds have been rebuilt: take off what had passed of each job by
 * last_ran, when the last pass was. wanted selects the jobs that passes charge.
 * Called by the pass thread, between passes; takes slurmctld's locks and
 * assoc_mgr's in holds of bounded time. Another rebuild in the middle ends the
 * walk; slurmctld reports that one, too.
 */
void eqt_run_secs_rebuild_take_off(struct eqt_run_secs_rebuild *rebuild,
				   const struct eqt_config *config,
				   const struct eqt_walk_wanted *wanted,
				   time_t last_ran);

/* Give the mark to QOS that have none. Locks as above. */
void eqt_run_secs_rebuild_keep_marks(struct eqt_run_secs_rebuild *rebuild);

#endif
