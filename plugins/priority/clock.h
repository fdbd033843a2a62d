/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: the time by which charges count. Seconds come from CLOCK_BOOTTIME, which nobody
 * sets; the wall clock only says where in time they are (docs/design/0082).
 *
 * slurmctld writes the wall clock into its records. If that clock is set, both differ by a
 * step until the next pass, which charges up to then and moves all times of charges by it.
 *
 * It is written with assoc_mgr's assoc lock held for writing, and read with that lock held
 * for reading. The pass thread reads it without a lock.
 */
#ifndef EQT_CLOCK_H
#define EQT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A plain value; eqt_clock_start() fills it. */
struct eqt_clock {
	int64_t offset_ns; /* of the wall clock to CLOCK_BOOTTIME, as placed */
	time_t step; /* the wall clock is ahead by this, not followed yet */
	time_t checked; /* at this time there was no step */
	bool follows; /* stock_compat: it is the wall clock, steps and all */
};

/* Place the clock by the wall clock. */
void eqt_clock_start(struct eqt_clock *clock, bool follows);

/* Continue the clock of an earlier slurmctld of this boot, which saw no step up to `checked`. A
 * step since then is found now, as if that slurmctld still ran. */
void eqt_clock_resume(struct eqt_clock *clock, int64_t offset_ns,
		      time_t checked);

/* Now, in seconds since the epoch. */
time_t eqt_clock_now(const struct eqt_clock *clock);

/* By how many seconds the wall clock is ahead of *clock; 0 for less than one. */
time_t eqt_clock_step(const struct eqt_clock *clock);

/* Note whether there is a step. Returns what eqt_clock_now() does. */
time_t eqt_clock_check(struct eqt_clock *clock);

/* Follow the step that was noted: from now on the clock is the wall clock again. */
void eqt_clock_follow(struct eqt_clock *clock);

/* A moment that slurmctld noted, by this clock: less the step that was found, if slurmctld
 * noted it after that step. */
time_t eqt_clock_moment(const struct eqt_clock *clock, time_t noted);

/* The seconds by which the wall clock was set between two offsets of one boot; above 0:
 * forward. */
time_t eqt_clock_between(int64_t before_ns, int64_t after_ns);

/* A number that identifies this boot of the machine: times of CLOCK_BOOTTIME can be compared
 * within one boot only. 0: not known. Reads a file of /proc. */
uint64_t eqt_clock_boot(void);

/* A moment of CLOCK_BOOTTIME, to measure seconds from. */
struct timespec eqt_clock_steady(void);

#endif
