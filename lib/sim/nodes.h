/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes: what nodes have free, and what jobs take of it. Private to lib/sim. */
#ifndef EQT_SIMULATION_NODES_H
#define EQT_SIMULATION_NODES_H

#include "sim/simulation_impl.h"

/* The resources that a job takes on each of its nodes; on one of them. */
struct eqt_simulation_amount eqt_simulation_each(
	const struct eqt_simulation_job *job);
struct eqt_simulation_amount eqt_simulation_each_on(
	const struct eqt_simulation_state *state,
	const struct eqt_simulation_job *job, uint32_t node);
/* The index of a job's reservation, or EQT_SIMULATION_NO_RESERVATION. */
int eqt_simulation_reservation_of(const struct eqt_simulation_job *job);
/* Is there enough of each resource? A free amount may be below 0, if the jobs that
 * run when a simulation begins hold more than a node has. */
bool eqt_simulation_amount_holds(const struct eqt_simulation_amount *has,
				 const struct eqt_simulation_amount *each);
/* Would the job start on an empty cluster? */
bool eqt_simulation_possible(struct eqt_simulation_state *state,
			     const struct eqt_simulation_job *job);
/* Find nodes for a job that runs until that time, into state->picked. */
bool eqt_simulation_fit(struct eqt_simulation_state *state,
			const struct eqt_simulation_job *job, int64_t until);
/* Allocate the picked nodes to the job (live->nodes), or release them. 0, or -1 when
 * memory is short. */
int eqt_simulation_take(struct eqt_simulation_state *state,
			struct eqt_simulation_live *live);
void eqt_simulation_release(struct eqt_simulation_state *state,
			    struct eqt_simulation_live *live);
/* Is a node in the job's partition, with the right GPU model? */
bool eqt_simulation_node_eligible(const struct eqt_simulation_state *state,
				  uint32_t node,
				  const struct eqt_simulation_job *job);
/* Do two jobs want the same of the same nodes? */
bool eqt_simulation_same_shape(const struct eqt_simulation_job *a,
			       const struct eqt_simulation_job *b);
/* Would the job start now if nothing were planned and no job were before it? */
bool eqt_simulation_fits_now(const struct eqt_simulation_state *state,
			     const struct eqt_simulation_job *job);

#endif
