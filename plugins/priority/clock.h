/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock: the time by which jobs are charged. Seconds are counted by
 * CLOCK_BOOTTIME, which nobody can set. The wall clock only says at which date
 * the count started (docs/design/0082).
 *
 * slurmctld writes the wall clock into its records. If an administrator sets
 * the wall clock, the two clocks differ by a step until the next pass. That
 * pass charges up to the step, and then moves all times of charges by it.
 *
 * The struct is written while assoc_mgr's assoc lock is held for writing, and
 * read while that lock is held for reading. Only the pass thread reads it
 * without a lock.
 */
#ifndef EQT_CLOCK_H
#define EQT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The clock by which jobs are charged; eqt_clock_start() fills it. */
struct eqt_clock {
	/* The offset between the wall clock and CLOCK_BOOTTIME, in nanoseconds,
	   when the clock was last set. */
	int64_t offset_ns;
	/* The seconds by which the wall clock is ahead and that the charges do
	   not follow yet. */
	time_t step;
	time_t checked; /* The last time at which there was no step. */
	/* With stock_compat: the clock is the wall clock, including its
	   steps. */
	bool follows;
};

/* Set the clock to the wall clock. */
void eqt_clock_start(struct eqt_clock *clock, bool follows);

/* Continue the clock of an earlier slurmctld of this boot. That slurmctld saw
 * no step of the wall clock until `checked`. A later step is found as if that
 * slurmctld were still running. */
void eqt_clock_resume(struct eqt_clock *clock, int64_t offset_ns,
		      time_t checked);

/* The current time in seconds since the epoch. */
time_t eqt_clock_now(const struct eqt_clock *clock);

/* The seconds by which the wall clock is ahead of *clock, or 0 if the
 * difference is less than a second. */
time_t eqt_clock_step(const struct eqt_clock *clock);

/* Record whether there is a step. Returns the same time as eqt_clock_now(). */
time_t eqt_clock_check(struct eqt_clock *clock);

/* Follow the recorded step, so that the clock equals the wall clock again. */
void eqt_clock_follow(struct eqt_clock *clock);

/* Convert a moment that slurmctld recorded to this clock. The recorded step is
 * subtracted if slurmctld recorded the moment after the step. */
time_t eqt_clock_moment(const struct eqt_clock *clock, time_t noted);

/* The seconds by which the wall clock was set between two offsets of one boot.
 * A positive number means that it was set forward. */
time_t eqt_clock_between(int64_t before_ns, int64_t after_ns);

/* A number that identifies this boot of the machine, because times of
 * CLOCK_BOOTTIME can be compared only within one boot. Returns 0 if the boot is
 * not known. The function reads a file of /proc. */
uint64_t eqt_clock_boot(void);

/* The current time of CLOCK_BOOTTIME, for measuring how many seconds pass. */
struct timespec eqt_clock_steady(void);

#endif
