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

/* Recover the usage from disk. The function takes assoc_mgr's locks and none of
 * slurmctld's. Returns 0, or -1 with err filled if a file cannot be read. */
int eqt_pass_charge_begin(struct eqt_pass_charge *charge,
			  const struct eqt_config *config,
			  struct eqt_error *err);

/* Must a pass visit this job to charge it? slurmctld's job lock is held. */
bool eqt_pass_charge_wants(const struct eqt_pass_charge *charge,
			   const struct eqt_config *config,
			   const job_record_t *job);

/*
 * Decay all usage from the last pass to `now`, charge the jobs of
 * EQT_WALK_CHARGED for the time since, and correct their billing. The jobs must
 * have been collected after `now` was read. Returns how many jobs were charged,
 * and sets *billed to how many got another billing.
 *
 * The function takes slurmctld's job lock and assoc_mgr's locks, and releases
 * them after a limited time each. A job that ends meanwhile is charged from the
 * time up to which the pass has charged it.
 */
unsigned int eqt_pass_charge_pass(struct eqt_pass_charge *charge,
				  const struct eqt_config *config, time_t now,
				  unsigned int *billed);

/* Search for jobs that have ended since the last search and charge them, record
 * the running jobs, and correct their billing. Only the pass thread calls this,
 * between passes. The function takes slurmctld's job lock and assoc_mgr's
 * locks, and releases them after a limited time each. Returns true if it
 * visited an ended job, which may still hold nodes. */
bool eqt_pass_charge_look(struct eqt_pass_charge *charge,
			  const struct eqt_config *config);

/* Report that a job was changed. If the job was resized and slurmctld does not
 * report that, its old allocation is charged. slurmctld's job lock is held for
 * writing. */
void eqt_pass_charge_job_changed(struct eqt_pass_charge *charge,
				 const struct eqt_config *config,
				 job_record_t *job);

/* If slurmctld has rebuilt the run-seconds of running jobs, subtract the part
 * that has already passed. Only the pass thread calls this, between passes. The
 * function takes slurmctld's job lock and assoc_mgr's locks, and releases them
 * after a limited time each. */
void eqt_pass_charge_limits(struct eqt_pass_charge *charge,
			    const struct eqt_config *config);

/* Charge a job that ends now. slurmctld's job lock is held for writing. Returns
 * true if the job may still hold nodes, so that eqt_pass_charge_completing() is
 * due. */
bool eqt_pass_charge_job_end(struct eqt_pass_charge *charge,
			     const struct eqt_config *config,
			     job_record_t *job);

/* Check ended jobs that still hold nodes, between passes, every
 * EQT_COMPLETING_LOOK_MS. Only the pass thread calls this. The function takes
 * the locks of eqt_completing_look(). Returns true if such jobs are left. */
bool eqt_pass_charge_completing(struct eqt_pass_charge *charge,
				const struct eqt_config *config);

/* When the plugin is unloaded, charge ended jobs that hold nodes up to the last
 * check. Call this before the last eqt_pass_charge_save(). The function takes
 * assoc_mgr's locks. */
void eqt_pass_charge_end(struct eqt_pass_charge *charge,
			 const struct eqt_config *config);

/* Write the usage as of last_ran to disk. The function takes assoc_mgr's locks
 * for reading. */
void eqt_pass_charge_save(struct eqt_pass_charge *charge,
			  const struct eqt_config *config);

#endif
