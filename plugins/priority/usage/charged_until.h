/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charged_until: running jobs that are not charged up to the last pass, but to
 * another moment. A job that was resized is charged, at its old size, up to that
 * moment. A job that ran when the clock was set back is charged up to where it
 * was. A job that the journal charged to its end comes back as running when
 * slurmctld was killed before it saved its own state; it is then charged up to
 * that end, be that before the last pass or after it.
 *
 * All calls are made under slurmctld's job write lock, or from init.
 */
#ifndef EQT_CHARGED_UNTIL_H
#define EQT_CHARGED_UNTIL_H

#include <stdint.h>
#include <time.h>

#include "walk/job_times.h"

/* Remember that a job is charged up to a moment. Short of memory, the job is
 * not remembered. */
void eqt_charged_until_set(uint32_t job_id, time_t until);

/* That moment of a job, 0 when there is none. It says nothing of a
 * run that began later. */
time_t eqt_charged_until(uint32_t job_id);

/* Forget a job that has ended: its next run is another one. */
void eqt_charged_until_forget(uint32_t job_id);

/* Call each for every job, in the order of ids, until it returns not 0. */
void eqt_charged_until_each(int (*each)(const struct eqt_job_time *, void *),
			    void *arg);

/* Forget the moments that a pass has gone beyond, which charged all jobs up to
 * last_ran. */
void eqt_charged_until_prune(time_t last_ran);

/* Forget all (at fini). */
void eqt_charged_until_clear(void);

#endif
