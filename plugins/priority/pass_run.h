/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass_run: the steps of one pass. pass.h declares the thread that runs a pass
 * in each period. Only the pass thread, which holds no lock, and fini() call
 * these functions.
 */
#ifndef EQT_PASS_RUN_H
#define EQT_PASS_RUN_H

#include <stdbool.h>

#include "state.h"

/* Run a pass. If `whole` is set, charge, rank, write priorities and save.
 * Otherwise only rank and write priorities. */
void eqt_pass_run(struct eqt_state *state, const struct eqt_config *config,
		  bool whole);

/* Charge all jobs up to now, after the last pass. The next slurmctld may not
 * know the running jobs (slurmctld -c), and cannot see that the clock was set
 * meanwhile. Under stock_decay or stock_recovery this charges only if the clock
 * was set. */
void eqt_pass_run_last(struct eqt_state *state,
		       const struct eqt_config *config);

#endif
