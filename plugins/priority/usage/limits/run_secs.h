/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_secs: the run-seconds that limits hold for a job. slurmctld adds them at the start,
 * for the whole time limit. They are released as time passes, and the rest at the end.
 *
 * Seconds include the UsageFactor of the job's QOS, count for each unit of a TRES, and are
 * whole. Passed seconds are rounded down as one number from the start, so that the sum
 * over any number of charges is what was added. assoc_mgr's QOS lock and slurmctld's job
 * lock are held.
 */
#ifndef EQT_RUN_SECS_H
#define EQT_RUN_SECS_H

#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"

/* The run-seconds that are held at the start. */
uint64_t eqt_run_secs_whole(const job_record_t *job);

/* The part that has passed by that time. */
uint64_t eqt_run_secs_passed(const job_record_t *job, time_t moment);

/* The part still held for a running job that was charged up to last_ran. */
uint64_t eqt_run_secs_left(const job_record_t *job, time_t last_ran);

/* The part that is released by charging [from, to]. If the job has ended or is being
 * resized, everything that is left at from. */
uint64_t eqt_run_secs_freed(const struct eqt_config *config,
			    const job_record_t *job, time_t from, time_t to);

#endif
