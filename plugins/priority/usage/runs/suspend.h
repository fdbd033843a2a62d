/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suspend: how long jobs were suspended, for sites that do not charge that time
 * (charge_suspended = no).
 *
 * A job record has the sum of its past suspensions, and the time at which it was suspended
 * or resumed last. The time within one span is the difference to the sum at the begin of
 * the span, which is remembered (job_marks.h). After a restart that sum is not known; then
 * one suspension, as long as possible, is assumed in the span.
 *
 * slurmctld's job lock is held for writing.
 */
#ifndef EQT_SUSPEND_H
#define EQT_SUSPEND_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "slurm/compat.h"
#include "walk/job_table.h"

/*
 * Seconds within [from, to] in which the job was suspended. from is the end of the
 * previous call's span; now is the present time.
 */
time_t eqt_suspend_within(struct eqt_job_table *suspended,
			  const job_record_t *job, time_t now, time_t from,
			  time_t to);

/* All seconds in which the job was suspended, up to now. The job lock for reading is
 * enough. */
time_t eqt_suspend_total(const job_record_t *job, time_t now);

/* Was the job cancelled while it was suspended? Slurm then sets its end to the begin of
 * the suspension, but adds the time until now to the sum. */
bool eqt_suspend_is_end(const job_record_t *job);

/* All seconds in which the job was suspended, until to, which is now or its end. */
time_t eqt_suspend_until(const job_record_t *job, time_t now, time_t to);

#endif
