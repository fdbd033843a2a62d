/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suspended: how long jobs were suspended, for sites that do not charge it
 * (charge_suspended = no).
 *
 * A job record has the sum of all that is over and when it was suspended or
 * resumed last; what lies within one span follows from the sum as of the
 * span's begin, which is remembered here. After a restart it is not known:
 * then one suspension in the span is assumed, as long as it can have been.
 *
 * All calls are made under slurmctld's job write lock, or from fini.
 */
#ifndef EQT_SUSPEND_H
#define EQT_SUSPEND_H

#include <stdint.h>
#include <time.h>

#include "slurm/compat.h"

/*
 * Seconds of [from, to] in which the job was suspended, from being where the
 * call before ended; now is the time of the call.
 */
time_t eqt_suspend_within(const job_record_t *job, time_t now, time_t from,
			  time_t to);

/* Forget a job; forget all. */
void eqt_suspend_forget(uint32_t job_id);
void eqt_suspend_clear(void);

#endif
