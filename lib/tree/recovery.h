/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recovery: the time until a Level FS is back at 1.
 *
 * Level FS is S / U, where U is the node's part of its level's usage. The usage of
 * all siblings halves each half-life, so a node that runs nothing recovers only
 * because the others go on. Each function below assumes something else about the
 * others. Plain values; nothing allocates.
 */
#ifndef EQT_RECOVERY_H
#define EQT_RECOVERY_H

#include <stdint.h>

/*
 * Seconds until S / U is 1 if the node runs nothing and the usage of the whole
 * level stays constant, because the others take what the node leaves:
 * half-life * log2(U / S). 0 if S / U is already 1 or more. INFINITY means never:
 * no shares, or no decay (half_life_s == 0).
 */
long double eqt_recovery_taken(uint32_t half_life_s, long double shares_norm,
			       long double usage_efctv);

/*
 * The same if the others run as much as before: their usage stays constant, and
 * the level's falls. INFINITY also if the others used nothing. Not less than
 * eqt_recovery_taken().
 */
long double eqt_recovery_steady(uint32_t half_life_s, long double shares_norm,
				long double usage_efctv);

/* A node and its level: usage so far, and what running jobs add to it each
 * second. A plain value. */
struct eqt_recovery_level {
	long double shares_norm;
	long double usage; /* of the node */
	long double level_usage; /* of the whole level, with the node */
	long double rate; /* of the node's jobs, usage per second */
	long double level_rate; /* of the whole level, with the node */
};

/*
 * The same if the running jobs go on and no other job starts: all usage decays
 * and grows at once. half_life_s == 0 is not always "never" here: the others'
 * jobs may outgrow the node. INFINITY also if the node's jobs are more than its
 * share of the running ones.
 */
long double eqt_recovery_running(uint32_t half_life_s,
				 const struct eqt_recovery_level *level);

#endif
