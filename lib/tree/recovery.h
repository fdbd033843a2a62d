/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recovery: the time until a Level FS is 1 again.
 *
 * Level FS is S / U, where U is the node's part of its level's usage. The usage of all
 * siblings halves in each half-life, so a node without running jobs recovers only
 * because other nodes go on to use the cluster. Each function below makes a different
 * assumption about these nodes. All types are plain values, and nothing is allocated.
 */
#ifndef EQT_RECOVERY_H
#define EQT_RECOVERY_H

#include <stdint.h>

/*
 * Return the seconds until S / U is 1 if the node runs nothing and the usage of the
 * whole level is constant, because other nodes use what the node leaves. The formula is
 * half-life * log2(U / S). The result is 0 if S / U is already 1 or more. INFINITY
 * means never: the node has no shares, or usage does not decay (half_life_s == 0).
 */
long double eqt_recovery_taken(uint32_t half_life_s, long double shares_norm,
			       long double usage_efctv);

/*
 * Return the seconds until S / U is 1 if the node runs nothing and the usage of all
 * other nodes is constant, so that the usage of the level falls. The result is INFINITY
 * also if the other nodes have no usage. It is never less than that of
 * eqt_recovery_taken().
 */
long double eqt_recovery_steady(uint32_t half_life_s, long double shares_norm,
				long double usage_efctv);

/* A node and its level: their usage so far, and the usage that running jobs add in each
 * second. A plain value. */
struct eqt_recovery_level {
	long double shares_norm;
	long double usage; /* the usage of the node itself */
	/* The usage of the whole level, including the node. */
	long double level_usage;
	long double rate; /* the usage per second of the node's jobs */
	/* The usage per second of all jobs of the level. */
	long double level_rate;
};

/*
 * Return the seconds until S / U is 1 if the running jobs go on and no other job
 * starts, so that all usage decays and grows at the same time. Without decay
 * (half_life_s == 0) the result may be finite, because the jobs of other nodes may use
 * more. The result is INFINITY also if the node's jobs are more than its share of the
 * running jobs.
 */
long double eqt_recovery_running(uint32_t half_life_s,
				 const struct eqt_recovery_level *level);

#endif
