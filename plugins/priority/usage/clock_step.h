/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock_step: the wall clock was set back behind the last pass, as after it had
 * been wrong. Passes go on from the clock's new time, so that jobs that start
 * now are charged; those that ran at the last pass are charged up to there,
 * and not again until the clock has come back to it. Usage is taken as it is:
 * decay of the hours that did not happen is not undone.
 */
#ifndef EQT_CLOCK_STEP_H
#define EQT_CLOCK_STEP_H

#include <time.h>

#include "guard.h"
#include "usage/job_marks.h"

/* Remember how far running jobs are charged, and say it in the log.
 * slurmctld's job lock is held for writing. */
void eqt_clock_step(struct eqt_job_marks *marks, struct eqt_guard *guard,
		    time_t last_ran, time_t now);

#endif
