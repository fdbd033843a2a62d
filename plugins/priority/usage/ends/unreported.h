/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unreported: ends that slurmctld does not report. Without limits in
 * AccountingStorageEnforce slurmctld does not call priority_p_job_end(), and
 * the record of a job that was requeued, resized or purged no longer says what
 * the job held. So the pass thread searches all jobs every few seconds and
 * remembers running jobs (runs.h). It charges ended jobs by what it remembers
 * and by the times of the record.
 *
 * A search cannot see a run that began and was requeued or purged since the
 * last search, or the first of two resizes. The end of a run may be wrong by
 * the time between two searches if its record was removed or belongs to the
 * next run.
 *
 * Unless a comment says otherwise, slurmctld's job lock is held for writing,
 * its node and part locks for reading, and EQT_CHARGE_ASSOC_LOCKS of assoc_mgr.
 */
#ifndef EQT_UNREPORTED_H
#define EQT_UNREPORTED_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "slurm/compat.h"
#include "configuration.h"
#include "usage/charge/job_charge.h"

/*
 * The seconds between two searches of all jobs, if slurmctld reports no ends of
 * jobs. Returns 0 if it reports them, or if stock_compat ignores them as
 * Slurm's own plugin does.
 */
uint32_t eqt_unreported_every(const struct eqt_config *config);

/* Begin a search or a pass. The pass thread calls this without a lock. */
void eqt_unreported_begin(struct eqt_job_charge *jobs);

/*
 * Must a search visit this running or suspended job? If not, record that its
 * run continues. The pass thread calls this while slurmctld's job lock is held
 * for reading.
 */
bool eqt_unreported_wants(struct eqt_job_charge *jobs, const job_record_t *job,
			  time_t now);

/* Remember a running or suspended job. Its previous run or previous size is
 * charged first, if the record no longer has that. */
void eqt_unreported_visit(struct eqt_job_charge *jobs,
			  const struct eqt_config *config, job_record_t *job,
			  const struct eqt_charge_span *span);

/* Charge the previous run or previous size of an ended job that is charged
 * next, if the record no longer has that. */
void eqt_unreported_end(struct eqt_job_charge *jobs,
			const struct eqt_config *config,
			const job_record_t *job,
			const struct eqt_charge_span *span);

/* Has this job been resized since the last search? Only slurmctld's job lock is
 * needed. */
bool eqt_unreported_is_resized(const struct eqt_job_charge *jobs,
			       const job_record_t *job);

/* If slurmctld reports no ends, is the run of this ended job known and not
 * over? */
bool eqt_unreported_is_open(const struct eqt_job_charge *jobs,
			    const struct eqt_config *config,
			    const job_record_t *job);

/* Forget the runs that are over, and those that the pass or the search has not
 * found. If slurmctld reports no ends, the latter are charged first. The pass
 * thread calls this. The function takes the locks and releases them after a
 * limited time each. */
void eqt_unreported_sweep(struct eqt_job_charge *jobs,
			  const struct eqt_config *config,
			  const struct eqt_charge_span *span);

#endif
