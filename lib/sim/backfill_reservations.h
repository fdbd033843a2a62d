/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan: what one backfill of a simulation has planned. Private to lib/sim. */
#ifndef EQT_SIMULATION_PLAN_H
#define EQT_SIMULATION_PLAN_H

#include "sim/simulation_impl.h"

/* Drop what is planned, but for reservations. 0, or -1 with err. */
int eqt_simulation_plan_clear(struct eqt_simulation_state *state);
/* Note that a job has started, so that other resources are free now. */
void eqt_simulation_plan_started(struct eqt_simulation_state *state);
/* A running job will give a node back so much at the end of its time limit; it has given
 * it back. 0, or -1 with err. */
int eqt_simulation_plan_note_release(struct eqt_simulation_state *state,
				     uint32_t node, int64_t at,
				     const struct eqt_simulation_amount *gone);
void eqt_simulation_plan_drop_release(struct eqt_simulation_state *state,
				      uint32_t node, int64_t at,
				      const struct eqt_simulation_amount *gone);
/* May a job of that reservation, or of none, use the node from now until that time? */
bool eqt_simulation_plan_allows(const struct eqt_simulation_state *state,
				uint32_t node, int64_t until, int reservation);
/* Plan a job for the first time at which enough of its nodes are free for its time
 * limit; nothing if that is beyond backfill_window_s. 0, or -1 with err. */
int eqt_simulation_plan_job(struct eqt_simulation_state *state,
			    const struct eqt_simulation_job *job);

#endif
