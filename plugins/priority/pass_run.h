/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass_run: what one pass does. pass.h has the thread that runs it once a period. The
 * pass thread calls all of these, without a lock.
 */
#ifndef EQT_PASS_RUN_H
#define EQT_PASS_RUN_H

#include <stdbool.h>

#include "state.h"

/* whole: charge, rank and save; otherwise ranks and priorities alone. */
void eqt_pass_run(struct eqt_state *state, const struct eqt_config *config,
		  bool whole);

/* Take what has passed off run seconds that slurmctld has rebuilt. */
void eqt_pass_run_limits(struct eqt_state *state,
			 const struct eqt_config *config);

/* Look for ends that slurmctld does not report, and correct their billing. */
void eqt_pass_run_look(struct eqt_state *state,
		       const struct eqt_config *config);

#endif
