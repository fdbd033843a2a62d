/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass: the thread that, once a period, charges running jobs, decays usage,
 * ranks the share tree and gives every pending job its priority.
 */
#ifndef EQT_PASS_H
#define EQT_PASS_H

#include "state.h"

/* Recover usage from disk: from now on ends of jobs are charged. Takes
 * assoc_mgr's locks, none of slurmctld's. 0, or -1 with err filled. */
int eqt_pass_init(struct eqt_state *state, struct eqt_error *err);

/* Start the thread, and that of the journal, after eqt_pass_init(); nothing when
 * it runs. 0, or -1 (logged). Any lock may be held; the threads wait for those
 * that they need. */
int eqt_pass_start(struct eqt_state *state);

/* End the thread, if it was started, after the pass that may be under way,
 * and save usage. The opposite of eqt_pass_init(). */
void eqt_pass_stop(struct eqt_state *state);

/* Run a pass soon, a second after the last one at the earliest. Any lock may be
 * held. */
void eqt_pass_wake(struct eqt_state *state);

/* A job has ended that may hold nodes: look at such jobs until there is none. Any
 * lock may be held. */
void eqt_pass_job_ended(struct eqt_state *state);

/*
 * A new configuration is in force: run a pass soon. limits: slurmctld has rebuilt
 * all run seconds, and the pass begins by taking off what has passed of them;
 * with stock_reconfigure that is done at once, without a pass. Any lock may be
 * held.
 */
void eqt_pass_reconfigured(struct eqt_state *state, bool limits);

#endif
