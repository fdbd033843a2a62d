/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter: what a plugin costs: time on the processor, allocations, and how long
 * slurmctld's locks are held.
 *
 * meter.c stands in front of malloc() and its like; meter_locks.c is slurmctld's
 * locks and stands in front of assoc_mgr's. Both watch every thread of the
 * program but the one that calls meter_begin().
 */
#ifndef EQT_BENCH_METER_H
#define EQT_BENCH_METER_H

#include <stdbool.h>
#include <stdint.h>

/* What is watched. Noting a lock takes time itself, which whoever holds another
 * one meanwhile would seem to take: each kind has a pass of its own. */
enum meter_watch { METER_NO_LOCKS, METER_JOB_LOCKS, METER_ASSOC_LOCKS };

/* The locks that are watched. */
enum meter_lock {
	METER_JOB_WRITE,
	METER_JOB_READ,
	METER_ASSOC_WRITE,
	METER_ASSOC_READ,
	METER_LOCKS
};

struct meter_hold {
	uint64_t count;
	int64_t longest_ns; /* of the holder's time on the processor */
	int64_t sum_ns;
};

struct meter {
	int64_t cpu_ns; /* of all threads but the caller's */
	int64_t locked_ns; /* of the pass, to its last unlock of slurmctld's */
	uint64_t allocations;
	int64_t live_bytes; /* allocated and not freed, since meter_forget() */
	struct meter_hold hold[METER_LOCKS];
};

/* Watch from here on. */
void meter_begin(enum meter_watch watch);

/* What there was since meter_begin(); nothing is watched from here on. */
struct meter meter_end(void);

/* Count live bytes from 0. */
void meter_forget(void);

/* ---- Between the two files ------------------------------------------------ */

/* Note a hold that ends now; began_ns is the thread's meter_now_ns() then. */
void meter_hold(enum meter_lock lock, int64_t began_ns);
int64_t meter_now_ns(void);
void meter_unlocked(void);
bool meter_watches(enum meter_watch watch);

#endif
