/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass: the thread that, once a period, charges running jobs, decays usage,
 * ranks the share tree and gives every pending job its priority.
 */
#ifndef EQT_PASS_H
#define EQT_PASS_H

#include "state.h"

/* Recover usage from disk; from now on the ends of jobs are charged. Takes assoc_mgr's
 * locks, none of slurmctld's. Returns 0, or -1 with err filled. */
int eqt_pass_init(struct eqt_state *state, struct eqt_error *err);

/* Start the pass thread and the journal's thread, after eqt_pass_init(); no effect if
 * they run. Returns 0, or -1 (logged). Any lock may be held: the threads wait for the
 * locks that they need. */
int eqt_pass_start(struct eqt_state *state);

/* Wait for the pass under way, if any, end the thread, and save usage. The opposite of
 * eqt_pass_init() and eqt_pass_start(). */
void eqt_pass_stop(struct eqt_state *state);

/* Request a pass soon, but at least a second after the last one. Any lock may be
 * held. */
void eqt_pass_wake(struct eqt_state *state);

/* A job has ended that may still hold nodes: check such jobs until there are none. Any
 * lock may be held. */
void eqt_pass_job_ended(struct eqt_state *state);

/*
 * A new configuration is in force: request a pass soon. limits: slurmctld has rebuilt
 * all run-seconds, so the pass first subtracts the time that has passed of them. In
 * stock_compat mode that is done without a pass. Any lock may be held.
 */
void eqt_pass_reconfigured(struct eqt_state *state, bool limits);

#endif
