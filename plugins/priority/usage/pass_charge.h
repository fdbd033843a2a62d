/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass_charge: how a start, a pass and the end of a job change the usage of all
 * associations and QOS. Usage refers to the time of the last pass.
 */
#ifndef EQT_PASS_CHARGE_H
#define EQT_PASS_CHARGE_H

#include <time.h>

#include "base/error.h"
#include "slurm/compat.h"
#include "configuration.h"
#include "usage/charge_state.h"

/* Recover usage from disk. Takes assoc_mgr's locks, none of slurmctld's. Returns 0, or -1
 * with err filled when a file cannot be read. */
int eqt_pass_charge_begin(struct eqt_pass_charge *charge,
			  const struct eqt_config *config,
			  struct eqt_error *err);

/* Must a pass visit this job to charge it? slurmctld's job lock is held. */
bool eqt_pass_charge_wants(const struct eqt_pass_charge *charge,
			   const struct eqt_config *config,
			   const job_record_t *job);

/*
 * Decay all usage from the last pass to now, and charge the jobs of EQT_WALK_CHARGED,
 * which were collected after now, for the time since; then correct their billing. Returns
 * how many were charged; *billed: how many had another billing.
 * Takes slurmctld's job lock and assoc_mgr's in holds of bounded time: a job that ends
 * meanwhile is charged from the time up to which the pass has charged it.
 */
unsigned int eqt_pass_charge_pass(struct eqt_pass_charge *charge,
				  const struct eqt_config *config, time_t now,
				  unsigned int *billed);

/* Charge jobs that have ended since the last look, note the running ones, and correct
 * their billing. Only the pass thread calls this, between passes; takes slurmctld's job
 * lock and assoc_mgr's in holds of bounded time. Returns true if it visited a job that has
 * ended, which may still hold nodes. */
bool eqt_pass_charge_look(struct eqt_pass_charge *charge,
			  const struct eqt_config *config);

/* A job was changed. If it was resized and slurmctld does not report that, charge its old
 * allocation. slurmctld's job lock is held for writing. */
void eqt_pass_charge_job_changed(struct eqt_pass_charge *charge,
				 const struct eqt_config *config,
				 job_record_t *job);

/* If slurmctld has rebuilt the run-seconds of running jobs, subtract the part that has
 * passed. Only the pass thread calls this, between passes; takes slurmctld's job lock and
 * assoc_mgr's in holds of bounded time. */
void eqt_pass_charge_limits(struct eqt_pass_charge *charge,
			    const struct eqt_config *config);

/* A job has ended: charge it now. slurmctld's job lock is held for writing. Returns true if
 * it may still hold nodes, so that eqt_pass_charge_completing() is due. */
bool eqt_pass_charge_job_end(struct eqt_pass_charge *charge,
			     const struct eqt_config *config,
			     job_record_t *job);

/* Check ended jobs that still hold nodes, between passes, every EQT_COMPLETING_LOOK_MS.
 * Takes the locks of eqt_completing_look(). Only the pass thread calls this. Returns true
 * if there are any left. */
bool eqt_pass_charge_completing(struct eqt_pass_charge *charge,
				const struct eqt_config *config);

/* At fini, before the last eqt_pass_charge_save(): charge ended jobs that hold nodes up to
 * the last check. Takes assoc_mgr's locks. */
void eqt_pass_charge_end(struct eqt_pass_charge *charge,
			 const struct eqt_config *config);

/* Write usage at last_ran to disk. Takes assoc_mgr's locks for reading. */
void eqt_pass_charge_save(struct eqt_pass_charge *charge,
			  const struct eqt_config *config);

#endif
