/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lost_end: jobs that slurmctld saved as ended and charged, but whose line of the
 * journal was lost by a kill.
 *
 * slurmctld reports an end under its locks, and another thread writes the line
 * without them. If slurmctld is killed in between, and had saved the job already,
 * its record says that the job is charged, and no file of ours does. The first pass
 * after a start charges such a job: its end is after the snapshot's time, and
 * neither the journal nor slurmctld has reported it.
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
#include "usage/amounts/job_marks.h"

/* marks is not owned; eqt_lost_end_over() frees the rest. */
struct eqt_lost_end {
	const struct eqt_job_marks *marks;
	time_t last_ran; /* of the snapshot; 0: the first pass is over */
	struct eqt_job_table ended; /* jobs that ended since the start */
};

/* A snapshot as of last_ran was recovered, with the journal after it. */
void eqt_lost_end_begin(struct eqt_lost_end *lost, time_t last_ran);

/* slurmctld reports the end of this job, which is charged now. */
void eqt_lost_end_exclude(struct eqt_lost_end *lost, uint32_t job_id);

/* Was the end of this job, which has started once, lost? */
bool eqt_lost_end_is(const struct eqt_lost_end *lost, const job_record_t *job);

/* The first pass has visited all jobs. */
void eqt_lost_end_over(struct eqt_lost_end *lost);

#endif
