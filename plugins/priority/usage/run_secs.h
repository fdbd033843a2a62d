/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_secs: the run seconds that limits hold for a job. slurmctld adds them at
 * the start, for the whole time limit; they are freed as the time passes, and
 * at the end all that is left.
 *
 * Seconds are with the UsageFactor of the job's QOS, for each unit of a TRES,
 * and whole: what has passed is rounded down as one number from the start on,
 * so that however many stretches a job is charged in, their sum is what was
 * added. assoc_mgr's QOS lock is held, slurmctld's job lock too.
 */
#ifndef EQT_RUN_SECS_H
#define EQT_RUN_SECS_H

#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"

/* All that is held from the start on. */
uint64_t eqt_run_secs_whole(const job_record_t *job);

/* The part that has passed by a moment. */
uint64_t eqt_run_secs_passed(const job_record_t *job, time_t moment);

/* The part still held for a running job that was charged up to last_ran. */
uint64_t eqt_run_secs_left(const job_record_t *job, time_t last_ran);

/* The part released by [from, to]: when the job has ended or is being resized,
 * all that is left at from. */
uint64_t eqt_run_secs_freed(const struct eqt_config *config,
			    const job_record_t *job, time_t from, time_t to);

#endif
