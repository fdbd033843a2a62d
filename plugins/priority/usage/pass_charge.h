/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charging: usage of all, kept as of the last pass: what a pass, a start and
 * the end of a job do to it.
 */
#ifndef EQT_PASS_CHARGE_H
#define EQT_PASS_CHARGE_H

#include <time.h>

#include "slurm/compat.h"
#include "base/error.h"
#include "configuration.h"

/* How many jobs a pass has charged. */
struct eqt_pass_charge_tally {
	unsigned int charged;
};

/* Recover usage from disk. Takes assoc_mgr's locks, none of slurmctld's. 0, or -1
 * with err filled where that cannot be. */
int eqt_pass_charge_begin(const struct eqt_config *config,
			  struct eqt_error *err);

/* Whether a pass has to come by this job. slurmctld's jobs are locked. */
bool eqt_pass_charge_wants(const struct eqt_config *config,
			   const job_record_t *job);

/*
 * Decay all usage from the last pass to now and charge the jobs that
 * eqt_job_walk_collect() found, which was called after now, for what they ran
 * since; *tally is added to. Takes slurmctld's job lock and assoc_mgr's in slices
 * of bounded time: a job that ends meanwhile is charged from where the pass left
 * it.
 */
void eqt_pass_charge_pass(const struct eqt_config *config, time_t now,
			  struct eqt_pass_charge_tally *tally);

/* slurmctld may have set the run-seconds of running jobs anew: then take off
 * what has passed of them. Called by the pass thread, between passes; takes
 * slurmctld's job lock and assoc_mgr's in slices of bounded time. */
void eqt_pass_charge_limits(const struct eqt_config *config);

/* A job has ended: charge it now. slurmctld's job lock is held for writing. */
void eqt_pass_charge_job_end(job_record_t *job);

/* The moment that usage is kept as of; 0: there was no pass yet. */
time_t eqt_pass_charge_last_ran(void);

/* Write usage as of then to disk. Takes assoc_mgr's locks for reading. */
void eqt_pass_charge_save(const struct eqt_config *config);

/* Free what is kept (at fini, when the pass thread is gone). */
void eqt_pass_charge_end(void);

#endif
