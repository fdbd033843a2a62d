/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: the program owns time, and every thread's sleep.
 *
 * clock.c defines time(), gettimeofday(), clock_gettime() and all of the
 * condition variables for the whole process. Time stands still until
 * clock_advance() moves it, and it moves only while all threads of the plugin
 * sleep on a condition: a pass happens exactly when it is due and has ended
 * before anything else happens.
 */
#ifndef EQT_HOST_CLOCK_H
#define EQT_HOST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* 2020-01-01 00:00:00 UTC: where each history begins. */
#define CLOCK_START INT64_C(1577836800)

/* Wall-clock seconds since CLOCK_START. */
int64_t clock_elapsed(void);

/* Note how many threads there are before a plugin starts its own. */
void clock_plugin_starts(void);

/* How many it has started since. */
int clock_plugin_threads(void);

/* All threads made since then belong to the plugin; wait until they sleep. */
void clock_plugin_started(void);

/* The plugin's threads have ended (fini joined them). */
void clock_plugin_stopped(void);

/* The plugin's threads never wake up again: what kill -9 leaves of them. */
void clock_plugin_killed(void);

/* Wait until all threads of the plugin sleep. Ends the program with an error
 * if that takes more than a minute of real time: a deadlock. */
void clock_settle(void);

/* With hurry clock_settle() does not wait from now on: events overlap with
 * passes. Outputs differ from run to run then; it is for a race detector. Not
 * while other threads let time pass. */
void clock_hurry(bool hurry);

/* From now on whoever looks twice how long something takes finds that it took a
 * second: a walk in slices lets go of its locks at each look at the clock. */
void clock_busy(void);

/* Let seconds pass; sleeps that end on the way end in their order. */
void clock_advance(int64_t seconds);

/* Set the wall clock forward or back; sleeps on the monotonic clock and the
 * order of events are not touched. */
void clock_step(int64_t seconds);

#endif
