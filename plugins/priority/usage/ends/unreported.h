/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unreported: ends that slurmctld does not report. Without limits in
 * AccountingStorageEnforce it does not call priority_p_job_end(), and the
 * record of a job that was requeued, resized or purged no longer says what the
 * job held. So the pass thread looks at all jobs every few seconds, remembers
 * running jobs (runs.h), and charges ended ones by that and by the times of the
 * record.
 *
 * A look cannot see a run that began and was requeued or purged since the last look, or the
 * first of two resizes. The end of a run whose record is gone, or is that of the next run,
 * may be wrong by the time between two looks.
 *
 * Locks, unless stated otherwise: slurmctld's jobs for writing, nodes and
 * partitions for reading, assoc_mgr's as EQT_CHARGE_ASSOC_LOCKS.
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
 * If slurmctld reports no ends of jobs (unreported.h): seconds between two looks at all
 * jobs. 0: it reports them, or stock_compat ignores them as Slurm's own plugin does.
 */
uint32_t eqt_unreported_every(const struct eqt_config *config);

/* Begin a look or a pass. Called by the pass thread, without a lock. */
void eqt_unreported_begin(struct eqt_job_charge *jobs);

/*
 * Must a look visit this job, which runs or is suspended? If not, note that its run goes on.
 * The pass thread calls this under slurmctld's job lock, for reading.
 */
bool eqt_unreported_wants(struct eqt_job_charge *jobs, const job_record_t *job,
			  time_t now);

/* Remember a job that runs or is suspended. Charge its previous run or previous size first, if
 * the record no longer has that. */
void eqt_unreported_visit(struct eqt_job_charge *jobs,
			  const struct eqt_config *config, job_record_t *job,
			  const struct eqt_charge_span *span);

/* A job has ended and is charged next: charge its previous run or previous size first, if the
 * record no longer has that. */
void eqt_unreported_end(struct eqt_job_charge *jobs,
			const struct eqt_config *config,
			const job_record_t *job,
			const struct eqt_charge_span *span);

/* Has this job been resized since the last look? Needs only slurmctld's job lock. */
bool eqt_unreported_is_resized(const struct eqt_job_charge *jobs,
			       const job_record_t *job);

/* If slurmctld reports no ends: is the run of this ended job known, and not over? */
bool eqt_unreported_is_open(const struct eqt_job_charge *jobs,
			    const struct eqt_config *config,
			    const job_record_t *job);

/* Forget the runs that are over, and those that the pass or the look has not found. If
 * slurmctld reports no ends, charge the latter first. Called by the pass thread; takes the
 * locks in holds of bounded time. */
void eqt_unreported_sweep(struct eqt_job_charge *jobs,
			  const struct eqt_config *config,
			  const struct eqt_charge_span *span);

#endif
