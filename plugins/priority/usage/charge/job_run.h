/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_run: the run of a job that is charged (usage/runs/runs.h), made from slurmctld's
 * record of it.
 *
 * Locks: slurmctld's jobs for writing, assoc_mgr's as in EQT_CHARGE_ASSOC_LOCKS.
 */
#ifndef EQT_JOB_RUN_H
#define EQT_JOB_RUN_H

#include <stdbool.h>
#include <time.h>

#include "configuration.h"
#include "slurm/compat.h"
#include "usage/amounts/post.h"
#include "usage/runs/stretch.h"

/* The table of runs, and who settles them; not owned. */
struct eqt_job_runs {
	struct eqt_runs *table;
	const struct eqt_stretch_sink *sink;
};

/* Does anybody settle what runs owe? */
bool eqt_job_run_is_settled(const struct eqt_job_runs *runs);

/*
 * Begin a run that is charged up to a time. If passes of an earlier slurmctld charged it
 * before, nobody remembers what they did: it owes from its start, or from its last resize,
 * at the present price. *run is the job's last run, or {0}.
 */
void eqt_job_run_begin(const struct eqt_job_runs *runs,
		       const struct eqt_config *config, job_record_t *job,
		       time_t until, double price, struct eqt_run *run);

/* Add a charge to the run of the job. If nobody settles, a run is needed only where
 * slurmctld reports no ends, and then a look has begun it (run_watch.h). */
void eqt_job_run_add(const struct eqt_job_runs *runs, job_record_t *job,
		     const struct eqt_post *post,
		     const struct eqt_stretch_part *part);

#endif
