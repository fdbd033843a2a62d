/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock_step: the wall clock was set back to before the last pass. Passes continue from
 * the new time, so that jobs that start now are charged. Jobs that ran at the last pass
 * are charged up to its time, and not again until the clock reaches it. Usage stays as
 * it is: the decay for the skipped hours is not undone.
 */
#ifndef EQT_CLOCK_STEP_H
#define EQT_CLOCK_STEP_H

#include <time.h>

#include "guard.h"
#include "usage/amounts/job_marks.h"

/* Remember how far running jobs are charged, and log the step. slurmctld's job lock is
 * held for writing. */
void eqt_clock_step(struct eqt_job_marks *marks, struct eqt_guard *guard,
		    time_t last_ran, time_t now);

#endif
