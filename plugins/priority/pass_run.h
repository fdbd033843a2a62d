/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass_run: the steps of one pass. pass.h has the thread that runs a pass once a
 * period. Only the pass thread calls these, with no lock held, and fini().
 */
#ifndef EQT_PASS_RUN_H
#define EQT_PASS_RUN_H

#include <stdbool.h>

#include "state.h"

/* Run a pass. whole: charge, rank, write priorities, save; else rank and write
 * priorities only. */
void eqt_pass_run(struct eqt_state *state, const struct eqt_config *config,
		  bool whole);

/* Charge all jobs up to now, after the last pass. The next slurmctld may not know the running
 * jobs (-c), and does not see that the clock was set meanwhile. With stock_decay or
 * stock_recovery this is done only if the clock was set. */
void eqt_pass_run_last(struct eqt_state *state,
		       const struct eqt_config *config);

/*
 * Prepare the job records for priority/multifactor, with which slurmctld may start next:
 * slurmctld saves the records after fini(). Clear the preset billing of waiting jobs, and
 * set that of running jobs to their prices in equivalents. Log what priority/multifactor
 * will do in another way. No effect with stock_billing. Call after the pass thread has
 * ended.
 */
void eqt_pass_run_leave(struct eqt_state *state,
			const struct eqt_config *config);

#endif
