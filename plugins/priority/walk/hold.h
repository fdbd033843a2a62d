/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hold: the locks of a walk, and how long it holds them while others wait. */
#ifndef EQT_HOLD_H
#define EQT_HOLD_H

/* slurmctld's locks to visit jobs that are changed. */
#define EQT_WALK_JOB_LOCKS                                              \
	{                                                               \
		.job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK \
	}

/* slurmctld's locks are released after this time, so that an RPC hardly waits. The whole
 * hold should stay below 2 ms, including the jobs until the next look at the clock and
 * those already prefetched. */
#define EQT_WALK_HOLD_NS 1700000L

/* Within that, assoc_mgr's write lock is released after this time. For comparison:
 * Slurm's own ranking of a thousand associations holds it about as long. */
#define EQT_WALK_POST_NS 30000L
#define EQT_WALK_CLOCK_EVERY 8 /* jobs between two looks at the clock */

#endif
