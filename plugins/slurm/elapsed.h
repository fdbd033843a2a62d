/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long something takes, on a clock that nobody sets and that runs on in a
 * program that gives slurmctld's plugins a time of its own.
 */
#ifndef EQT_ELAPSED_H
#define EQT_ELAPSED_H

#include <time.h>

/* This moment, for eqt_elapsed_ns(). */
static inline struct timespec eqt_elapsed_start(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now;
}

/* Nanoseconds since that moment. */
static inline long eqt_elapsed_ns(const struct timespec *since)
{
	struct timespec now = eqt_elapsed_start();

	return (now.tv_sec - since->tv_sec) * 1000000000L +
	       (now.tv_nsec - since->tv_nsec);
}

#endif
