/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shape: the resources that a job takes on a node, and the nodes that it can use. Only
 * lib/sim uses it. */
#ifndef EQT_SIMULATION_SHAPE_H
#define EQT_SIMULATION_SHAPE_H

#include "sim/simulation_impl.h"

/* Return the resources that a job takes on each of its nodes, or on a given node. */
struct eqt_simulation_amount eqt_shape_each(
	const struct eqt_simulation_job *job);
struct eqt_simulation_amount eqt_shape_each_on(
	const struct eqt_simulation_state *state,
	const struct eqt_simulation_job *job, uint32_t node);
/* Add an amount to another. */
void eqt_shape_add(struct eqt_simulation_amount *to,
		   const struct eqt_simulation_amount *each);
/* Return the index of a job's reservation, or EQT_SIMULATION_NO_RESERVATION. */
int eqt_shape_reservation_of(const struct eqt_simulation_job *job);
/* Is there enough of each resource? A free amount may be below 0, if the jobs that run
 * when a simulation begins hold more than a node has. */
bool eqt_shape_holds(const struct eqt_simulation_amount *has,
		     const struct eqt_simulation_amount *each);
/* Is a node in the job's partition, does it have the right GPU model, and may the job
 * use it? */
bool eqt_shape_node_eligible(const struct eqt_simulation_state *state,
			     uint32_t node,
			     const struct eqt_simulation_job *job);
/* Do two jobs take the same resources on the same nodes? */
bool eqt_shape_is_same(const struct eqt_simulation_job *a,
		       const struct eqt_simulation_job *b);

#endif
