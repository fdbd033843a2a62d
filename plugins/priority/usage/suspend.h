/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suspend: how long jobs were suspended, for sites that do not charge it
 * (charge_suspended = no).
 *
 * A job record has the sum of all that is over and when it was suspended or
 * resumed last; what lies within one span follows from the sum as of the
 * span's begin, which is remembered (job_marks.h). After a restart it is not known:
 * then one suspension in the span is assumed, as long as it can have been.
 *
 * Under slurmctld's job write lock.
 */
#ifndef EQT_SUSPEND_H
#define EQT_SUSPEND_H

#include <stdint.h>
#include <time.h>

#include "slurm/compat.h"
#include "walk/job_table.h"

/*
 * Seconds of [from, to] in which the job was suspended, from being where the
 * call before ended; now is the time of the call.
 */
time_t eqt_suspend_within(struct eqt_job_table *suspended,
			  const job_record_t *job, time_t now, time_t from,
			  time_t to);

/* All seconds in which the job was suspended, up to now. A lock for reading is
 * enough. */
time_t eqt_suspend_total(const job_record_t *job, time_t now);

/* All seconds of a job's suspension until to, which is now or its end. */
time_t eqt_suspend_until(const job_record_t *job, time_t now, time_t to);

#endif
