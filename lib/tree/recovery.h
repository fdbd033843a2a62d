/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recovery: when a Level FS is back at 1.
 *
 * Level FS is S / U, U being the node's part of what its level used. Usage
 * halves each half-life, that of all siblings alike: a node that runs nothing
 * recovers only by what the others run meanwhile. So two answers, for the
 * others' usage at two levels. Plain values; nothing allocates.
 */
#ifndef EQT_RECOVERY_H
#define EQT_RECOVERY_H

#include <stdint.h>

/*
 * Seconds until S / U is 1 when the node runs nothing and the level's usage
 * as a whole stays what it is: the others take what it leaves.
 * half-life * log2(U / S). 0 when S / U is 1 or more, INFINITY for never: no
 * shares, or half_life_s == 0, which is no decay.
 */
long double eqt_recovery_taken(uint32_t half_life_s, long double shares_norm,
			       long double usage_efctv);

/*
 * The same when the others run just as much as they did, so that their usage
 * stays what it is and the level's falls. Never also when they used nothing.
 * Not less than eqt_recovery_taken().
 */
long double eqt_recovery_steady(uint32_t half_life_s, long double shares_norm,
				long double usage_efctv);

/* A node and its level: usage so far, and what running jobs add to it each
 * second. A plain value. */
struct eqt_recovery_level {
	long double shares_norm;
	long double usage; /* of the node */
	long double level_usage; /* of all of its level, the node's, too */
	long double rate; /* of the node's jobs */
	long double level_rate; /* of all of its level */
};

/*
 * The same when the jobs that run now go on and nothing else runs: usage of
 * each decays and grows at once. Without decay shares are reached, too, if
 * the others' jobs use more. Never also when the node's own jobs are more than
 * its share of what runs.
 */
long double eqt_recovery_running(uint32_t half_life_s,
				 const struct eqt_recovery_level *level);

#endif
