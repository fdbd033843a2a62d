/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: the program controls time, and the sleep of every thread.
 *
 * clock.c defines time(), gettimeofday(), clock_gettime() and all functions on
 * condition variables for the whole process. Time does not pass until
 * clock_advance() moves it, and that happens only while all threads of the
 * plugin sleep on a condition. So a pass runs exactly when it is due, and ends
 * before anything else happens.
 */
#ifndef EQT_HOST_CLOCK_H
#define EQT_HOST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* 2020-01-01 00:00:00 UTC, the start of each history. */
#define CLOCK_START INT64_C(1577836800)

/* Wall-clock seconds since CLOCK_START. */
int64_t clock_elapsed(void);

/* Note the existing threads, before a plugin starts its own. */
void clock_plugin_starts(void);

/* The number of threads that were started since clock_plugin_starts(). */
int clock_plugin_threads(void);

/* All threads made since then belong to the plugin; wait until they sleep. */
void clock_plugin_started(void);

/* The plugin's threads have ended: fini() joined them. */
void clock_plugin_stopped(void);

/* The plugin's threads never wake up again, as after kill -9. */
void clock_plugin_killed(void);

/* Wait until all threads of the plugin sleep. Ends the program with an error
 * if that takes more than a minute of real time: a deadlock. */
void clock_settle(void);

/*
 * With hurry, clock_settle() does not wait from now on: events overlap with
 * passes. The output then differs from run to run; this is for a race detector.
 * Not to be called while other threads let time pass.
 */
void clock_hurry(bool hurry);

/* From now on each second look at a clock finds that a second has passed. So a
 * walk in slices releases its locks at each look at the clock. */
void clock_busy(void);

/* Let seconds pass; sleeps that end meanwhile end in their order. */
void clock_advance(int64_t seconds);

/* Set the wall clock forward or back. This does not change sleeps on the
 * monotonic clock, nor the order of events. */
void clock_step(int64_t seconds);

#endif
