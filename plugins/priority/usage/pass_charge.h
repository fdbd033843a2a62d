/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass_charge: the usage of all associations and QOS, kept as of the last pass:
 * how a pass, a start and the end of a job change it.
 */
#ifndef EQT_PASS_CHARGE_H
#define EQT_PASS_CHARGE_H

#include <time.h>

#include "base/error.h"
#include "slurm/compat.h"
#include "configuration.h"
#include "usage/charge_state.h"
#include "walk/walk.h"

/* Recover usage from disk. Takes assoc_mgr's locks, none of slurmctld's. 0, or
 * -1 with err filled when a file cannot be read. */
int eqt_pass_charge_begin(struct eqt_pass_charge *charge,
			  const struct eqt_config *config,
			  struct eqt_error *err);

/* Must a pass visit this job for its charge? slurmctld's jobs are locked. */
bool eqt_pass_charge_wants(const struct eqt_pass_charge *charge,
			   const struct eqt_config *config,
			   const job_record_t *job);

/*
 * Decay all usage from the last pass to now and charge the jobs of
 * EQT_WALK_CHARGED, which were collected after now, for the time since. Returns
 * how many were charged. Takes slurmctld's job lock and assoc_mgr's in holds of
 * bounded time: a job that ends meanwhile is charged from where the pass left it.
 */
unsigned int eqt_pass_charge_pass(struct eqt_pass_charge *charge,
				  const struct eqt_config *config, time_t now);

/*
 * Where slurmctld reports no ends (run_watch.h): seconds between two looks at all
 * jobs. 0: it reports them, or as Slurm's own plugin nobody asks for them.
 */
uint32_t eqt_pass_charge_look_every(const struct eqt_config *config);

/* Must a look visit this job? As eqt_run_watch_wants(). */
bool eqt_pass_charge_look_wants(struct eqt_pass_charge *charge,
				const struct eqt_config *config,
				const job_record_t *job);

/* Charge what has ended since the last look, and remember what runs. wanted selects
 * the jobs of eqt_pass_charge_look_wants(). Called by the pass thread, between
 * passes; takes slurmctld's job lock and assoc_mgr's in holds of bounded time. */
void eqt_pass_charge_look(struct eqt_pass_charge *charge,
			  const struct eqt_config *config,
			  const struct eqt_walk_wanted *wanted);

/* A job was changed: charge what it held before, if it was resized and slurmctld does
 * not report that. slurmctld's job lock is held for writing. */
void eqt_pass_charge_job_changed(struct eqt_pass_charge *charge,
				 const struct eqt_config *config,
				 job_record_t *job);

/* If slurmctld has rebuilt the run seconds of running jobs, take off the part
 * that has passed. wanted selects the jobs that passes charge. Called by the pass
 * thread, between passes; takes slurmctld's job lock and assoc_mgr's in holds of
 * bounded time. */
void eqt_pass_charge_limits(struct eqt_pass_charge *charge,
			    const struct eqt_config *config,
			    const struct eqt_walk_wanted *wanted);

/* A job has ended: charge it now. slurmctld's job lock is held for writing. Returns
 * whether it may hold nodes from now on, so that
 * eqt_pass_charge_completing() is due. */
bool eqt_pass_charge_job_end(struct eqt_pass_charge *charge,
			     const struct eqt_config *config,
			     job_record_t *job);

/* Look at the jobs that have ended and hold nodes, between passes, each
 * EQT_COMPLETING_LOOK_MS; locks are those of eqt_completing_look(). The pass thread
 * calls. Returns whether any is left. */
bool eqt_pass_charge_completing(struct eqt_pass_charge *charge,
				const struct eqt_config *config);

/* At fini, before the last eqt_pass_charge_save(): jobs that have ended are charged
 * up to the last look. Takes assoc_mgr's locks. */
void eqt_pass_charge_end(struct eqt_pass_charge *charge,
			 const struct eqt_config *config);

/* Write usage as of last_ran to disk. Takes assoc_mgr's locks for reading. */
void eqt_pass_charge_save(struct eqt_pass_charge *charge,
			  const struct eqt_config *config);

#endif
