/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lost_end: jobs that slurmctld saved as ended and charged, and whose line of the
 * journal a kill has lost.
 *
 * slurmctld tells of an end under its locks, and another thread writes the line
 * without them. If slurmctld is killed in between, and had saved the job already,
 * its record says that the job is charged, and no file of ours does. The first pass
 * after a start charges such a job: its end is after the snapshot's time, and
 * neither the journal nor slurmctld has told of it.
 *
 * Called under slurmctld's job lock (for writing, or reading where the argument is
 * const), or from init and fini.
 */
#ifndef EQT_LOST_END_H
#define EQT_LOST_END_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "slurm/compat.h"

/* A snapshot as of last_ran was recovered, with a journal that goes on from there. */
void eqt_lost_end_begin(time_t last_ran);

/* slurmctld tells of this job's end, which is charged now. */
void eqt_lost_end_told(uint32_t job_id);

/* Whether the end of a job that has started once is such a one. */
bool eqt_lost_end_is(const job_record_t *job);

/* The first pass has come by all jobs. */
void eqt_lost_end_over(void);

#endif
