/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elapsed: measures how long an operation takes. It reads a clock that nobody
 * can set. The clock is the real one even in the tests' stand-in slurmctld,
 * which has its own time.
 */
#ifndef EQT_ELAPSED_H
#define EQT_ELAPSED_H

#include <time.h>

/* The current time, as the starting point for eqt_elapsed_ns(). */
static inline struct timespec eqt_elapsed_start(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now;
}

/* The nanoseconds that have passed since *since. */
static inline long eqt_elapsed_ns(const struct timespec *since)
{
	struct timespec now = eqt_elapsed_start();

	return (now.tv_sec - since->tv_sec) * 1000000000L +
	       (now.tv_nsec - since->tv_nsec);
}

#endif
