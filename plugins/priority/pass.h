/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass: a thread that once in each period charges running jobs, decays usage,
 * ranks the share tree and gives every pending job its priority.
 */
#ifndef EQT_PASS_H
#define EQT_PASS_H

#include "state.h"

/* Recover the usage from disk. From then on the ends of jobs are charged. The
 * function takes assoc_mgr's locks and none of slurmctld's. Returns 0, or -1
 * with err filled. */
int eqt_pass_init(struct eqt_state *state, struct eqt_error *err);

/* Start the pass thread and the journal's thread, after eqt_pass_init(). The
 * function does nothing if they are running. Returns 0, or -1 after logging the
 * error. The caller may hold any lock, because the threads wait for the locks
 * that they need. */
int eqt_pass_start(struct eqt_state *state);

/* Wait for the current pass, if any, end the thread, and save the usage. The
 * function undoes eqt_pass_init() and eqt_pass_start(). */
void eqt_pass_stop(struct eqt_state *state);

/* Request a pass soon, but at least a second after the last one. The caller may
 * hold any lock. */
void eqt_pass_wake(struct eqt_state *state);

/* Report that a job has ended that may still hold nodes. The pass thread checks
 * such jobs until none is left. The caller may hold any lock. */
void eqt_pass_job_ended(struct eqt_state *state);

/*
 * Request a pass soon, because a new configuration is in force. `limits` is set
 * if slurmctld has rebuilt all run-seconds: the pass then first subtracts the
 * time that has already passed from them. Under stock_compat the subtraction is
 * done without a pass. The caller may hold any lock.
 */
void eqt_pass_reconfigured(struct eqt_state *state, bool limits);

#endif
