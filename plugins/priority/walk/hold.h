/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hold: how long a walk holds locks that others wait for. */
#ifndef EQT_HOLD_H
#define EQT_HOLD_H

/* slurmctld's locks are released after so long: an RPC that waits for them
 * should not notice. The jobs before the next look at the clock, and those
 * prefetched, must fit into two milliseconds, too. */
#define EQT_WALK_HOLD_NS 1700000L

/* Within that, assoc_mgr's write lock is released after so long. Of associations
 * by the thousand Slurm's own ranking holds it hardly longer. */
#define EQT_WALK_POST_NS 30000L
#define EQT_WALK_CLOCK_EVERY 8 /* jobs between two looks at the clock */

#endif
