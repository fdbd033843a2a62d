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
#ifndef EQT_RECOUNT_H
#define EQT_RECOUNT_H

#include <stdbool.h>

/* slurmctld has told of a recount, by a start or a reconfigure. Any thread. */
void eqt_recount_told(void);

/* Have run-seconds been counted anew, and what has passed not been taken off
 * since? Then limits hold all of each job's time limit. Under slurmctld's job
 * lock and the locks of EQT_CHARGE_ASSOC_LOCKS. */
bool eqt_recount_is_new(void);

/* What has passed is taken off. Locks as above. */
void eqt_recount_done(void);

/* Give the mark to QOS that have none. Locks as above. */
void eqt_recount_keep_marks(void);

#endif
