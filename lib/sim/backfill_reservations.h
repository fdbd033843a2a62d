/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backfill_reservations: the nodes and times that one backfill of a simulation reserves
 * for jobs that must wait. Only lib/sim uses it. */
#ifndef EQT_BACKFILL_RESERVATIONS_H
#define EQT_BACKFILL_RESERVATIONS_H

#include "sim/simulation_impl.h"

/* Make an empty set of reservations for a number of nodes. Return NULL if there is no
 * memory. */
struct eqt_backfill_reservations *eqt_backfill_reservations_new(uint32_t nodes);
void eqt_backfill_reservations_free(struct eqt_backfill_reservations *reserved);
/* Remove the reservations of jobs, but not advance reservations. Return 0, or -1 with
 * err filled. */
int eqt_backfill_reservations_clear(struct eqt_simulation_state *state);
/* Note that a job has started, so that other resources are free now. */
void eqt_backfill_reservations_started(struct eqt_simulation_state *state);
/* Note that a running job will release an amount of a node at the end of its time
 * limit, or remove the note when the job has ended. Return 0, or -1 with err filled. */
int eqt_backfill_reservations_note_release(
	struct eqt_simulation_state *state, uint32_t node, int64_t at,
	const struct eqt_simulation_amount *gone);
void eqt_backfill_reservations_drop_release(
	struct eqt_simulation_state *state, uint32_t node, int64_t at,
	const struct eqt_simulation_amount *gone);
/* Can a job use a node from now until a time? `reservation` is the index of the advance
 * reservation in which the job runs, or EQT_SIMULATION_NO_RESERVATION. */
bool eqt_backfill_reservations_allow(const struct eqt_simulation_state *state,
				     uint32_t node, int64_t until,
				     int reservation);
/* Reserve nodes for a job that needs no advance reservation, at the first time when
 * enough of them are free for its time limit. Nothing is reserved if that is later than
 * backfill_window_s from now. Return 0, or -1 with err filled. */
int eqt_backfill_reservations_add(struct eqt_simulation_state *state,
				  const struct eqt_simulation_job *job);

#endif
