/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backfill_reservations: the nodes and times that one backfill of a simulation reserves
 * for jobs that must wait. Private to lib/sim. */
#ifndef EQT_BACKFILL_RESERVATIONS_H
#define EQT_BACKFILL_RESERVATIONS_H

#include "sim/simulation_impl.h"

/* Make an empty set of reservations for that many nodes. NULL: out of memory. */
struct eqt_backfill_reservations *eqt_backfill_reservations_new(uint32_t nodes);
void eqt_backfill_reservations_free(struct eqt_backfill_reservations *reserved);
/* Drop the reservations of jobs; advance reservations stay. 0, or -1 with err. */
int eqt_backfill_reservations_clear(struct eqt_simulation_state *state);
/* Note that a job has started, so that other resources are free now. */
void eqt_backfill_reservations_started(struct eqt_simulation_state *state);
/* Note that a running job will give this amount of a node back at the end of its time
 * limit; drop the note when the job has ended. 0, or -1 with err. */
int eqt_backfill_reservations_note_release(
	struct eqt_simulation_state *state, uint32_t node, int64_t at,
	const struct eqt_simulation_amount *gone);
void eqt_backfill_reservations_drop_release(
	struct eqt_simulation_state *state, uint32_t node, int64_t at,
	const struct eqt_simulation_amount *gone);
/* Can a job in that advance reservation (EQT_SIMULATION_NO_RESERVATION: in none) use
 * the node from now until that time? */
bool eqt_backfill_reservations_allow(const struct eqt_simulation_state *state,
				     uint32_t node, int64_t until,
				     int reservation);
/* Reserve nodes for a job that is in no advance reservation, at the first time when
 * enough of them are free for its time limit. If that is beyond backfill_window_s,
 * nothing is reserved. 0, or -1 with err. */
int eqt_backfill_reservations_add(struct eqt_simulation_state *state,
				  const struct eqt_simulation_job *job);

#endif
